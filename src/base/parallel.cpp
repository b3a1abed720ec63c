#include "base/parallel.h"

#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <optional>

#include "base/system.h"

namespace neardup::base {

void with_threads(const Context& context, const std::function<void()>& work) {
  const unsigned count = threads(context);
  // oneTBB starts no more threads than there are cores unless told so, and complains when more are asked for.
  std::optional<tbb::global_control> more_threads;
  constexpr auto kThreadLimit = tbb::global_control::max_allowed_parallelism;
  if (count > tbb::global_control::active_value(kThreadLimit)) more_threads.emplace(kThreadLimit, count);
  tbb::task_arena arena(static_cast<int>(count));
  arena.execute(work);
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
