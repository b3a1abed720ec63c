// How do handlers read a small JSON object from a request?
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "http.h"

namespace neardup::server {

// An object of a request. Like Query: a handler takes the members it knows, then calls finish(). All members throw
// Problem{bad_request}; texts are valid UTF-8.
class JsonInput {
 public:
  // The body of a request, decompressed to at most `most_bytes`. Throws Problem.
  JsonInput(const Request&, std::uint64_t most_bytes);
  ~JsonInput();
  JsonInput(JsonInput&&) noexcept;
  JsonInput& operator=(JsonInput&&) noexcept;

  std::optional<std::string> text(std::string_view name);
  std::string required_text(std::string_view name);
  bool flag(std::string_view name, bool fallback);
  std::uint64_t number(std::string_view name, std::uint64_t fallback, std::uint64_t least, std::uint64_t most);
  std::vector<std::string> required_texts(std::string_view name, std::size_t most);
  // An object within; valid as long as this one.
  JsonInput required_object(std::string_view name);
  void finish() const;

 private:
  struct State;
  explicit JsonInput(std::unique_ptr<State>);
  std::unique_ptr<State> state_;
};

}  // namespace neardup::server
