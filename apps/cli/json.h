// How does a summary become one JSON object?
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

namespace neardup::cli {

// Builds objects and arrays in the order of the calls. Texts are escaped; what is no UTF-8 becomes U+FFFD.
class Json {
 public:
  Json& begin_object(std::string_view key = {}) { return open(key, '{'); }
  Json& end_object() { return close('}'); }
  Json& begin_array(std::string_view key = {}) { return open(key, '['); }
  Json& end_array() { return close(']'); }

  Json& text(std::string_view key, std::string_view value);
  Json& number(std::string_view key, std::unsigned_integral auto value) { return literal(key, std::to_string(value)); }
  Json& decimal(std::string_view key, double value);  // the shortest digits that say it
  Json& boolean(std::string_view key, bool value) { return literal(key, value ? "true" : "false"); }
  Json& null(std::string_view key) { return literal(key, "null"); }
  // Without a key: an element of an array.
  Json& element(std::string_view text_value) { return text({}, text_value); }

  [[nodiscard]] const std::string& str() const { return out_; }

 private:
  Json& open(std::string_view key, char bracket);
  Json& close(char bracket);
  Json& literal(std::string_view key, std::string_view value);
  void name(std::string_view key);

  std::string out_;
  bool first_ = true;
};

}  // namespace neardup::cli
