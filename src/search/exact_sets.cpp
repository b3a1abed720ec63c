#include "search/exact_sets.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <numeric>
#include <utility>
#include <vector>

#include "base/parallel.h"
#include "base/system.h"
#include "search/set_spill.h"
#include "corpus/reread.h"
#include "join/algorithms.h"
#include "join/set_builder.h"
#include "neardup/similarity.h"

namespace neardup::search {
namespace {

using joins::SetBuilder;

// Shows `visit` of every unit what its set shares with anybody (side, unit, that part, and where to leave what it makes
// of it), on all threads; units that share too little for any partner are left out.
template <class Part, class Visit, class Take>
void visit_shared_sets(const ExactRequest& request, const Context& context, const Visit& visit, const Take& take) {
  const Verifier verifier(request.definition);
  for (unsigned s = 0; s < request.sides.size(); ++s) {
    const ExactSide& side = request.sides[s];
    corpus::visit_units<Part>(
        side, request.definition, context,
        [&] {
          return [&, s, shared = std::vector<Feature>(), scratch = std::vector<Feature>()](
                     Unit unit, const Document& document, Sketcher& features, Part& out) mutable {
            const std::uint32_t set_size = side.table.set_size[unit];
            const std::uint64_t least = verifier.min_overlap_any(set_size);
            // Most documents fall short of it even when their repeats are counted, and need no sorting.
            const std::span<const Feature> occurrences = features.occurrences(document);
            shared.assign(occurrences.begin(), occurrences.end());
            if (request.shared != nullptr) request.shared->keep_shared(s, shared);
            if (shared.size() < least) return true;
            sort_unique(shared, scratch);
            if (shared.size() > set_size) return false;
            if (shared.size() >= least) visit(s, unit, shared, out);
            return true;
          };
        },
        [&](Part& part) { take(s, part); });
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
                                .seed = request.sides.front().content};
  for (const ExactSide& side : request.sides) expected.sets += side.table.units();
  if (request.shared != nullptr) {
    expected.distinct_tokens = request.shared->distinct_shared();
    expected.tokens = request.shared->shared_tokens();
  } else {
    for (const ExactSide& side : request.sides) {
      expected.tokens = std::reduce(side.table.set_size.begin(), side.table.set_size.end(), expected.tokens);
    }
    expected.distinct_tokens = expected.tokens;
  }
  return expected;
}

// Encoding and joining so many tokens: they are held twice while they are sorted, the dictionary before that, the index
// after it.
std::uint64_t bytes_for(const SetBuilder::Expected& expected, std::uint64_t units) {
  constexpr std::uint64_t kBytesPerUnit = 64, kIndexBytesPerToken = 3;
  const std::uint64_t tokens = expected.tokens * sizeof(joins::Rank);
  return std::max(tokens + joins::TokenDictionary::bytes_for(expected.distinct_tokens), 2 * tokens) +
         expected.tokens * kIndexBytesPerToken + units * kBytesPerUnit;
}

// What is left of the memory the user allows, after what is held already and what reading takes.
std::uint64_t memory_left(const Context& context) {
  constexpr std::uint64_t kReading = 40u << 20, kLeast = 1u << 20;
  const std::uint64_t allowed = base::memory_bytes(context), held = base::resident_bytes() + kReading;
  return allowed > held + kLeast ? allowed - held : kLeast;
}

// All sets at once, encoded while they are read.
void join_in_memory(ExactRequest& request, PairSink& sink, JoinStats& stats, const Context& context) {
  using Encoded = TokensOfUnits<SetBuilder::Slot>;
  const base::Stopwatch watch;
  joins::OrderedSets sets;
  for (SetBuilder::Expected expected = expected_sets(request);; expected.distinct_tokens *= 2) {
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
            builder.add(side, unit, request.sides[side].table.set_size[unit], slots);
          });
        });
    if (full) continue;
    request.shared.reset();
    if (context.observer != nullptr) context.observer->stage("ordering", 0, "documents");
    base::release_unused_memory();  // what reading took, before sorting takes as much again
    sets = builder.finish(context);
    break;
  }
  stats.order_seconds = watch.seconds();
  joins::run_set_join(sets, request.options, sink, stats, context);
}

