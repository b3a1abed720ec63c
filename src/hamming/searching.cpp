#include "hamming/searching.h"

#include <fmt/format.h>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <mutex>

#include "base/parallel.h"
#include "base/system.h"
#include "neardup/error.h"

namespace neardup::hamming {

SearchStats run_search(std::uint64_t queries, PairSink& sink, const Context& context, std::size_t least_piece,
                       const std::function<void(std::size_t, std::size_t, Found&)>& body) {
  const base::Stopwatch watch;
  base::PairOutput output(sink, 0);
  SearchStats stats;
  std::mutex mutex;
  const auto run = [&](std::size_t first, std::size_t last) {
    base::check_stop(context);
    if (output.enough()) return;
    Found found(output);
    body(first, last, found);
    found.finish();
    const std::lock_guard lock(mutex);
    stats.probes += found.probes;
    stats.compared += found.compared;
    stats.largest_probe_count = std::max(stats.largest_probe_count, found.largest_probe_count);
  };
  if (queries <= least_piece) {
    // A single query takes less time than a thread to be told of it.
    if (queries != 0) run(0, queries);
  } else {
    // Large enough for groups of queries to run into each other, small enough to stop soon.
    constexpr std::size_t kMostPiece = 1u << 16;
    const std::size_t share = queries / (std::size_t{4} * base::threads(context)) + 1;
    const std::size_t piece = std::min(kMostPiece, std::max(least_piece, share));
    base::with_threads(context, [&] {
      tbb::parallel_for(std::size_t{0}, (queries + piece - 1) / piece,
                        [&](std::size_t at) { run(at * piece, std::min<std::size_t>(queries, (at + 1) * piece)); });
    });
  }
  stats.queries = queries;
  stats.matches = output.count();
  stats.search_seconds = watch.seconds();
  return stats;
}

void check_distance(unsigned distance, unsigned width) {
  if (distance > width) {
    throw Error(ErrorCode::usage, fmt::format("`distance` {} is not within 0 to {}", distance, width), "distance");
  }
}

}  // namespace neardup::hamming
