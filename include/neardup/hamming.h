// Which fingerprints differ from a given one in at most a few bits?
//
// One interface, several structures. `exact` kinds find every match at every distance; where a kind's design no longer
// pays off it compares everything, and its statistics say so. Probabilistic kinds use the volatility of a query's bits
// to look only where a match is likely; their recall is an estimate, not a guarantee.
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

// 128 bits, for collections so large that 64 bits no longer distinguish documents.
struct WideBits {
  std::uint64_t high = 0, low = 0;
  friend bool operator==(const WideBits&, const WideBits&) = default;
};

enum class MatchKind { all, first };

// How bit-flip probabilities are estimated (Sood & Loguinov 2011, section 5.1, and an improvement).
enum class FlipModel {
  sampled,     // from weight differences between random documents, as in the paper
  calibrated,  // from the flips in similar pairs, found among a sample of the queries
};

// Fingerprints to look for. A row number is an index into `bits`.
template <class Bits>
struct HammingQueriesOf {
  std::span<const Bits> bits{};
  std::span<const Volatility> volatility{};  // one per query, or empty; probabilistic kinds need it
};
using HammingQueries = HammingQueriesOf<std::uint64_t>;

struct SearchOptions {
  unsigned distance = 3;  // maximum distance of a match, 0 to 64 (128)
  // first: one match for each query that has any, the same for any number of threads. Exact kinds return the match with
  // the lowest row, probabilistic kinds the first one they find.
  MatchKind matches = MatchKind::all;
  double target_recall = 0.95;  // probabilistic kinds: when to stop looking
  // Probabilistic kinds: maximum number of extra probes per query; 0: as target_recall requires.
  unsigned max_probes = 0;
  FlipModel flips = FlipModel::calibrated;
};

struct SearchStats {
  std::uint64_t queries = 0;
  std::uint64_t matches = 0;              // pairs, including copies
  std::uint64_t probes = 0;               // buckets of the index that were examined
  std::uint64_t compared = 0;             // fingerprints compared with a query
  std::uint64_t largest_probe_count = 0;  // probabilistic kinds: the most extra probes for one query
  double search_seconds = 0;
  std::string fallback{};  // why everything was compared; empty when it was not
};

// Immutable once built; does not refer to the fingerprints that it was built from.
//
// Threads: const members may run concurrently, and each search uses the context's threads. The sink of a search is
// called one call at a time (PairSink); queries must stay valid until search() returns.
template <class Bits>
class HammingIndexOf {
 public:
  virtual ~HammingIndexOf() = default;
  [[nodiscard]] virtual std::string_view kind() const noexcept = 0;
  // A readable description of what was built: designs, tables, header bits.
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
  unsigned distance = 3;           // what the structure is designed for
  std::uint64_t memory_bytes = 0;  // memory limit; 0: what suits the kind best
  // block-tables and compressed-tables: "4", "10", "16", "20" (Manku's designs for distance 3), "G/g" for tables of all
  // choices of g out of G blocks, "plan" for a choice by memory and size.
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
// For kinds that work with any width: scan and block-tables.
std::unique_ptr<WideHammingIndex> build_hamming_index(std::span<const WideBits> bits, const HammingOptions&,
                                                      const Context&);

// Every pair (left < right) within a distance, exact. Uses partitions instead of an index, so that what is compared
// stays in the cache. Copies are collapsed during the search and expanded in the output.
SearchStats hamming_self_join(std::span<const std::uint64_t> bits, unsigned distance, PairSink&, const Context&);

// Accepts insertions and removals between searches. Rows and fingerprints may repeat; an entry is a row with its bits.
//
// Threads: const members may run concurrently with each other. insert(), remove() and moves need exclusive
// access.
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

// One way to arrange fingerprints in tables (Manku, Jain, Das Sarma 2007, section 3.1).
struct TablePlan {
  struct Table {
    std::vector<unsigned> order;  // bit positions (63: the highest), leading bits of the table first
    unsigned leading = 0;         // how many of them must agree: p_i
  };
  std::string design;  // a value of HammingOptions::design
  std::vector<Table> tables;
  [[nodiscard]] unsigned least_leading() const;
};

// A design by name for fingerprints of `width` bits and matches up to `distance`. Throws Error{usage}.
TablePlan design_by_name(std::string_view design, unsigned width, unsigned distance);
// The fewest tables such that p_i >= least_leading: the recurrence X(f, k, d) of section 3.1.2.
TablePlan fewest_tables(unsigned width, unsigned distance, unsigned least_leading);
// The design chosen for n fingerprints, a distance and a memory budget, and its alternatives.
struct PlanChoice {
  TablePlan plan;
  // A readable table: tables, probes, fingerprints per probe, bytes; the chosen design is marked.
  std::string explanation;
};
PlanChoice choose_design(std::uint64_t n, unsigned width, unsigned distance, std::uint64_t memory_bytes);

}  // namespace neardup
