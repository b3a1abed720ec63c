#include "dedup/exact_search.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "base/parallel.h"
#include "base/system.h"
#include "dedup/document_features.h"
#include "dedup/record_names.h"
#include "io/codecs.h"
#include "io/pass.h"
#include "join/algorithms.h"
#include "join/edit_join.h"
#include "join/set_builder.h"
#include "neardup/error.h"
#include "similarity/verifier.h"

namespace neardup::dedup {
namespace {

using joins::SetBuilder;

// Reads a collection again and shows the first document of every unit to `visit`, which runs on all threads and leaves
// what it made of it in a Part; `take` gets the parts in input order.
template <class Part, class MakeVisitor, class Take>
void visit_units(const ExactSide& side, const Definition& definition, Context& context, const MakeVisitor& make_visitor,
                 const Take& take) {
  struct Result final : io::BatchResult {
    std::uint64_t content = 0;
    Part part;
  };
  using Visitor = decltype(make_visitor());
  class Worker final : public io::BatchWorker {
   public:
    Worker(const ExactSide& worker_side, const Definition& worker_definition, Visitor visitor)
        : side_(worker_side),
          parser_(worker_side.collection.impl().parser()),
          features_(worker_definition),
          visitor_(std::move(visitor)) {}

    std::unique_ptr<io::BatchResult> work(const io::RecordBatch& batch) override {
      auto result = std::make_unique<Result>();
      if (batch.first_row + batch.records.size() > side_.table.rows()) throw_changed(*batch.source);
      result->content = content_hash(batch);
      for (std::size_t place = 0; place < batch.records.size(); ++place) {
        const auto row = static_cast<Row>(batch.first_row + place);
        if (!side_.table.is_first(row)) continue;
        const io::RawRecord& record = batch.records[place];
        if (record.problem != nullptr || parser_->parse(batch, record, document_) != nullptr)
          throw_changed(*batch.source);
        if (!visitor_(side_.table.unit_of_row[row], document_, features_, result->part)) throw_changed(*batch.source);
      }
      return result;
    }

   private:
    const ExactSide& side_;
    std::unique_ptr<io::RecordParser> parser_;
    DocumentFeatures features_;
    Visitor visitor_;
    Document document_;
  };
  std::uint64_t content = 0;
  io::run_pass(
      side.collection, context, "collecting",
      [&] { return std::make_unique<Worker>(side, definition, make_visitor()); },
      [&](const io::RecordBatch&, io::BatchResult& result) {
        auto& read = static_cast<Result&>(result);
        content += read.content;
        take(read.part);
      });
  check_unchanged(side.collection, content, side.content);
}

struct EncodedSets {
  std::vector<std::pair<Unit, std::uint32_t>> units;  // and how many slots are theirs
  std::vector<SetBuilder::Slot> slots;
};

// All sets, encoded while they are read. False when the dictionary was too small.
bool encode_all(const ExactRequest& request, SetBuilder& builder, Context& context) {
  std::atomic<bool> full = false;
  const similarity::Verifier verifier(request.definition);
  for (unsigned s = 0; s < request.sides.size() && !full; ++s) {
    const ExactSide& side = request.sides[s];
    visit_units<EncodedSets>(
        side, request.definition, context,
        [&] {
          return [&, set = std::vector<Feature>()](Unit unit, const Document& document, DocumentFeatures& features,
                                                   EncodedSets& out) mutable {
            const std::span<const Feature> whole = features.set(document);
            if (whole.size() != side.table.set_size[unit]) return false;
            set.assign(whole.begin(), whole.end());
            if (request.shared != nullptr) request.shared->keep_shared(s, set);
            // What is shared with anybody cannot reach the threshold.
            if (set.size() < verifier.min_overlap_any(whole.size())) return true;
            const std::size_t before = out.slots.size();
            if (!builder.encode(s, set, out.slots)) full = true;
            out.units.emplace_back(unit, static_cast<std::uint32_t>(out.slots.size() - before));
            return true;
          };
        },
        [&](const EncodedSets& part) {
          std::span<const SetBuilder::Slot> slots = part.slots;
          for (const auto& [unit, count] : part.units) {
            builder.add(s, unit, side.table.set_size[unit], slots.first(count));
            slots = slots.subspan(count);
          }
        });
  }
  return !full;
}

joins::OrderedSets ordered_sets(ExactRequest& request, Context& context) {
  SetBuilder::Expected expected{.sides = static_cast<unsigned>(request.sides.size()),
                                .seed = request.sides.front().content};
  if (request.shared != nullptr) {
    expected.distinct_tokens = request.shared->distinct_shared();
    expected.tokens = request.shared->shared_tokens();
  } else {
    for (const ExactSide& side : request.sides) {
      expected.tokens = std::reduce(side.table.set_size.begin(), side.table.set_size.end(), expected.tokens);
    }
    expected.distinct_tokens = expected.tokens;
  }
  for (;; expected.distinct_tokens *= 2) {
    SetBuilder builder(expected);
    if (!encode_all(request, builder, context)) continue;
    request.shared.reset();
    return builder.finish(context);
  }
}

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
  joins::PairOutput output(sink, request.options.max_pairs);
  base::parallel_for(context, left.size(), [&](std::size_t first, std::size_t last) {
    joins::PairBatch found(output);
    for (std::size_t a = first; a < last; ++a) {
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

void join_texts(const ExactRequest& request, PairSink& sink, JoinStats& stats, Context& context) {
  const base::Stopwatch watch;
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
  joins::PairOutput output(sink, request.options.max_pairs);
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
    const base::Stopwatch watch;
    const joins::OrderedSets sets = ordered_sets(request, context);
    stats.order_seconds = watch.seconds();
    joins::run_set_join(sets, request.options, sink, stats, context);
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
