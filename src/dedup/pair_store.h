// Where do verified pairs stay until they can be read in order, when they may not all fit into memory?
//
// Pairs come in any order from any thread. They are sorted in runs; runs beyond the memory limit wait in temporary files
// and are merged whenever somebody reads.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "base/system.h"
#include "neardup/context.h"
#include "neardup/file_system.h"
#include "neardup/pair.h"

namespace neardup::dedup {

class PairStore final : public PairSink {
 public:
  PairStore(std::size_t memory_bytes, Context&);

  // Threads: may run concurrently.
  bool accept(std::span<const Pair>) override;
  void finish();  // after the last accept

  // Every pair in ascending order of (left, right). After finish(), any number of times.
  void for_each(const std::function<void(const Pair&)>&) const;
  [[nodiscard]] std::uint64_t size() const { return size_; }

 private:
  struct Packed {  // 16 bytes: the order of `place` is the order of (left, right)
    std::uint64_t place;
    double score;
  };
  class Run;
  void spill();

  Context& context_;
  std::size_t most_in_memory_;
  std::mutex mutex_;
  std::uint64_t size_ = 0;
  std::vector<Packed> pairs_;
  std::unique_ptr<base::TempFolder> temp_;
  std::vector<std::filesystem::path> runs_;
};

}  // namespace neardup::dedup
