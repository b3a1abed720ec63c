#include "search/exact.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "base/pair_output.h"
#include "base/parallel.h"
#include "base/system.h"
#include "search/exact_sets.h"
#include "corpus/reread.h"
#include "io/codecs/codecs.h"
#include "join/edit_join.h"
#include "neardup/error.h"
#include "neardup/hamming.h"

namespace neardup::search {
namespace {

// Passes pairs of fingerprints on, unless their documents' lengths differ too much.
class FingerprintPairs final : public PairSink {
 public:
  FingerprintPairs(const ExactRequest& request, base::PairOutput& output)
      : definition_(request.definition),
        left_(request.sides.front().table.length),
        right_(request.sides.back().table.length),
        output_(output) {}

  bool accept(std::span<const Pair> pairs) override {
    for (const Pair& pair : pairs) {
      if (left_.empty() || definition_.lengths_agree(left_[pair.left], right_[pair.right])) passed_.push_back(pair);
    }
    output_.flush(passed_);
    return !output_.enough();
  }

 private:
  const Definition& definition_;
  const std::vector<std::uint32_t>&left_, &right_;
  base::PairOutput& output_;
  std::vector<Pair> passed_;
};

// Keeps each pair of a collection with itself once.
class Once final : public PairSink {
 public:
  explicit Once(PairSink& sink) : sink_(sink) {}
  bool accept(std::span<const Pair> pairs) override {
    ordered_.clear();
    std::ranges::copy_if(pairs, std::back_inserter(ordered_), [](const Pair& pair) { return pair.left < pair.right; });
    return sink_.accept(ordered_);
  }

 private:
  PairSink& sink_;
  std::vector<Pair> ordered_;
};

void join_fingerprints(const ExactRequest& request, PairSink& sink, JoinStats& stats, const Context& context) {
  const base::Stopwatch watch;
  const std::vector<std::uint64_t>& left = request.sides.front().table.bits;
  const std::vector<std::uint64_t>& right = request.sides.back().table.bits;
  const bool is_self = request.sides.size() == 1;
  const std::string& algorithm = request.options.algorithm;
  const auto distance = static_cast<unsigned>(request.definition.threshold.num);
  if (context.observer != nullptr) context.observer->stage("comparing", 0, "fingerprints");
  base::PairOutput output(sink, request.options.max_pairs);
  FingerprintPairs pairs(request, output);
  // Which pairs come first must not depend on the threads when only the first ones count.
  Context searching = context;
  if (request.options.max_pairs != 0) searching.threads = 1;
  SearchStats search;
  if (is_self && algorithm == "auto") {
    stats.algorithm = "partitions";
    search = hamming_self_join(left, distance, pairs, searching);
  } else {
    const auto index =
        build_hamming_index(right, {.kind = algorithm == "auto" ? "fast" : algorithm, .distance = distance}, searching);
    stats.algorithm = index->kind();
    stats.index_entries = index->size();
    stats.index_bytes = index->memory_bytes();
    stats.index_seconds = watch.seconds();
    Once once(pairs);
    search = index->search({.bits = left}, {.distance = distance}, is_self ? static_cast<PairSink&>(once) : pairs,
                           searching);
  }
  stats.candidates = search.compared;
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

void join_texts(const ExactRequest& request, PairSink& sink, JoinStats& stats, const Context& context) {
  const base::Stopwatch watch;
  check_strings_fit(request, context);
  std::vector<std::vector<std::pair<Unit, std::string>>> texts(request.sides.size());
  for (unsigned s = 0; s < request.sides.size(); ++s) {
    corpus::visit_units<Strings>(
        request.sides[s], request.definition, context,
        [&] {
          return [](Unit unit, const Document& document, Sketcher& features, Strings& out) {
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

JoinStats join_units(ExactRequest request, PairSink& sink, const Context& context) {
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

}  // namespace neardup::search
