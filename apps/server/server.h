// How do connections become requests, and responses bytes again?
//
// Connections belong to a few I/O threads, which only parse and write; a Pool does the work. Nothing waits without a
// limit: headers, bodies, idle connections and unread responses have deadlines, queues and connections a largest
// number.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>

#include "access_log.h"
#include "guard.h"
#include "pool.h"
#include "request_parser.h"
#include "service.h"

namespace neardup::server {

struct ServerOptions {
  std::string address = "127.0.0.1";  // an IP address
  std::uint16_t port = 8765;          // 0: any that is free
  std::string certificate{}, key{};   // PEM; empty: no TLS
  RequestLimits request{};
  std::size_t connections = 4096;
  unsigned io_threads = 1;
  PoolSizes pool{};
  std::chrono::seconds header_timeout{10};  // from the first byte of a request to the end of its header
  std::chrono::seconds body_timeout{60};    // for the whole body; of a stream, for the next piece of it
  std::chrono::seconds idle_timeout{75};    // between requests
  std::chrono::seconds write_timeout{30};   // for a response; of a stream, for the next piece of it
  std::chrono::seconds drain_timeout{9};    // after a request to stop; then connections are closed
};

// Threads: run() once; port() at any time.
class Server {
 public:
  // Binds the address. Throws Error{usage} when it is in use or the certificate does not fit.
  Server(Service&, const Guard&, AccessLog&, const ServerOptions&);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  [[nodiscard]] std::uint16_t port() const;
  // Serves until it is asked to stop; then answers what was asked before, and returns.
  void run(std::stop_token);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace neardup::server
