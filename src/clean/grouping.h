// Which of a query's results are near-duplicates of each other?
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "base/random.h"
#include "clean/results.h"
#include "cluster/cluster.h"
#include "hamming/short_list.h"
#include "neardup/context.h"

namespace neardup::clean {

// A distinct set of features together with its simhash: documents with the same one are copies.
using SetNumber = std::uint32_t;
inline constexpr SetNumber kNoSet = std::numeric_limits<SetNumber>::max();  // takes no part: nothing to compare

// What is known of the documents, by row.
struct Repository {
  std::vector<std::uint64_t> bits;  // simhash
  std::vector<SetNumber> set;
  std::vector<double> authority;   // minus infinity: none; empty: no document has any
  std::vector<bool> is_protected;  // empty: none is

  [[nodiscard]] std::size_t memory_bytes() const {
    return bits.capacity() * sizeof(std::uint64_t) + set.capacity() * sizeof(SetNumber) +
           authority.capacity() * sizeof(double) + is_protected.capacity() / 8;
  }
};

// Says whether two documents whose simhashes are close meet the user's definition too. Threads: const members may run
// concurrently.
class PairJudge {
 public:
  virtual ~PairJudge() = default;
  [[nodiscard]] virtual bool meets(SetNumber a, SetNumber b) const = 0;
  // False for sets so small that they match nothing, not even their own copies.
  [[nodiscard]] virtual bool copies_meet(SetNumber) const = 0;
};

// Groups of two members and more. Members are places in the list of results, ascending within a group; groups are in
// the order of their first members.
struct Groups {
  std::vector<std::uint32_t> places;
  std::vector<std::uint32_t> begin;  // of each group in `places`; one more at the end
  // Pairs of places that hold the groups together: enough to connect each, not all there are.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> links;

  [[nodiscard]] std::size_t size() const { return begin.size() - 1; }
  [[nodiscard]] std::span<const std::uint32_t> operator[](std::size_t group) const {
    return std::span(places).subspan(begin[group], begin[group + 1] - begin[group]);
  }
};

// What the judge said of pairs that come up again and again, query after query. A place holds one verdict, the last:
// asking again is never wrong.
class Verdicts {
 public:
  // Precondition: a < b.
  template <class Ask>
  bool get(SetNumber a, SetNumber b, const Ask& ask) {
    if (keys_.empty()) {
      keys_.resize(kPlaces);
      meets_.resize(kPlaces);
    }
    const std::uint64_t key = std::uint64_t{a} << 32 | b;
    const std::size_t place = base::mix64(key) % kPlaces;
    if (keys_[place] != key) {
      keys_[place] = key;
      meets_[place] = ask() ? 1 : 0;
    }
    return meets_[place] != 0;
  }

 private:
  static constexpr std::size_t kPlaces = std::size_t{1} << 17;
  std::vector<std::uint64_t> keys_;  // 0: free
  std::vector<std::uint8_t> meets_;
};

// Groups results: connected by pairs at most k bits apart that the judge accepts. Equal simhashes are compared once,
// whatever their number. One per thread: remembers what the judge said.
class Grouper {
 public:
  // `judge` null: distance alone decides.
  Grouper(const Repository& repository, const PairJudge* judge) : repository_(repository), judge_(judge) {}
  void group(std::span<const Hit> results, unsigned k, Groups& out);

 private:
  struct Entry {
    std::uint64_t bits;
    SetNumber set;
    std::uint32_t place;
    friend auto operator<=>(const Entry&, const Entry&) = default;
  };
  void join_copies();
  void join_classes(unsigned k);
  void join_sets(std::size_t class_a, std::size_t class_b);
  [[nodiscard]] bool meets(SetNumber a, SetNumber b);
  void unite(std::uint32_t a, std::uint32_t b);

  const Repository& repository_;
  const PairJudge* judge_;
  Verdicts verdicts_;
  hamming::ShortList short_list_;
  Groups* out_ = nullptr;
  std::vector<Entry> entries_;              // one for each distinct set, once copies are joined
  std::vector<std::uint64_t> class_bits_;   // distinct simhashes
  std::vector<std::uint32_t> class_begin_;  // in entries_; one more at the end
  cluster::UnionFind joined_{0};            // places
};

}  // namespace neardup::clean
