// Which parameters does a URL have?
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace neardup::server {

// The parameters behind the question mark. Every handler takes those it knows, then calls finish(), so that a mistyped
// one is an error and not silently ignored. All members throw Problem{bad_request}.
class Query {
 public:
  explicit Query(std::string_view query);

  std::optional<std::string> text(std::string_view name);
  std::uint64_t number(std::string_view name, std::uint64_t fallback, std::uint64_t least, std::uint64_t most);
  // One of the words; the first one when it is not given. Returns its place.
  std::size_t choice(std::string_view name, std::initializer_list<std::string_view> words);
  void finish() const;

 private:
  std::vector<std::pair<std::string, std::string>> parameters_;
};

// Decimal digits only, without leading zeros.
std::optional<std::uint64_t> parse_decimal(std::string_view);

}  // namespace neardup::server
