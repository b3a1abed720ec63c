// What do all requests share?
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <mutex>
#include <stop_token>
#include <string>
#include <string_view>

#include "metrics.h"
#include "neardup/context.h"
#include "neardup/index.h"

namespace neardup::server {

struct ServiceLimits {
  std::uint64_t body_bytes = std::uint64_t{64} << 20;  // decompressed; also of a line of bulk
  std::size_t documents = 1000;                        // of a request
};

// Threads: members may run concurrently.
class Service {
 public:
  // `given` is used for comparisons and snapshots, which `abort` ends. `log` gets lines about failures.
  Service(Index& opened, std::filesystem::path path, Durability promised, const ServiceLimits& bounds,
          const Context& given, std::function<void(std::string_view)> writes)
      : index(opened),
        folder(std::move(path)),
        durability(promised),
        limits(bounds),
        context(with_stop(given, abort.get_token())),
        log(std::move(writes)) {}

  // "simhash" where 64 bits alone decide, which can be forged, else "features".
  [[nodiscard]] std::string_view evidence() const {
    return index.options().definition.measure == Measure::hamming ? "simhash" : "features";
  }

  Index& index;
  std::stop_source abort;  // requested when draining takes too long
  const std::filesystem::path folder;
  const Durability durability;
  const ServiceLimits limits;
  const Context context;
  const std::function<void(std::string_view)> log;
  const std::chrono::steady_clock::time_point started = std::chrono::steady_clock::now();
  Metrics metrics;
  std::atomic<bool> is_draining = false;
  std::mutex snapshots;  // one at a time

 private:
  static Context with_stop(Context context, std::stop_token stop) {
    context.stop = std::move(stop);
    return context;
  }
};

}  // namespace neardup::server
