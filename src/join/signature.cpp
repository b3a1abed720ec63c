// The signature join: ppjoin's prefixes, positions and sizes, but token by token, and with most pairs that meet at a
// token dismissed by their signatures, eight at a time. A pair that shares several tokens of its prefixes meets as
// often and belongs to the first of them.
#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <ranges>
#include <vector>

#include "base/parallel.h"
#include "base/system.h"
#include "join/algorithms.h"
#include "join/reporting.h"
#include "join/signature_lists.h"
#include "join/size_classes.h"
#include "simd/dispatch.h"
#include "similarity/measures.h"

namespace neardup::joins {
namespace {

constexpr std::uint32_t kBlock = 8;     // postings that a kernel compares at once
constexpr std::uint32_t kProbes = 256;  // sets that look for partners at once: they stay in the first-level cache

struct Counts {
  std::uint64_t met = 0, signature = 0, position = 0, candidates = 0;
  Counts& operator+=(const Counts& other) {
    met += other.met;
    signature += other.signature;
    position += other.position;
    candidates += other.candidates;
    return *this;
  }
};

// Some tokens whose lists are matched in one go. Of a single token with many sets, perhaps only some of those sets look
// for partners.
struct Piece {
  Rank first, last;
  std::uint32_t first_chunk = 0, last_chunk = UINT32_MAX;  // chunks are kProbes sets
  double work = 0;
};

// Finds the pairs of one token's lists after another. One a thread.
template <class M>
class Matcher {
 public:
  Matcher(const SetJoin& join, const SizeClasses& classes, const SignatureLists& lists)
      : join_(join),
        sets_(join.sets),
        classes_(classes),
        lists_(lists),
        kernels_(simd::kernels()),
        words_(std::max<std::size_t>(1, lists.words())),
        stride_((lists.longest() + kBlock - 1) / kBlock * kBlock),
        allowances_(stride_),
        columns_(stride_ * words_),
        probes_(kProbes * (1 + words_)) {
    candidates_.reserve(kWaiting + std::size_t{kBlock} * kProbes);
  }

  void match(const Piece& piece, const base::PairOutput& output, Reporter<M>& reporter) {
    for (token_ = piece.first; token_ < piece.last; ++token_) {
      std::uint32_t chunk = 0;
      for (unsigned side = 0; side < sets_.sides(); ++side) {
        indexed_ = lists_.indexed(token_, sets_.sides() == 1 ? 0 : 1 - side);
        if (indexed_.count == 0) continue;
        first_made_ = last_made_ = 0;
        for (const auto& probing : {lists_.indexed(token_, side), lists_.probing(token_, side)}) {
          for (std::uint32_t begin = 0; begin < probing.count; begin += kProbes, ++chunk) {
            if (chunk < piece.first_chunk || chunk >= piece.last_chunk) continue;
            if (chunk % 16 == 15) {
              base::check_stop(join_.context);
              if (output.enough()) return candidates_.clear();
            }
            match_chunk(probing.from(begin, kProbes), reporter);
          }
        }
      }
    }
    verify(reporter);
  }

  [[nodiscard]] const Counts& counts() const { return counts_; }

 private:
  // A set that looks for partners among the indexed ones in [from, to).
  struct Probe {
    Place place;
    std::uint32_t size, position, from, to;
  };
  // A pair whose first common token may be this one, and how much it must share.
  struct Candidate {
    Place x, y;
    Rank token;
    std::uint32_t x_position, y_position, need;
  };
  static constexpr std::size_t kWaiting = 512, kAhead = 16;

