// How do the edit-distance joins go through their strings, on several threads, and say what they found?
//
// Every algorithm is a search that is called with one string after another and compares it with candidates that are not
// longer. All else is here: chunks of strings for the threads, the comparison, copies, counting, and pairs in an order
// that does not depend on the threads when only this many are wanted.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "base/system.h"
#include "join/edit_join.h"
#include "join/edit_strings.h"
#include "similarity/edit_distance.h"

namespace neardup::joins {

struct EditCounts {
  std::array<std::uint64_t, 3> filters{};  // pairs left after each; an algorithm uses as many as it has
  std::uint64_t candidates = 0;
  std::uint64_t pairs = 0;

  void add(const EditCounts& other) {
    for (std::size_t i = 0; i < filters.size(); ++i) filters[i] += other.filters[i];
    candidates += other.candidates;
    pairs += other.pairs;
  }
  void fill(JoinStats& stats, std::initializer_list<const char*> filter_names) const {
    stats.filters.clear();
    for (const char* name : filter_names) stats.filters.push_back({name, filters[stats.filters.size()]});
    stats.candidates = candidates;
    stats.pairs = pairs;
  }
};

// Lets pairs out in the order of the chunks they belong to, whichever thread is done first. Chunks are begun in
// ascending order, so the one whose turn it is never waits.
// Memory: about kMostWaiting pairs, and what each thread has at hand.
class PairSequence {
 public:
  explicit PairSequence(base::PairOutput& output) : output_(output) {}

  // Hands over a part of the chunk's pairs and empties `pairs`. Waits for the chunk's turn.
  void push(std::size_t chunk, std::vector<Pair>& pairs);
  // Hands over the last part. Waits only when too much is waiting already.
  void complete(std::size_t chunk, std::vector<Pair>& pairs);
  // Nobody shall wait any more: a chunk will never be complete.
  void abandon();

 private:
  static constexpr std::size_t kMostWaiting = std::size_t{1} << 20;

  void wait_for_turn(std::unique_lock<std::mutex>&, std::size_t chunk);

  base::PairOutput& output_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t turn_ = 0;
  std::map<std::size_t, std::vector<Pair>> waiting_;
  std::size_t waiting_pairs_ = 0;
  bool abandoned_ = false;
};

// What the threads of one join share.
struct EditRun {
  explicit EditRun(const EditJoin& edit_join)
      : join(edit_join), max_distance(max_edits(edit_join)), sequence(edit_join.output) {}

  const EditJoin& join;
  std::uint32_t max_distance;
  PairSequence sequence;
  std::atomic<std::size_t> next_chunk{0};
  std::atomic<bool> failed{false};  // a thread threw: the others end soon
  std::mutex mutex;                 // of what follows, and of calls to the observer
  EditCounts counts;
};

// Runs `work` once on each thread; when one throws, the others end and it comes through.
void run_on_threads(EditRun&, const std::function<void()>& work);

// One thread's current string, compared with candidates.
template <class Symbol>
class EditProbe {
 public:
  explicit EditProbe(EditRun& run)
      : run_(run),
        strings_(run.join.strings),
        symbols_(strings_.symbols<Symbol>()),
        pattern_(strings_.alphabet()),
        in_order_(run.join.options.max_pairs != 0) {}

  void begin_chunk(std::size_t chunk) { chunk_ = chunk; }
  void end_chunk() {
    if (in_order_) {
      run_.sequence.complete(chunk_, pairs_);
    } else {
      run_.join.output.flush(pairs_);
    }
  }

  // Takes the next string and reports the pairs that its copies make with each other.
  void start(StringPlace place, const StringSet::Group& group) {
    place_ = place;
    group_ = &group;
    prepared_ = false;
    if (strings_.sides() == 1) report_copies();
  }

  void compare(StringPlace other, const StringSet::Group& group) {
    if (!wanted(other)) return;
    ++counts.candidates;
    if (!prepared_) pattern_.assign(symbols_of(symbols_, *group_, place_));
    prepared_ = true;
    count_work(group.length);
    const auto distance = pattern_.within(symbols_of(symbols_, group, other), run_.max_distance);
    if (distance) report(other, *distance);
  }

  // Nothing more will be taken.
  [[nodiscard]] bool enough() const { return run_.join.output.enough() || run_.failed.load(std::memory_order_relaxed); }

  // Asks now and then whether to stop. `amount` is about what one comparison of so many symbols takes.
  void count_work(std::uint64_t amount) {
    work_ += amount;
    if (work_ < kWorkPerCheck) return;
    work_ = 0;
    base::check_stop(run_.join.context);
  }

