// Which documents fit a query best, when all queries are known beforehand?
//
// An index of only the terms that occur in the log, built while the collection is read once. BM25 with
//   idf(t)   = ln(1 + (N - n_t + 1/2) / (n_t + 1/2))
//   tf       = occurrences in the text + title_boost * occurrences in the title; lengths dl likewise
//   score    = sum over the query's words (each as often as it occurs) of idf * tf (k1 + 1) / (tf + k1 (1 - b + b dl /
//   avgdl))
// where N counts documents with at least one word and avgdl is their mean length. Statistics are those of the whole
// collection, whatever was removed since, so that removing a document moves no other document's score. What one term
// adds is rounded to a multiple of 2^-30: sums are then exact in any order, and equal documents tie on every path.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "clean/bm25_postings.h"
#include "clean/results.h"
#include "neardup/clean.h"
#include "neardup/features.h"

namespace neardup::clean {

// The terms of each query, as `words` features; repeats count.
using QueryTerms = std::vector<std::vector<Feature>>;

struct TermList {
  const std::byte* data = nullptr;
  const Block* blocks = nullptr;
  std::uint32_t block_count = 0;
  DocumentNumber count = 0;  // postings
  double weight = 0;         // idf * (k1 + 1), in units
  Units bound = 0;           // the largest of its blocks
  // 2^i postings add no less than tops[i] << top_shift each, for every i up to log2(count).
  const std::uint8_t* tops = nullptr;
  unsigned top_shift = 0;
};

struct QueryTerm {
  std::uint32_t term;
  std::uint32_t times;  // the query has it
};

// What an index holds.
struct Bm25State {
  struct Group {  // of terms: what one thread made at a time
    ByteArena data;
    std::vector<Block> blocks;
    std::vector<std::uint8_t> tops;
  };
  std::vector<Group> groups;
  std::vector<TermList> terms;
  std::vector<double> norms;  // by row: k1 (1 - b + b dl / avgdl)
  std::vector<std::uint64_t> query_ends;
  std::vector<QueryTerm> query_terms;  // those with postings
  std::uint64_t postings = 0, terms_used = 0;
  Bm25Options options;

  [[nodiscard]] std::span<const QueryTerm> query(QueryNumber number) const {
    const std::uint64_t begin = number == 0 ? 0 : query_ends[number - 1];
    return std::span(query_terms).subspan(begin, query_ends[number] - begin);
  }
};

// Immutable. Exact top-N: what dynamic pruning skips could not have been among the best.
class Bm25Index final : public ResultSource {
 public:
  explicit Bm25Index(Bm25State state) : state_(std::move(state)) {}
  [[nodiscard]] std::unique_ptr<Searcher> searcher() const override;
  [[nodiscard]] std::string describe() const override;
  [[nodiscard]] std::uint64_t terms() const { return state_.terms_used; }  // with at least one posting
  [[nodiscard]] std::uint64_t postings() const { return state_.postings; }
  [[nodiscard]] std::uint64_t memory_bytes() const;

 private:
  Bm25State state_;
};

}  // namespace neardup::clean
