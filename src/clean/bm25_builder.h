// How does an index of the log's words come about, while the collection is read once on many threads?
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/numbering.h"
#include "clean/bm25_index.h"
#include "neardup/context.h"

namespace neardup::clean {

// Is this word one of the log's, and which?
//
// Terms are numbered by ascending feature. A bit for each of the first bits of a hash turns most other words away; it
// stays in the nearest cache where a table of the terms would not. Threads: const members may run concurrently.
class TermTable {
 public:
  explicit TermTable(const QueryTerms&);

  [[nodiscard]] std::uint32_t size() const { return terms_.size(); }
  // Precondition: it is one of the terms.
  [[nodiscard]] std::uint32_t number(Feature feature) const { return terms_.find(feature); }

  // Calls found(term) for every word that is a term. `scratch` is overwritten.
  template <class Found>
  void for_each(std::span<const Feature> words, std::vector<std::uint64_t>& scratch, Found&& found) const {
    // Two loops, because the first one then has no branch to guess wrongly.
    if (scratch.size() < words.size()) scratch.resize(words.size());
    std::size_t likely = 0;
    for (const Feature word : words) {
      const std::uint64_t place = spread(word) >> filter_shift_;
      scratch[likely] = word;
      likely += filter_[place >> 6] >> (place & 63) & 1;
    }
    for (std::size_t i = 0; i < likely; ++i) {
      const std::uint32_t term = terms_.find(scratch[i]);
      if (term != base::kNoNumber) found(term);
    }
  }

 private:
  static std::uint64_t spread(Feature feature) { return feature * 0x9e3779b97f4a7c15u; }

  base::Numbering<Feature> terms_;
  std::vector<std::uint64_t> filter_;
  unsigned filter_shift_ = 0;
};

// Terms are worked on in groups, so that what a finished group took while it was built can be let go.
inline constexpr std::uint32_t kTermGroups = 64;
inline std::uint32_t terms_per_group(std::uint32_t terms) { return (terms + kTermGroups - 1) / kTermGroups; }

// The postings of consecutive rows.
struct PostingsPart {
  // Postings by term. Each term: its distance from the one before it in the group (from the group's first), how many
  // postings, how many bytes, the postings; rows count from the segment's first.
  struct Segment {
    DocumentNumber first;  // within the part
    std::vector<std::byte> bytes;
    std::array<std::uint32_t, kTermGroups> group_ends;
  };
  std::vector<std::uint32_t> lengths;  // by row: dl
  std::vector<Segment> segments;
};

// Turns documents into postings, on one of many threads. Keeps what it needs between documents.
class PostingsCounter {
 public:
  PostingsCounter(const TermTable&, const Bm25Options&);
  // One document, in row order within a part: every word of its text and of its title, as often as it occurs, in any
  // order. A record that is not a document is added with nothing.
  void add(std::span<const Feature> text, std::span<const Feature> title);
  // What was added since the last call.
  PostingsPart take();

 private:
  struct TermCount {
    std::uint32_t term, count;
  };
  struct RowCount {
    DocumentNumber row;
    std::uint32_t count;
  };

  void count(std::span<const Feature> words, std::uint64_t each);
  void end_segment();
  void sort_by_term();
  PostingsPart::Segment write_segment(DocumentNumber first);

  const TermTable& table_;
  unsigned boost_;
  std::vector<std::uint64_t> occurrences_;  // by term, in the current document
  std::vector<std::uint32_t> terms_here_;   // of the current document, and room for one that is none
  std::size_t terms_here_count_ = 0;
  std::vector<std::uint32_t> postings_;  // by term, in the current segment
  std::vector<std::uint32_t> terms_;     // of the current segment
  std::vector<TermCount> pending_;       // of the current segment, by row
  std::vector<std::size_t> pending_ends_;
  std::vector<RowCount> sorted_;  // the same by term
  std::vector<std::uint64_t> scratch_;
  std::vector<std::byte> encoded_, list_;
  PostingsPart part_;
};

// Collects postings part by part. Its counters may run on any number of threads beside each other.
class Bm25Builder {
 public:
  Bm25Builder(const QueryTerms&, const Bm25Options&);
  [[nodiscard]] PostingsCounter counter() const { return {table_, options_}; }
  // Parts in row order; their rows follow each other.
  void append(const PostingsPart&);
  // About what is held so far, and what the index will take.
  [[nodiscard]] std::uint64_t memory_bytes() const;
  // Uses the context's threads. The builder is empty afterwards.
  std::unique_ptr<Bm25Index> finish(const Context&);

 private:
  Bm25Options options_;
  TermTable table_;
  std::vector<std::uint64_t> query_ends_;
  std::vector<QueryTerm> query_terms_;
  // Slices of segments in row order: first row, bytes, then as PostingsPart::Segment says.
  std::array<ByteArena, kTermGroups> groups_;
  std::vector<std::uint32_t> lengths_;
  std::vector<std::byte> scratch_;
  std::uint64_t bytes_ = 0;  // in all groups
};

}  // namespace neardup::clean
