// Which sets, or which strings, are similar? Every pair, with its exact score.
//
//   neardup::TokenSets sets;
//   sets.add({1, 2, 3, 4});
//   sets.add({1, 2, 3, 5});
//   neardup::join(sets, {.threshold = {3, 5}}, sink, context);     // the sink receives {0, 1, 0.6}
//
// Every algorithm is exact and finds the same pairs; they differ in the number of candidates and in speed.
// docs/algorithms/joins.md compares them. Weighted cosine is not supported.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "neardup/context.h"
#include "neardup/definition.h"
#include "neardup/pair.h"

namespace neardup {

// Sets of integers, one after another in one array. A set's number is its place, from 0.
class TokenSets {
 public:
  void add(std::span<const std::uint64_t> tokens);  // in any order; repeats count once
  void add(std::initializer_list<std::uint64_t> tokens) { add(std::span(tokens.begin(), tokens.size())); }
  [[nodiscard]] std::size_t size() const { return ends_.size(); }
  [[nodiscard]] std::span<const std::uint64_t> operator[](std::size_t set) const {
    const std::uint64_t begin = set == 0 ? 0 : ends_[set - 1];
    return std::span(tokens_).subspan(begin, ends_[set] - begin);
  }
  [[nodiscard]] std::uint64_t tokens() const { return tokens_.size(); }

 private:
  std::vector<std::uint64_t> tokens_;
  std::vector<std::uint64_t> ends_;
};

// The expected cost of a join, estimated from a few hundred records.
struct JoinForecast {
  double seconds = 0;
  double pairs = 0;
};

struct JoinOptions {
  Measure measure = Measure::jaccard;  // not hamming
  Threshold threshold{};
  std::string algorithm = "auto";  // a name from join_algorithms(measure)
  unsigned suffix_depth = 2;       // ppjoin+: recursion depth of the suffix filter (MAXDEPTH)
  unsigned gram_length = 0;        // qgram: code points per gram; 0: chosen automatically
  std::uint64_t max_pairs = 0;     // stop after this many; 0: find all
  // Returns true for pairs that the caller does not need: they are neither verified nor reported. May be called from
  // several threads.
  std::function<bool(DocId left, DocId right)> skip{};
  // Returns true when no pair among these records is needed. Called with groups of records that share a token, before
  // they are compared with each other; useful when only connected components matter. May be called from several
  // threads.
  std::function<bool(std::span<const DocId>)> settled{};
  // Called before a large join of sets begins; the time is that of `signature`.
  std::function<void(const JoinForecast&)> forecast{};

  void validate() const;  // throws Error{usage}
};

// Number of pairs left after a filter.
struct FilterCount {
  std::string name;
  std::uint64_t pairs = 0;
};

struct JoinIndexSize {
  std::uint64_t entries = 0, bytes = 0;
};

struct JoinSeconds {
  double order = 0;  // dictionary, ranking, sorting
  double index = 0;  // building the index; 0 when it grows while probing
  double join = 0;   // from ordered sets in memory to scored pairs in memory, including the index
};

struct JoinStats {
  std::string algorithm;  // what "auto" resolved to
  std::uint64_t records = 0;
  std::uint64_t distinct = 0;  // distinct records
  JoinIndexSize index;
  std::vector<FilterCount> filters;  // in the order they apply
  std::uint64_t candidates = 0;      // pairs of distinct records that were verified
  std::uint64_t pairs = 0;           // of distinct records, reported
  JoinSeconds seconds;
  std::uint64_t peak_bytes = 0;  // highest resident set of the process so far
  std::uint64_t rounds = 1;      // more than 1 when the sets did not fit into memory together
  bool stopped = false;          // max_pairs was reached, or the sink returned false
};

// Names of the algorithms for a measure, "auto" first.
std::vector<std::string> join_algorithms(Measure);

// All pairs within one collection (left < right).
JoinStats join(const TokenSets&, const JoinOptions&, PairSink&, const Context&);
// All pairs with one side in each.
JoinStats join(const TokenSets& left, const TokenSets& right, const JoinOptions&, PairSink&, const Context&);

// The same for strings (UTF-8) under Measure::edit; distances are in code points. An empty string has no partner.
JoinStats join_strings(std::span<const std::string>, const JoinOptions&, PairSink&, const Context&);
JoinStats join_strings(std::span<const std::string> left, std::span<const std::string> right, const JoinOptions&,
                       PairSink&, const Context&);

}  // namespace neardup
