// When was a page published, by whom, in which language?
//
// As the page says it for machines: <html lang>, <meta>, <time datetime> and the JSON-LD that search engines read. Of
// several statements the most specific kind counts, and of one kind the first.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "text/html_tokens.h"

namespace neardup::text {

// Empty: the page does not say it. Values are as written, references decoded, without white space at their ends.
struct PageFacts {
  std::string date, author, language, url, title;
};

// Threads: one per thread. One object reads one page after the other.
class PageFactsReader {
 public:
  void start(PageFacts& out);
  // To be called at start tags of these elements.
  void html(const HtmlTokens&);
  void meta(const HtmlTokens&);
  void time(const HtmlTokens&);
  // Whether the text of this script is for json_ld().
  [[nodiscard]] static bool is_json_ld(const HtmlTokens& script);
  void json_ld(std::string_view json);

 private:
  enum class Fact : std::uint8_t { date, author, language, url, title };
  // `rank`: 1 is the most specific.
  void set(Fact, int rank, std::string_view value);

  PageFacts* out_ = nullptr;
  std::array<int, 5> ranks_{};  // of what is known; 0: nothing
  std::string value_, name_;
};

}  // namespace neardup::text
