// One connection: reads requests one after the other, has them answered, writes the responses. Only for server.cpp: it
// includes Asio.
//
// Threads: everything runs on the thread of the loop, except the work that the pool does meanwhile; then the connection
// waits.
#pragma once

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/write.hpp>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bulk.h"
#include "head.h"
#include "loop.h"
#include "problem.h"
#include "request_parser.h"
#include "routes.h"

namespace neardup::server {

using Tcp = boost::asio::ip::tcp;
using PlainStream = Tcp::socket;
using TlsStream = boost::asio::ssl::stream<Tcp::socket>;

template <class Stream>
class Connection final : public AnyConnection, public std::enable_shared_from_this<Connection<Stream>> {
 public:
  Connection(Loop& loop, Stream stream, std::string remote)
      : loop_(loop), stream_(std::move(stream)), remote_(std::move(remote)) {}

  void start() {
    loop_.connections.insert(this);
    boost::system::error_code ignored;
    socket().set_option(Tcp::no_delay(true), ignored);
    if constexpr (kIsTls) {
      deadline_ = Clock::now() + options().header_timeout;
      stream_.async_handshake(TlsStream::server, [self = this->shared_from_this()](auto error) {
        if (error) return self->end();
        self->pump();
      });
    } else {
      pump();
    }
  }

  void check_deadline(Clock::time_point now) override {
    if (now < deadline_ && now < write_deadline_) return;
    // Only a request that has begun deserves an answer.
    if (phase_ == Phase::reading && parser_ && parser_->has_started() && !bulk_ && now < write_deadline_) {
      deadline_ = Clock::time_point::max();
      boost::system::error_code ignored;
      socket().cancel(ignored);
      timed_out_ = true;
      return;
    }
    end();
  }

  void drain() override {
    if (phase_ == Phase::reading && !(parser_ && parser_->has_started())) end();
  }

  void abort() override { end(); }

 private:
  static constexpr bool kIsTls = std::is_same_v<Stream, TlsStream>;
  static constexpr std::size_t kFirstRead = std::size_t{16} << 10, kLargeRead = std::size_t{256} << 10;
  static constexpr std::size_t kMostUnread = std::size_t{64} << 20, kPiece = std::size_t{1} << 20;
  static constexpr std::uint64_t kIgnoredBody = 64 << 10;  // of requests that need none
  enum class Phase { reading, working, writing, lingering };

  [[nodiscard]] const ServerOptions& options() const { return loop_.shared.options; }
  Tcp::socket& socket() {
    if constexpr (kIsTls) {
      return stream_.next_layer();
    } else {
      return stream_;
    }
  }

  // Parses what was read; asks for more, or has the request answered.
  void pump() {
    try {
      for (;;) {
        if (!parser_) parser_.emplace(options().request);
        const std::size_t used = parser_->put(std::string_view(in_).substr(begin_));
        begin_ += used;
        if (parser_->has_header() && !route_.route) {
          if (!accept_header()) return;
          continue_after_header();
          return;
        }
        if (parser_->is_done()) return dispatch();
        if (used == 0 || begin_ == in_.size()) return read();
      }
    } catch (const Problem& problem) {
      respond_and_close(problem);
    }
  }

  // False when the request was refused, which is answered.
  bool accept_header() {
    const Request& request = parser_->request();
    method_ = request.method;
    try {
      route_ = find_route(request);
      loop_.shared.guard.check(request, *route_.route);
      const Lane lane = route_.route->lane;
      const bool takes_body = route_.route->method == Method::post;
      if (lane != Lane::bulk) parser_->limit_body(takes_body ? loop_.shared.service.limits.body_bytes : kIgnoredBody);
      return true;
    } catch (const Problem& problem) {
      started_ = Clock::now();
      Response response = to_response(problem);
      response.close = request.has_body;  // the body is not read
      respond(std::move(response));
      return false;
    }
  }

  void continue_after_header() {
    const Request& request = parser_->request();
    if (request.has_body && !parser_->is_done() && request.content_length.value_or(kLargeRead) > kFirstRead)
      chunk_.resize(kLargeRead);
    if (route_.route->lane == Lane::bulk) return start_bulk();
    if (!request.expects_continue || parser_->is_done()) return go_on_reading();
    send_continue([](Connection& self) { self.go_on_reading(); });
  }

  void go_on_reading() {
    if (parser_->is_done()) return dispatch();
    deadline_ = Clock::now() + options().body_timeout;
    pump();
  }

  template <class Next>
  void send_continue(Next next) {
    static constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
    deadline_ = Clock::now() + options().write_timeout;
    boost::asio::async_write(stream_, boost::asio::buffer(kContinue),
                             [self = this->shared_from_this(), next](auto error, std::size_t) {
                               if (error) return self->end();
                               next(*self);
                             });
  }

  void read() {
    phase_ = Phase::reading;
    if (loop_.is_draining && !(parser_ && parser_->has_started())) return end();
    const bool is_idle = !parser_->has_started();
    if (is_idle) {
      deadline_ = Clock::now() + options().idle_timeout;
      has_header_deadline_ = false;
    } else if (!parser_->has_header() && !has_header_deadline_) {
      deadline_ = Clock::now() + options().header_timeout;
      has_header_deadline_ = true;
    }
    read_some([](Connection& self) { self.pump(); });
  }

