// The signature join: ppjoin's prefixes, positions and sizes, but token by token, and with most pairs that meet at a
// token dismissed by their signatures, eight at a time.
#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <vector>

#include "base/parallel.h"
#include "base/system.h"
#include "base/zeroed_array.h"
#include "join/algorithms.h"
#include "join/candidates.h"
#include "join/reporting.h"
#include "join/signature_lists.h"
#include "join/size_classes.h"
#include "simd/dispatch.h"
#include "similarity/measures.h"

namespace neardup::joins {
namespace {

constexpr std::uint32_t kBlock = 8;     // postings that a kernel compares at once
constexpr std::uint32_t kProbes = 256;  // sets that look for partners at once: they stay in the first-level cache

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
        probes_(kProbes * (1 + words_)),
        candidates_(join) {}

  void match(const Piece& piece, const base::PairOutput& output, Reporter<M>& reporter) {
    for (token_ = piece.first; token_ < piece.last; ++token_) {
      if (lists_.is_settled(token_)) continue;
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
              if (output.enough()) return candidates_.drop();  // the next piece may have another output
            }
            match_chunk(probing.from(begin, kProbes), reporter);
          }
        }
      }
    }
    candidates_.verify(reporter);
  }

  // What each takes.
  static std::size_t bytes_for(const SignatureLists& lists) {
    return sizeof(Matcher) + (std::size_t{lists.longest()} + kBlock + kProbes) * (1 + lists.words()) * 8;
  }

  [[nodiscard]] std::uint64_t met() const { return met_; }
  [[nodiscard]] std::uint64_t passed() const { return passed_; }
  [[nodiscard]] const Candidates<M>& candidates() const { return candidates_; }

 private:
  // A set that looks for partners among the indexed ones in [from, to).
  struct Probe {
    Place place;
    std::uint32_t size;  // the number of its class
    std::uint32_t position, from, to;
  };

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
      for (std::size_t h = 0; h < hits; ++h) meet(sets_at_once_[hits_[h].scan], hits_[h].posting, reporter);
    }
  }

  // Those that have a possible partner. Almost no branches: they would be unpredictable.
  std::uint32_t find_probes(const SignatureLists::Entries& probing) {
    const auto step = [&](std::uint32_t at, std::uint32_t end, Place place) {
      return at + (at < end && indexed_[at].place() < place ? 1 : 0);
    };
    const auto first_from = [&](Place place) {
      std::uint32_t first = 0, last = indexed_.count;
      while (first < last) {
        const std::uint32_t middle = first + (last - first) / 2;
        if (indexed_[middle].place() < place) {
          first = middle + 1;
        } else {
          last = middle;
        }
      }
      return first;
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
      while (from < to && indexed_[from].place() < least) ++from;
      met_ += in_reach ? to - from : 0;
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

  void meet(const Probe& x, std::uint32_t posting, Reporter<M>& reporter) {
    if (posting < x.from || posting >= x.to) return;
    ++passed_;
    const ListEntry y = indexed_[posting];
    candidates_.add(token_, {x.place, classes_[x.size].size, x.position},
                    {y.place(), classes_[classes_.number(y.place())].size, y.position()}, reporter);
  }

  const SetJoin& join_;
  const OrderedSets& sets_;
  const SizeClasses& classes_;
  const SignatureLists& lists_;
  const neardup_kernels& kernels_;
  std::size_t words_;

  // The indexed sets of the token at hand, some of them in columns. What else is there belonged to others.
  Rank token_ = 0;
  SignatureLists::Entries indexed_{};
  std::uint32_t first_made_ = 0, last_made_ = 0;
  std::size_t stride_;
  std::vector<std::int64_t> allowances_;
  std::vector<std::uint64_t> columns_;

  std::array<Probe, kProbes> sets_at_once_;
  std::vector<std::uint64_t> probes_;
  std::array<neardup_hit, kBlock * kProbes> hits_;
  Candidates<M> candidates_;
  std::uint64_t met_ = 0, passed_ = 0;
};

// Where sets hardly meet, making lists and signatures takes longer than comparing all that meet. So each set, in order,
// looks at those before it in the chain of each of its tokens, and joins the chain. One a share of the tokens.
template <class M>
class Chains {
 public:
  Chains(const SetJoin& join, const SizeClasses& classes, const SignatureLists& lists)
      : join_(join), sets_(join.sets), classes_(classes), lists_(lists), candidates_(join) {}

  void match(Rank first, Rank last, const base::PairOutput& output, Reporter<M>& reporter) {
    base::ZeroedArray<std::uint32_t> lasts(std::size_t{last - first} * sets_.sides());  // links, from 1 on
    std::vector<Link> links(1);
    std::uint32_t visited = 0;
    bool enough = false;
    const auto visit = [&](Place place, const SizeClass& size, std::span<const Rank> prefix, std::uint32_t indexed) {
      if (visited++ % 4096 == 0) {
        base::check_stop(join_.context);
        enough = output.enough();
      }
      if (enough || prefix.back() < first || prefix.front() >= last) return;
      const Place first_partner = size.probed == 0 ? SizeClasses::kNobody : size.first_partner;
      const unsigned own = sets_.side(place), partner = sets_.partner_side(place);
      for (std::uint32_t k = 0; k < prefix.size(); ++k) {
        if (prefix[k] < first || prefix[k] >= last || !lists_.is_used(prefix[k])) continue;
        std::uint32_t* const chains = lasts.data() + std::size_t{prefix[k] - first} * sets_.sides();
        const auto position = static_cast<std::uint32_t>(
            std::min<std::uint64_t>(Occurrence::kFar, std::uint64_t{sets_.hidden(place)} + k));
        for (std::uint32_t at = chains[partner]; at != 0 && links[at].place >= first_partner; at = links[at].before) {
          ++met_;
          const Place y = links[at].place;
          candidates_.add(prefix[k], {place, size.size, position},
                          {y, classes_[classes_.number(y)].size, links[at].position}, reporter);
        }
        if (k >= indexed) continue;
        links.push_back({place, position, chains[own]});
        chains[own] = static_cast<std::uint32_t>(links.size() - 1);
      }
    };
    for_each_prefix(sets_, classes_, visit);
    candidates_.verify(reporter);
  }

  // What all of them take together, with vectors that grow by doubling.
  static std::size_t bytes_for(const OrderedSets& sets, const SignatureLists& lists) {
    return std::size_t{sets.universe()} * sets.sides() * sizeof(std::uint32_t) +
           2 * lists.total_entries() * sizeof(Link);
  }

  [[nodiscard]] std::uint64_t met() const { return met_; }
  [[nodiscard]] std::uint64_t passed() const { return met_; }
  [[nodiscard]] const Candidates<M>& candidates() const { return candidates_; }

 private:
  struct Link {
    Place place;
    std::uint32_t position, before;
  };

  const SetJoin& join_;
  const OrderedSets& sets_;
  const SizeClasses& classes_;
  const SignatureLists& lists_;
  Candidates<M> candidates_;
  std::uint64_t met_ = 0;
};

// One run: some tokens' lists are made, and then matched on all threads.
template <class M>
class Run {
 public:
  explicit Run(const SetJoin& join)
      : join_(join), classes_(SizeClasses::of<M>(join.sets, join.options.threshold)), lists_(join, classes_) {
    join.stats.seconds.index = watch_.seconds();
  }

  void run() {
    base::check_stop(join_.context);
    base::with_threads(join_.context, [&] {
      if (lists_.total_entries() == 0) return;
      if (lists_.meet_rarely()) return follow_chains();
      for (Rank first = 0; first < join_.sets.universe() && !join_.output.enough();) {
        base::check_stop(join_.context);
        const base::Stopwatch making;
        const Rank last = lists_.make(first);
        memory_.hold(lists_.bytes() + base::threads(join_.context) * Matcher<M>::bytes_for(lists_));
        join_.stats.seconds.index += making.seconds();
        match(pieces(first, last));
        first = last;
      }
      for (const Matcher<M>& matcher : matchers_) count(matcher);
    });
    if (join_.context.observer != nullptr) join_.context.observer->advance(join_.sets.size() - told_);
    join_.stats.filters = {{"prefix and size", met_}, {"signature", passed_}, {"position", within_positions_}};
    join_.stats.index.entries = lists_.total_entries();
    join_.stats.index.bytes = lists_.bytes();
    join_.stats.seconds.join = watch_.seconds();
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

  void count(const auto& matched) {
    met_ += matched.met();
    passed_ += matched.passed();
    within_positions_ += matched.candidates().within_positions();
    join_.stats.candidates += matched.candidates().verified();
  }

  // Every thread has a share of the tokens, about as many as the others; one has all where only the first pairs count.
  void follow_chains() {
    memory_.hold(lists_.bytes() + Chains<M>::bytes_for(join_.sets, lists_));
    const Rank tokens = join_.sets.universe();
    const unsigned shares = join_.options.max_pairs == 0 ? base::threads(join_.context) : 1;
    const auto border = [&](unsigned share) { return static_cast<Rank>(std::uint64_t{tokens} * share / shares); };
    std::vector<Chains<M>> chains(shares, Chains<M>(join_, classes_, lists_));
    tbb::parallel_for(0u, shares, [&](unsigned share) {
      Reporter<M> reporter(join_);
      chains[share].match(border(share), border(share + 1), join_.output, reporter);
      reporter.finish();
    });
    for (const Chains<M>& each : chains) count(each);
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
      for (const PairList& piece : found) join_.output.send(piece.pairs());
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
  Reservation memory_ = base::reservation(join_.context);  // for the lists and what threads make of them
  std::uint64_t met_ = 0, passed_ = 0, within_positions_ = 0;
  double done_ = 0;         // of lists_.meetings()
  std::uint64_t told_ = 0;  // of that, in sets
  tbb::enumerable_thread_specific<Matcher<M>> matchers_{[this] { return Matcher<M>(join_, classes_, lists_); }};
};

}  // namespace

void signature(const SetJoin& join) {
  similarity::with_measure(join.options.measure, [&]<class M>() { Run<M>(join).run(); });
}

}  // namespace neardup::joins
