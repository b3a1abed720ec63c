#include "base/parallel.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include "base/system.h"

namespace neardup::base {

void parallel_for(const Context& context, std::size_t count,
                  const std::function<void(std::size_t first, std::size_t last)>& body) {
  check_stop(context);
  if (count == 0) return;
  tbb::task_arena arena(static_cast<int>(threads(context)));
  arena.execute([&] {
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, count), [&](const tbb::blocked_range<std::size_t>& range) {
      check_stop(context);
      body(range.begin(), range.end());
    });
  });
}

}  // namespace neardup::base
