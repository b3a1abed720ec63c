#include "base/pair_output.h"

#include <tbb/task_arena.h>

#include <algorithm>

namespace neardup::base {

void PairOutput::send(std::span<const Pair> batch) {
  const std::lock_guard lock(mutex_);
  if (!batch.empty() && !enough()) {
    const std::uint64_t room = max_pairs_ == 0 ? batch.size() : max_pairs_ - count_;
    const auto taken = static_cast<std::size_t>(std::min<std::uint64_t>(room, batch.size()));
    count_ += taken;
    bool wants_more = false;
    // A sink that uses oneTBB itself must not take up one of our tasks meanwhile: that could end here, at the lock.
    tbb::this_task_arena::isolate([&] { wants_more = sink_.accept(batch.first(taken)); });
    // One pair more than allowed is what tells "stopped" from "that was all".
    if (!wants_more || taken < batch.size()) enough_ = true;
  }
}

}  // namespace neardup::base
