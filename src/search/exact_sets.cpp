#include "search/exact_sets.h"

#include <algorithm>
#include <atomic>
#include <utility>
#include <vector>

#include "base/system.h"
#include "corpus/reread.h"
#include "corpus/volume.h"
#include "join/algorithms.h"
#include "join/set_builder.h"
#include "neardup/similarity.h"
#include "neardup/sketch.h"
#include "search/exact_parts.h"
#include "search/set_spill.h"

namespace neardup::search {
namespace {

using joins::SetBuilder;

// Shows `visit` of every unit what its set shares with anybody (side, unit, that part, and where to leave what it makes
// of it), on all threads; units that share too little for any partner are left out.
template <class Part, class Visit, class Take>
void visit_shared_sets(const ExactRequest& request, const Context& context, const Visit& visit, const Take& take) {
  const Verifier verifier(request.definition());
  for (unsigned s = 0; s < request.sides.size(); ++s) {
    const corpus::Units& units = request.sides[s]->units;
    corpus::reread_units<Part>(
        *request.sides[s], [](Unit) { return true; },
        [&, s] {
          return [&, s, features = Sketcher(request.definition()), shared = std::vector<Feature>(),
                  scratch = std::vector<Feature>()](const corpus::RereadRecord& record, Unit unit, Part& out) mutable {
            const std::uint32_t size = units.size[unit];
            const std::uint64_t least = verifier.min_overlap_any(size);
            // Most documents fall short of it even when their repeats are counted, and need no sorting.
            const std::span<const Feature> occurrences = features.occurrences(record.document);
            shared.assign(occurrences.begin(), occurrences.end());
            if (request.shared != nullptr) request.shared->keep_shared(s, shared);
            if (shared.size() < least) return;
            sort_unique(shared, scratch);
            if (shared.size() > size) record.changed();
            if (shared.size() >= least) visit(s, unit, shared, out);
          };
        },
        [&](Part& part) { take(s, part); }, context);
  }
}

template <class Token>
struct TokensOfUnits {
  std::vector<std::pair<Unit, std::uint32_t>> units;  // and how many tokens are theirs
  std::vector<Token> tokens;

  template <class Use>
  void for_each(const Use& use) const {
    std::span<const Token> left = tokens;
    for (const auto& [unit, count] : units) {
      use(unit, left.first(count));
      left = left.subspan(count);
    }
  }
};

// What the sets will take, as far as pass one can tell.
SetBuilder::Expected expected_sets(const ExactRequest& request) {
  SetBuilder::Expected expected{.sides = static_cast<unsigned>(request.sides.size()),
                                .seed = request.sides.front()->content.seed()};
  for (const corpus::Corpus* side : request.sides) expected.sets += side->units.units();
  if (request.shared != nullptr) {
    expected.distinct_tokens = request.shared->distinct_shared();
    expected.tokens = request.shared->shared_tokens();
  } else {
    for (const corpus::Corpus* side : request.sides) expected.tokens += side->units.features();
    expected.distinct_tokens = expected.tokens;
  }
  return expected;
}

// All sets at once, encoded while they are read.
void join_in_memory(ExactRequest& request, Reservation memory, PairSink& sink, JoinStats& stats,
                    const Context& context) {
  using Encoded = TokensOfUnits<SetBuilder::Slot>;
  const base::Stopwatch watch;
  joins::OrderedSets sets;
  for (SetBuilder::Expected expected = expected_sets(request);; expected.distinct_tokens *= 2) {
    memory.hold(SetBuilder::bytes_for(expected));
    SetBuilder builder(expected);
    std::atomic<bool> full = false;
    visit_shared_sets<Encoded>(
        request, context,
        [&](unsigned side, Unit unit, std::span<const Feature> shared, Encoded& out) {
          const std::size_t before = out.tokens.size();
          if (!builder.encode(side, shared, out.tokens)) full = true;
          out.units.emplace_back(unit, static_cast<std::uint32_t>(out.tokens.size() - before));
        },
        [&](unsigned side, const Encoded& part) {
          part.for_each([&](Unit unit, std::span<const SetBuilder::Slot> slots) {
            builder.add(side, index(unit), request.sides[side]->units.size[unit], slots);
          });
        });
    if (full) continue;
    request.shared.reset();
    if (context.observer != nullptr) context.observer->stage("ordering", 0, "documents");
    sets = builder.finish(context);
    memory.hold(sets.memory_bytes());
    break;
  }
  stats.seconds.order = watch.seconds();
  joins::run_set_join(sets, request.options, sink, stats, context);
}

void join_in_parts(ExactRequest& request, PairSink& sink, JoinStats& stats, const Context& context) {
  using Shared = TokensOfUnits<Feature>;
  const base::Stopwatch watch;
  SetSpill spill(context);
  visit_shared_sets<Shared>(
      request, context,
      [&](unsigned, Unit unit, std::span<const Feature> shared, Shared& out) {
        out.units.emplace_back(unit, static_cast<std::uint32_t>(shared.size()));
        out.tokens.insert(out.tokens.end(), shared.begin(), shared.end());
      },
      [&](unsigned side, const Shared& part) {
        part.for_each([&](Unit unit, std::span<const Feature> set) { spill.add(side, unit, set); });
      });
  spill.finish();
  request.shared.reset();
  stats.seconds.order = watch.seconds();
  join_spilled(request, spill, sink, stats, context);
}

}  // namespace

void join_sets(ExactRequest& request, PairSink& sink, JoinStats& stats, const Context& context) {
  std::uint64_t units = 0;
  for (const corpus::Corpus* side : request.sides) units += side->units.units();
  const bool nothing_shared = request.shared != nullptr && request.shared->distinct_shared() == 0;
  if (units < 2 || nothing_shared) {
    joins::run_set_join({}, request.options, sink, stats, context);
    return;
  }
  constexpr std::uint64_t kAlwaysAtOnce = 1u << 20;
  const std::uint64_t needed = SetBuilder::bytes_for(expected_sets(request));
  Reservation memory = base::reservation(context);
  if (needed <= kAlwaysAtOnce || memory.try_resize(needed + corpus::reading_bytes(context))) {
    join_in_memory(request, std::move(memory), sink, stats, context);
  } else {
    join_in_parts(request, sink, stats, context);
  }
}

}  // namespace neardup::search
