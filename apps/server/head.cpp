#include "head.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iterator>

namespace neardup::server {

std::string date_line() {
  const auto now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  return fmt::format("Date: {:%a, %d %b %Y %H:%M:%S} GMT\r\n", fmt::gmtime(now));
}

void write_head(std::string& out, const Response& response, const HeadOptions& options) {
  out.clear();
  const auto to = std::back_inserter(out);
  fmt::format_to(to, "HTTP/1.1 {} {}\r\n", response.status, reason_phrase(response.status));
  if (!response.content_type.empty()) fmt::format_to(to, "Content-Type: {}\r\n", response.content_type);
  constexpr int kNoContent = 204, kNotModified = 304;
  if (options.is_chunked) {
    out += "Transfer-Encoding: chunked\r\n";
  } else if (response.status != kNoContent && response.status != kNotModified) {
    fmt::format_to(to, "Content-Length: {}\r\n", response.body.size());
  }
  out += options.date;
  bool has_caching = false;
  for (const auto& [name, value] : response.headers) {
    fmt::format_to(to, "{}: {}\r\n", name, value);
    has_caching = has_caching || name == "Cache-Control";
  }
  if (!has_caching) out += "Cache-Control: no-store\r\n";
  out += "X-Content-Type-Options: nosniff\r\n";
  if (options.closes) {
    out += "Connection: close\r\n";
  } else if (options.is_http_1_0) {
    out += "Connection: keep-alive\r\n";
  }
  out += "\r\n";
}

}  // namespace neardup::server
