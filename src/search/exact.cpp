#include "search/exact.h"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/pair_output.h"
#include "base/system.h"
#include "corpus/reread.h"
#include "corpus/volume.h"
#include "join/algorithms.h"
#include "join/edit_join.h"
#include "join/set_builder.h"
#include "join/streamed_sets.h"
#include "neardup/error.h"
#include "neardup/hamming.h"
#include "neardup/similarity.h"
#include "neardup/sketch.h"
#include "search/exact_parts.h"
#include "search/short_runs.h"

namespace neardup::search {
namespace {

using joins::SetBuilder;

// Passes pairs of fingerprints on, unless their documents' lengths differ too much; those of a collection with itself
// once.
class FingerprintPairs final : public PairSink {
 public:
  FingerprintPairs(const ExactRequest& request, base::PairOutput& output)
      : is_self_(request.sides.size() == 1),
        definition_(request.definition()),
        left_(request.sides.front().units.length),
        right_(request.sides.back().units.length),
        left_salt_(request.sides.front().units.salt),
        right_salt_(request.sides.back().units.salt),
        output_(output) {}

  bool accept(std::span<const Pair> pairs) override {
    for (const Pair& pair : pairs) {
      if (is_self_ && pair.left >= pair.right) continue;
      if (!left_salt_.empty() && left_salt_[unit_of(pair.left)] != right_salt_[unit_of(pair.right)]) continue;
      if (left_.empty() || definition_.lengths_agree(left_[unit_of(pair.left)], right_[unit_of(pair.right)]))
        passed_.push_back(pair);
    }
    output_.flush(passed_);
    return !output_.enough();
  }

