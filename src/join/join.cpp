#include "neardup/join.h"

#include <algorithm>
#include <array>

#include "base/guard.h"
#include "base/random.h"
#include "base/system.h"
#include "join/algorithms.h"
#include "join/copies.h"
#include "join/set_builder.h"
#include "neardup/error.h"
#include "neardup/features.h"
#include "neardup/similarity.h"

namespace neardup {

void TokenSets::add(std::span<const std::uint64_t> tokens) {
  const auto begin = static_cast<std::ptrdiff_t>(tokens_.size());
  tokens_.insert(tokens_.end(), tokens.begin(), tokens.end());
  std::sort(tokens_.begin() + begin, tokens_.end());
  tokens_.erase(std::unique(tokens_.begin() + begin, tokens_.end()), tokens_.end());
  ends_.push_back(tokens_.size());
}

namespace {

using namespace joins;

std::uint64_t hash_of(std::span<const std::uint64_t> set) {
  std::uint64_t hash = set.size();
  for (const std::uint64_t token : set) hash = base::mix64(hash ^ token) + token;
  return hash;
}

OrderedSets order(std::span<const TokenSets* const> sides, std::span<const Copies> copies,
                  SetBuilder::Expected expected, Reservation& memory, const Context& context) {
  // Most tokens are frequent; when they are not, the table was too small and is made larger.
  for (expected.distinct_tokens = expected.tokens / 8;; expected.distinct_tokens *= 4) {
    memory.hold(SetBuilder::bytes_for(expected));
    SetBuilder builder(expected);
    const auto add_all = [&] {
      std::vector<SetBuilder::Slot> slots;
      for (unsigned side = 0; side < sides.size(); ++side) {
        for (std::uint32_t group = 0; group < copies[side].groups(); ++group) {
          const std::span<const std::uint64_t> set = (*sides[side])[copies[side].members(group).front()];
          slots.clear();
          if (!builder.encode(side, set, slots)) return false;
          builder.add(side, group, static_cast<std::uint32_t>(set.size()), slots);
        }
      }
      return true;
    };
    if (add_all()) return builder.finish(context);
  }
}

JoinStats join_sides(std::span<const TokenSets* const> sides, const JoinOptions& options, PairSink& sink,
                     const Context& context) {
  options.validate();
  if (!compares_sets(options.measure)) {
    throw Error(ErrorCode::usage, to_string(options.measure) + " does not compare sets");
  }
  if (options.measure == Measure::contained && sides.size() == 1) {
    throw Error(ErrorCode::usage,
                "contained asks for left sets in right ones: give two collections, or use containment", "measure");
  }
  const base::Stopwatch watch;
  JoinStats stats;
  std::vector<Copies> copies;
  SetBuilder::Expected expected{.sides = static_cast<unsigned>(sides.size())};
  for (const TokenSets* sets : sides) {
    const auto is_empty = [&](std::uint32_t set) { return (*sets)[set].empty(); };
    const auto equal = [&](std::uint32_t a, std::uint32_t b) { return std::ranges::equal((*sets)[a], (*sets)[b]); };
    std::vector<std::uint64_t> hashes(sets->size());
    for (std::size_t set = 0; set < sets->size(); ++set) hashes[set] = hash_of((*sets)[set]);
    copies.push_back(find_copies(hashes, is_empty, equal));
    stats.records += sets->size();
    stats.distinct += copies.back().groups();
    expected.tokens += sets->tokens();
    expected.sets += copies.back().groups();
    for (const std::uint64_t hash : hashes) expected.seed += hash;
  }
  Reservation memory = base::reservation(context);
  const OrderedSets ordered = order(sides, copies, expected, memory, context);
  memory.hold(ordered.memory_bytes());
  stats.seconds.order = watch.seconds();

  const Verifier verifier(Definition{.measure = options.measure, .threshold = options.threshold});
  ExpandingSink expanding(copies, options, sink);
  if (sides.size() == 1) {
    expanding.add_copies([&](std::uint32_t group) {
      return verifier.identity_score((*sides[0])[copies[0].members(group).front()].size());
    });
  }
  // What is not wanted of a group's members may be wanted of others: they are distinguished when groups are expanded.
  JoinOptions of_groups = options;
  of_groups.skip = {};
  of_groups.settled = {};
  if (!expanding.stopped()) run_set_join(ordered, of_groups, expanding, stats, context);
  expanding.finish();
  stats.stopped = stats.stopped || expanding.stopped();
  return stats;
}

}  // namespace

JoinStats join(const TokenSets& sets, const JoinOptions& options, PairSink& sink, const Context& context) {
  return base::guarded(context,
                       [&](const Context& call) { return join_sides(std::array{&sets}, options, sink, call); });
}

JoinStats join(const TokenSets& left, const TokenSets& right, const JoinOptions& options, PairSink& sink,
               const Context& context) {
  return base::guarded(context, [&](const Context& call) {
    return join_sides(std::array{&left, &right}, options, sink, call);
  });
}

}  // namespace neardup
