#include "text/html_tokens.h"

#include <algorithm>
#include <cstring>

#include "base/ascii.h"
#include "base/utf8.h"
#include "text/html_references.h"

namespace neardup::text {

namespace {

using base::lower;

bool is_letter(char c) { return lower(c) >= 'a' && lower(c) <= 'z'; }
bool ends_tag_name(char c) { return is_html_space(c) || c == '/' || c == '>'; }

// Where the byte is from `at` on, or the end.
std::size_t find(std::string_view text, char c, std::size_t at) {
  if (at >= text.size()) return text.size();
  const void* const found = std::memchr(text.data() + at, c, text.size() - at);
  return found == nullptr ? text.size() : static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
}

bool stands_at(std::string_view text, std::size_t at, std::string_view lower_name) {
  return text.size() - at >= lower_name.size() && equal_html_names(text.substr(at, lower_name.size()), lower_name);
}

enum class Null { keep, replace };
enum class References { none, text, attribute };

// One pass; each byte is looked at once, those of a reference twice.
void append_decoded(std::string& out, std::string_view raw, References references, Null null) {
  std::size_t kept = 0;
  for (std::size_t at = 0; at < raw.size();) {
    const char c = raw[at];
    if (c == '&' && references != References::none) {
      const Reference reference =
          read_reference(raw.substr(at), references == References::text ? ReferenceIn::text : ReferenceIn::attribute);
      if (reference.length != 0) {
        out.append(raw, kept, at - kept).append(reference.utf8, reference.size);
        kept = at += reference.length;
        continue;
      }
    } else if (c == '\r') {
      out.append(raw, kept, at - kept) += '\n';
      kept = at + (at + 1 < raw.size() && raw[at + 1] == '\n' ? 2 : 1);
      at = kept;
      continue;
    } else if (c == '\0' && null == Null::replace) {
      out.append(raw, kept, at - kept).append(base::kReplacementUtf8);
      kept = at + 1;
    }
    ++at;
  }
  out.append(raw, kept);
}

}  // namespace

void append_html_name(std::string& out, std::string_view raw) {
  for (const char c : raw) {
    if (c == '\0') {
      out += base::kReplacementUtf8;
    } else {
      out += lower(c);
    }
  }
}

bool equal_html_names(std::string_view raw, std::string_view lower_name) {
  return std::equal(raw.begin(), raw.end(), lower_name.begin(), lower_name.end(),
                    [](char c, char expected) { return lower(c) == expected; });
}

void HtmlTokens::start(std::string_view html, HtmlMode mode, std::string_view element) {
  html_ = html;
  at_ = 0;
  mode_ = mode;
  element_ = element;
  is_foreign_ = false;
  raw_ = {};
  attributes_.clear();
}

void HtmlTokens::enter(HtmlMode mode) {
  mode_ = mode;
  element_ = raw_;
}

bool HtmlTokens::next() { return mode_ == HtmlMode::data ? next_in_data() : next_raw(); }

bool HtmlTokens::give(Kind kind, std::size_t begin, std::size_t end) {
  kind_ = kind;
  raw_ = html_.substr(begin, end - begin);
  return true;
}

bool HtmlTokens::next_in_data() {
  while (at_ < html_.size()) {
    const std::size_t begin = at_;
    for (;; ++at_) {
      at_ = find(html_, '<', at_);
      if (at_ + 1 >= html_.size()) {
        at_ = html_.size();
        break;
      }
      const char c = html_[at_ + 1];
      if (is_letter(c) || c == '!' || c == '?' || (c == '/' && at_ + 2 < html_.size())) break;
    }
    if (at_ != begin) {
      text_mode_ = HtmlMode::data;
      return give(Kind::text, begin, at_);
    }
    const char c = html_[at_ + 1];
    if (is_letter(c)) {
      at_ += 1;
      return read_tag(Kind::start_tag);
    }
    at_ += 2;
    if (c == '!') return read_declaration();
    if (c == '?') {
      at_ -= 1;
      return read_bogus_comment();
    }
    if (html_[at_] == '>') {
      at_ += 1;  // </> is nothing
      continue;
    }
    return is_letter(html_[at_]) ? read_tag(Kind::end_tag) : read_bogus_comment();
  }
  return false;
}

bool HtmlTokens::next_raw() {
  if (at_ >= html_.size()) return false;
  const std::size_t begin = at_;
  text_mode_ = mode_;
  if (mode_ == HtmlMode::plaintext) {
    at_ = html_.size();
    return give(Kind::text, begin, at_);
  }
  if (mode_ == HtmlMode::cdata) {
    mode_ = HtmlMode::data;
    const std::size_t end = std::min(html_.find("]]>", at_), html_.size());
    at_ = std::min(end + 3, html_.size());
    return end == begin ? next() : give(Kind::text, begin, end);
  }
  at_ = mode_ == HtmlMode::script ? find_script_close() : find_close();
  if (at_ != begin) return give(Kind::text, begin, at_);
  mode_ = HtmlMode::data;
  at_ += 2;
  return read_tag(Kind::end_tag);
}

// True when the end tag of the element is at `at`.
bool HtmlTokens::closes(std::size_t at) const {
  const std::size_t end = at + 2 + element_.size();
  if (element_.empty() || end >= html_.size() || html_[at + 1] != '/' || !ends_tag_name(html_[end])) return false;
  return std::equal(element_.begin(), element_.end(), html_.begin() + static_cast<std::ptrdiff_t>(at + 2),
                    [](char a, char b) { return lower(a) == lower(b); });
}

std::size_t HtmlTokens::find_close() const {
  std::size_t at = find(html_, '<', at_);
  while (at < html_.size() && !closes(at)) at = find(html_, '<', at + 1);
  return at;
}

// `<!--` hides the end tag when `<script` comes before it, until `-->` or `</script`.
std::size_t HtmlTokens::find_script_close() const {
  enum class Inside { script, comment, script_in_comment } inside = Inside::script;
  std::size_t dashes = 0;  // where the dashes of the comment begin
  for (std::size_t at = at_; at < html_.size(); ++at) {
    if (inside == Inside::script) {
      at = find(html_, '<', at);
    } else {
      while (at < html_.size() && html_[at] != '<' && html_[at] != '>') ++at;
    }
    if (at >= html_.size()) break;
    if (html_[at] == '>') {
      if (at >= dashes + 2 && html_[at - 1] == '-' && html_[at - 2] == '-') inside = Inside::script;
      continue;
    }
    constexpr std::string_view kScript = "script";
    const auto tag_at = [&](std::size_t name) {
      return name + kScript.size() < html_.size() && stands_at(html_, name, kScript) &&
             ends_tag_name(html_[name + kScript.size()]);
    };
    switch (inside) {
      case Inside::script:
        if (closes(at)) return at;
        if (html_.substr(at, 4) == "<!--") {
          inside = Inside::comment;
          dashes = at + 2;
          at += 3;
        }
        break;
      case Inside::comment:
        if (closes(at)) return at;
        if (tag_at(at + 1)) {
          inside = Inside::script_in_comment;
          at += kScript.size() + 1;
        }
        break;
      case Inside::script_in_comment:
        if (html_.substr(at, 2) == "</" && tag_at(at + 2)) {
          inside = Inside::comment;
          at += kScript.size() + 2;
        }
        break;
    }
  }
  return html_.size();
}

std::size_t HtmlTokens::skip_spaces(std::size_t at) const {
  while (at < html_.size() && is_html_space(html_[at])) ++at;
  return at;
}

// Reads a tag from its name on. One that the end of the page cuts off is not a tag.
bool HtmlTokens::read_tag(Kind kind) {
  const std::size_t begin = at_;
  std::size_t at = at_;
  while (at < html_.size() && !ends_tag_name(html_[at])) ++at;
  const std::size_t end = at;
  attributes_.clear();
  is_self_closing_ = false;
  while (at < html_.size() && html_[at] != '>') {
    if (is_html_space(html_[at])) {
      ++at;
    } else if (html_[at] == '/') {
      ++at;
      is_self_closing_ = at < html_.size() && html_[at] == '>';
    } else {
      at = read_attribute(at);
    }
  }
  at_ = at;
  if (at >= html_.size()) return false;
  ++at_;
  if (kind == Kind::end_tag) attributes_.clear();
  return give(kind, begin, end);
}

// An attribute from its name on; what follows it. Its name may begin with `=`.
std::size_t HtmlTokens::read_attribute(std::size_t at) {
  HtmlAttribute attribute;
  const std::size_t name = at++;
  while (at < html_.size() && !ends_tag_name(html_[at]) && html_[at] != '=') ++at;
  attribute.name = html_.substr(name, at - name);
  const std::size_t after = skip_spaces(at);
  if (after < html_.size() && html_[after] == '=') {
    at = skip_spaces(after + 1);
    if (at < html_.size() && (html_[at] == '"' || html_[at] == '\'')) {
      const std::size_t end = find(html_, html_[at], at + 1);
      attribute.value = html_.substr(at + 1, end - at - 1);
      at = std::min(end + 1, html_.size());
    } else {
      const std::size_t value = at;
      while (at < html_.size() && !is_html_space(html_[at]) && html_[at] != '>') ++at;
      attribute.value = html_.substr(value, at - value);
    }
  } else {
    at = after;
  }
  if (attributes_.size() < kMaxAttributes) attributes_.push_back(attribute);
  return at;
}

// After `<!`.
bool HtmlTokens::read_declaration() {
  if (html_.substr(at_, 2) == "--") {
    at_ += 2;
    return read_comment();
  }
  if (constexpr std::string_view kDoctype = "doctype"; stands_at(html_, at_, kDoctype)) {
    const std::size_t begin = at_ + kDoctype.size(), end = find(html_, '>', begin);
    is_cut_ = end == html_.size();
    at_ = is_cut_ ? end : end + 1;
    return give(Kind::doctype, begin, end);
  }
  if (is_foreign_ && html_.substr(at_, 7) == "[CDATA[") {
    at_ += 7;
    mode_ = HtmlMode::cdata;
    return next();
  }
  return read_bogus_comment();
}

// After `<!--`. Ends at `-->` or `--!>`, or at once at `>` or `->`.
bool HtmlTokens::read_comment() {
  const std::size_t begin = at_;
  is_cut_ = false;
  std::size_t end = begin;
  for (std::size_t at = find(html_, '>', begin); at < html_.size(); at = find(html_, '>', at + 1)) {
    const std::string_view inside = html_.substr(begin, at - begin);
    if (inside.ends_with("--!")) {
      end = at - 3;
    } else if (inside.ends_with("--")) {
      end = at - 2;
    } else if (!inside.empty() && inside != "-") {
      continue;
    }
    at_ = at + 1;
    return give(Kind::comment, begin, end);
  }
  is_cut_ = true;
  at_ = html_.size();
  std::string_view inside = html_.substr(begin);
  if (inside.ends_with("--!")) {
    inside.remove_suffix(3);
  } else {
    inside.remove_suffix(inside.ends_with("--") ? 2 : inside.ends_with('-') ? 1 : 0);
  }
  return give(Kind::comment, begin, begin + inside.size());
}

bool HtmlTokens::read_bogus_comment() {
  const std::size_t begin = at_, end = find(html_, '>', at_);
  is_cut_ = end == html_.size();
  at_ = is_cut_ ? end : end + 1;
  return give(Kind::comment, begin, end);
}

std::string_view HtmlTokens::text() {
  decoded_.clear();
  const bool is_text = kind_ == Kind::text;
  const bool has_references = is_text && (text_mode_ == HtmlMode::data || text_mode_ == HtmlMode::rcdata);
  const bool keeps_null = is_text && (text_mode_ == HtmlMode::data || text_mode_ == HtmlMode::cdata);
  append_decoded(decoded_, raw_, has_references ? References::text : References::none,
                 keeps_null ? Null::keep : Null::replace);
  return decoded_;
}

void HtmlTokens::append_value(std::string& out, std::string_view raw_value) {
  append_decoded(out, raw_value, References::attribute, Null::replace);
}

const HtmlAttribute* HtmlTokens::attribute(std::string_view name) const {
  const auto found = std::ranges::find_if(
      attributes_, [&](const HtmlAttribute& attribute) { return equal_html_names(attribute.name, name); });
  return found == attributes_.end() ? nullptr : &*found;
}

bool HtmlTokens::append_attribute(std::string& out, std::string_view name) const {
  const HtmlAttribute* const found = attribute(name);
  if (found != nullptr) append_value(out, found->value);
  return found != nullptr;
}

}  // namespace neardup::text
