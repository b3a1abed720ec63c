#include "base/parallel.h"

#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <memory>

#include "base/system.h"
#include "neardup/threads.h"

namespace neardup {

struct ThreadArena::Impl {
  Impl(unsigned wanted, unsigned callers)
      : threads(wanted != 0 ? wanted : default_threads()), arena(static_cast<int>(helpers() + callers), callers) {}

  // oneTBB prints a complaint when an arena wants more than the process may have.
  [[nodiscard]] unsigned helpers() const {
    const std::size_t most = tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism);
    return static_cast<unsigned>(std::min<std::size_t>(threads, most)) - 1;
  }

  unsigned threads;
  tbb::task_arena arena;
};

ThreadArena::ThreadArena(unsigned threads, unsigned callers)
    : impl_(std::make_unique<Impl>(threads, std::max(1u, callers))) {}
ThreadArena::~ThreadArena() = default;
unsigned ThreadArena::threads() const noexcept { return impl_->threads; }

// Isolated: while a thread waits for the others it would take up any task of the arena. That of another call could need
// a lock which this caller holds.
void ThreadArena::execute(const std::function<void()>& work) {
  impl_->arena.execute([&] { tbb::this_task_arena::isolate(work); });
}

}  // namespace neardup

namespace neardup::base {

void with_threads(const Context& context, const std::function<void()>& work) {
  const unsigned count = threads(context);
  if (context.arena != nullptr && context.arena->threads() == count) {
    context.arena->execute(work);
  } else {
    ThreadArena(count, 1).execute(work);  // a context that nobody resolved, or one that asks for fewer threads
  }
}

void parallel_for(const Context& context, std::size_t count,
                  const std::function<void(std::size_t first, std::size_t last)>& body) {
  check_stop(context);
  if (count == 0) return;
  with_threads(context, [&] {
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, count), [&](const tbb::blocked_range<std::size_t>& range) {
      check_stop(context);
      body(range.begin(), range.end());
    });
  });
}

}  // namespace neardup::base
