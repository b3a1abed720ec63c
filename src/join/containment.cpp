// Which sets are in which others, whatever the sizes?
//
// Under containment a partner may have any size, so a large set has no prefix: it may owe everything to one common
// token. But the smaller set of a pair has one: of its n tokens it shares at least need = ceil(t n), so it shares one
// of its n - need + 1 rarest. Those are indexed; and each set looks up all of its tokens among sets that are not
// larger. Most texts index nothing, because their rarest tokens occur nowhere else.
//
// A large set marks its tokens in a table of bits, once. A candidate is then verified by its own tokens alone, rarest
// first, and given up as soon as too many are missing. So a pair costs what the smaller set has, never what the larger
// has, and a hundred very long sets among a million short ones cost no more than they are long.
//
// Memory: 16 bytes for 64 tokens of the universe, 8 bytes for each token that is indexed at all, 4 bytes for each
// entry; on each thread 4 bytes for each set and a bit for each token of the universe.
#include <tbb/enumerable_thread_specific.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "base/parallel.h"
#include "base/system.h"
#include "join/algorithms.h"
#include "join/prefix_lists.h"
#include "join/reporting.h"
#include "similarity/measures.h"

namespace neardup::joins {
namespace {

// The tokens of one set at a time.
class MarkedTokens {
 public:
  explicit MarkedTokens(Rank universe) : words_(universe / kBits + 1) {}
  void mark(std::span<const Rank> tokens) {
    for (const Rank token : tokens) words_[token / kBits] |= std::uint64_t{1} << token % kBits;
  }
  void clear(std::span<const Rank> tokens) {
    for (const Rank token : tokens) words_[token / kBits] = 0;
  }
  [[nodiscard]] bool has(Rank token) const { return (words_[token / kBits] >> token % kBits & 1) != 0; }

 private:
  static constexpr Rank kBits = 64;
  std::vector<std::uint64_t> words_;
};

template <similarity::SetMeasure M>
class ContainmentJoin {
 public:
  explicit ContainmentJoin(const SetJoin& join)
      : join_(join), sets_(join.sets), is_directed_(join.options.measure == Measure::contained) {
    const base::Stopwatch watch;
    const auto indexed = [&](Place place) {
      const std::uint64_t size = sets_.full_size(place), hidden = sets_.hidden(place);
      const std::uint64_t need = M::min_overlap(size, size, join.options.threshold);
      const std::uint64_t prefix = need > size ? 0 : size - need + 1;
      return static_cast<std::size_t>(prefix > hidden ? prefix - hidden : 0);
    };
    // Who is asked whether it contains others looks at the lists of the other side.
    for (unsigned side = 0; side < (is_directed_ ? 1 : sets_.sides()); ++side)
      lists_.emplace_back(sets_, side, indexed);
    for (const PrefixLists& lists : lists_) {
      join_.stats.index.entries += lists.entries();
      join_.stats.index.bytes += lists.bytes();
    }
    join_.stats.seconds.index = watch.seconds();
  }

  void run() {
    // Which pairs come first must not depend on the threads when only the first ones count.
    Context context = join_.context;
    if (join_.options.max_pairs != 0) context.threads = 1;
    tbb::enumerable_thread_specific<Worker> workers([&] { return Worker(*this); });
    constexpr std::size_t kAtOnce = 64;  // long sets are adjacent: few of them are a piece of work
    const std::size_t pieces = (sets_.size() + kAtOnce - 1) / kAtOnce;
    base::parallel_for(context, pieces, [&](std::size_t first, std::size_t last) {
      Worker& worker = workers.local();
      for (std::size_t piece = first; piece < last && !join_.output.enough(); ++piece) {
        base::check_stop(context);
        const auto begin = static_cast<Place>(piece * kAtOnce);
        worker.probe(begin, std::min<Place>(begin + kAtOnce, sets_.size()));
      }
    });
    std::uint64_t met = 0, pairs_met = 0;
    for (Worker& worker : workers) {
      worker.reporter.finish();
      met += worker.met;
      pairs_met += worker.pairs_met;
      join_.stats.candidates += worker.verified;
    }
    join_.stats.filters = {{"prefix", met}, {"first meeting", pairs_met}};
    if (join_.context.observer != nullptr) join_.context.observer->advance(sets_.size() - told_);
  }

 private:
  // What one thread needs.
  struct Worker {
    explicit Worker(ContainmentJoin& owner)
        : reporter(owner.join_),
          owner_(owner),
          sets_(owner.sets_),
          marked_(sets_.universe()),
          met_by_(sets_.size(), 0) {}

