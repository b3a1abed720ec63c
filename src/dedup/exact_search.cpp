#include "dedup/exact_search.h"

#include <algorithm>
#include <bit>
#include <string>
#include <utility>
#include <vector>

#include "base/pair_output.h"
#include "base/parallel.h"
#include "base/system.h"
#include "dedup/exact_sets.h"
#include "dedup/unit_visitor.h"
#include "io/codecs.h"
#include "join/edit_join.h"
#include "neardup/error.h"

namespace neardup::dedup {
namespace {

void join_fingerprints(const ExactRequest& request, PairSink& sink, JoinStats& stats, Context& context) {
  const std::vector<std::uint64_t>& left = request.sides.front().table.bits;
  const std::vector<std::uint64_t>& right = request.sides.back().table.bits;
  const bool is_self = request.sides.size() == 1;
  if (std::max(left.size(), right.size()) > kMostFingerprints) {
    throw Error(ErrorCode::limit, "--measure hamming compares every pair, and " +
                                      std::to_string(std::max(left.size(), right.size())) +
                                      " different documents are more than its limit of " +
                                      std::to_string(kMostFingerprints) + " (--sample or --limit look at a part)");
  }
  const base::Stopwatch watch;
  const std::uint64_t most = request.definition.threshold.num;
  base::PairOutput output(sink, request.options.max_pairs);
  // Which pairs come first must not depend on the threads when only the first ones count.
  Context scanning = context;
  if (request.options.max_pairs != 0) scanning.threads = 1;
  base::parallel_for(scanning, left.size(), [&](std::size_t first, std::size_t last) {
    base::PairBatch found(output);
    for (std::size_t a = first; a < last && !output.enough(); ++a) {
      for (std::size_t b = is_self ? a + 1 : 0; b < right.size(); ++b) {
        const auto distance = static_cast<unsigned>(std::popcount(left[a] ^ right[b]));
        if (distance <= most) found.add(a, b, distance);
      }
    }
    found.finish();
  });
  stats.algorithm = "scan";
  stats.candidates =
      is_self ? left.size() * (left.size() - std::min<std::size_t>(left.size(), 1)) / 2 : left.size() * right.size();
  stats.pairs = output.count();
  stats.stopped = output.enough();
  stats.join_seconds = watch.seconds();
}

struct Strings {
  std::vector<std::pair<Unit, std::string>> units;
};

// Strings are compared in memory, where they stand once as text and once as symbols.
void check_strings_fit(const ExactRequest& request, const Context& context) {
  constexpr std::uint64_t kBytesPerString = 96, kTimes = 3, kAlwaysAllowed = 64u << 20;
  std::uint64_t bytes = 0;
  for (const ExactSide& side : request.sides) {
    for (const std::uint32_t size : side.table.set_size) bytes += kBytesPerString + kTimes * size;
  }
  if (bytes <= std::max<std::uint64_t>(kAlwaysAllowed, base::memory_bytes(context))) return;
  throw Error(ErrorCode::limit, "--measure edit needs about " + std::to_string(bytes >> 20) +
                                    " MB for these texts, more than --memory allows; allow more, or look at a part "
                                    "with --limit or --sample");
}

void join_texts(const ExactRequest& request, PairSink& sink, JoinStats& stats, Context& context) {
  const base::Stopwatch watch;
  check_strings_fit(request, context);
  std::vector<std::vector<std::pair<Unit, std::string>>> texts(request.sides.size());
  for (unsigned s = 0; s < request.sides.size(); ++s) {
    visit_units<Strings>(
        request.sides[s], request.definition, context,
        [&] {
          return [](Unit unit, const Document& document, DocumentFeatures& features, Strings& out) {
            out.units.emplace_back(unit, features.string(document));
            return true;
          };
        },
        [&](Strings& part) { std::move(part.units.begin(), part.units.end(), std::back_inserter(texts[s])); });
  }
  std::vector<joins::SourceString> sources;
  for (unsigned s = 0; s < texts.size(); ++s) {
    for (const auto& [unit, text] : texts[s]) sources.push_back({.text = text, .number = unit, .side = s});
  }
  const joins::StringSet strings(static_cast<unsigned>(texts.size()), sources, context);
  texts.clear();
  stats.order_seconds = watch.seconds();
  base::PairOutput output(sink, request.options.max_pairs);
  joins::run_edit_join({strings, request.options, output, stats, context});
}

}  // namespace

JoinStats join_units(ExactRequest request, PairSink& sink, Context& context) {
  request.options.measure = request.definition.measure;
  request.options.threshold = request.definition.threshold;
  JoinStats stats;
  for (const ExactSide& side : request.sides) {
    stats.records += side.table.rows();
    stats.distinct += side.table.units();
  }
  if (request.definition.measure == Measure::hamming) {
    join_fingerprints(request, sink, stats, context);
  } else if (request.definition.measure == Measure::edit) {
    join_texts(request, sink, stats, context);
  } else {
    join_sets(request, sink, stats, context);
  }
  stats.peak_bytes = base::peak_memory_bytes();
  return stats;
}

std::unique_ptr<joins::SharedFilter> make_shared_filter(std::span<const Collection* const> collections,
                                                        const Definition& definition, const Context& context) {
  constexpr std::uint64_t kInflated = 5;  // what a compressed byte stands for
  std::uint64_t bytes = 0;
  for (const Collection* collection : collections) {
    for (const io::Source& source : collection->impl().sources) {
      bytes += source.file_bytes * (source.codec == &io::plain_codec() ? 1 : kInflated);
    }
  }
  const std::uint64_t bytes_per_feature = definition.features.kind == FeatureKind::chars ? 3 : 6;
  return std::make_unique<joins::SharedFilter>(static_cast<unsigned>(collections.size()), bytes / bytes_per_feature,
                                               base::memory_bytes(context) / 8);
}

}  // namespace neardup::dedup