  void match_chunk(const SignatureLists::Entries& probing, Reporter<M>& reporter) {
    const std::uint32_t count = find_probes(probing);
    if (count == 0) return;
    make_columns(sets_at_once_[0].from, sets_at_once_[count - 1].to);
    const neardup_columns columns{allowances_.data(), columns_.data(), stride_, words_};
    std::uint32_t first = 0, last = 0;  // the probes that look at this block
    for (std::uint32_t block = sets_at_once_[0].from / kBlock * kBlock; block < sets_at_once_[count - 1].to;
         block += kBlock) {
      while (sets_at_once_[first].to <= block) ++first;
      while (last < count && sets_at_once_[last].from < block + kBlock) ++last;
      const std::size_t hits = kernels_.match_postings(&columns, block, probes_.data(), first, last, hits_.data());
      for (std::size_t h = 0; h < hits; ++h) meet(sets_at_once_[hits_[h].scan], hits_[h].posting);
      if (candidates_.size() >= kWaiting) verify(reporter);
    }
  }

  // Those that have somebody to look at. Next to no branches: what they would depend on cannot be foreseen.
  std::uint32_t find_probes(const SignatureLists::Entries& probing) {
    const auto step = [&](std::uint32_t at, std::uint32_t end, Place place) {
      return at + (at < end && indexed_[at].place() < place ? 1 : 0);
    };
    const auto first_from = [&](Place place) {
      const auto places = std::views::iota(0u, indexed_.count);
      return static_cast<std::uint32_t>(
          std::ranges::lower_bound(places, place, {}, [&](std::uint32_t at) { return indexed_[at].place(); }) -
          places.begin());
    };
    std::uint32_t count = 0, from = 0, to = 0;
    if (indexed_.count > kProbes) {
      const Place first = probing[0].place();
      to = first_from(first);
      from = std::min(to, first_from(classes_[classes_.number(first)].first_partner));
    }
    for (std::uint32_t i = 0; i < probing.count; ++i) {
      const ListEntry entry = probing[i];
      const Place place = entry.place();
      const std::uint32_t size = classes_.number(place);
      const Place first_partner = classes_.first_partner(size);
      to = step(step(to, indexed_.count, place), indexed_.count, place);
      while (to < indexed_.count && indexed_[to].place() < place) ++to;
      const bool in_reach = to > 0 && indexed_[to - 1].place() >= first_partner;
      const Place least = in_reach ? first_partner : 0;
      from = step(step(from, to, least), to, least);
      while (indexed_[from].place() < least) ++from;
      counts_.met += in_reach ? to - from : 0;
      sets_at_once_[count] = {place, size, entry.position(), from, to};
      std::uint64_t* const probe = probes_.data() + count * (1 + words_);
      probe[0] = static_cast<std::uint64_t>(entry.allowance(classes_[size].probe_slack));
      for (std::size_t w = 0; w < words_; ++w) probe[1 + w] = entry.word(w, lists_.words());
      count += in_reach ? 1 : 0;
    }
    return count;
  }

  // What the kernel needs of indexed sets in [from, to), where it is not there yet.
  void make_columns(std::uint32_t from, std::uint32_t to) {
    if (first_made_ == last_made_) first_made_ = last_made_ = from;
    for (; first_made_ > from; --first_made_) make_column(first_made_ - 1);
    for (; last_made_ < to; ++last_made_) make_column(last_made_);
  }
  void make_column(std::uint32_t i) {
    const ListEntry entry = indexed_[i];
    allowances_[i] = entry.allowance(classes_[classes_.number(entry.place())].index_slack);
    for (std::size_t w = 0; w < words_; ++w) columns_[w * stride_ + i] = entry.word(w, lists_.words());
  }

  void meet(const Probe& x, std::uint32_t posting) {
    if (posting < x.from || posting >= x.to) return;
    ++counts_.signature;
    const ListEntry y = indexed_[posting];
    const std::uint64_t x_size = classes_[x.size].size, y_size = classes_[classes_.number(y.place())].size;
    const std::uint64_t need = M::min_overlap(x_size, y_size, join_.options.threshold);
    if (x_size - x.position < need || y_size - y.position() < need) return;
    ++counts_.position;
    sets_.prefetch(x.place);
    sets_.prefetch(y.place());
    candidates_.push_back({x.place, y.place(), token_, x.position, y.position(), static_cast<std::uint32_t>(need)});
  }

