// Who may send which request?
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "http.h"
#include "routes.h"

namespace neardup::server {

// Tokens and what each allows. They are known by their SHA-256 only.
class Tokens {
 public:
  Tokens() = default;
  // A line each: read, write or admin, then the SHA-256 of the token as 64 hexadecimal digits; the rest of a line is a
  // comment, as are lines that start with #. `name` is used in messages. Throws Error{usage}.
  Tokens(std::string_view text, std::string_view name);

  [[nodiscard]] bool empty() const { return tokens_.empty(); }
  // What the token allows; Access::open: nothing. Takes the same time whichever token it is.
  [[nodiscard]] Access access(std::string_view token) const;

 private:
  using Digest = std::array<unsigned char, 32>;
  struct Entry {
    Digest digest{};
    Access access = Access::read;
  };
  std::vector<Entry> tokens_;
};

// Refuses requests that a browser sends on behalf of another site, or to another name than the server's, and those
// without the token that the route needs.
class Guard {
 public:
  // `hosts`: names in Host headers that are accepted besides IP addresses and localhost. `scheme`: http or https.
  Guard(Tokens tokens, std::vector<std::string> hosts, std::string scheme);

  // Throws Problem. To be called as soon as the header is there.
  void check(const Request&, const Route&) const;

 private:
  void check_host(const Request&) const;
  void check_origin(const Request&, const Route&) const;
  void check_token(const Request&, const Route&) const;

  Tokens tokens_;
  std::vector<std::string> hosts_;
  std::string scheme_;
};

}  // namespace neardup::server