  EditCounts counts;

 private:
  static constexpr std::uint64_t kWorkPerCheck = 1 << 20;
  static constexpr std::size_t kBatch = 4096;
  static constexpr std::size_t kOrderedBatch = std::size_t{1} << 16;

  // Strings without copies can be left out before they are compared, others only number by number.
  [[nodiscard]] bool wanted(StringPlace other) const {
    const auto& skip = run_.join.options.skip;
    if (!skip) return true;
    const auto mine = strings_.numbers(place_), others = strings_.numbers(other);
    if (mine.size() != 1 || others.size() != 1) return true;
    const auto [left, right] = oriented(mine.front(), others.front());
    return !skip(left, right);
  }

  [[nodiscard]] std::pair<DocId, DocId> oriented(std::uint32_t mine, std::uint32_t other) const {
    const bool swap = strings_.sides() == 1 ? other < mine : group_->side == 1;
    return swap ? std::pair<DocId, DocId>{other, mine} : std::pair<DocId, DocId>{mine, other};
  }

  void report(StringPlace other, std::uint32_t distance) {
    const auto mine = strings_.numbers(place_), others = strings_.numbers(other);
    const bool has_copies = mine.size() != 1 || others.size() != 1;
    bool reported = false;
    for (const std::uint32_t a : mine) {
      for (const std::uint32_t b : others) {
        if (enough()) return;
        reported |= add(a, b, distance, has_copies);
      }
    }
    counts.pairs += reported ? 1 : 0;
  }

  void report_copies() {
    const auto numbers = strings_.numbers(place_);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      for (std::size_t k = i + 1; k < numbers.size(); ++k) {
        if (enough()) return;
        add(numbers[i], numbers[k], 0, true);
      }
    }
  }

  bool add(std::uint32_t mine, std::uint32_t other, std::uint32_t distance, bool ask) {
    const auto [left, right] = oriented(mine, other);
    if (ask && run_.join.options.skip && run_.join.options.skip(left, right)) return false;
    pairs_.push_back({.left = left, .right = right, .score = static_cast<double>(distance)});
    if (pairs_.size() < (in_order_ ? kOrderedBatch : kBatch)) return true;
    base::check_stop(run_.join.context);
    if (in_order_) {
      run_.sequence.push(chunk_, pairs_);
    } else {
      run_.join.output.flush(pairs_);
    }
    return true;
  }

  EditRun& run_;
  const StringSet& strings_;
  const Symbol* symbols_;
  similarity::EditPattern<Symbol> pattern_;
  bool in_order_;
  bool prepared_ = false;
  StringPlace place_ = 0;
  const StringSet::Group* group_ = nullptr;
  std::size_t chunk_ = 0;
  std::vector<Pair> pairs_;
  std::uint64_t work_ = 0;
};

// Calls search(place, its group, the groups of its partners) for every string. `make_search` gets an EditProbe, which
// lives as long as the search, and makes one search a thread.
template <class Symbol, class MakeSearch>
EditCounts probe_all(const EditJoin& join, const MakeSearch& make_search) {
  constexpr std::size_t kChunk = 64;
  const StringSet& strings = join.strings;
  const std::size_t chunks = (strings.size() + kChunk - 1) / kChunk;
  EditRun run(join);
  const auto work = [&] {
    EditProbe<Symbol> probe(run);
    auto search = make_search(probe);
    const StringSet::Group* group = nullptr;
    std::vector<const StringSet::Group*> partners;
    for (std::size_t chunk; (chunk = run.next_chunk.fetch_add(1)) < chunks && !probe.enough();) {
      base::check_stop(join.context);
      probe.begin_chunk(chunk);
      const auto first = static_cast<StringPlace>(chunk * kChunk);
      const auto last = static_cast<StringPlace>(std::min<std::size_t>(strings.size(), (chunk + 1) * kChunk));
      for (StringPlace place = first; place < last && !probe.enough(); ++place) {
        if (group == nullptr || place < group->first || place >= group->last) {
          group = &strings.group_of(place);
          partners = strings.partner_groups(*group, run.max_distance);
        }
        probe.start(place, *group);
        search(place, *group, std::span<const StringSet::Group* const>(partners));
      }
      probe.end_chunk();
      if (join.context.observer != nullptr) {
        const std::lock_guard lock(run.mutex);
        join.context.observer->advance(last - first);
      }
    }
    const std::lock_guard lock(run.mutex);
    run.counts.add(probe.counts);
  };
  run_on_threads(run, work);
  return run.counts;
}

}  // namespace neardup::joins