// Joins spilled sets part by part.
class PartedJoin {
 public:
  PartedJoin(const ExactRequest& request, const SetSpill& spill, std::uint64_t memory_bytes, PairSink& sink,
             JoinStats& stats, const Context& context)
      : request_(request),
        spill_(spill),
        most_tokens_(std::max<std::uint64_t>(1024, memory_bytes / kBytesPerToken)),
        sink_(sink),
        stats_(stats),
        context_(context),
        verifier_(request.definition) {}

  void run() {
    cut_parts();
    stats_.rounds = 0;
    for (std::size_t part = 0; part < parts_.size() && !stats_.stopped; ++part) meet_smaller(part);
  }

 private:
  // In a meeting: bytes_for() with two different ones among three tokens.
  static constexpr std::uint64_t kBytesPerToken = 28;
  static constexpr std::uint64_t kPartsInAMeeting = 4;

  struct Part {
    std::size_t first, last;  // in order_
    std::uint64_t tokens = 0;
    std::uint32_t least_size = 0, largest_size = 0;
  };

  [[nodiscard]] std::uint32_t full_size(std::size_t at) const {
    const SetSpill::Entry& entry = spill_.entry(order_[at]);
    return request_.sides[entry.side].table.set_size[entry.unit];
  }

  void cut_parts() {
    order_.resize(spill_.size());
    std::iota(order_.begin(), order_.end(), 0);
    std::sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
      const SetSpill::Entry &x = spill_.entry(a), &y = spill_.entry(b);
      const auto size = [&](const SetSpill::Entry& e) { return request_.sides[e.side].table.set_size[e.unit]; };
      return size(x) != size(y) ? size(x) < size(y) : a < b;
    });
    for (const ExactSide& side : request_.sides) part_of_.emplace_back(side.table.units(), 0);
    for (std::size_t at = 0; at < order_.size(); ++at) {
      const SetSpill::Entry& entry = spill_.entry(order_[at]);
      if (parts_.empty() || parts_.back().tokens + entry.count > most_tokens_ / kPartsInAMeeting) {
        parts_.push_back({.first = at, .last = at, .least_size = full_size(at)});
      }
      Part& part = parts_.back();
      part.last = at + 1;
      part.tokens += entry.count;
      part.largest_size = full_size(at);
      part_of_[entry.side][entry.unit] = static_cast<std::uint32_t>(parts_.size() - 1);
    }
  }

  // Every pair has its larger set in one part; its smaller one is there too or in an earlier part.
  void meet_smaller(std::size_t part) {
    const std::uint64_t least = verifier_.min_size(parts_[part].least_size);
    std::vector<std::size_t> others;
    std::uint64_t tokens = parts_[part].tokens;
    bool with_itself = true;
    for (std::size_t other = part; other-- > 0 && parts_[other].largest_size >= least;) {
      if (tokens + parts_[other].tokens > most_tokens_ && !others.empty()) {
        meet(part, others, with_itself);
        if (stats_.stopped) return;
        others.clear();
        tokens = parts_[part].tokens;
        with_itself = false;
      }
      others.push_back(other);
      tokens += parts_[other].tokens;
    }
    if (with_itself || !others.empty()) meet(part, others, with_itself);
  }

  void meet(std::size_t part, const std::vector<std::size_t>& others, bool with_itself) {
    const joins::OrderedSets sets = load(part, others);
    JoinOptions options = request_.options;
    options.forecast = {};
    options.skip = [&](DocId left, DocId right) {
      const bool left_here = part_of_.front()[left] == part, right_here = part_of_.back()[right] == part;
      if (left_here == right_here && !(left_here && with_itself)) return true;
      return request_.options.skip && request_.options.skip(left, right);
    };
    JoinStats stats;
    joins::run_set_join(sets, options, sink_, stats, context_);
    add(stats);
  }

  [[nodiscard]] joins::OrderedSets load(std::size_t part, const std::vector<std::size_t>& others) {
    const base::Stopwatch watch;
    std::vector<std::uint32_t> entries;
    std::uint64_t tokens = 0;
    const auto take = [&](const Part& taken) {
      entries.insert(entries.end(), order_.begin() + static_cast<std::ptrdiff_t>(taken.first),
                     order_.begin() + static_cast<std::ptrdiff_t>(taken.last));
      tokens += taken.tokens;
    };
    take(parts_[part]);
    for (const std::size_t other : others) take(parts_[other]);
    std::sort(entries.begin(), entries.end());  // as they stand in the file

    SetBuilder::Expected expected{.sides = static_cast<unsigned>(request_.sides.size()),
                                  .distinct_tokens = tokens / 3 * 2,
                                  .tokens = tokens,
                                  .sets = entries.size(),
                                  .seed = request_.sides.front().content + part};
    for (;; expected.distinct_tokens = expected.distinct_tokens * 2 + 1024) {
      SetBuilder builder(expected);
      std::atomic<bool> full = false;
      std::mutex adding;
      base::parallel_for(context_, entries.size(), [&](std::size_t first, std::size_t last) {
        std::vector<Feature> set;
        std::vector<SetBuilder::Slot> slots;
        for (std::size_t i = first; i < last && !full; ++i) {
          const SetSpill::Entry& entry = spill_.entry(entries[i]);
          spill_.read(entries[i], set);
          slots.clear();
          if (!builder.encode(entry.side, set, slots)) full = true;
          const std::lock_guard lock(adding);
          builder.add(entry.side, entry.unit, request_.sides[entry.side].table.set_size[entry.unit], slots);
        }
      });
      if (full) continue;
      joins::OrderedSets sets = builder.finish(context_);
      stats_.order_seconds += watch.seconds();
      return sets;
    }
  }

  void add(const JoinStats& stats) {
    ++stats_.rounds;
    stats_.algorithm = stats.algorithm;
    stats_.index_entries += stats.index_entries;
    stats_.index_bytes = std::max(stats_.index_bytes, stats.index_bytes);
    stats_.filters.resize(std::max(stats_.filters.size(), stats.filters.size()));
    for (std::size_t i = 0; i < stats.filters.size(); ++i) {
      stats_.filters[i].name = stats.filters[i].name;
      stats_.filters[i].pairs += stats.filters[i].pairs;
    }
    stats_.candidates += stats.candidates;
    stats_.pairs += stats.pairs;
    stats_.index_seconds += stats.index_seconds;
    stats_.join_seconds += stats.join_seconds;
    stats_.stopped = stats.stopped;
  }

  const ExactRequest& request_;
  const SetSpill& spill_;
  std::uint64_t most_tokens_;  // in a meeting
  PairSink& sink_;
  JoinStats& stats_;
  const Context& context_;
  Verifier verifier_;
  std::vector<std::uint32_t> order_;  // entries of the spill by the size of their sets
  std::vector<Part> parts_;
  std::vector<std::vector<std::uint32_t>> part_of_;  // by side and unit
};

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
  stats.order_seconds = watch.seconds();
  PartedJoin(request, spill, memory_left(context), sink, stats, context).run();
}

}  // namespace

void join_sets(ExactRequest& request, PairSink& sink, JoinStats& stats, const Context& context) {
  std::uint64_t units = 0;
  for (const ExactSide& side : request.sides) units += side.table.units();
  const bool nothing_shared = request.shared != nullptr && request.shared->distinct_shared() == 0;
  if (units < 2 || nothing_shared) {
    joins::run_set_join({}, request.options, sink, stats, context);
    return;
  }
  if (bytes_for(expected_sets(request), units) <= memory_left(context)) {
    join_in_memory(request, sink, stats, context);
  } else {
    join_in_parts(request, sink, stats, context);
  }
}

}  // namespace neardup::search
