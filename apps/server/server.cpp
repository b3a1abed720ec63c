#include "server.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/ssl/context.hpp>
#include <thread>
#include <vector>

#include "connection.h"
#include "connection_bulk.h"
#include "head.h"
#include "loop.h"
#include "neardup/error.h"

namespace neardup::server {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;
using WorkGuard = asio::executor_work_guard<asio::io_context::executor_type>;

constexpr std::chrono::milliseconds kTick{200};

std::unique_ptr<asio::ssl::context> make_tls(const ServerOptions& options) {
  if (options.certificate.empty()) return nullptr;
  auto context = std::make_unique<asio::ssl::context>(asio::ssl::context::tls_server);
  SSL_CTX_set_min_proto_version(context->native_handle(), TLS1_2_VERSION);
  error_code error;
  context->use_certificate_chain(asio::buffer(options.certificate), error);
  if (error) throw Error(ErrorCode::usage, fmt::format("cannot use the certificate: {}", error.message()));
  context->use_private_key(asio::buffer(options.key), asio::ssl::context::pem, error);
  if (error || SSL_CTX_check_private_key(context->native_handle()) != 1)
    throw Error(ErrorCode::usage, "the private key does not fit the certificate");
  return context;
}

void bind(Tcp::acceptor& acceptor, const ServerOptions& options) {
  error_code error;
  const auto address = asio::ip::make_address(options.address, error);
  const Tcp::endpoint endpoint(address, options.port);
  if (!error) acceptor.open(endpoint.protocol(), error);
  if (!error) acceptor.set_option(Tcp::acceptor::reuse_address(true), error);
  if (!error) acceptor.bind(endpoint, error);
  if (!error) acceptor.listen(asio::socket_base::max_listen_connections, error);
  if (error)
    throw Error(ErrorCode::usage,
                fmt::format("cannot listen on {}:{}: {}", options.address, options.port, error.message()));
}

std::string remote_of(const Tcp::socket& socket) {
  error_code error;
  const auto endpoint = socket.remote_endpoint(error);
  return error ? std::string() : endpoint.address().to_string();
}

// Best effort: whatever fits into the socket's buffer.
void refuse_connection(Tcp::socket& socket) {
  const Response response = to_response(Problem(ProblemCode::busy, "too many connections"));
  std::string head;
  write_head(head, response, {.date = date_line(), .closes = true});
  error_code ignored;
  socket.non_blocking(true, ignored);
  socket.write_some(asio::buffer(head + response.body), ignored);
  socket.shutdown(Tcp::socket::shutdown_send, ignored);
}

}  // namespace

struct Server::Impl {
  Impl(Service& given, const Guard& guard, AccessLog& log, const ServerOptions& wanted)
      : service(given), options(wanted), tls(make_tls(options)), shared{service, guard, log, options, pool_place()} {
    for (unsigned i = 0; i < std::max(1u, options.io_threads); ++i) loops.push_back(std::make_unique<Loop>(shared));
    acceptor.emplace(loops.front()->io);
    retry.emplace(loops.front()->io);
    bind(*acceptor, options);
  }

  // The pool ends before the loops, to which its jobs post.
  Pool& pool_place() {
    pool = std::make_unique<Pool>(service, options.pool);
    return *pool;
  }
  ~Impl() { pool.reset(); }

  void run(std::stop_token stop) {
    std::vector<WorkGuard> guards;
    for (const auto& loop : loops) {
      guards.push_back(asio::make_work_guard(loop->io));
      tick(*loop);
    }
    accept();
    const std::stop_callback on_stop(stop, [this] { asio::post(loops.front()->io, [this] { drain(); }); });
    guards.clear();  // the ticks keep the loops running
    std::vector<std::thread> threads;
    for (std::size_t i = 1; i < loops.size(); ++i) threads.emplace_back([this, i] { loops[i]->io.run(); });
    loops.front()->io.run();
    for (std::thread& thread : threads) thread.join();
    pool.reset();
  }

  void drain() {
    service.is_draining = true;
    error_code ignored;
    acceptor->close(ignored);
    retry->cancel();
    for (const auto& loop : loops) {
      asio::post(loop->io, [this, &loop = *loop] {
        loop.is_draining = true;
        loop.drain_until = Clock::now() + options.drain_timeout;
        for (AnyConnection* connection : std::vector(loop.connections.begin(), loop.connections.end()))
          connection->drain();
        tick(loop);
      });
    }
  }

  // Several times a second: deadlines, the date, the log. Ends when a drained loop has no connections.
  void tick(Loop& loop) {
    const auto now = Clock::now();
    loop.date = date_line();
    for (AnyConnection* connection : std::vector(loop.connections.begin(), loop.connections.end()))
      connection->check_deadline(now);
    if (loop.is_draining && now >= loop.drain_until) {
      service.abort.request_stop();
      for (AnyConnection* connection : std::vector(loop.connections.begin(), loop.connections.end()))
        connection->abort();
    }
    shared.log.flush();
    if (loop.is_draining && loop.connections.empty()) {
      loop.tick.cancel();
      return;
    }
    loop.tick.expires_after(loop.is_draining ? kTick / 20 : kTick);
    loop.tick.async_wait([this, &loop](error_code error) {
      if (!error) tick(loop);
    });
  }

  void accept() {
    Loop& loop = *loops[next_loop++ % loops.size()];
    acceptor->async_accept(loop.io, [this, &loop](error_code error, Tcp::socket socket) {
      if (error == asio::error::operation_aborted || !acceptor->is_open()) return;
      if (error) {  // too many open files: some will be closed
        retry->expires_after(kTick);
        retry->async_wait([this](error_code cancelled) {
          if (!cancelled) accept();
        });
        return;
      }
      take(loop, std::move(socket));
      accept();
    });
  }

  void take(Loop& loop, Tcp::socket socket) {
    if (service.metrics.connections.load() >= static_cast<std::int64_t>(options.connections)) {
      service.metrics.refused_connections.fetch_add(1);
      return refuse_connection(socket);
    }
    service.metrics.connections.fetch_add(1);
    std::string remote = remote_of(socket);
    asio::post(loop.io, [this, &loop, socket = std::move(socket), remote = std::move(remote)]() mutable {
      if (tls) {
        std::make_shared<Connection<TlsStream>>(loop, TlsStream(std::move(socket), *tls), std::move(remote))->start();
      } else {
        std::make_shared<Connection<PlainStream>>(loop, std::move(socket), std::move(remote))->start();
      }
    });
  }

  Service& service;
  const ServerOptions options;
  std::unique_ptr<asio::ssl::context> tls;
  std::unique_ptr<Pool> pool;
  Shared shared;
  std::vector<std::unique_ptr<Loop>> loops;
  std::optional<Tcp::acceptor> acceptor;
  std::optional<asio::steady_timer> retry;
  std::size_t next_loop = 0;
};

Server::Server(Service& service, const Guard& guard, AccessLog& log, const ServerOptions& options)
    : impl_(std::make_unique<Impl>(service, guard, log, options)) {}
Server::~Server() = default;

std::uint16_t Server::port() const { return impl_->acceptor->local_endpoint().port(); }
void Server::run(std::stop_token stop) { impl_->run(std::move(stop)); }

}  // namespace neardup::server
