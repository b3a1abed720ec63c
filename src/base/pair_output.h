// How do pairs from several threads reach the caller's sink, and no more than requested?
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "neardup/pair.h"

namespace neardup::base {

// The only access to the sink: one batch at a time, at most `max_pairs` pairs (0: all). Threads: members may run
// concurrently.
class PairOutput final : public PairSink {
 public:
  PairOutput(PairSink& sink, std::uint64_t max_pairs) : sink_(sink), max_pairs_(max_pairs) {}

  void send(std::span<const Pair> batch);
  bool accept(std::span<const Pair> batch) override {
    send(batch);
    return !enough();
  }
  // Hands over and empties `batch`.
  void flush(std::vector<Pair>& batch) {
    send(batch);
    batch.clear();
  }
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

// Collects one thread's pairs and hands them over in batches. Call finish() at the end.
class PairBatch {
 public:
  explicit PairBatch(PairOutput& output) : output_(output) {}

  void add(DocId a, DocId b, double score) {
    if (count_ == room_) make_room(1);
    pairs_[count_++] = {.left = a, .right = b, .score = score};
  }
  // Room for some pairs, at most kBatch, all of which the caller writes.
  [[nodiscard]] std::span<Pair> add_some(std::size_t count) {
    if (count > room_ - count_) make_room(count);
    count_ += count;
    return std::span(pairs_).subspan(count_ - count, count);
  }
  void finish() {
    output_.send(std::span(pairs_).first(count_));
    count_ = 0;
  }

  static constexpr std::size_t kBatch = 1024;  // stays in the first-level cache until it is sent

 private:
  static constexpr std::size_t kFew = 16;
  // Searches that find almost nothing need almost no memory.
  void make_room(std::size_t count) {
    if (room_ < kBatch) {
      room_ = std::min(kBatch, std::max(kFew, 4 * (count_ + count)));
      pairs_.resize(room_);
    }
    if (count > room_ - count_) finish();
  }

  PairOutput& output_;
  std::vector<Pair> pairs_;
  std::size_t count_ = 0, room_ = 0;  // pairs in use; all of them
};

}  // namespace neardup::base
