// How are similar pairs passed on to the code that uses them?
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace neardup {

// A document's row number in its collection, counted from 0 in input order. The user's own id is Document::key.
using DocId = std::uint64_t;

struct Pair {
  DocId left, right;  // within one collection left < right
  double score;       // a similarity, a count or a distance, as the measure says
  friend bool operator==(const Pair&, const Pair&) = default;
};

// Receives pairs in batches.
//
// Calls come one at a time, possibly from different threads. There is no order unless the sender promises one. The span
// is valid during the call. Returning false stops the search, which is not an error: there are no more
// calls. An exception from accept() ends the search and is passed on to the caller.
class PairSink {
 public:
  virtual ~PairSink() = default;
  virtual bool accept(std::span<const Pair>) = 0;
};

// Keeps all pairs in memory: 24 bytes each.
class PairList final : public PairSink {
 public:
  bool accept(std::span<const Pair>) override;
  [[nodiscard]] const std::vector<Pair>& pairs() const { return pairs_; }  // in order of arrival
  [[nodiscard]] std::vector<Pair> sorted() const;                          // by left, then right

 private:
  std::vector<Pair> pairs_;
};

}  // namespace neardup
