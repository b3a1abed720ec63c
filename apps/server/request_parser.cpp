#include "request_parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/beast/http/basic_parser.hpp>
#include <limits>

#include "problem.h"

namespace neardup::server {
namespace {

namespace http = boost::beast::http;
using boost::beast::error_code;
using View = boost::beast::string_view;

std::string text(View view) { return {view.data(), view.size()}; }

Method method_of(http::verb verb) {
  switch (verb) {
    case http::verb::get:
      return Method::get;
    case http::verb::head:
      return Method::head;
    case http::verb::post:
      return Method::post;
    case http::verb::delete_:
      return Method::remove;
    default:
      return Method::other;
  }
}

[[noreturn]] void refuse(const error_code& error) {
  if (error == http::error::header_limit || error == http::error::buffer_overflow)
    throw Problem(ProblemCode::headers_too_large, "the header is longer than the server accepts");
  throw Problem(ProblemCode::bad_http, fmt::format("cannot read the request: {}", error.message()));
}

}  // namespace

class RequestParser::Parser final : public http::basic_parser<true> {
 public:
  explicit Parser(const RequestLimits& limits) : limits_(limits) {
    header_limit(limits.header_bytes);
    body_limit(boost::none);  // limit_body() is ours: it depends on the route
  }

  std::size_t take(std::string_view bytes) {
    std::size_t used = 0;
    while (!is_done()) {
      const bool had_header = is_header_done();
      error_code error;
      const std::size_t taken = put(boost::asio::const_buffer(bytes.data() + used, bytes.size() - used), error);
      used += taken;
      if (!had_header) count_header(taken);
      if (error == http::error::need_more) break;
      if (error) refuse(error);
      if (!had_header && is_header_done()) {
        finish_request_header();
        break;
      }
      if (used == bytes.size()) break;
    }
    return used;
  }

  void limit(std::uint64_t bytes) {
    most_body_ = bytes;
    if (request.content_length.value_or(request.body.size()) > bytes) too_large();
    if (request.content_length) request.body.reserve(static_cast<std::size_t>(*request.content_length) + kPadding);
  }

  Request request;

 private:
  // What simdjson wants behind a text.
  static constexpr std::size_t kPadding = 64;

  [[noreturn]] void too_large() const {
    throw Problem(ProblemCode::body_too_large, fmt::format("the body has more than {} bytes", most_body_));
  }

  // Beast limits what one call sees; this limits all of them together.
  void count_header(std::size_t bytes) {
    header_bytes_ += bytes;
    if (header_bytes_ > limits_.header_bytes) refuse(make_error_code(http::error::header_limit));
  }

  void finish_request_header() {
    request.keep_alive = keep_alive();
    if (const auto length = content_length()) request.content_length = *length;
    request.has_body = chunked() || request.content_length.value_or(0) != 0;
    if (request.hosts > 1) throw Problem(ProblemCode::bad_http, "more than one Host header");
    if (upgrade()) request.keep_alive = false;
  }

  std::size_t add_body(View piece) {
    if (piece.size() > most_body_ - std::min<std::uint64_t>(most_body_, request.body.size())) too_large();
    request.body.append(piece.data(), piece.size());
    return piece.size();
  }

  void on_request_impl(http::verb verb, View, View target, int version, error_code&) override {
    request.method = method_of(verb);
    request.target = text(target);
    request.is_http_1_0 = version == 10;
  }
  void on_response_impl(int, View, int, error_code&) override {}
  void on_field_impl(http::field name, View, View value, error_code& error) override {
    if (++fields_ > limits_.header_fields) {
      error = make_error_code(http::error::header_limit);
      return;
    }
    switch (name) {
      case http::field::host:
        ++request.hosts;
        request.host = text(value);
        break;
      case http::field::sec_fetch_site:
        request.fetch_site = text(value);
        break;
      case http::field::origin:
        request.origin = text(value);
        break;
      case http::field::authorization:
        request.authorization = text(value);
        break;
      case http::field::content_type:
        request.content_type = text(value);
        break;
      case http::field::content_encoding:
        request.content_encoding = text(value);
        break;
      case http::field::accept:
        request.accept = text(value);
        break;
      case http::field::accept_encoding:
        request.accept_encoding = text(value);
        break;
      case http::field::if_none_match:
        request.if_none_match = text(value);
        break;
      case http::field::expect:
        request.expects_continue = media_type(text(value)) == "100-continue";
        break;
      default:
        break;
    }
  }
  void on_header_impl(error_code&) override {}
  void on_body_init_impl(const boost::optional<std::uint64_t>&, error_code&) override {}
  std::size_t on_body_impl(View piece, error_code&) override { return add_body(piece); }
  void on_chunk_header_impl(std::uint64_t, View, error_code&) override {}
  std::size_t on_chunk_body_impl(std::uint64_t, View piece, error_code&) override { return add_body(piece); }
  void on_finish_impl(error_code&) override {}

  RequestLimits limits_;
  std::size_t header_bytes_ = 0, fields_ = 0;
  std::uint64_t most_body_ = std::numeric_limits<std::uint64_t>::max();
};

RequestParser::RequestParser(const RequestLimits& limits) : parser_(std::make_unique<Parser>(limits)) {}
RequestParser::~RequestParser() = default;
RequestParser::RequestParser(RequestParser&&) noexcept = default;
RequestParser& RequestParser::operator=(RequestParser&&) noexcept = default;

std::size_t RequestParser::put(std::string_view bytes) { return parser_->take(bytes); }
bool RequestParser::has_started() const { return parser_->got_some(); }
bool RequestParser::has_header() const { return parser_->is_header_done(); }
bool RequestParser::is_done() const { return parser_->is_done(); }
Request& RequestParser::request() { return parser_->request; }
void RequestParser::limit_body(std::uint64_t bytes) { parser_->limit(bytes); }

}  // namespace neardup::server
