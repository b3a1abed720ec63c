// How does the service report failures? As application/problem+json (RFC 9457) with stable codes.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "http.h"
#include "neardup/error.h"

namespace neardup::server {

enum class ProblemCode {
  bad_request,
  bad_json,
  bad_encoding,  // a compressed body is damaged
  bad_http,
  unauthorized,
  forbidden,
  bad_host,
  bad_origin,
  not_found,
  method_not_allowed,
  timeout,
  conflict,
  body_too_large,
  headers_too_large,
  unsupported_media_type,
  invalid_document,  // the request is well-formed, but does not fit the index
  internal,
  busy,
  read_only,
  draining,
};

// Thrown where a request is refused, and turned into a response in one place.
class Problem : public std::runtime_error {
 public:
  // `option` is the setting of the index that it is about, `allow` the value of that header.
  Problem(ProblemCode code, const std::string& detail, std::string option = {}, std::string allow = {})
      : std::runtime_error(detail), code_(code), option_(std::move(option)), allow_(std::move(allow)) {}
  [[nodiscard]] ProblemCode code() const noexcept { return code_; }
  [[nodiscard]] const std::string& option() const noexcept { return option_; }
  [[nodiscard]] const std::string& allow() const noexcept { return allow_; }
  [[nodiscard]] int status() const noexcept;

 private:
  ProblemCode code_;
  std::string option_, allow_;
};

// What the library threw, as users of the service see it: no paths of the server.
Problem problem_of(const Error&);

std::string to_json(const Problem&);
// With the headers that its status requires.
Response to_response(const Problem&);

}  // namespace neardup::server
