// The signature join: ppjoin's prefixes, positions and sizes, with most candidates dismissed by their signatures while
// a list is scanned. Sets enter the index in blocks, and a block's sets look for partners on all threads.
#include <tbb/blocked_range.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <vector>

#include "base/parallel.h"
#include "base/system.h"
#include "base/zeroed_array.h"
#include "join/algorithms.h"
#include "join/reporting.h"
#include "join/signature_index.h"
#include "simd/dispatch.h"
#include "similarity/measures.h"

namespace neardup::joins {
namespace {

// Above this many different tokens, marks no longer stay in the cache and merging is quicker.
constexpr Rank kMostMarked = 8u << 20;

struct Counts {
  std::uint64_t postings = 0, signature = 0, position = 0, candidates = 0;
  Counts& operator+=(const Counts& other) {
    postings += other.postings;
    signature += other.signature;
    position += other.position;
    candidates += other.candidates;
    return *this;
  }
};

// Looks for the partners of one set after another, in ascending order of place. One a thread.
template <class M>
class Prober {
 public:
  Prober(const SetJoin& join, SignatureIndex& index)
      : sets_(join.sets),
        index_(index),
        threshold_(join.options.threshold),
        kernels_(simd::kernels()),
        bounds_(join),
        met_(sets_.size()),
        marks_(sets_.universe() <= kMostMarked ? sets_.universe() : 0),
        hits_(index.longest_list()) {}

  // Partners among the sets before x. Precondition: those are in the index.
  void probe(Place x, Reporter<M>& reporter) {
    begin(x);
    const std::uint32_t prefix = visible_prefix(sets_, x, bounds_.least_in_probe);
    if (prefix == 0) return;
    const std::span<const Found> lists = find_lists(prefix);
    if (lists.empty()) return;
    const neardup_postings postings = index_.postings();
    Signature rest = index_.signature(x);  // of the tokens after the one at hand
    std::uint32_t flipped = 0;
    neardup_probe probe{.least = first_place_ + 1, .budget = 0, .folded = 0, .whole = rest.words().data()};
    for (const Found& list : lists) {
      for (; flipped <= list.k; ++flipped) rest.flip(tokens_[flipped], postings.words);
      probe.budget = budget(bounds_.slack_in_probe, std::uint64_t{hidden_} + list.k);
      probe.folded = rest.folded();
      const std::size_t passed = kernels_.scan_postings(&postings, &probe, list.last, hits_.data(), &counts_.postings);
      counts_.signature += passed;
      for (std::size_t h = 0; h < passed; ++h) meet(list.k, hits_[h], reporter);
    }
  }

  // As of the last set that was looked up.
  [[nodiscard]] const PrefixBounds<M>& bounds() const { return bounds_; }
  [[nodiscard]] const Counts& counts() const { return counts_; }

 private:
  // A list that holds a set from first_place_ on.
  struct Found {
    std::uint32_t k, last;
  };

  void begin(Place x) {
    x_ = x;
    tokens_ = sets_.tokens(x);
    hidden_ = sets_.hidden(x);
    is_marked_ = has_verified_ = false;
    size_ = sets_.full_size(x);
    if (bounds_.at(size_)) first_place_ = sets_.first_of_size(M::min_size(size_, threshold_), x);
  }

  // All at first, and without a branch, so that many lists, and then their ends, are on their way from memory at the
  // same time.
  std::span<const Found> find_lists(std::uint32_t prefix) {
    const SignatureIndex::List* const lists = index_.lists(sets_.partner_side(x_));
    if (found_.size() < prefix) found_.resize(prefix);
    std::size_t count = 0;
    for (std::uint32_t k = 0; k < prefix; ++k) {
      const SignatureIndex::List list = lists[tokens_[k]];
      found_[count] = {k, list.last};
      count += list.after > first_place_ ? 1 : 0;
    }
    for (std::size_t i = 0; i < count; ++i) index_.prefetch(found_[i].last);
    return std::span(found_).first(count);
  }

  // A pair comes by once for each common token. What is decided at the first one holds: only there do the positions
  // tell how much can still be shared.
  void meet(std::uint32_t k, std::uint32_t posting, Reporter<M>& reporter) {
    const Place y = index_.place(posting);
    if (y >= x_ || met_[y] == x_ + 1) return;
    met_[y] = x_ + 1;
    const std::uint64_t need = M::min_overlap(size_, sets_.full_size(y), threshold_);
    const auto other = sets_.tokens(y);
    const std::uint32_t j = index_.position(posting, y, tokens_[k]);
    if (tokens_.size() - k < need || other.size() - j < need) return;
    ++counts_.position;
    if (!reporter.wanted(x_, y)) return;
    ++counts_.candidates;
    const std::uint64_t overlap = 1 + common_after(k, other.subspan(j + 1), need - 1);
    if (overlap >= need) reporter.report(x_, y, overlap);
  }

  // How many tokens of x after the k-th are among `others`; any smaller number when they are fewer than `need`.
  std::uint64_t common_after(std::uint32_t k, std::span<const Rank> others, std::uint64_t need) {
    // Marking x pays only when several sets are held against it.
    if (marks_.size() == 0 || !has_verified_) {
      has_verified_ = true;
      const auto rest = tokens_.subspan(k + 1);
      const std::size_t common = kernels_.overlap32(rest.data(), rest.size(), others.data(), others.size(), need);
      return common == SIZE_MAX ? 0 : common;
    }
    if (!is_marked_) {
      for (const Rank token : tokens_) marks_[token] = x_ + 1;
      is_marked_ = true;
    }
    const std::size_t most = others.size() - need;
    const std::size_t missing = kernels_.count_unmarked(others.data(), others.size(), marks_.data(), x_ + 1, most);
    return missing > most ? 0 : others.size() - missing;
  }

