// How is the service counted for Prometheus?
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

#include "neardup/index.h"

namespace neardup::server {

// Threads: members may run concurrently; no locks.
class Metrics {
 public:
  static constexpr std::size_t kMostRoutes = 32;

  // `route` is a place in routes(), or their number for requests that match none of them.
  void count(std::size_t route, int status, std::chrono::nanoseconds duration);

  std::atomic<std::int64_t> connections = 0;
  std::atomic<std::uint64_t> refused_connections = 0;
  std::atomic<std::int64_t> waiting = 0;        // requests in queues
  std::atomic<std::uint64_t> commit_calls = 0;  // calls of the index by single requests, and the requests in them
  std::atomic<std::uint64_t> commit_requests = 0;

  // Prometheus text format 0.0.4.
  [[nodiscard]] std::string text(const IndexStats&, bool is_writable) const;

 private:
  static constexpr std::array kStatuses{200, 201, 204, 304, 400, 401, 403, 404, 405, 408,
                                        409, 413, 415, 421, 422, 431, 500, 503, 505};
  // Upper bounds in microseconds; the last bucket has none.
  static constexpr std::array<std::uint32_t, 13> kBounds{100,    250,    500,     1'000,   2'500,     5'000,     10'000,
                                                         25'000, 50'000, 100'000, 500'000, 2'500'000, 10'000'000};
  struct Route {
    std::array<std::atomic<std::uint64_t>, kStatuses.size()> statuses{};
    std::array<std::atomic<std::uint64_t>, kBounds.size() + 1> buckets{};
    std::atomic<std::uint64_t> nanoseconds = 0;
  };
  std::array<Route, kMostRoutes> routes_{};
};

}  // namespace neardup::server