  template <class Next>
  void read_some(Next next) {
    in_.erase(0, std::exchange(begin_, 0));
    if (chunk_.empty()) chunk_.resize(kFirstRead);
    stream_.async_read_some(
        boost::asio::buffer(chunk_), [self = this->shared_from_this(), next](auto error, std::size_t size) {
          if (self->timed_out_ && !self->is_ended_)
            return self->respond_and_close(Problem(ProblemCode::timeout, "the request took too long"));
          if (error) return self->end();
          self->in_.append(self->chunk_.data(), size);
          next(*self);
        });
  }

  void dispatch() {
    started_ = Clock::now();
    deadline_ = Clock::time_point::max();
    phase_ = Phase::working;
    Request& request = parser_->request();
    bytes_in_ = request.body.size();
    if (route_.route->lane == Lane::at_once) return respond(answer(loop_.shared.service, route_, request));
    keep_for_response();
    Job job{std::move(request), route_, [self = this->shared_from_this()](Response response) mutable {
              boost::asio::io_context& io = self->loop_.io;
              boost::asio::post(io, [self = std::move(self), response = std::move(response)]() mutable {
                self->respond(std::move(response));
              });
            }};
    if (!loop_.shared.pool.submit(job))
      respond(to_response(Problem(ProblemCode::busy, "too many requests wait; try again")));
  }

  // The request itself goes to the pool.
  void keep_for_response() {
    const Request& request = parser_->request();
    path_ = request.path();
    keep_alive_ = request.keep_alive;
    is_http_1_0_ = request.is_http_1_0;
    is_kept_ = true;
  }

  void respond_and_close(const Problem& problem) {
    started_ = Clock::now();
    timed_out_ = false;
    Response response = to_response(problem);
    response.close = true;
    respond(std::move(response));
  }

  void respond(Response response) {
    if (is_ended_) return;
    phase_ = Phase::writing;
    if (!is_kept_) keep_for_response();
    closes_ = response.close || !keep_alive_ || loop_.is_draining;
    record(response.status, response.body.size());
    write_head(head_, response,
               {.date = loop_.date, .closes = closes_, .is_http_1_0 = is_http_1_0_, .is_chunked = false});
    body_ = std::move(response.body);
    if (method_ == Method::head) body_.clear();
    deadline_ = Clock::now() + options().write_timeout;
    const std::array<boost::asio::const_buffer, 2> buffers{boost::asio::buffer(head_), boost::asio::buffer(body_)};
    boost::asio::async_write(stream_, buffers, [self = this->shared_from_this()](auto error, std::size_t) {
      if (error) return self->end();
      self->next_request();
    });
  }

  void record(int status, std::size_t bytes_out) {
    const auto duration = Clock::now() - started_;
    loop_.shared.service.metrics.count(route_.place(), status, duration);
    loop_.shared.log.add({.remote = remote_,
                          .method = method_name(method_),
                          .path = path_,
                          .status = status,
                          .bytes_in = bytes_in_,
                          .bytes_out = bytes_out,
                          .duration = duration});
  }

  void next_request() {
    if (closes_) return linger();
    parser_.reset();
    route_ = {};
    method_ = Method::other;
    bytes_in_ = 0;
    is_kept_ = false;
    has_header_deadline_ = false;
    bulk_.reset();
    body_.clear();
    if (chunk_.size() > kFirstRead) {
      chunk_.resize(kFirstRead);
      chunk_.shrink_to_fit();
    }
    pump();
  }

  // connection_bulk.h has these.
  void start_bulk();
  void read_bulk();
  void take_bulk();
  void answer_bulk(std::string piece, bool is_last);
  void add_results(const std::string& lines);
  void finish_bulk();
  void send_results();

  // The client may still be sending: closing at once would make its system discard the response.
  void linger() {
    constexpr std::chrono::seconds kLongest{2};
    phase_ = Phase::lingering;
    deadline_ = Clock::now() + kLongest;
    boost::system::error_code ignored;
    if constexpr (kIsTls) {
      stream_.async_shutdown([self = this->shared_from_this()](auto) { self->end(); });
    } else {
      socket().shutdown(Tcp::socket::shutdown_send, ignored);
      discard();
    }
  }

  void discard() {
    if (chunk_.empty()) chunk_.resize(kFirstRead);
    stream_.async_read_some(boost::asio::buffer(chunk_), [self = this->shared_from_this()](auto error, std::size_t) {
      if (error) return self->end();
      self->discard();
    });
  }

  void end() {
    if (std::exchange(is_ended_, true)) return;
    loop_.connections.erase(this);
    loop_.shared.service.metrics.connections.fetch_sub(1, std::memory_order_relaxed);
    boost::system::error_code ignored;
    socket().close(ignored);
  }

  Loop& loop_;
  Stream stream_;
  const std::string remote_;
  Phase phase_ = Phase::reading;
  Clock::time_point deadline_ = Clock::time_point::max(), write_deadline_ = Clock::time_point::max();
  bool is_ended_ = false, timed_out_ = false, has_header_deadline_ = false;

  std::vector<char> chunk_;  // what a read fills
  std::string in_;           // read; from begin_ on not parsed
  std::size_t begin_ = 0;
  std::optional<RequestParser> parser_;

  // Of the request.
  RouteMatch route_;
  Method method_ = Method::other;
  std::string path_;
  bool is_kept_ = false, keep_alive_ = false, is_http_1_0_ = false, closes_ = false;
  std::size_t bytes_in_ = 0;
  Clock::time_point started_{};
  std::string head_, body_;

  // Of a stream.
  std::shared_ptr<BulkStream> bulk_;
  std::string unsent_, sending_;  // framed as chunks
  bool is_sending_ = false, is_complete_ = false, is_paused_ = false;
  std::size_t bytes_out_ = 0;
};

}  // namespace neardup::server
