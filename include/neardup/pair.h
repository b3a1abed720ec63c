// How do similar pairs travel from those who find them to those who use them?
#pragma once

#include <cstdint>
#include <span>

namespace neardup {

// A document's row number in its collection, counted from 0 in input order. The user's own id is Document::key.
using DocId = std::uint64_t;

struct Pair {
  DocId left, right;  // within one collection left < right
  double score;       // a similarity, a count or a distance, as the measure says
  friend bool operator==(const Pair&, const Pair&) = default;
};

// Receives pairs in batches. Returning false means "enough": the sender stops, and that is not an error.
class PairSink {
 public:
  virtual ~PairSink() = default;
  virtual bool accept(std::span<const Pair>) = 0;
};

}  // namespace neardup
