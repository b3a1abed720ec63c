// What do the connections of one I/O thread share? Only for server.cpp and connection.h: it includes Asio.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <string>
#include <unordered_set>

#include "access_log.h"
#include "guard.h"
#include "pool.h"
#include "server.h"
#include "service.h"

namespace neardup::server {

using Clock = std::chrono::steady_clock;

class AnyConnection {
 public:
  virtual ~AnyConnection() = default;
  // Ends the connection when its time is over.
  virtual void check_deadline(Clock::time_point now) = 0;
  // Ends it after the request that it is at, if any.
  virtual void drain() = 0;
  virtual void abort() = 0;
};

// What all connections of a server share.
struct Shared {
  Service& service;
  const Guard& guard;
  AccessLog& log;
  const ServerOptions& options;
  Pool& pool;
};

// Threads: all members belong to the thread that runs `io`, but for posting to it.
struct Loop {
  explicit Loop(Shared given) : shared(given) {}
  Shared shared;
  boost::asio::io_context io{1};
  boost::asio::steady_timer tick{io};
  std::unordered_set<AnyConnection*> connections;
  std::string date;  // the header line
  bool is_draining = false;
  Clock::time_point drain_until{};
};

}  // namespace neardup::server