 private:
  bool is_self_;
  const Definition& definition_;
  const PerUnit<std::uint32_t>&left_, &right_;
  const PerUnit<std::uint64_t>&left_salt_, &right_salt_;
  base::PairOutput& output_;
  std::vector<Pair> passed_;
};

void join_fingerprints(const ExactRequest& request, PairSink& sink, JoinStats& stats, const Context& context) {
  const base::Stopwatch watch;
  const std::vector<std::uint64_t>& left = request.sides.front().units.bits.values();
  const std::vector<std::uint64_t>& right = request.sides.back().units.bits.values();
  const std::string& algorithm = request.options.algorithm;
  const auto distance = static_cast<unsigned>(request.definition().threshold.num);
  if (context.observer != nullptr) context.observer->stage("comparing", 0, "fingerprints");
  base::PairOutput output(sink, request.options.max_pairs);
  FingerprintPairs pairs(request, output);
  // Which pairs come first must not depend on the threads when only the first ones count.
  Context searching = context;
  if (request.options.max_pairs != 0) searching.threads = 1;
  Reservation memory = base::reservation(context);
  SearchStats search;
  if (request.sides.size() == 1 && algorithm == "auto") {
    stats.algorithm = "partitions";
    search = hamming_self_join(left, distance, pairs, searching);
  } else {
    const auto index =
        build_hamming_index(right, {.kind = algorithm == "auto" ? "fast" : algorithm, .distance = distance}, searching);
    stats.algorithm = index->kind();
    stats.index.entries = index->size();
    stats.index.bytes = index->memory_bytes();
    memory.hold(stats.index.bytes);
    stats.seconds.index = watch.seconds();
    search = index->search({.bits = left}, {.distance = distance}, pairs, searching);
  }
  stats.candidates = search.compared;
  stats.pairs = output.count();
  stats.stopped = output.enough();
  stats.seconds.join = watch.seconds();
}

struct UnitString {
  Unit unit;
  std::string text;
};

// Strings are compared in memory, once as text and once as symbols.
Reservation reserve_for_strings(const ExactRequest& request, const Context& context) {
  constexpr std::uint64_t kBytesPerString = 96, kTimes = 3, kAlwaysAllowed = 64u << 20;
  std::uint64_t bytes = 0;
  for (const corpus::Corpus& side : request.sides) {
    bytes += kBytesPerString * side.units.units() + kTimes * side.units.features();
  }
  Reservation memory = base::reservation(context);
  if (base::try_hold(memory, bytes, kAlwaysAllowed)) return memory;
  throw Error(ErrorCode::limit,
              "`measure=edit` needs about " + std::to_string(bytes >> 20) +
                  " MB for these texts, more than `memory` allows; allow more, or look at a part "
                  "with `limit` or `sample`",
              "memory");
}

std::vector<UnitString> collect_strings(const corpus::Corpus& side, const Context& context) {
  using Strings = std::vector<UnitString>;
  Strings strings;
  corpus::reread_units<Strings>(
      side, [](Unit) { return true; },
      [&] {
        return [features = Sketcher(side.definition)](const corpus::RereadRecord& record, Unit unit,
                                                      Strings& out) mutable {
          out.push_back({unit, features.string(record.document)});
        };
      },
      [&](Strings& part) { std::move(part.begin(), part.end(), std::back_inserter(strings)); }, context);
  return strings;
}

void join_texts(const ExactRequest& request, PairSink& sink, JoinStats& stats, const Context& context) {
  const base::Stopwatch watch;
  const Reservation memory = reserve_for_strings(request, context);
  std::vector<std::vector<UnitString>> texts;
  for (const corpus::Corpus& side : request.sides) texts.push_back(collect_strings(side, context));
  std::vector<joins::SourceString> sources;
  for (unsigned s = 0; s < texts.size(); ++s) {
    for (const auto& [unit, text] : texts[s]) sources.push_back({.text = text, .number = index(unit), .side = s});
  }
  const joins::StringSet strings(static_cast<unsigned>(texts.size()), sources, context);
  texts.clear();
  stats.seconds.order = watch.seconds();
  base::PairOutput output(sink, request.options.max_pairs);
  joins::run_edit_join({strings, request.options, output, stats, context});
}

// Makes tokens of what the set of every unit shares with any other. encode(side, shared, tokens) appends them, on all
// threads; use(side, unit, tokens) gets them, one unit at a time. Units that share too little for any partner are left
// out.
template <class Token, class Encode, class Use>
void visit_shared_sets(const ExactRequest& request, const Context& context, const Encode& encode, const Use& use) {
  struct Part {
    std::vector<std::pair<Unit, std::uint32_t>> units;  // and how many tokens are theirs
    std::vector<Token> tokens;
  };
  const Verifier verifier(request.definition());
  const corpus::KeptSets none;
  for (unsigned s = 0; s < request.sides.size(); ++s) {
    const corpus::Units& units = request.sides[s].units;
    corpus::visit_sets<Part>(
        request.sides[s], request.seen.kept.empty() ? none : request.seen.kept[s], "collecting",
        [](Unit) { return true; },
        [&, s] {
          return [&, s, shared = std::vector<Feature>(), scratch = std::vector<Feature>()](
                     corpus::VisitedSet& features, Unit unit, Part& out) mutable {
            const std::uint32_t size = units.size[unit];
            const std::uint64_t least = verifier.min_overlap_any(size);
            // Most documents fall short of it even when their repeats are counted, and need no sorting.
            const std::span<const Feature> occurrences = features.occurrences();
            if (request.seen.shared == nullptr) {
              shared.assign(occurrences.begin(), occurrences.end());
            } else if (!request.seen.shared->keep_shared(s, occurrences, least, shared)) {
              return;
            }
            if (!features.is_kept()) sort_unique(shared, scratch);
            if (shared.size() > size) features.changed();
            if (shared.size() < least) return;
            const std::size_t before = out.tokens.size();
            encode(s, shared, out.tokens);
            out.units.emplace_back(unit, static_cast<std::uint32_t>(out.tokens.size() - before));
          };
        },
        [&, s](const Part& part) {
          std::span<const Token> left = part.tokens;
          for (const auto& [unit, count] : part.units) {
            use(s, unit, left.first(count));
            left = left.subspan(count);
          }
        },
        context);
  }
}

// What the sets will take, as far as pass one can tell.
SetBuilder::Expected expected_sets(const ExactRequest& request) {
  SetBuilder::Expected expected{.sides = static_cast<unsigned>(request.sides.size()),
                                .seed = request.sides.front().content.seed(),
                                .may_repeat = request.sides.front().ignored != nullptr};
  for (const corpus::Corpus& side : request.sides) expected.sets += side.units.units();
  if (request.seen.shared != nullptr) {
    expected.distinct_tokens = request.seen.shared->distinct_shared();
    expected.tokens = request.seen.shared->shared_tokens();
  } else {
    for (const corpus::Corpus& side : request.sides) expected.tokens += side.units.features();
    expected.distinct_tokens = expected.tokens;
  }
  return expected;
}

// All sets at once, encoded while they are read.
void join_in_memory(ExactRequest& request, Reservation memory, PairSink& sink, JoinStats& stats,
                    const Context& context) {
  using Slot = SetBuilder::Slot;
  const base::Stopwatch watch;
  joins::OrderedSets sets;
  for (SetBuilder::Expected expected = expected_sets(request);; expected.distinct_tokens *= 2) {
    memory.hold(SetBuilder::bytes_for(expected));
    SetBuilder builder(expected);
    std::atomic<bool> full = false;
    visit_shared_sets<Slot>(
        request, context,
        [&](unsigned side, std::span<const Feature> shared, std::vector<Slot>& out) {
          if (!builder.encode(side, shared, out)) full = true;
        },
        [&](unsigned side, Unit unit, std::span<const Slot> slots) {
          builder.add(side, index(unit), request.sides[side].units.size[unit], slots);
        });
    if (full) continue;
    request.seen = {};
    if (context.observer != nullptr) context.observer->stage("ordering", 0, "documents");
    sets = builder.finish(context);
    memory.hold(sets.memory_bytes());
    break;
  }
  stats.seconds.order = watch.seconds();
  joins::run_set_join(sets, request.options, sink, stats, context);
}

void join_in_parts(ExactRequest& request, PairSink& sink, JoinStats& stats, const Context& context) {
  const base::Stopwatch watch;
  SetSpill spill(context);
  visit_shared_sets<Feature>(
      request, context,
      [](unsigned, std::span<const Feature> shared, std::vector<Feature>& out) {
        out.insert(out.end(), shared.begin(), shared.end());
      },
      [&](unsigned side, Unit unit, std::span<const Feature> set) { spill.add(side, unit, set); });
  spill.finish();
  request.seen = {};
  stats.seconds.order = watch.seconds();
  join_spilled(request, spill, sink, stats, context);
}

std::size_t kept_bytes(const ExactRequest& request) {
  std::size_t bytes = 0;
  for (const corpus::KeptSets& kept : request.seen.kept) bytes += kept.reserved_bytes();
  return bytes;
}

std::uint64_t units_of(const ExactRequest& request) {
  std::uint64_t units = 0;
  for (const corpus::Corpus& side : request.sides) units += side.units.units();
  return units;
}

// All sets at once, from the streams of their tokens. False when not all are there, or there is no room to order them.
bool join_streams(ExactRequest& request, PairSink& sink, JoinStats& stats, const Context& context) {
  const base::Stopwatch watch;
  if (!request.seen.streams->is_complete()) return false;
  if (context.observer != nullptr) context.observer->stage("collecting", 0, "documents");
  const Verifier verifier(request.definition());
  joins::StreamedSets streamed(
      *request.seen.streams,
      [&](unsigned side, std::uint32_t row) {
        const corpus::Units& units = request.sides[side].units;
        const Unit unit = units.unit_of_row[Row{row}];
        return joins::SetFacts{index(unit), units.size[unit], verifier.min_overlap_any(units.size[unit])};
      },
      context);
  Reservation memory = base::reservation(context);
  if (!memory.try_resize(streamed.bytes_needed())) return false;
  if (context.observer != nullptr) context.observer->stage("ordering", 0, "documents");
  joins::OrderedSets sets = streamed.order(request.sides.front().content.seed());
  sets.set_may_repeat(request.sides.front().ignored != nullptr);
  request.seen = {};
  memory.hold(sets.memory_bytes());
  stats.seconds.order = watch.seconds();
  joins::run_set_join(sets, request.options, sink, stats, context);
  return true;
}

// Makes the filter that the census did not make because streams seemed to be enough.
void make_filter_again(ExactRequest& request, const Context& context) {
  request.seen = {};
  std::uint64_t expected = 0;
  for (const corpus::Corpus& side : request.sides) expected += side.units.features();
  request.seen.shared = make_shared_filter(static_cast<unsigned>(request.sides.size()), expected, context);
  struct Nothing {};
  for (unsigned s = 0; s < request.sides.size(); ++s) {
    corpus::visit_sets<Nothing>(
        request.sides[s], corpus::KeptSets(), "collecting", [](Unit) { return true; },
        [&, s] {
          return [&, s](corpus::VisitedSet& features, Unit, Nothing&) { request.seen.shared->add(s, features.set()); };
        },
        [](Nothing&) {}, context);
  }
}

// Sets that fit into memory are encoded while they are visited, and joined at once. Otherwise what is shared of
// each set goes to a temporary file and is joined in parts (exact_parts.h): the same pairs, in more rounds.
void join_sets(ExactRequest& request, PairSink& sink, JoinStats& stats, const Context& context) {
  const std::uint64_t units = units_of(request);
  if (request.seen.streams != nullptr && units >= 2) {
    if (join_streams(request, sink, stats, context)) return;
    make_filter_again(request, context);
  }
  const bool nothing_shared = request.seen.shared != nullptr && request.seen.shared->distinct_shared() == 0;
  if (units < 2 || nothing_shared) {
    joins::run_set_join({}, request.options, sink, stats, context);
    return;
  }
  constexpr std::uint64_t kAlwaysAtOnce = 1u << 20;
  const std::uint64_t needed = SetBuilder::bytes_for(expected_sets(request));
  Reservation memory = base::reservation(context);
  const std::uint64_t with_reading = needed + corpus::reading_bytes(context);
  bool at_once = needed <= kAlwaysAtOnce || memory.try_resize(with_reading);
  if (!at_once && base::memory_left(context) + kept_bytes(request) >= with_reading) {
    request.seen.kept.clear();  // joining all at once is worth a second reading
    at_once = memory.try_resize(with_reading);
  }
  if (at_once) {
    join_in_memory(request, std::move(memory), sink, stats, context);
  } else {
    join_in_parts(request, sink, stats, context);
  }
}

}  // namespace

JoinStats find_exactly(ExactRequest request, PairSink& sink, const Context& context) {
  const Definition& definition = request.definition();
  request.options.measure = definition.measure;
  request.options.threshold = definition.threshold;
  JoinStats stats;
  if (definition.measure == Measure::edit && !request.sides.front().units.salt.empty()) {
    request.options.skip = [&left = request.sides.front().units.salt, &right = request.sides.back().units.salt,
                            skip = std::move(request.options.skip)](DocId a, DocId b) {
      return left[unit_of(a)] != right[unit_of(b)] || (skip && skip(a, b));
    };
  }
  const std::vector<std::pair<Unit, Unit>> twins = std::move(request.seen.twins);
  for (const corpus::Corpus& side : request.sides) {
    stats.records += side.units.rows();
    stats.distinct += side.units.units();
  }
  if (definition.measure == Measure::hamming) {
    join_fingerprints(request, sink, stats, context);
  } else if (definition.measure == Measure::edit) {
    join_texts(request, sink, stats, context);
  } else {
    join_sets(request, sink, stats, context);
    if (definition.measure != Measure::overlap) {
      for (const auto& [left, right] : twins) {
        const Pair pair{.left = index(left), .right = index(right), .score = 1};
        if (!sink.accept({&pair, 1})) break;
      }
    }
    if (looks_for_short_runs(definition)) join_short_runs(request, sink, stats, context);
  }
  stats.peak_bytes = base::peak_memory_bytes();
  return stats;
}

}  // namespace neardup::search
