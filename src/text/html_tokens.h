// What are the tags and texts of a page, in order?
//
// The tokenizer of the HTML standard, except that nothing is copied or decoded before it is needed: a token is a view
// of the page. It goes forward only, so time is linear whatever the page contains; memory is kMaxAttributes
// attributes and one text. What is to be done with the tokens is another's business: text extraction is one use.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace neardup::text {

// How what follows is to be read. An element's name decides it (html_elements.h), so the reader of tokens does.
enum class HtmlMode : std::uint8_t {
  data,
  rcdata,     // references, but no tags: title, textarea
  rawtext,    // neither: style, xmp, iframe, ...
  script,     // like rawtext, with the rules for <!-- and <script in it
  plaintext,  // to the end of the page
  cdata,      // to ]]>
};

inline bool is_html_space(char c) {
  constexpr std::uint64_t kSpaces = 1ull << ' ' | 1ull << '\n' | 1ull << '\t' | 1ull << '\r' | 1ull << '\f';
  return static_cast<unsigned char>(c) <= ' ' && (kSpaces >> c & 1) != 0;
}

// Appends a name of a tag or attribute as the standard has it: ASCII in lower case, NUL as U+FFFD.
void append_html_name(std::string& out, std::string_view raw);

// `lower` is in lower case already.
bool equal_html_names(std::string_view raw, std::string_view lower);

struct HtmlAttribute {
  std::string_view name, value;  // as written in the page
};

// Threads: one per thread. The page must outlive its tokens.
class HtmlTokens {
 public:
  enum class Kind : std::uint8_t { text, start_tag, end_tag, comment, doctype };

  // More attributes than this in one tag are read but not kept.
  static constexpr std::size_t kMaxAttributes = 256;

  // Starts on a page of valid UTF-8; memory is reused. In a mode other than data, `element` is what closes it.
  void start(std::string_view html, HtmlMode = HtmlMode::data, std::string_view element = {});

  // Goes to the next token; false at the end of the page.
  bool next();

  Kind kind() const { return kind_; }
  // A text, a comment or the inside of a doctype as written in the page; the name of a tag as it is written there.
  std::string_view raw() const { return raw_; }
  // A text or comment with references decoded, line ends made \n, and NUL made U+FFFD where the standard says so (in
  // ordinary text it stays). Valid until the next call of next() or text().
  std::string_view text();
  // The token was cut off by the end of the page.
  bool is_cut() const { return is_cut_; }

  // Of a start tag; an end tag's attributes are dropped. A repeated name counts once: the first.
  std::span<const HtmlAttribute> attributes() const { return attributes_; }
  // Null when there is no such attribute. `name` is in lower case.
  const HtmlAttribute* attribute(std::string_view name) const;
  // False when there is no such attribute; else appends its value, decoded, to `out`. `name` is in lower case.
  bool append_attribute(std::string& out, std::string_view name) const;
  static void append_value(std::string& out, std::string_view raw_value);
  bool is_self_closing() const { return is_self_closing_; }

  // To be called at a start tag, when its element is not to be read as data. The mode ends with the element.
  void enter(HtmlMode);
  // Inside SVG and MathML there are <![CDATA[ sections.
  void set_foreign(bool foreign) { is_foreign_ = foreign; }
  // What was not yet read.
  std::string_view rest() const { return html_.substr(at_); }

 private:
  bool next_in_data();
  bool next_raw();
  bool give(Kind kind, std::size_t begin, std::size_t end);
  bool read_tag(Kind kind);
  bool read_declaration();
  bool read_comment();
  bool read_bogus_comment();
  std::size_t skip_spaces(std::size_t at) const;
  std::size_t read_attribute(std::size_t at);
  bool closes(std::size_t at) const;
  std::size_t find_close() const;
  std::size_t find_script_close() const;

  std::string_view html_;
  std::size_t at_ = 0;
  Kind kind_ = Kind::text;
  HtmlMode mode_ = HtmlMode::data;
  HtmlMode text_mode_ = HtmlMode::data;  // in which the text was read
  bool is_cut_ = false;
  bool is_self_closing_ = false;
  bool is_foreign_ = false;
  std::string_view raw_;
  std::string_view element_;  // whose end tag ends the mode
  std::vector<HtmlAttribute> attributes_;
  std::string decoded_;
};

}  // namespace neardup::text
