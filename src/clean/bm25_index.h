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
#include <vector>

#include "clean/results.h"
#include "neardup/clean.h"
#include "neardup/context.h"
#include "neardup/features.h"

namespace neardup::clean {

// The terms of each query, as `words` features; repeats count.
using QueryTerms = std::vector<std::vector<Feature>>;

class Bm25Index;

// Collects postings batch by batch. `count` may run on any number of threads; `append` takes their parts in row order.
class Bm25Builder {
 public:
  Bm25Builder(const QueryTerms&, const Bm25Options&);
  ~Bm25Builder();

  // The postings of consecutive rows.
  class Part;
  struct PartDeleter {
    void operator()(Part*) const;
  };
  using PartPtr = std::unique_ptr<Part, PartDeleter>;

  // Keeps what one thread needs between documents.
  class Counter {
   public:
    virtual ~Counter() = default;
    // One document, in row order within a part: every word of its text and of its title, as often as it occurs, in any
    // order. A record that is no document is added with nothing.
    virtual void add(std::span<const Feature> text, std::span<const Feature> title) = 0;
    // What was added since the last call.
    virtual PartPtr take() = 0;
  };
  [[nodiscard]] std::unique_ptr<Counter> counter() const;

  // Parts in row order; their rows follow each other.
  void append(PartPtr);
  // About what is held so far, and what the index will take.
  [[nodiscard]] std::uint64_t memory_bytes() const;
  // Uses the context's threads. The builder is empty afterwards.
  std::unique_ptr<Bm25Index> finish(const Context&);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Immutable. Exact top-N: what dynamic pruning skips could not have been among the best.
class Bm25Index final : public ResultSource {
 public:
  struct State;
  explicit Bm25Index(std::unique_ptr<const State>);
  ~Bm25Index() override;
  [[nodiscard]] std::unique_ptr<Searcher> searcher() const override;
  [[nodiscard]] std::string describe() const override;
  [[nodiscard]] std::uint64_t terms() const;  // with at least one posting
  [[nodiscard]] std::uint64_t postings() const;
  [[nodiscard]] std::uint64_t memory_bytes() const;

 private:
  std::unique_ptr<const State> state_;
};

}  // namespace neardup::clean
