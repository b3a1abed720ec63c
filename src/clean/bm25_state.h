// What does the index of the built-in search hold, and what does a term add to a score?
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "clean/bm25_index.h"
#include "clean/bm25_postings.h"
#include "clean/bm25_scoring.h"

namespace neardup::clean {

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

struct Bm25Index::State {
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

std::unique_ptr<Searcher> make_bm25_searcher(const Bm25Index::State&);

}  // namespace neardup::clean