    void probe(Place first, Place last) {
      for (Place x = first; x < last && !owner_.join_.output.enough(); ++x) {
        if (owner_.is_directed_ && sets_.side(x) == 0) continue;
        gather(x);
        if (!candidates_.empty()) verify(x);
      }
      owner_.tell(last - first);
    }

    Reporter<M> reporter;
    std::uint64_t met = 0, pairs_met = 0, verified = 0;

   private:
    void gather(Place x) {
      candidates_.clear();
      const PrefixLists& lists = owner_.lists_[owner_.is_directed_ ? 0 : sets_.partner_side(x)];
      const std::span<const Rank> tokens = sets_.tokens(x);
      constexpr std::size_t kAhead = 16;
      for (std::size_t k = 0; k < tokens.size(); ++k) {
        if (k + kAhead < tokens.size()) lists.prefetch(tokens[k + kAhead]);
        if (!lists.has(tokens[k])) continue;
        for (const Place y : lists.of(tokens[k])) {
          if (y >= x && !owner_.is_directed_) break;  // lists ascend
          ++met;
          if (met_by_[y] == x + 1) continue;
          met_by_[y] = x + 1;
          candidates_.push_back(y);
        }
      }
      pairs_met += candidates_.size();
    }

    void verify(Place x) {
      const std::span<const Rank> tokens = sets_.tokens(x);
      marked_.mark(tokens);
      constexpr std::size_t kAhead = 8;
      for (std::size_t c = 0; c < candidates_.size(); ++c) {
        if (c + 2 * kAhead < candidates_.size()) sets_.prefetch(candidates_[c + 2 * kAhead]);
        if (c + kAhead < candidates_.size()) sets_.prefetch_tokens(candidates_[c + kAhead]);
        const Place y = candidates_[c];
        const std::uint64_t need = needed(x, y);
        // Sizes first: under other measures a set may be too small for any overlap.
        if (need > sets_.tokens(y).size() || need > tokens.size() || !reporter.wanted(x, y)) continue;
        ++verified;
        if (const std::uint64_t overlap = overlap_with(y, need); overlap >= need) reporter.report(x, y, overlap);
      }
      marked_.clear(tokens);
    }

    [[nodiscard]] std::uint64_t needed(Place x, Place y) const {
      const Threshold& t = owner_.join_.options.threshold;
      return sets_.sides() == 2 && sets_.side(x) == 1 ? M::min_overlap(sets_.full_size(y), sets_.full_size(x), t)
                                                      : M::min_overlap(sets_.full_size(x), sets_.full_size(y), t);
    }

    // 0 when fewer than `need` are marked.
    [[nodiscard]] std::uint64_t overlap_with(Place y, std::uint64_t need) const {
      const std::span<const Rank> tokens = sets_.tokens(y);
      std::uint64_t spare = tokens.size() - need, overlap = 0;
      for (const Rank token : tokens) {
        if (marked_.has(token)) {
          ++overlap;
        } else if (spare-- == 0) {
          return 0;
        }
      }
      return overlap;
    }

    ContainmentJoin& owner_;
    const OrderedSets& sets_;
    MarkedTokens marked_;
    std::vector<Place> met_by_;  // by place: one more than the set that met it last
    std::vector<Place> candidates_;
  };

  // The observer is told by whichever thread is done with some sets.
  void tell(std::uint64_t sets) {
    constexpr std::uint64_t kSetsPerReport = 4096;
    const std::uint64_t before = done_.fetch_add(sets, std::memory_order_relaxed);
    if (join_.context.observer == nullptr || before / kSetsPerReport == (before + sets) / kSetsPerReport) return;
    const std::lock_guard lock(telling_);
    told_ += kSetsPerReport;
    join_.context.observer->advance(kSetsPerReport);
  }

  const SetJoin& join_;
  const OrderedSets& sets_;
  bool is_directed_;                // only sets of the left side are looked for, in sets of the right side
  std::vector<PrefixLists> lists_;  // by side
  std::atomic<std::uint64_t> done_ = 0;
  std::mutex telling_;
  std::uint64_t told_ = 0;
};

}  // namespace

void containment(const SetJoin& join) {
  const base::Stopwatch watch;
  similarity::with_measure(join.options.measure, [&]<class M>() { ContainmentJoin<M>(join).run(); });
  join.stats.seconds.join = watch.seconds();
}

}  // namespace neardup::joins
