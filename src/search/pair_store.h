// Where do verified pairs stay until they can be read in order, when they may not all fit into memory?
//
// Pairs come in any order from any thread. They are sorted in runs; runs beyond the memory limit wait in temporary
// files and are merged whenever somebody reads. Sixteen runs of a level become one of the next, so that a pair is
// rewritten once per level and only a few files are ever open.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "base/state.h"
#include "base/system.h"
#include "neardup/context.h"
#include "neardup/files.h"
#include "neardup/pair.h"

namespace neardup::search {

class PairStore final : public PairSink {
 public:
  PairStore(std::size_t memory_bytes, const Context&);

  // Threads: may run concurrently.
  bool accept(std::span<const Pair>) override;
  void finish();  // after the last accept

  // Every pair in ascending order of (left, right). After finish(), any number of times.
  void for_each(const std::function<void(const Pair&)>&) const;
  [[nodiscard]] std::uint64_t size() const { return size_; }
  // How many pairs both stores hold, whatever their scores. Each is read once, and the other beside it.
  [[nodiscard]] std::uint64_t count_common(const PairStore& other) const;
  void save(base::StateWriter&) const;  // after finish()
  // In place of accept() and finish(); numbers must be below `units`.
  void load(base::StateReader&, std::size_t units);

 private:
  struct Packed {  // 16 bytes: the order of `place` is the order of (left, right)
    std::uint64_t place;
    double score;
  };
  class Run;
  void make_room();
  std::vector<Packed> take_sorted();
  void spill();
  void add_run(std::size_t level, const std::function<void(OutputFile&)>& write);
  void merge(std::span<const std::filesystem::path> runs, const std::function<void(const Packed&)>& visit) const;

  const Context& context_;
  std::size_t most_in_memory_;
  std::mutex mutex_;
  std::uint64_t size_ = 0;
  std::vector<std::vector<Packed>> chunks_;  // as they came; full but for the last, so that none is ever moved
  std::size_t in_memory_ = 0;
  std::vector<Packed> sorted_;  // after finish(), when there are no runs
  std::unique_ptr<base::TempFolder> temp_;
  std::vector<std::vector<std::filesystem::path>> levels_;
  std::uint64_t runs_made_ = 0;
};

}  // namespace neardup::search
