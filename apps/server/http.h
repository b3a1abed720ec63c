// What is an HTTP request and its response, apart from bytes and sockets?
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace neardup::server {

enum class Method { get, head, post, remove, other };  // remove: DELETE

// A request whose header was read. Headers that the service does not use are not kept.
struct Request {
  Method method = Method::other;
  std::string target{};  // as it was sent
  bool is_http_1_0 = false;
  bool keep_alive = true;
  bool expects_continue = false;
  unsigned hosts = 0;  // number of Host headers
  std::string host{}, origin{}, fetch_site{}, authorization{};
  std::string content_type{}, content_encoding{};
  std::string accept{}, accept_encoding{}, if_none_match{};
  std::optional<std::uint64_t> content_length{};  // none: no body, or a chunked one
  bool has_body = false;
  std::string body{};  // decoded

  // The parts of the target, not decoded.
  [[nodiscard]] std::string_view path() const { return std::string_view(target).substr(0, target.find('?')); }
  [[nodiscard]] std::string_view query() const {
    const std::size_t mark = target.find('?');
    return mark == target.npos ? std::string_view() : std::string_view(target).substr(mark + 1);
  }
};

struct Response {
  int status = 200;
  std::string content_type = "application/json";
  std::string body{};
  std::vector<std::pair<std::string_view, std::string>> headers{};  // names are literals
  bool close = false;                                               // the connection ends after it
};

std::string_view reason_phrase(int status);

// "a%20b" is "a b". Nothing when an escape is broken.
std::optional<std::string> percent_decoded(std::string_view);
// The media type without parameters, in lower case: "text/html" of "Text/HTML; charset=utf-8".
std::string media_type(std::string_view content_type);
// Whether a list such as that of Accept-Encoding contains a word; "gzip;q=0" does not count.
bool lists_word(std::string_view list, std::string_view word);

}  // namespace neardup::server
