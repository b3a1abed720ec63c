#include "text/html_text.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include "text/html_elements.h"
#include "text/html_tokens.h"

namespace neardup::text {

namespace {

bool is_space(char c) {
  constexpr std::uint64_t kSpaces = 1ull << ' ' | 1ull << '\n' | 1ull << '\t' | 1ull << '\r' | 1ull << '\f';
  return static_cast<unsigned char>(c) <= ' ' && (kSpaces >> c & 1) != 0;
}

// Text in the making: white space collapses, and of several separators in a row the strongest is written, once
// something follows it.
class Writer {
 public:
  explicit Writer(std::string& out) : out_(out) {}

  void start(std::size_t expected_size) {
    size_ = 0;
    wanted_ = HtmlBreak::none;
    out_.resize(expected_size);
  }
  void finish() {
    while (size_ > 0 && is_space(out_[size_ - 1])) --size_;
    out_.resize(size_);
  }

  void separate(HtmlBreak by) { wanted_ = std::max(wanted_, by); }

  void write(std::string_view text) {
    const char* at = text.data();
    const char* const end = at + text.size();
    while (at != end) {
      const char* word = at;
      while (word != end && is_space(*word)) ++word;
      if (word != at) separate(HtmlBreak::space);
      if (word == end) return;
      // A word, and those after it as long as one space stands between them: what most text is.
      const char* last = word;
      for (;;) {
        while (last != end && !is_space(*last)) ++last;
        if (end - last < 2 || *last != ' ' || is_space(last[1])) break;
        ++last;
      }
      const auto length = static_cast<std::size_t>(last - word);
      reserve(length + 1);
      write_separator();
      std::memcpy(&out_[size_], word, length);
      size_ += length;
      at = last;
    }
  }

  void write_preformatted(std::string_view text) {
    if (text.empty()) return;
    reserve(text.size() + 1);
    write_separator();
    std::memcpy(&out_[size_], text.data(), text.size());
    size_ += text.size();
  }

 private:
  void reserve(std::size_t more) {
    if (out_.size() - size_ < more) out_.resize(std::max(size_ + more, 2 * out_.size()));
  }
  // There is room for it.
  void write_separator() {
    const HtmlBreak wanted = std::exchange(wanted_, HtmlBreak::none);
    if (wanted == HtmlBreak::none || size_ == 0 || out_[size_ - 1] == '\n') return;
    out_[size_++] = wanted == HtmlBreak::line ? '\n' : wanted == HtmlBreak::cell ? '\t' : ' ';
  }

  std::string& out_;
  std::size_t size_ = 0;
  HtmlBreak wanted_ = HtmlBreak::none;
};

// Where the last end tag of each dropped element stands. One that is never closed would hide the rest of the page; it
// is taken as a slip, and nothing is dropped. Each name is looked for once a page: looking at every start tag would be
// quadratic.
class LastEnds {
 public:
  void start(std::string_view html) {
    html_ = html;
    found_.clear();
  }
  std::size_t of(const HtmlElement& element) {
    for (const auto& [known, at] : found_) {
      if (known == &element) return at;
    }
    std::size_t at = html_.size();
    while ((at = html_.substr(0, at).rfind("</")) != std::string_view::npos) {
      const std::string_view name = html_.substr(at + 2, element.name.size());
      if (equal_html_names(name, element.name)) break;
    }
    const std::size_t last = at == std::string_view::npos ? 0 : at;
    found_.emplace_back(&element, last);
    return last;
  }

 private:
  std::string_view html_;
  std::vector<std::pair<const HtmlElement*, std::size_t>> found_;  // as many as there are such names: a few
};

bool has_word(std::string_view list, std::string_view lower_word) {
  while (!list.empty()) {
    const auto begin = std::find_if_not(list.begin(), list.end(), is_space);
    const auto end = std::find_if(begin, list.end(), is_space);
    if (equal_html_names({begin, end}, lower_word)) return true;
    list = {end, list.end()};
  }
  return false;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

}  // namespace

struct PageReader::State {
  HtmlTokens tokens;
  LastEnds last_ends;
  std::string value;

  // The value of an attribute without spaces around it; empty when there is none.
  std::string_view attribute(std::string_view name) {
    value.clear();
    tokens.append_attribute(value, name);
    return trimmed(value);
  }

  // What the text token says. Most need no decoding; where white space collapses, carriage returns do not matter.
  std::string_view text(bool is_preformatted) {
    const std::string_view raw = tokens.raw();
    const auto has = [&](char c) { return std::memchr(raw.data(), c, raw.size()) != nullptr; };
    if (has('\0')) {
      value = tokens.text();
      std::erase(value, '\0');  // in a body it is nothing
      return value;
    }
    return has('&') || (is_preformatted && has('\r')) ? tokens.text() : raw;
  }

