// Where do verified pairs stay until they can be read in order, when they may not all fit into memory?
//
// Pairs come in any order from any thread. They are sorted in runs, in memory or, beyond its limit, in temporary files
// (base/sorted_runs.h), and runs are merged on every read. Memory: 16 bytes per pair, and those of one run a
// second time while it is sorted.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <mutex>
#include <span>
#include <vector>

#include "base/sorted_runs.h"
#include "base/state.h"
#include "neardup/context.h"
#include "neardup/memory.h"
#include "neardup/pair.h"

namespace neardup::search {

class PairStore final : public PairSink {
 public:
  // Reserves as it grows, up to a plan's share for pairs (base/memory_plan.h).
  explicit PairStore(const Context&);
  PairStore(std::size_t most_bytes, const Context&);

  // Throws Error{limit} for rows from 2^32 on. Threads: may run concurrently.
  bool accept(std::span<const Pair>) override;
  void finish();  // after the last accept

  // Every pair in ascending order of (left, right). After finish(), any number of times. Throws Error{interrupted} when
  // the context asks to stop.
  void for_each(const std::function<void(const Pair&)>&) const;
  [[nodiscard]] std::uint64_t size() const { return size_; }
  // How many pairs both stores hold, whatever their scores. Both are read once, side by side.
  [[nodiscard]] std::uint64_t count_common(const PairStore& other) const;
  void save(base::StateWriter&) const;  // after finish()
  // In place of accept() and finish(), for pairs within one collection of so many units.
  void load(base::StateReader&, std::size_t units);

 private:
  struct Packed {  // 16 bytes: the order of `place` is the order of (left, right)
    std::uint64_t place;
    double score;
  };
  struct ByPlace {
    bool operator()(const Packed& a, const Packed& b) const { return a.place < b.place; }
  };
  class Part;
  void make_room();
  void close_run();
  void spill();
  void add_parts(bool is_other, std::vector<Part>&) const;

  Context context_;  // a copy: pairs may outlive the call that found them
  std::size_t most_in_memory_;
  std::mutex mutex_;
  std::uint64_t size_ = 0;
  std::vector<std::vector<Packed>> chunks_;  // as they came; full but for the last, so that none is ever moved
  std::size_t in_chunks_ = 0, in_memory_ = 0;
  std::vector<std::vector<Packed>> sorted_;  // runs
  Reservation memory_;
  base::SortedRuns<Packed, ByPlace> runs_;
};

}  // namespace neardup::search