  void verify(Reporter<M>& reporter) {
    for (std::size_t c = 0; c < candidates_.size(); ++c) {
      if (c + kAhead < candidates_.size()) prefetch(candidates_[c + kAhead]);
      const Candidate& pair = candidates_[c];
      const auto x = sets_.tokens(pair.x), y = sets_.tokens(pair.y);
      const std::size_t i = index(pair.x, pair.x_position, pair.token), j = index(pair.y, pair.y_position, pair.token);
      if (share_any(x.first(i), y.first(j)) || !reporter.wanted(pair.x, pair.y)) continue;
      ++counts_.candidates;
      const std::size_t common =
          kernels_.overlap32(x.data() + i + 1, x.size() - i - 1, y.data() + j + 1, y.size() - j - 1, pair.need - 1);
      if (common == SIZE_MAX || common + 1 < pair.need) continue;
      reporter.report(pair.x, pair.y, common + 1);
    }
    candidates_.clear();
  }

  void prefetch(const Candidate& pair) {
    const auto x = sets_.tokens(pair.x), y = sets_.tokens(pair.y);
    __builtin_prefetch(x.data() + std::min<std::size_t>(pair.x_position, x.size()));
    __builtin_prefetch(y.data() + std::min<std::size_t>(pair.y_position, y.size()));
  }

  // Where the token stands among the visible ones.
  [[nodiscard]] std::size_t index(Place place, std::uint32_t position, Rank token) const {
    if (position != ListEntry::kFar) return position - sets_.hidden(place);
    const auto tokens = sets_.tokens(place);
    return static_cast<std::size_t>(std::lower_bound(tokens.begin(), tokens.end(), token) - tokens.begin());
  }

  [[nodiscard]] bool share_any(std::span<const Rank> a, std::span<const Rank> b) const {
    const std::size_t common = kernels_.overlap32(a.data(), a.size(), b.data(), b.size(), 1);
    return common != SIZE_MAX && common > 0;
  }

  const SetJoin& join_;
  const OrderedSets& sets_;
  const SizeClasses& classes_;
  const SignatureLists& lists_;
  const neardup_kernels& kernels_;
  std::size_t words_;

  // The indexed sets of the token at hand, some of them in columns. What else stands there belonged to others.
  Rank token_ = 0;
  SignatureLists::Entries indexed_{};
  std::uint32_t first_made_ = 0, last_made_ = 0;
  std::size_t stride_;
  std::vector<std::int64_t> allowances_;
  std::vector<std::uint64_t> columns_;

  std::array<Probe, kProbes> sets_at_once_;
  std::vector<std::uint64_t> probes_;
  std::array<neardup_hit, kBlock * kProbes> hits_;
  std::vector<Candidate> candidates_;
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

// One run: some tokens' lists are made, and then matched on all threads.
template <class M>
class Run {
 public:
  explicit Run(const SetJoin& join)
      : join_(join), classes_(SizeClasses::of<M>(join.sets, join.options.threshold)), lists_(join, classes_) {
    join.stats.index_seconds = watch_.seconds();
  }

  void run() {
    base::with_threads(join_.context, [&] {
      for (Rank first = 0; first < join_.sets.universe() && !join_.output.enough();) {
        base::check_stop(join_.context);
        const base::Stopwatch making;
        const Rank last = lists_.make(first);
        join_.stats.index_seconds += making.seconds();
        join_.stats.index_bytes = std::max(join_.stats.index_bytes, lists_.bytes());
        match(pieces(first, last));
        first = last;
      }
    });
    if (join_.context.observer != nullptr) join_.context.observer->advance(join_.sets.size() - told_);
    Counts counts;
    for (const Matcher<M>& matcher : matchers_) counts += matcher.counts();
    join_.stats.filters = {
        {"prefix and size", counts.met}, {"signature", counts.signature}, {"position", counts.position}};
    join_.stats.candidates = counts.candidates;
    join_.stats.index_entries = lists_.total_entries();
    join_.stats.join_seconds = watch_.seconds();
  }

