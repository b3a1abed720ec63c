#include "text/html_text.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <utility>

#include "text/html_elements.h"
#include "text/html_tokens.h"
#include "text/html_writer.h"

namespace neardup::text {

namespace {

// Writes the text of a page, without blocks.
class FlatWriter {
 public:
  explicit FlatWriter(std::string& text) : writer_(text) {}
  void start(std::size_t expected_size) { writer_.start(expected_size); }
  void finish() { writer_.finish(); }
  void start_tag(const HtmlElement& element, const HtmlTokens&) { writer_.separate(element.around); }
  void end_tag(const HtmlElement& element) { writer_.separate(element.around); }
  void text(std::string_view text) { writer_.write(text); }
  void preformatted(std::string_view text) { writer_.write_preformatted(text); }

 private:
  TextWriter writer_;
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
    const auto begin = std::find_if_not(list.begin(), list.end(), is_html_space);
    const auto end = std::find_if(begin, list.end(), is_html_space);
    if (equal_html_names({begin, end}, lower_word)) return true;
    list = {end, list.end()};
  }
  return false;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_html_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_html_space(text.back())) text.remove_suffix(1);
  return text;
}

}  // namespace

struct PageReader::State {
  std::string_view html;
  Links links = Links::ignore;
  HtmlTokens tokens;
  LastEnds last_ends;
  PageFactsReader facts;
  OpenElements open_elements;
  std::string value;
  bool has_title = false, has_base = false;
  std::size_t preformatted = 0;  // how many such elements are open
  bool at_start_of_pre = false;  // where one line end is not shown

  void start(std::string_view page, Links wanted);
  // Hands the tags and texts that are shown to a writer, and what is not shown to `out`.
  template <class Writer>
  void flow(Writer, Page& out);
  template <class Writer>
  void give_text(Writer&);
  void enter(const HtmlElement&, Page& out);
  std::string_view attribute(std::string_view name);
  // What the text token says. Most need no decoding; where white space collapses, carriage returns do not matter.
  std::string_view text() {
    const std::string_view raw = tokens.raw();
    const auto has = [&](char c) { return std::memchr(raw.data(), c, raw.size()) != nullptr; };
    if (has('\0')) {
      value = tokens.text();
      std::erase(value, '\0');  // in a body it is nothing
      return value;
    }
    return has('&') || (preformatted > 0 && has('\r')) ? tokens.text() : raw;
  }
  void skip(const HtmlElement&);
  void read_json_ld();
  void read_title(std::string& title);
  void read_canonical(std::string& canonical);
  void read_base(std::string& base);
  void add_link(std::vector<std::string>& links);
};

void PageReader::State::start(std::string_view page, Links wanted) {
  html = page;
  links = wanted;
  tokens.start(html);
  last_ends.start(html);
  has_title = has_base = at_start_of_pre = false;
  preformatted = 0;
}

// The value of an attribute without spaces around it; empty when there is none.
std::string_view PageReader::State::attribute(std::string_view name) {
  value.clear();
  tokens.append_attribute(value, name);
  return trimmed(value);
}

// Goes past the end tag of the element, or past the last one there is when it is opened more often than closed.
void PageReader::State::skip(const HtmlElement& element) {
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

void PageReader::State::read_json_ld() {
  tokens.enter(HtmlMode::script);
  while (tokens.next() && tokens.kind() != HtmlTokens::Kind::end_tag) facts.json_ld(tokens.raw());
}

void PageReader::State::read_title(std::string& title) {
  tokens.enter(HtmlMode::rcdata);
  const bool is_first = !std::exchange(has_title, true);
  TextWriter writer{title};
  if (is_first) writer.start(0);
  while (tokens.next() && tokens.kind() != HtmlTokens::Kind::end_tag) {
    if (is_first) writer.write(text());
  }
  if (is_first) writer.finish();
}

void PageReader::State::read_canonical(std::string& canonical) {
  if (canonical.empty() && has_word(attribute("rel"), "canonical")) canonical = attribute("href");
}

void PageReader::State::read_base(std::string& base) {
  if (has_base || !tokens.append_attribute(base, "href")) return;
  has_base = true;
  base = std::string{trimmed(base)};
}

void PageReader::State::add_link(std::vector<std::string>& found) {
  value.clear();
  if (tokens.append_attribute(value, "href")) found.push_back(value);
}

// What a start tag means besides separating words.
void PageReader::State::enter(const HtmlElement& element, Page& out) {
  switch (element.role) {
    case HtmlRole::shown:
    case HtmlRole::line_break:
      break;
    case HtmlRole::dropped:
      if (element.mode == HtmlMode::script && PageFactsReader::is_json_ld(tokens)) {
        read_json_ld();
      } else {
        skip(element);
      }
      break;
    case HtmlRole::foreign:
      if (!tokens.is_self_closing()) skip(element);
      break;
    case HtmlRole::preformatted:
      ++preformatted;
      at_start_of_pre = true;
      if (element.mode != HtmlMode::data) tokens.enter(element.mode);
      break;
    case HtmlRole::title:
      read_title(out.title);
      break;
    case HtmlRole::link:
      read_canonical(out.canonical);
      break;
    case HtmlRole::base:
      read_base(out.base);
      break;
    case HtmlRole::meta:
      facts.meta(tokens);
      break;
    case HtmlRole::time:
      facts.time(tokens);
      break;
    case HtmlRole::page:
      facts.html(tokens);
      break;
    case HtmlRole::anchor:
      if (links == Links::collect) add_link(out.links);
      break;
  }
}

template <class Writer>
void PageReader::State::give_text(Writer& writer) {
  std::string_view shown = text();
  if (preformatted == 0) {
    writer.text(shown);
    return;
  }
  if (std::exchange(at_start_of_pre, false) && shown.starts_with('\n')) shown.remove_prefix(1);
  writer.preformatted(shown);
}

template <class Writer>
void PageReader::State::flow(Writer writer, Page& out) {
  writer.start(html.size());
  while (tokens.next()) {
    switch (tokens.kind()) {
      case HtmlTokens::Kind::text:
        give_text(writer);
        break;
      case HtmlTokens::Kind::end_tag: {
        const HtmlElement& element = html_element(tokens.raw());
        writer.end_tag(element);
        if (element.role == HtmlRole::preformatted && preformatted > 0) --preformatted;
        break;
      }
      case HtmlTokens::Kind::start_tag: {
        const HtmlElement& element = html_element(tokens.raw());
        writer.start_tag(element, tokens);
        at_start_of_pre = false;
        if (element.role != HtmlRole::shown) enter(element, out);
        break;
      }
      case HtmlTokens::Kind::comment:
      case HtmlTokens::Kind::doctype:
        break;
    }
  }
  writer.finish();
}

PageReader::PageReader() : state_(std::make_unique<State>()) {}
PageReader::~PageReader() = default;

void PageReader::read(std::string_view html, Links links, Page& out, Blocks blocks) {
  out.title.clear();
  out.canonical.clear();
  out.base.clear();
  out.links.clear();
  out.blocks.clear();
  out.elements.clear();
  state_->start(html, links);
  state_->facts.start(out.facts);
  if (blocks == Blocks::ignore) {
    state_->flow(FlatWriter{out.text}, out);
  } else {
    state_->flow(BlockWriter{out.text, out.blocks, out.elements, state_->open_elements}, out);
  }
}

}  // namespace neardup::text
