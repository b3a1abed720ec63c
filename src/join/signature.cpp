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
  Prober(const SetJoin& join, const SignatureIndex& index)
      : sets_(join.sets),
        index_(index),
        threshold_(join.options.threshold),
        kernels_(simd::kernels()),
        met_(sets_.size()),
        marks_(sets_.universe() <= kMostMarked ? sets_.universe() : 0),
        hits_(kPostingsAtOnce) {}

  // Partners among the sets before x. Precondition: those are in the index, and x's own signature.
  void probe(Place x, Reporter<M>& reporter) {
    begin(x);
    const std::uint32_t prefix = visible_prefix(sets_, x, least_overlap_);
    prefetch(x, prefix);
    const SignatureIndex::List* const lists = index_.lists(sets_.partner_side(x));
    const std::size_t words = index_.words();
    if (words > 0 && prefix > 0) std::copy_n(index_.signature(x), words, rest_.begin());
    std::uint32_t flipped = 0;
    for (std::uint32_t k = 0; k < prefix; ++k) {
      if (lists[tokens_[k]].empty()) continue;
      const SignatureIndex::List list = narrowed(lists[tokens_[k]], k);
      if (list.empty()) continue;
      if (words > 0) {
        for (; flipped <= k; ++flipped) flip(tokens_[flipped]);
      }
      add_scan(k, list, reporter);
    }
    run_scans(reporter);
  }

  // The first set that is large enough for the last one that was looked up.
  [[nodiscard]] Place first_place() const { return first_place_; }

  [[nodiscard]] const Counts& counts() const { return counts_; }

 private:
  static constexpr std::uint32_t kPostingsAtOnce = 4096;
  static constexpr Place kUnknown = ~Place{0};

  void begin(Place x) {
    x_ = x;
    tokens_ = sets_.tokens(x);
    hidden_ = sets_.hidden(x);
    is_marked_ = has_verified_ = false;
    if (sets_.full_size(x) == size_) return;
    size_ = sets_.full_size(x);
    least_overlap_ = M::min_overlap_any(size_, threshold_);
    slack_ = M::slack_of_larger(size_, threshold_);
    first_place_ = sets_.first_of_size(M::min_size(size_, threshold_), x);
    limits_.assign(least_overlap_ > size_ ? 0 : size_ - least_overlap_ + 1, kUnknown);
  }

  // Partners whose first common token is at position `hidden_ + k` of x stand before this place: larger ones need a
  // larger overlap than is left.
  Place limit(std::uint32_t k) {
    const std::uint64_t left = tokens_.size() - k;
    Place& known = limits_[hidden_ + k];
    if (known != kUnknown) return known;
    Place low = first_place_, high = sets_.size();
    while (low < high) {
      const Place middle = low + (high - low) / 2;
      const std::uint64_t other = sets_.full_size(middle);
      if (other <= size_ && M::min_overlap(size_, other, threshold_) <= left) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return known = low;
  }

  // The part of a list that sizes and positions allow. Short lists are taken as they are: what does not belong there is
  // dismissed when it is met, and finding it out beforehand would cost another access to memory.
  SignatureIndex::List narrowed(SignatureIndex::List list, std::uint32_t k) {
    constexpr std::uint32_t kLong = 24;
    if (list.size() < kLong) return list;
    if (index_.place(list.first) < first_place_) list.first = first_from(first_place_, list);
    // The end is found while looking, except in lists so long that it would take several rounds.
    if (list.size() > kPostingsAtOnce) list.last = first_from(std::min(x_, limit(k)), list);
    return list;
  }

  // The first posting of a list from this place on.
  [[nodiscard]] std::uint32_t first_from(Place place, const SignatureIndex::List& list) const {
    std::uint32_t low = list.first, high = list.last;
    while (low < high) {
      const std::uint32_t middle = low + (high - low) / 2;
      if (index_.place(middle) < place) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  void flip(Rank token) {
    const SignatureBit flipped = signature_bit(token, index_.words());
    rest_[flipped.word] ^= flipped.bit;
  }

  void add_scan(std::uint32_t k, SignatureIndex::List list, Reporter<M>& reporter) {
    while (!list.empty()) {
      if (pending_ == kPostingsAtOnce) run_scans(reporter);
      const std::uint32_t taken = std::min(list.size(), kPostingsAtOnce - pending_);
      scans_.push_back(
          {list.first, list.first + taken, allowance(slack_, std::uint64_t{hidden_} + k), std::min(x_, limit(k))});
      probes_.insert(probes_.end(), rest_.begin(), rest_.begin() + static_cast<std::ptrdiff_t>(index_.words()));
      scanned_tokens_.push_back(k);
      list.first += taken;
      pending_ += taken;
    }
  }

  void run_scans(Reporter<M>& reporter) {
    if (index_.words() == 0) {
      for (std::size_t s = 0; s < scans_.size(); ++s) {
        for (std::uint32_t p = scans_[s].first; p < scans_[s].last && index_.place(p) < scans_[s].limit; ++p) {
          ++counts_.postings;
          const auto allowed = static_cast<std::int32_t>(index_.head(p) >> 32);
          if (allowed + scans_[s].budget >= 0) meet(scanned_tokens_[s], p, reporter);
        }
      }
    } else if (!scans_.empty()) {
      const std::size_t found =
          kernels_.scan_postings(index_.postings(), index_.more_words(), index_.stride(), index_.words(), scans_.data(),
                                 scans_.size(), probes_.data(), hits_.data());
      counts_.signature += found;
      for (const neardup_scan& scan : scans_) counts_.postings += scan.last - scan.first;
      for (std::size_t h = 0; h < found; ++h) meet(scanned_tokens_[hits_[h].scan], hits_[h].posting, reporter);
    }
    scans_.clear();
    probes_.clear();
    scanned_tokens_.clear();
    pending_ = 0;
  }

  // A pair comes by once for each common token. What is decided at the first one holds: only there do the positions
  // tell how much can still be shared.
  void meet(std::uint32_t k, std::uint32_t posting, Reporter<M>& reporter) {
    const Place y = index_.place(posting);
    if (y < first_place_ || y >= std::min(x_, limit(k)) || met_[y] == x_ + 1) return;
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

  // Lists of the sets that come next, which have about as long a prefix, on their way from memory.
  void prefetch(Place x, std::uint32_t prefix) const {
    constexpr Place kFar = 8, kNear = 4;
    constexpr std::size_t kMost = 64;
    if (x + kFar >= sets_.size()) return;
    const std::size_t count = std::min<std::size_t>(kMost, prefix + 1);
    const auto far = sets_.tokens(x + kFar), near = sets_.tokens(x + kNear);
    const SignatureIndex::List* far_lists = index_.lists(sets_.partner_side(x + kFar));
    const SignatureIndex::List* near_lists = index_.lists(sets_.partner_side(x + kNear));
    for (std::size_t k = 0; k < std::min(count, far.size()); ++k) __builtin_prefetch(far_lists + far[k]);
    for (std::size_t k = 0; k < std::min(count, near.size()); ++k) {
      const SignatureIndex::List list = near_lists[near[k]];
      if (list.empty()) continue;
      __builtin_prefetch(index_.address(list.first));
    }
  }

  const OrderedSets& sets_;
  const SignatureIndex& index_;
  Threshold threshold_;
  const neardup_kernels& kernels_;

  // The set at hand, and what depends on its size only.
  Place x_ = 0;
  std::span<const Rank> tokens_;
  std::uint32_t hidden_ = 0, size_ = 0;
  bool has_verified_ = false, is_marked_ = false;
  std::uint64_t least_overlap_ = 0;
  std::int64_t slack_ = 0;
  Place first_place_ = 0;
  std::vector<Place> limits_;            // by position
  std::array<std::uint64_t, 8> rest_{};  // the signature of the tokens after the one at hand

  std::vector<neardup_scan> scans_;
  std::vector<std::uint64_t> probes_;
  std::vector<std::uint32_t> scanned_tokens_;  // by scan: k
  std::uint32_t pending_ = 0;

  base::ZeroedArray<Place> met_;            // by place: the last set that met it, plus one
  base::ZeroedArray<std::uint32_t> marks_;  // by token: the last marked set that has it, plus one
  std::vector<neardup_hit> hits_;
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
        if (base::threads(join_.context) == 1) {
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
    join_.stats.filters = {{"prefix and size", counts.postings}};
    if (index_.words() > 0) join_.stats.filters.push_back({"signature", counts.signature});
    join_.stats.filters.push_back({"position", counts.position});
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
      bounds_.at(join_.sets.full_size(place));
      if (visible_prefix(join_.sets, place, bounds_.least_in_probe) == 0) continue;
      if (index_.words() > 0) index_.make_signature(place);
      prober.probe(place, reporter);
      index_.insert(place, bounds_, prober.first_place(), 0, join_.sets.universe());
    }
    reporter.finish();
  }

  void probe_all(Place first, Place last) {
    tbb::parallel_for(tbb::blocked_range<Place>(first, last, kPiece),
                      [&](const tbb::blocked_range<Place>& range) { probe(range.begin(), range.end(), join_.output); });
  }

  // Which pairs come first must not depend on the threads when only the first ones count.
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
  PrefixBounds<M> bounds_{join_.options.threshold};
  tbb::enumerable_thread_specific<Prober<M>> probers_{[this] { return Prober<M>(join_, index_); }};
};

}  // namespace

void signature(const SetJoin& join) {
  similarity::with_measure(join.options.measure, [&]<class M>() { Run<M>(join).run(); });
}

}  // namespace neardup::joins
