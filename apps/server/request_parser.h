// How do bytes of a connection become a request?
//
//   RequestParser parser(limits);
//   buffer.erase(0, parser.put(buffer));  // again with more bytes until has_header(), then until is_done()
//
// Boost.Beast does the parsing, also of chunked bodies. Requests that two servers could read differently (two lengths,
// a length and chunks, two hosts) are refused.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "http.h"

namespace neardup::server {

struct RequestLimits {
  std::uint32_t header_bytes = 16 << 10;
  std::size_t header_fields = 100;
};

// Threads: one at a time.
class RequestParser {
 public:
  explicit RequestParser(const RequestLimits&);
  ~RequestParser();
  RequestParser(RequestParser&&) noexcept;
  RequestParser& operator=(RequestParser&&) noexcept;

  // Returns how many bytes were taken; the others must come again, followed by more. Stops once at the end of the
  // header, and at the end of the request. Throws Problem.
  std::size_t put(std::string_view bytes);
  [[nodiscard]] bool has_started() const;  // at least one byte was taken or examined
  [[nodiscard]] bool has_header() const;
  [[nodiscard]] bool is_done() const;

  // Complete, apart from the body, once has_header().
  [[nodiscard]] Request& request();
  // How large Request::body may become; to be called when the header is known. Throws Problem when it is too large
  // already.
  void limit_body(std::uint64_t bytes);

 private:
  class Parser;
  std::unique_ptr<Parser> parser_;
};

}  // namespace neardup::server
