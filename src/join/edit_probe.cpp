#include "join/edit_probe.h"

#include <tbb/parallel_for.h>

#include "base/parallel.h"

namespace neardup::joins {

void PairSequence::wait_for_turn(std::unique_lock<std::mutex>& lock, std::size_t chunk) {
  changed_.wait(lock, [&] { return turn_ == chunk || abandoned_ || output_.enough(); });
}

void PairSequence::push(std::size_t chunk, std::vector<Pair>& pairs) {
  std::unique_lock lock(mutex_);
  wait_for_turn(lock, chunk);
  if (turn_ == chunk) output_.flush(pairs);
  pairs.clear();
  if (output_.enough()) changed_.notify_all();
}

void PairSequence::complete(std::size_t chunk, std::vector<Pair>& pairs) {
  std::unique_lock lock(mutex_);
  if (turn_ != chunk && waiting_pairs_ + pairs.size() <= kMostWaiting) {
    waiting_pairs_ += pairs.size();
    waiting_.emplace(chunk, std::move(pairs));
    pairs = {};
    return;
  }
  wait_for_turn(lock, chunk);
  if (turn_ == chunk) {
    output_.flush(pairs);
    ++turn_;
    while (!waiting_.empty() && waiting_.begin()->first == turn_) {
      std::vector<Pair>& next = waiting_.begin()->second;
      waiting_pairs_ -= next.size();
      output_.flush(next);
      waiting_.erase(waiting_.begin());
      ++turn_;
    }
  }
  pairs.clear();
  changed_.notify_all();
}

void PairSequence::abandon() {
  const std::lock_guard lock(mutex_);
  abandoned_ = true;
  changed_.notify_all();
}

void run_on_threads(EditRun& run, const std::function<void()>& work) {
  base::with_threads(run.join.context, [&] {
    tbb::parallel_for(0u, base::threads(run.join.context), [&](unsigned) {
      try {
        work();
      } catch (...) {
        run.failed = true;
        run.sequence.abandon();
        throw;
      }
    });
  });
}

}  // namespace neardup::joins
