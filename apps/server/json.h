// How does the service write JSON? Compact, straight into one string.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace neardup::server {

// Appends `text` in quotes. Bytes that are not valid UTF-8 become U+FFFD.
void append_json_string(std::string& out, std::string_view text);

class Json {
 public:
  Json() = default;
  // Writes behind this text.
  explicit Json(std::string start) : text_(std::move(start)) {}
  // After a whole value: what follows is another line.
  Json& end_line() {
    text_ += '\n';
    needs_comma_ = false;
    return *this;
  }

  Json& begin_object();
  Json& end_object();
  Json& begin_array();
  Json& end_array();
  // The name of the member that comes next; a literal that needs no escapes.
  Json& key(std::string_view name);
  // The same for any name.
  Json& escaped_key(std::string_view name);

  Json& value(std::string_view text);
  Json& value(const std::string& text) { return value(std::string_view(text)); }
  Json& value(const char* text) { return value(std::string_view(text)); }
  Json& value(double number);  // the shortest text that reads back as the same number
  Json& null();
  // JSON as it stands.
  Json& raw(std::string_view json);
  template <std::integral T>
  Json& value(T number) {
    if constexpr (std::same_as<T, bool>) {
      return raw(number ? "true" : "false");
    } else {
      return integer(static_cast<std::uint64_t>(number), std::signed_integral<T> && number < T{0});
    }
  }
  template <class T>
  Json& value(const std::optional<T>& maybe) {
    return maybe ? value(*maybe) : null();
  }
  template <class T>
  Json& member(std::string_view name, const T& content) {
    return key(name).value(content);
  }

  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  void separate();
  Json& integer(std::uint64_t bits, bool is_negative);

  std::string text_;
  bool needs_comma_ = false;
};

}  // namespace neardup::server
