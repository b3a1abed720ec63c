// The signature join: ppjoin's prefixes, positions and sizes, with most candidates dismissed by their signatures while
// a list is scanned. The index is built first and then only read, so that any number of threads can probe.
#include <tbb/enumerable_thread_specific.h>

#include <algorithm>
#include <array>
#include <mutex>
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

  void probe(Place x, Reporter<M>& reporter) {
    prefetch(x);
    begin(x);
    const std::uint32_t prefix = visible_prefix(sets_, x, least_overlap_);
    const unsigned side = sets_.partner_side(x);
    bool has_signature = false;
    for (std::uint32_t k = 0; k < prefix; ++k) {
      if (has_signature) flip(tokens_[k]);
      const SignatureIndex::List list = index_.list(tokens_[k], side);
      if (list.empty()) continue;
      if (index_.words() > 0 && !has_signature) {
        std::copy_n(index_.signature(x), index_.words(), rest_.begin());
        for (std::uint32_t before = 0; before <= k; ++before) flip(tokens_[before]);
        has_signature = true;
      }
      add_scan(k, narrowed(list, k), reporter);
    }
    run_scans(reporter);
  }

  [[nodiscard]] const Counts& counts() const { return counts_; }

 private:
  static constexpr std::uint32_t kPostingsAtOnce = 4096;
  static constexpr Place kUnknown = ~Place{0};

  void begin(Place x) {
    x_ = x;
    tokens_ = sets_.tokens(x);
    hidden_ = sets_.hidden(x);
    is_marked_ = false;
    if (sets_.full_size(x) == size_) return;
    size_ = sets_.full_size(x);
    least_overlap_ = M::min_overlap_any(size_, threshold_);
    slack_ = M::slack_of_larger(size_, threshold_);
    first_place_ = first_of_size(M::min_size(size_, threshold_), 0, x);
    limits_.assign(least_overlap_ > size_ ? 0 : size_ - least_overlap_ + 1, kUnknown);
  }

  // The first place below `end` whose set has at least this size.
  [[nodiscard]] Place first_of_size(std::uint64_t size, Place begin, Place end) const {
    while (begin < end) {
      const Place middle = begin + (end - begin) / 2;
      if (sets_.full_size(middle) < size) {
        begin = middle + 1;
      } else {
        end = middle;
      }
    }
    return begin;
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

  // The part of a list that sizes and positions allow.
  SignatureIndex::List narrowed(SignatureIndex::List list, std::uint32_t k) {
    const Place end = std::min(x_, limit(k));
    constexpr std::uint32_t kFewEnoughToWalk = 12;
    if (list.size() <= kFewEnoughToWalk) {
      while (!list.empty() && index_.place(list.first) < first_place_) ++list.first;
      while (!list.empty() && index_.place(list.last - 1) >= end) --list.last;
      return list;
    }
    const auto first_from = [&](Place place) {
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
    };
    list.first = first_from(first_place_);
    list.last = std::max(list.first, first_from(end));
    return list;
  }

  void flip(Rank token) {
    const SignatureBit flipped = signature_bit(token, index_.words());
    rest_[flipped.word] ^= flipped.bit;
  }

  void add_scan(std::uint32_t k, SignatureIndex::List list, Reporter<M>& reporter) {
    counts_.postings += list.size();
    while (!list.empty()) {
      if (pending_ == kPostingsAtOnce) run_scans(reporter);
      const std::uint32_t taken = std::min(list.size(), kPostingsAtOnce - pending_);
      scans_.push_back({list.first, list.first + taken, allowance(slack_, std::uint64_t{hidden_} + k)});
      probes_.insert(probes_.end(), rest_.begin(), rest_.begin() + static_cast<std::ptrdiff_t>(index_.words()));
      scanned_tokens_.push_back(k);
      list.first += taken;
      pending_ += taken;
    }
  }

  void run_scans(Reporter<M>& reporter) {
    if (index_.words() == 0) {
      for (std::size_t s = 0; s < scans_.size(); ++s) {
        for (std::uint32_t p = scans_[s].first; p < scans_[s].last; ++p) meet(scanned_tokens_[s], p, reporter);
      }
    } else if (!scans_.empty()) {
      const std::size_t found =
          kernels_.scan_postings(index_.postings(), index_.signatures(), index_.stride(), index_.words(), scans_.data(),
                                 scans_.size(), probes_.data(), hits_.data());
      counts_.signature += found;
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
    if (met_[y] == x_ + 1) return;
    met_[y] = x_ + 1;
    const std::uint64_t other_size = sets_.full_size(y);
    const std::uint64_t need = M::min_overlap(size_, other_size, threshold_);
    const auto other = sets_.tokens(y);
    const auto j = static_cast<std::uint32_t>(std::lower_bound(other.begin(), other.end(), tokens_[k]) - other.begin());
    if (tokens_.size() - k < need || other.size() - j < need) return;
    ++counts_.position;
    if (!reporter.wanted(x_, y)) return;
    ++counts_.candidates;
    const std::uint64_t overlap = 1 + common_after(k, other.subspan(j + 1), need - 1);
    if (overlap >= need) reporter.report(x_, y, overlap);
  }

  // How many tokens of x after the k-th are among `others`; any smaller number when they are fewer than `need`.
  std::uint64_t common_after(std::uint32_t k, std::span<const Rank> others, std::uint64_t need) {
    if (marks_.size() == 0) {
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

  // Lists of the sets that come next, on their way from memory.
  void prefetch(Place x) const {
    constexpr Place kFar = 8, kNear = 4;
    constexpr std::size_t kTokens = 24;
    if (x + kFar >= sets_.size()) return;
    const unsigned far_side = sets_.partner_side(x + kFar), near_side = sets_.partner_side(x + kNear);
    const auto far = sets_.tokens(x + kFar), near = sets_.tokens(x + kNear);
    const auto share = [&](std::size_t size) { return std::min(kTokens, size / 4 + 1); };
    for (std::size_t k = 0; k < std::min(far.size(), share(far.size())); ++k) {
      __builtin_prefetch(index_.list_address(far[k], far_side));
    }
    for (std::size_t k = 0; k < std::min(near.size(), share(near.size())); ++k) {
      const SignatureIndex::List list = index_.list(near[k], near_side);
      if (list.empty()) continue;
      __builtin_prefetch(index_.postings() + list.first);
      __builtin_prefetch(index_.signatures() + list.first);
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
  bool is_marked_ = false;
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

// One run: the index, a look ahead, and the probes.
template <class M>
class Run {
 public:
  explicit Run(const SetJoin& join) : join_(join), index_(join) {
    join.stats.index_entries = index_.entries();
    join.stats.index_bytes = index_.bytes();
    join.stats.index_seconds = watch_.seconds();
  }

  void run() {
    if (join_.options.forecast && join_.sets.size() >= kWorthAForecast) forecast();
    if (join_.options.max_pairs == 0) {
      probe_all();
    } else {
      probe_in_order();
    }
    Counts counts;
    for (const Prober<M>& prober : probers_) counts += prober.counts();
    join_.stats.filters = {{"prefix and size", counts.postings}};
    if (index_.words() > 0) join_.stats.filters.push_back({"signature", counts.signature});
    join_.stats.filters.push_back({"position", counts.position});
    join_.stats.candidates = counts.candidates;
    join_.stats.join_seconds = watch_.seconds();
  }

 private:
  static constexpr Place kWorthAForecast = 20'000;

  // Probes a few sets, evenly spread, and scales up.
  void forecast() {
    constexpr Place kLooks = 256;
    const base::Stopwatch watch;
    PairList found;
    PairOutput output(found, 0);
    const SetJoin sample{join_.sets, join_.options, output, join_.stats, join_.context};
    Prober<M> prober(join_, index_);
    Reporter<M> reporter(sample);
    Place looks = 0;
    // Enough is known once a second has passed.
    for (; looks < kLooks && watch.seconds() < 1; ++looks) {
      // Halfway between small and large at first, then the quarters, and so on: any number of looks is evenly spread.
      std::uint32_t turned = 0;
      for (unsigned bit = 0; bit < 8; ++bit) turned |= ((looks >> bit) & 1) << (7 - bit);
      prober.probe(static_cast<Place>(std::uint64_t{join_.sets.size()} * turned / kLooks), reporter);
    }
    reporter.finish();
    const double scale = static_cast<double>(join_.sets.size()) / looks;
    join_.options.forecast({.seconds = watch.seconds() * scale / base::threads(join_.context),
                            .pairs = static_cast<double>(found.pairs.size()) * scale});
  }

  void probe(std::size_t first, std::size_t last, PairOutput& output) {
    Prober<M>& prober = probers_.local();
    Reporter<M> reporter(SetJoin{join_.sets, join_.options, output, join_.stats, join_.context});
    for (std::size_t place = first; place < last && !output.enough(); ++place) {
      prober.probe(static_cast<Place>(place), reporter);
    }
    reporter.finish();
    if (join_.context.observer == nullptr) return;
    const std::lock_guard lock(observing_);
    join_.context.observer->advance(last - first);
  }

  void probe_all() {
    base::parallel_for(join_.context, join_.sets.size(),
                       [&](std::size_t first, std::size_t last) { probe(first, last, join_.output); });
  }

  // Which pairs come first must not depend on the threads when only the first ones count.
  void probe_in_order() {
    constexpr std::size_t kPiece = 64;
    const std::size_t pieces = 2 * base::threads(join_.context);
    for (std::size_t begin = 0; begin < join_.sets.size() && !join_.output.enough(); begin += pieces * kPiece) {
      std::vector<PairList> found(pieces);
      base::parallel_for(join_.context, pieces, [&](std::size_t first, std::size_t last) {
        for (std::size_t piece = first; piece < last; ++piece) {
          const std::size_t from = std::min<std::size_t>(begin + piece * kPiece, join_.sets.size());
          PairOutput output(found[piece], join_.options.max_pairs + 1);
          probe(from, std::min<std::size_t>(from + kPiece, join_.sets.size()), output);
        }
      });
      for (PairList& piece : found) join_.output.flush(piece.pairs);
    }
  }

  const SetJoin& join_;
  base::Stopwatch watch_;
  SignatureIndex index_;
  tbb::enumerable_thread_specific<Prober<M>> probers_{[this] { return Prober<M>(join_, index_); }};
  std::mutex observing_;
};

}  // namespace

void signature(const SetJoin& join) {
  similarity::with_measure(join.options.measure, [&]<class M>() { Run<M>(join).run(); });
}

}  // namespace neardup::joins
