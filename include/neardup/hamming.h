// Which fingerprints differ from this one in a few bits only?
//
// One contract, several structures. `exact` kinds find every match at every distance; where a kind's design stops
// paying it compares everything, and its statistics say so. Probabilistic kinds use what is known of a query's bits
// (Volatility) to look only where a match is likely; their recall is a figure, not a promise.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/context.h"
#include "neardup/pair.h"
#include "neardup/sketch.h"

namespace neardup {

// 128 bits, for collections so large that 64 no longer tell documents apart.
struct WideBits {
  std::uint64_t high = 0, low = 0;
  friend bool operator==(const WideBits&, const WideBits&) = default;
};

enum class MatchKind { all, first };

// How the chance that a bit flips is learnt (Sood & Loguinov 2011, section 5.1, and better).
enum class FlipModel {
  sampled,     // from weight differences between documents taken at random: the paper's
  calibrated,  // from the flips in pairs that are alike, found among a sample of the queries
};

// Fingerprints to look for. A row number is a place in `bits`.
template <class Bits>
struct HammingQueriesOf {
  std::span<const Bits> bits{};
  std::span<const Volatility> volatility{};  // as many, or none; probabilistic kinds need it
};
using HammingQueries = HammingQueriesOf<std::uint64_t>;

struct SearchOptions {
  unsigned distance = 3;  // largest distance of a match, 0 to 64 (128)
  // first: one match for each query that has any, the same for any number of threads. Exact kinds give the one with the
  // lowest row; probabilistic kinds the first one they meet.
  MatchKind matches = MatchKind::all;
  double target_recall = 0.95;  // probabilistic kinds: when to stop looking
  // Probabilistic kinds: look in at most so many places besides the query's own; 0: as the target says.
  unsigned max_probes = 0;
  FlipModel flips = FlipModel::calibrated;
};

struct SearchStats {
  std::uint64_t queries = 0;
  std::uint64_t matches = 0;              // pairs, copies included
  std::uint64_t probes = 0;               // places of the index looked at
  std::uint64_t compared = 0;             // fingerprints compared with a query
  std::uint64_t largest_probe_count = 0;  // probabilistic kinds: the most places tried for one query besides its own
  double search_seconds = 0;
  std::string fallback{};  // why everything was compared with everything; empty when it was not
};

// Immutable once built; keeps nothing of the fingerprints that it was built from.
//
// Threads: const members may run concurrently, and each search uses the context's threads. The sink of a search is
// called one call at a time (PairSink); queries must stay where they are until search() returns.
template <class Bits>
class HammingIndexOf {
 public:
  virtual ~HammingIndexOf() = default;
  [[nodiscard]] virtual std::string_view kind() const noexcept = 0;
  // What was built, for people: designs, tables, header bits.
  [[nodiscard]] virtual std::string describe() const = 0;
  [[nodiscard]] virtual std::uint64_t size() const noexcept = 0;
  [[nodiscard]] virtual std::uint64_t memory_bytes() const noexcept = 0;
  // True when search() finds every match up to this distance.
  [[nodiscard]] virtual bool exact_up_to(unsigned distance) const noexcept = 0;

  // Pairs (query, row, distance), in any order across queries. Throws Error{usage} for a distance beyond the width, and
  // for queries without volatility where it is needed.
  virtual SearchStats search(const HammingQueriesOf<Bits>&, const SearchOptions&, PairSink&, const Context&) const = 0;
};
using HammingIndex = HammingIndexOf<std::uint64_t>;
using WideHammingIndex = HammingIndexOf<WideBits>;

struct HammingOptions {
  std::string kind = "fast";
  unsigned distance = 3;           // what the structure is made for
  std::uint64_t memory_bytes = 0;  // what it may take; 0: what the kind does best
  // block-tables and compressed-tables: "4", "10", "16", "20" (Manku's designs for distance 3), "G/g" for tables of all
  // choices of g out of G blocks, "plan" for what memory and size suggest.
  std::string design = "plan";
  std::string code = "huffman";  // compressed-tables: "huffman" or "elias-fano"
  unsigned header_bits = 0;      // volatile-bits: t, 16 to 26; 0: from the size
};

// The table of kinds. `summary` is one line for people.
struct HammingKind {
  std::string_view name, summary;
  bool exact;
};
std::span<const HammingKind> hamming_kinds();

// Row i is bits[i]; equal fingerprints are kept once. Throws Error{usage} for an unknown kind or design, Error{limit}
// when memory_bytes is too small (the message names the smallest that works) or there are 2^32 rows.
std::unique_ptr<HammingIndex> build_hamming_index(std::span<const std::uint64_t> bits, const HammingOptions&,
                                                  const Context&);
// Kinds that know no width of their own: scan and block-tables.
std::unique_ptr<WideHammingIndex> build_hamming_index(std::span<const WideBits> bits, const HammingOptions&,
                                                      const Context&);

// Every pair (left < right) within a distance, exact. Partitions instead of an index: what is compared stays in the
// cache. Copies are collapsed while searching and expanded in what is sent.
SearchStats hamming_self_join(std::span<const std::uint64_t> bits, unsigned distance, PairSink&, const Context&);

// Accepts insertions and removals between searches. Rows and fingerprints may repeat; an entry is a row with its bits.
//
// Threads: const members may run concurrently with each other. insert(), remove() and moves need the index for
// themselves: nothing else may run on it meanwhile.
class MutableHammingIndex {
 public:
  MutableHammingIndex();
  ~MutableHammingIndex();
  MutableHammingIndex(MutableHammingIndex&&) noexcept;
  MutableHammingIndex& operator=(MutableHammingIndex&&) noexcept;
  void insert(DocId row, std::uint64_t bits);
  // False when there is no such entry.
  bool remove(DocId row, std::uint64_t bits);
  [[nodiscard]] std::uint64_t size() const noexcept;
  [[nodiscard]] std::uint64_t memory_bytes() const noexcept;
  // Exact at every distance; quick up to 3.
  SearchStats search(std::span<const std::uint64_t> queries, const SearchOptions&, PairSink&, const Context&) const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

// One way to cut fingerprints into tables (Manku, Jain, Das Sarma 2007, section 3.1).
struct TablePlan {
  struct Table {
    std::vector<unsigned> order;  // bit positions (63: the highest), leading bits of the table first
    unsigned leading = 0;         // how many of them must agree: p_i
  };
  std::string design;  // as HammingOptions::design takes it
  std::vector<Table> tables;
  [[nodiscard]] unsigned least_leading() const;
};

// A design by name for fingerprints of `width` bits and matches up to `distance`. Throws Error{usage}.
TablePlan design_by_name(std::string_view design, unsigned width, unsigned distance);
// The fewest tables such that p_i >= least_leading: the recurrence X(f, k, d) of section 3.1.2.
TablePlan fewest_tables(unsigned width, unsigned distance, unsigned least_leading);
// What n fingerprints, a distance and a memory budget suggest, and the designs it was chosen from.
struct PlanChoice {
  TablePlan plan;
  // A small table for people: tables, probes, fingerprints a probe, bytes; the chosen one marked.
  std::string explanation;
};
PlanChoice choose_design(std::uint64_t n, unsigned width, unsigned distance, std::uint64_t memory_bytes);

}  // namespace neardup
