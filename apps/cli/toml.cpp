#include "toml.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "neardup/error.h"

namespace neardup::cli {
namespace {

bool is_key_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
}

class Parser {
 public:
  Parser(std::string_view text, std::string_view file) : text_(text), file_(file) {}

  std::vector<ConfigEntry> entries() {
    std::vector<ConfigEntry> out;
    for (skip_blank_lines(); at_ < text_.size(); skip_blank_lines()) {
      if (peek() == '[') {
        begin_table();
        continue;
      }
      ConfigEntry entry{.table = tables_.empty() ? "" : tables_.back(), .key = key(), .values = {}, .line = line_};
      const auto same = [&](const ConfigEntry& other) { return other.key == entry.key && other.table == entry.table; };
      if (std::any_of(out.begin(), out.end(), same)) fail(fmt::format("\"{}\" is given twice", entry.key));
      skip_spaces();
      if (peek() != '=') fail(fmt::format("expected `=` after \"{}\"", entry.key));
      ++at_;
      skip_spaces();
      values(entry.values);
      end_line("the value");
      out.push_back(std::move(entry));
    }
    return out;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw Error(ErrorCode::usage, fmt::format("{}:{}: {}", file_, line_, what));
  }

  [[nodiscard]] char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  void skip_spaces() {
    while (peek() == ' ' || peek() == '\t') ++at_;
  }
  void skip_comment() { at_ = std::min(text_.find('\n', at_), text_.size()); }
  void skip_blank_lines() {
    for (;; ++at_) {
      skip_spaces();
      if (peek() == '#') skip_comment();
      if (peek() == '\n') ++line_;
      if (peek() != '\n' && peek() != '\r') return;
    }
  }

  void end_line(const char* after) {
    skip_spaces();
    if (peek() == '#') skip_comment();
    if (peek() == '\r') ++at_;
    if (at_ < text_.size() && peek() != '\n') fail(fmt::format("expected the end of the line after {}", after));
  }

  // [name]
  void begin_table() {
    ++at_;
    skip_spaces();
    if (peek() == '[') fail("expected [VERB]: arrays of tables have no meaning here");
    std::string name = key();
    skip_spaces();
    if (peek() != ']') fail(fmt::format("expected `]` after \"{}\"", name));
    ++at_;
    end_line("the table's name");
    if (std::find(tables_.begin(), tables_.end(), name) != tables_.end())
      fail(fmt::format("[{}] is given twice", name));
    tables_.push_back(std::move(name));
  }

  std::string key() {
    if (peek() == '"' || peek() == '\'') return string();
    const std::size_t start = at_;
    while (is_key_character(peek())) ++at_;
    if (at_ == start) fail("expected the name of a flag");
    return std::string(text_.substr(start, at_ - start));
  }

  void values(std::vector<std::string>& out) {
    if (peek() != '[') {
      out.push_back(scalar());
      return;
    }
    ++at_;
    for (skip_blank_lines(); peek() != ']'; skip_blank_lines()) {
      out.push_back(scalar());
      skip_blank_lines();
      if (peek() == ',') {
        ++at_;
      } else if (peek() != ']') {
        fail("expected `,` or `]` in the array");
      }
    }
    ++at_;
  }

  std::string scalar() { return peek() == '"' || peek() == '\'' ? string() : bare(); }

  std::string string() {
    const char quote = text_[at_++];
    std::string out;
    for (;; ++at_) {
      if (at_ >= text_.size() || peek() == '\n') fail("the string does not end on its line");
      if (peek() == quote) break;
      if (peek() == '\\' && quote == '"') {
        ++at_;
        constexpr std::string_view kNames = "\"\\tnr";
        constexpr std::string_view kMeanings = "\"\\\t\n\r";
        const std::size_t known = at_ < text_.size() ? kNames.find(peek()) : std::string_view::npos;
        if (known == std::string_view::npos)
          fail("only \\\", \\\\, \\t, \\n and \\r are known after a backslash; 'single quotes' need none");
        out += kMeanings[known];
      } else {
        out += peek();
      }
    }
    ++at_;
    return out;
  }

  // true, false or a number; a number with an exponent becomes its shortest plain decimals.
  std::string bare() {
    const std::size_t start = at_;
    while (is_key_character(peek()) || peek() == '.' || peek() == '+') ++at_;
    std::string word(text_.substr(start, at_ - start));
    if (word == "true" || word == "false") return word;
    std::erase(word, '_');
    double number = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (word.empty() || error != std::errc{} || end != word.data() + word.size()) {
      fail("expected a number, true, false, or a text in quotes");
    }
    if (word.find_first_of("eE") == std::string::npos) return word;
    std::array<char, 400> buffer{};
    const auto done = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number, std::chars_format::fixed);
    return std::string(buffer.data(), done.ptr);
  }

  std::string_view text_, file_;
  std::size_t at_ = 0, line_ = 1;
  std::vector<std::string> tables_;  // so far; the last one is open
};

}  // namespace

std::vector<ConfigEntry> parse_toml(std::string_view text, std::string_view file) {
  return Parser(text, file).entries();
}

}  // namespace neardup::cli