  void skip(std::string_view html, const HtmlElement& element);
  void read_title(std::string& title, bool is_first);
};

// Goes past the end tag of the element, or past the last one there is when it is opened more often than closed.
void PageReader::State::skip(std::string_view html, const HtmlElement& element) {
  if (element.mode != HtmlMode::data) {
    tokens.enter(element.mode);
    while (tokens.next() && tokens.kind() != HtmlTokens::Kind::end_tag) continue;
    return;
  }
  const std::size_t last = last_ends.of(element);
  const bool is_foreign = element.role == HtmlRole::foreign;
  tokens.set_foreign(is_foreign);
  for (std::size_t depth = 1; depth > 0 && html.size() - tokens.rest().size() <= last && tokens.next();) {
    if (tokens.kind() != HtmlTokens::Kind::start_tag && tokens.kind() != HtmlTokens::Kind::end_tag) continue;
    const HtmlElement& inner = html_element(tokens.raw());
    if (&inner == &element) {
      if (tokens.kind() == HtmlTokens::Kind::end_tag) {
        --depth;
      } else if (!is_foreign || !tokens.is_self_closing()) {
        ++depth;
      }
    } else if (!is_foreign && tokens.kind() == HtmlTokens::Kind::start_tag && inner.mode != HtmlMode::data) {
      tokens.enter(inner.mode);
    }
  }
  tokens.set_foreign(false);
}

void PageReader::State::read_title(std::string& title, bool is_first) {
  tokens.enter(HtmlMode::rcdata);
  Writer writer{title};
  if (is_first) writer.start(0);
  while (tokens.next() && tokens.kind() != HtmlTokens::Kind::end_tag) {
    if (is_first) writer.write(text(false));
  }
  if (is_first) writer.finish();
}

PageReader::PageReader() : state_(std::make_unique<State>()) {}
PageReader::~PageReader() = default;

void PageReader::read(std::string_view html, Links links, Page& out) {
  State& state = *state_;
  HtmlTokens& tokens = state.tokens;
  out.title.clear();
  out.canonical.clear();
  out.base.clear();
  out.links.clear();
  Writer writer{out.text};
  writer.start(html.size());
  tokens.start(html);
  state.last_ends.start(html);

  bool has_title = false, has_base = false;
  std::size_t preformatted = 0;  // how many such elements are open
  bool at_start_of_pre = false;  // where one line end is not shown
  while (tokens.next()) {
    switch (tokens.kind()) {
      case HtmlTokens::Kind::text: {
        std::string_view text = state.text(preformatted > 0);
        if (preformatted == 0) {
          writer.write(text);
          break;
        }
        if (std::exchange(at_start_of_pre, false) && text.starts_with('\n')) text.remove_prefix(1);
        writer.write_preformatted(text);
        break;
      }
      case HtmlTokens::Kind::end_tag: {
        const HtmlElement& element = html_element(tokens.raw());
        writer.separate(element.around);
        if (element.role == HtmlRole::preformatted && preformatted > 0) --preformatted;
        break;
      }
      case HtmlTokens::Kind::start_tag: {
        const HtmlElement& element = html_element(tokens.raw());
        writer.separate(element.around);
        at_start_of_pre = false;
        switch (element.role) {
          case HtmlRole::shown:
            break;
          case HtmlRole::dropped:
            state.skip(html, element);
            break;
          case HtmlRole::foreign:
            if (!tokens.is_self_closing()) state.skip(html, element);
            break;
          case HtmlRole::preformatted:
            ++preformatted;
            at_start_of_pre = true;
            if (element.mode != HtmlMode::data) tokens.enter(element.mode);
            break;
          case HtmlRole::title:
            state.read_title(out.title, !std::exchange(has_title, true));
            break;
          case HtmlRole::link:
            if (out.canonical.empty() && has_word(state.attribute("rel"), "canonical")) {
              out.canonical = state.attribute("href");
            }
            break;
          case HtmlRole::base:
            if (!has_base && tokens.append_attribute(out.base, "href")) {
              has_base = true;
              out.base = std::string{trimmed(out.base)};
            }
            break;
          case HtmlRole::anchor:
            if (links == Links::ignore) break;
            state.value.clear();
            if (tokens.append_attribute(state.value, "href")) out.links.push_back(state.value);
            break;
        }
        break;
      }
      case HtmlTokens::Kind::comment:
      case HtmlTokens::Kind::doctype:
        break;
    }
  }
  writer.finish();
}

}  // namespace neardup::text
