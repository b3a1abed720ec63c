// How is an index served over HTTP? What the command line needs of the service; docs/service.md describes it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/context.h"
#include "neardup/index.h"

namespace neardup::server {

struct ServeOptions {
  std::filesystem::path folder{};
  std::string listen = "127.0.0.1:8765";  // ADDRESS:PORT; port 0: any that is free
  Durability durability = Durability::sync;
  std::string tokens_file{}, certificate_file{}, key_file{};
  bool allow_plain = false;          // another address than loopback without TLS
  std::vector<std::string> hosts{};  // further names of this server
  std::uint64_t max_body_bytes = std::uint64_t{64} << 20;
  std::size_t max_connections = 4096, max_waiting = 4096;

  // Throws Error{usage} for options that contradict each other.
  void validate() const;
};

// Where the service writes. Each may be called by any thread, one at a time.
struct ServeOutput {
  std::function<void(std::string_view url)> ready{};     // it listens
  std::function<void(std::string_view lines)> log{};     // JSON lines; null: none
  std::function<void(std::string_view text)> failure{};  // a message about the service itself
};

// Opens the index and serves it until the context's stop token is used; then answers what was asked before and returns.
// Throws Error.
void serve(const ServeOptions&, const ServeOutput&, const Context&);

// Makes a small index of this machine's copyright files. Returns the number of documents. Throws Error.
std::uint64_t make_demo_index(const std::filesystem::path&, const Context&);

}  // namespace neardup::server