 private:
  [[nodiscard]] std::vector<Piece> pieces(Rank first, Rank last) const {
    constexpr std::uint32_t kEntries = 1u << 14, kChunks = kEntries / kProbes;
    std::vector<Piece> pieces;
    for (Rank token = first; token < last;) {
      Piece piece{.first = token, .last = token};
      std::uint32_t entries = 0;
      for (; piece.last < last && entries < kEntries; ++piece.last) {
        const std::uint32_t more = lists_.entries_of(piece.last);
        if (entries > 0 && more > kEntries) break;
        entries += more;
        piece.work += lists_.meetings(piece.last);
      }
      token = piece.last;
      const std::uint32_t parts = 1 + entries / (2 * kEntries);
      piece.work /= parts;
      for (std::uint32_t part = 0; part < parts; ++part) {
        piece.first_chunk = part * kChunks * 2;
        piece.last_chunk = part + 1 == parts ? UINT32_MAX : piece.first_chunk + kChunks * 2;
        pieces.push_back(piece);
      }
    }
    return pieces;
  }

  // In rounds, between which there is time to tell how far it has come.
  void match(std::span<const Piece> pieces) {
    constexpr double kRounds = 100;
    const std::size_t least = 16 * std::size_t{base::threads(join_.context)};
    while (!pieces.empty() && !join_.output.enough()) {
      base::check_stop(join_.context);
      std::size_t count = 0;
      double work = 0;
      for (; count < pieces.size() && (count < least || work < lists_.meetings() / kRounds); ++count) {
        work += pieces[count].work;
      }
      match_round(pieces.first(count));
      pieces = pieces.subspan(count);
      done_ += work;
      if (join_.context.observer == nullptr) continue;
      const auto so_far = static_cast<std::uint64_t>(std::min(1.0, done_ / lists_.meetings()) * join_.sets.size());
      join_.context.observer->advance(so_far - told_);
      told_ = so_far;
    }
  }

  void match_round(std::span<const Piece> pieces) {
    if (join_.options.max_pairs == 0) {
      tbb::parallel_for(std::size_t{0}, pieces.size(), [&](std::size_t p) { match(pieces[p], join_.output); });
      return;
    }
    // Which pairs come first must not depend on the threads when only the first ones count.
    const std::size_t at_once = 2 * std::size_t{base::threads(join_.context)};
    for (; !pieces.empty() && !join_.output.enough(); pieces = pieces.subspan(std::min(at_once, pieces.size()))) {
      std::vector<PairList> found(std::min(at_once, pieces.size()));
      tbb::parallel_for(std::size_t{0}, found.size(), [&](std::size_t p) {
        base::PairOutput output(found[p], join_.options.max_pairs + 1);
        match(pieces[p], output);
      });
      for (PairList& piece : found) join_.output.flush(piece.pairs);
    }
  }

  void match(const Piece& piece, base::PairOutput& output) {
    if (output.enough()) return;
    base::check_stop(join_.context);
    Reporter<M> reporter(SetJoin{join_.sets, join_.options, output, join_.stats, join_.context});
    matchers_.local().match(piece, output, reporter);
    reporter.finish();
  }

  const SetJoin& join_;
  base::Stopwatch watch_;
  SizeClasses classes_;
  SignatureLists lists_;
  double done_ = 0;         // of lists_.meetings()
  std::uint64_t told_ = 0;  // of that, in sets
  tbb::enumerable_thread_specific<Matcher<M>> matchers_{[this] { return Matcher<M>(join_, classes_, lists_); }};
};

}  // namespace

void signature(const SetJoin& join) {
  similarity::with_measure(join.options.measure, [&]<class M>() { Run<M>(join).run(); });
}

}  // namespace neardup::joins
