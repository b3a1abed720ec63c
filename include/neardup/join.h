// Which sets, or which strings, are similar? Every pair, with its exact score.
//
//   neardup::TokenSets sets;
//   sets.add({1, 2, 3, 4});
//   sets.add({1, 2, 3, 5});
//   neardup::join(sets, {.threshold = {3, 5}}, sink, context);     // the sink receives {0, 1, 0.6}
//
// Every algorithm is exact and gives the same pairs; they differ in how many candidates they look at and how long they
// take. docs/algorithms/joins.md tells them apart. Weighted cosine is not among the measures.
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

// What a join will take, from a look at a few hundred records.
struct JoinForecast {
  double seconds = 0;
  double pairs = 0;
};

struct JoinOptions {
  Measure measure = Measure::jaccard;  // not hamming
  Threshold threshold{};
  std::string algorithm = "auto";  // a name from join_algorithms(measure)
  unsigned suffix_depth = 2;       // ppjoin+: how often the suffix filter halves the suffixes (MAXDEPTH)
  unsigned gram_length = 0;        // qgram: code points in a gram; 0 chooses
  std::uint64_t max_pairs = 0;     // stop once so many are found; 0: find all
  // Pairs the caller does not need: they are neither verified nor reported. May be called from several threads.
  std::function<bool(DocId left, DocId right)> skip{};
  // True when no pair among these records is needed: asked about many that have a token in common, before they are
  // compared with each other. For those who only want to know what is connected. May be called from several threads.
  std::function<bool(std::span<const DocId>)> settled{};
  // Told before a large join of sets begins; the time is that of `signature`.
  std::function<void(const JoinForecast&)> forecast{};

  void validate() const;  // throws Error{usage}
};

// How many pairs were left after a filter.
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
  double join = 0;   // ordered sets in memory to scored pairs in memory, the index included
};

struct JoinStats {
  std::string algorithm;  // what "auto" became
  std::uint64_t records = 0;
  std::uint64_t distinct = 0;  // records that differ from each other
  JoinIndexSize index;
  std::vector<FilterCount> filters;  // in the order they apply
  std::uint64_t candidates = 0;      // pairs of distinct records that were verified
  std::uint64_t pairs = 0;           // of distinct records, reported
  JoinSeconds seconds;
  std::uint64_t peak_bytes = 0;  // highest resident set of the process so far
  std::uint64_t rounds = 1;      // more when the sets did not fit into memory together
  bool stopped = false;          // max_pairs was reached, or the sink had enough
};

// Names of the algorithms that serve a measure, "auto" first.
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