  const OrderedSets& sets_;
  SignatureIndex& index_;
  Threshold threshold_;
  const neardup_kernels& kernels_;

  // The set at hand, and what depends on its size only.
  Place x_ = 0;
  std::span<const Rank> tokens_;
  std::uint32_t hidden_ = 0, size_ = 0;
  bool has_verified_ = false, is_marked_ = false;
  PrefixBounds<M> bounds_;
  Place first_place_ = 0;  // the first set that is large enough

  std::vector<Found> found_;
  base::ZeroedArray<Place> met_;            // by place: the last set that met it, plus one
  base::ZeroedArray<std::uint32_t> marks_;  // by token: the last marked set that has it, plus one
  base::ZeroedArray<std::uint32_t> hits_;
  Counts counts_;
};

class PairList final : public PairSink {
 public:
  bool accept(std::span<const Pair> found) override {
    pairs.insert(pairs.end(), found.begin(), found.end());
    return true;
  }
  std::vector<Pair> pairs;
};

// One run: block by block, sets enter the index and are then looked up in it.
template <class M>
class Run {
 public:
  explicit Run(const SetJoin& join) : join_(join), index_(join) { join.stats.index_seconds = watch_.seconds(); }

  void run() {
    base::with_threads(join_.context, [&] {
      for (Place first = 0; first < join_.sets.size() && !join_.output.enough();) {
        base::check_stop(join_.context);
        const Place last = end_of_block(first);
        if (base::threads(join_.context) == 1 && join_.options.max_pairs == 0) {
          probe_and_insert(first, last);
        } else {
          const base::Stopwatch inserting;
          index_.template insert_block<M>(first, last);
          join_.stats.index_seconds += inserting.seconds();
          if (join_.options.max_pairs == 0) {
            probe_all(first, last);
          } else {
            probe_in_order(first, last);
          }
        }
        if (join_.context.observer != nullptr) join_.context.observer->advance(last - first);
        first = last;
      }
    });
    Counts counts;
    for (const Prober<M>& prober : probers_) counts += prober.counts();
    join_.stats.filters = {
        {"prefix and size", counts.postings}, {"signature", counts.signature}, {"position", counts.position}};
    join_.stats.candidates = counts.candidates;
    join_.stats.index_entries = index_.entries();
    join_.stats.index_bytes = index_.bytes();
    join_.stats.join_seconds = watch_.seconds();
  }

 private:
  // Small enough for what a block touches to stay in the cache between entering and looking up.
  [[nodiscard]] Place end_of_block(Place first) const {
    constexpr std::uint64_t kTokens = 1u << 17;
    constexpr Place kLeast = 64, kMost = 8192;
    std::uint64_t tokens = 0;
    Place last = first;
    for (; last < join_.sets.size() && last - first < kMost; ++last) {
      tokens += join_.sets.tokens(last).size();
      if (tokens > kTokens && last - first >= kLeast) break;
    }
    return last;
  }

  void probe(Place first, Place last, base::PairOutput& output) {
    base::check_stop(join_.context);
    Prober<M>& prober = probers_.local();
    Reporter<M> reporter(SetJoin{join_.sets, join_.options, output, join_.stats, join_.context});
    for (Place place = first; place < last && !output.enough(); ++place) prober.probe(place, reporter);
    reporter.finish();
  }

  // Alone, a set is looked up and entered in one go.
  void probe_and_insert(Place first, Place last) {
    Prober<M>& prober = probers_.local();
    Reporter<M> reporter(join_);
    for (Place place = first; place < last && !join_.output.enough(); ++place) {
      if (place % kPiece == 0) base::check_stop(join_.context);
      prober.probe(place, reporter);
      index_.insert(place, prober.bounds(), 0, join_.sets.universe());
    }
    reporter.finish();
  }

  void probe_all(Place first, Place last) {
    tbb::parallel_for(tbb::blocked_range<Place>(first, last, kPiece),
                      [&](const tbb::blocked_range<Place>& range) { probe(range.begin(), range.end(), join_.output); });
  }

  // Which pairs come first must not depend on the threads when only the first ones count. In which order a list's
  // postings are met depends on what stands behind them, so one thread goes block by block here too.
  void probe_in_order(Place first, Place last) {
    const Place at_once = 2 * kPiece * base::threads(join_.context);
    for (; first < last && !join_.output.enough(); first += std::min(at_once, last - first)) {
      const Place end = std::min(last, first + at_once);
      std::vector<PairList> found((end - first + kPiece - 1) / kPiece);
      tbb::parallel_for(std::size_t{0}, found.size(), [&](std::size_t piece) {
        const auto from = static_cast<Place>(first + piece * kPiece);
        base::PairOutput output(found[piece], join_.options.max_pairs + 1);
        probe(from, std::min(end, from + kPiece), output);
      });
      for (PairList& piece : found) join_.output.flush(piece.pairs);
    }
  }

  static constexpr Place kPiece = 64;

  const SetJoin& join_;
  base::Stopwatch watch_;
  SignatureIndex index_;
  tbb::enumerable_thread_specific<Prober<M>> probers_{[this] { return Prober<M>(join_, index_); }};
};

}  // namespace

void signature(const SetJoin& join) {
  similarity::with_measure(join.options.measure, [&]<class M>() { Run<M>(join).run(); });
}

}  // namespace neardup::joins
