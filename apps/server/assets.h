// Which files are built into the program? cmake/embed.cmake writes the table.
#pragma once

#include <span>
#include <string_view>

namespace neardup::server {

struct Asset {
  std::string_view path;  // "/index.html", "/assets/page-1f3a.js"
  std::string_view etag;  // with its quotes
  std::string_view gzip;  // the file, compressed
};

// The web page; empty when it was not built.
std::span<const Asset> page_assets();
// Files of the service itself: "/openapi.json".
std::span<const Asset> service_assets();

}  // namespace neardup::server
