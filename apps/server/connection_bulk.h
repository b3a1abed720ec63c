// A connection while it streams: reads a piece, has its lines answered, sends the results, and reads the next piece
// while they are being sent.
#pragma once

#include <fmt/format.h>

#include "connection.h"

namespace neardup::server {

template <class Stream>
void Connection<Stream>::start_bulk() {
  started_ = Clock::now();
  keep_for_response();
  try {
    bulk_ = std::make_shared<BulkStream>(loop_.shared.service, parser_->request());
  } catch (const Problem& problem) {
    Response response = to_response(problem);
    response.close = parser_->request().has_body;
    return respond(std::move(response));
  }
  closes_ = !keep_alive_;
  is_complete_ = is_paused_ = false;
  bytes_out_ = 0;
  std::string head;
  write_head(head, {.content_type = "application/x-ndjson"},
             {.date = loop_.date, .closes = closes_, .is_http_1_0 = false, .is_chunked = true});
  const bool sends_continue = parser_->request().expects_continue && !parser_->is_done();
  unsent_ = sends_continue ? "HTTP/1.1 100 Continue\r\n\r\n" + head : head;
  send_results();
  take_bulk();
}

template <class Stream>
void Connection<Stream>::read_bulk() {
  phase_ = Phase::reading;
  deadline_ = Clock::now() + options().body_timeout;
  read_some([](Connection& self) { self.take_bulk(); });
}

// Has what was read answered, or reads more.
template <class Stream>
void Connection<Stream>::take_bulk() {
  try {
    while (!parser_->is_done() && begin_ < in_.size()) {
      const std::size_t used = parser_->put(std::string_view(in_).substr(begin_));
      begin_ += used;
      if (used == 0) break;
    }
  } catch (const Problem& problem) {
    add_results(bulk_->refuse_rest(problem));
    return finish_bulk();
  }
  std::string piece = std::exchange(parser_->request().body, {});
  if (piece.empty() && !parser_->is_done()) return read_bulk();
  bytes_in_ += piece.size();
  answer_bulk(std::move(piece), parser_->is_done());
}

template <class Stream>
void Connection<Stream>::answer_bulk(std::string piece, bool is_last) {
  phase_ = Phase::working;
  deadline_ = Clock::time_point::max();
  loop_.shared.pool.run([self = this->shared_from_this(), piece = std::move(piece), is_last]() mutable {
    std::string results = self->bulk_->feed(piece, is_last);
    boost::asio::io_context& io = self->loop_.io;
    boost::asio::post(io, [self = std::move(self), results = std::move(results), is_last] {
      if (self->is_ended_) return;
      self->add_results(results);
      if (is_last || self->bulk_->is_broken()) return self->finish_bulk();
      if (self->loop_.is_draining) {
        self->add_results(self->bulk_->refuse_rest(Problem(ProblemCode::draining, "the server is shutting down")));
        return self->finish_bulk();
      }
      self->is_paused_ = self->unsent_.size() > kMostUnread;
      self->send_results();
      if (!self->is_paused_) self->take_bulk();
    });
  });
}

template <class Stream>
void Connection<Stream>::add_results(const std::string& lines) {
  if (lines.empty()) return;
  bytes_out_ += lines.size();
  unsent_ += fmt::format("{:x}\r\n", lines.size());
  unsent_ += lines;
  unsent_ += "\r\n";
}

template <class Stream>
void Connection<Stream>::finish_bulk() {
  phase_ = Phase::writing;
  deadline_ = Clock::time_point::max();
  // What follows a broken or unread stream cannot be understood.
  closes_ = closes_ || loop_.is_draining || !parser_->is_done();
  unsent_ += "0\r\n\r\n";
  is_complete_ = true;
  constexpr int kOk = 200;
  record(kOk, bytes_out_);
  send_results();
}

// Sends what there is, a piece at a time. Only a client that must read before it can go on has a deadline for it.
template <class Stream>
void Connection<Stream>::send_results() {
  if (is_sending_ || is_ended_) return;
  write_deadline_ = is_complete_ || is_paused_ ? Clock::now() + options().write_timeout : Clock::time_point::max();
  if (unsent_.empty()) {
    write_deadline_ = Clock::time_point::max();
    if (is_complete_) return next_request();
    if (std::exchange(is_paused_, false)) take_bulk();
    return;
  }
  sending_.assign(unsent_, 0, kPiece);
  unsent_.erase(0, sending_.size());
  is_sending_ = true;
  boost::asio::async_write(stream_, boost::asio::buffer(sending_),
                           [self = this->shared_from_this()](auto error, std::size_t) {
                             self->is_sending_ = false;
                             if (error) return self->end();
                             self->send_results();
                           });
}

}  // namespace neardup::server
