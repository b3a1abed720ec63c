// How do found pairs reach the caller's sink, from several threads and no more than asked for?
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <vector>

#include "neardup/pair.h"

namespace neardup::base {

// The one door to the sink: one batch at a time, at most `max_pairs` pairs (0: all). Threads: members may run
// concurrently.
class PairOutput {
 public:
  PairOutput(PairSink& sink, std::uint64_t max_pairs) : sink_(sink), max_pairs_(max_pairs) {}

  // Hands over and empties `batch`.
  void flush(std::vector<Pair>& batch);
  // No more pairs are wanted.
  [[nodiscard]] bool enough() const { return enough_.load(std::memory_order_relaxed); }
  [[nodiscard]] std::uint64_t count() const { return count_; }  // when nobody is writing

 private:
  PairSink& sink_;
  std::uint64_t max_pairs_;
  std::mutex mutex_;
  std::uint64_t count_ = 0;
  std::atomic<bool> enough_{false};
};

// Collects one thread's pairs and hands them over in batches. Call finish() in the end.
class PairBatch {
 public:
  explicit PairBatch(PairOutput& output) : output_(output) { pairs_.reserve(kBatch); }

  void add(DocId a, DocId b, double score) {
    pairs_.push_back({.left = a, .right = b, .score = score});
    if (pairs_.size() == kBatch) output_.flush(pairs_);
  }
  void finish() { output_.flush(pairs_); }

 private:
  static constexpr std::size_t kBatch = 4096;
  PairOutput& output_;
  std::vector<Pair> pairs_;
};

}  // namespace neardup::base
