// Which parts do several responses share?
#pragma once

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <chrono>
#include <cstdint>
#include <limits>
#include <string>

#include "json.h"
#include "query.h"

namespace neardup::server {

inline constexpr std::uint64_t kPageSize = 100, kMostPageSize = 1000;
// The largest integer that every reader of JSON takes as it is.
inline constexpr std::uint64_t kMostNumber = (std::uint64_t{1} << 53) - 1;

// Cluster ids are texts: JavaScript would round large numbers.
inline std::string id_text(std::uint64_t id) { return fmt::format_int(id).str(); }

inline std::string time_text(std::chrono::sys_time<std::chrono::milliseconds> time) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(time);
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z", fmt::gmtime(std::chrono::system_clock::to_time_t(seconds)),
                     (time - seconds).count());
}

inline void write_next(Json& json, const std::string& next) {
  json.key("next");
  if (next.empty()) {
    json.null();
  } else {
    json.value(next);
  }
}

}  // namespace neardup::server
