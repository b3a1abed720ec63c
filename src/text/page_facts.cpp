#include "text/page_facts.h"

#include <algorithm>
#include <cstddef>

#include "base/ascii.h"
#include "base/utf8.h"

namespace neardup::text {

namespace {

constexpr std::size_t kMaxValue = 1000;  // bytes; longer values are not facts

// Reads JSON without building anything: strings with the key they belong to and how deep they are. Whatever is not
// JSON ends the reading. Linear; no recursion.
class JsonStrings {
 public:
  explicit JsonStrings(std::string_view json) : json_(json) {}

  // Goes to the next string; false at the end.
  bool next() {
    for (; at_ < json_.size(); ++at_) {
      const char c = json_[at_];
      if (c == '{' || c == '[') {
        ++depth_;
      } else if (c == '}' || c == ']') {
        --depth_;
      } else if (c == '"') {
        return read_string();
      }
    }
    return false;
  }
  [[nodiscard]] bool is_key() const { return is_key_; }
  [[nodiscard]] std::ptrdiff_t depth() const { return depth_; }
  [[nodiscard]] std::string_view raw() const { return raw_; }

 private:
  bool read_string() {
    const std::size_t begin = ++at_;
    while (at_ < json_.size() && json_[at_] != '"') at_ += json_[at_] == '\\' ? 2 : 1;
    if (at_ >= json_.size()) return false;
    raw_ = json_.substr(begin, at_ - begin);
    ++at_;
    while (at_ < json_.size() && is_html_space(json_[at_])) ++at_;
    is_key_ = at_ < json_.size() && json_[at_] == ':';
    return true;
  }

  std::string_view json_, raw_;
  std::size_t at_ = 0;
  std::ptrdiff_t depth_ = 0;
  bool is_key_ = false;
};

// The code unit that \uXXXX at the front of `text` represents; -1: there is none.
int code_unit(std::string_view text) {
  if (text.size() < 6 || text[0] != '\\' || text[1] != 'u') return -1;
  int unit = 0;
  for (const char c : text.substr(2, 4)) {
    const int digit = base::hex_value(c);
    if (digit < 0) return -1;
    unit = unit * 16 + digit;
  }
  return unit;
}

void append_unescaped(std::string& out, std::string_view raw) {
  while (!raw.empty()) {
    if (raw[0] != '\\' || raw.size() < 2) {
      out += raw[0];
      raw.remove_prefix(1);
    } else if (int unit = code_unit(raw); unit >= 0) {
      raw.remove_prefix(6);
      if (const int low = code_unit(raw); unit >= 0xD800 && unit < 0xDC00 && low >= 0xDC00 && low < 0xE000) {
        unit = 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
        raw.remove_prefix(6);
      }
      char utf8[4];
      const bool is_surrogate = unit >= 0xD800 && unit < 0xE000;
      out.append(utf8, base::encode(is_surrogate ? base::kReplacement : static_cast<char32_t>(unit), utf8));
    } else {
      const char c = raw[1];
      out += c == 'n' || c == 't' || c == 'r' || c == 'f' || c == 'b' ? ' ' : c;
      raw.remove_prefix(2);
    }
  }
}

struct MetaRule {
  std::string_view name;  // of property, name, itemprop or http-equiv, in lower case
  char fact;
  int rank;
};

constexpr MetaRule kMetaRules[] = {
    {"article:published_time", 'd', 1},
    {"datepublished", 'd', 1},
    {"og:published_time", 'd', 2},
    {"citation_publication_date", 'd', 2},
    {"dc.date", 'd', 3},
    {"dc.date.created", 'd', 3},
    {"dc.date.issued", 'd', 3},
    {"dcterms.created", 'd', 3},
    {"dcterms.date", 'd', 3},
    {"dcterms.issued", 'd', 3},
    {"date", 'd', 3},
    {"parsely-pub-date", 'd', 3},
    {"pubdate", 'd', 3},
    {"publish-date", 'd', 3},
    {"publish_date", 'd', 3},
    {"publishdate", 'd', 3},
    {"sailthru.date", 'd', 3},
    {"author", 'a', 1},
    {"article:author", 'a', 2},
    {"citation_author", 'a', 2},
    {"dc.creator", 'a', 2},
    {"dcterms.creator", 'a', 2},
    {"parsely-author", 'a', 3},
    {"sailthru.author", 'a', 3},
    {"content-language", 'l', 2},
    {"language", 'l', 2},
    {"dc.language", 'l', 2},
    {"og:locale", 'l', 3},
    {"og:url", 'u', 2},
    {"og:title", 't', 2},
};

}  // namespace

void PageFactsReader::start(PageFacts& out) {
  out.date.clear();
  out.author.clear();
  out.language.clear();
  out.url.clear();
  out.title.clear();
  out_ = &out;
  ranks_ = {};
}

void PageFactsReader::set(Fact fact, int rank, std::string_view value) {
  value = base::trimmed(value);
  int& known = ranks_[static_cast<std::size_t>(fact)];
  if (value.empty() || value.size() > kMaxValue || (known != 0 && known <= rank)) return;
  // An author that is an address is a profile, not a name.
  if (fact == Fact::author && (value.starts_with("http://") || value.starts_with("https://"))) return;
  known = rank;
  std::string& target = fact == Fact::date       ? out_->date
                        : fact == Fact::author   ? out_->author
                        : fact == Fact::language ? out_->language
                        : fact == Fact::url      ? out_->url
                                                 : out_->title;
  target = value;
  if (fact == Fact::language) std::ranges::replace(target, '_', '-');  // og:locale
}

void PageFactsReader::html(const HtmlTokens& tokens) {
  value_.clear();
  if (tokens.append_attribute(value_, "lang") || tokens.append_attribute(value_, "xml:lang"))
    set(Fact::language, 1, value_);
}

void PageFactsReader::meta(const HtmlTokens& tokens) {
  for (const std::string_view attribute : {"property", "name", "itemprop", "http-equiv"}) {
    const HtmlAttribute* const found = tokens.attribute(attribute);
    if (found == nullptr || found->value.size() > 40) continue;
    name_ = base::lowered(found->value);
    const auto rule = std::ranges::find(kMetaRules, name_, &MetaRule::name);
    if (rule == std::end(kMetaRules)) continue;
    value_.clear();
    tokens.append_attribute(value_, "content");
    const Fact fact = rule->fact == 'd'   ? Fact::date
                      : rule->fact == 'a' ? Fact::author
                      : rule->fact == 'l' ? Fact::language
                      : rule->fact == 'u' ? Fact::url
                                          : Fact::title;
    set(fact, rule->rank, value_);
  }
}

void PageFactsReader::time(const HtmlTokens& tokens) {
  value_.clear();
  if (!tokens.append_attribute(value_, "datetime")) return;
  const HtmlAttribute* const meaning = tokens.attribute("itemprop");
  const bool is_published = tokens.attribute("pubdate") != nullptr ||
                            (meaning != nullptr && equal_html_names(meaning->value, "datepublished"));
  set(Fact::date, is_published ? 1 : 5, value_);
}

bool PageFactsReader::is_json_ld(const HtmlTokens& script) {
  const HtmlAttribute* const type = script.attribute("type");
  return type != nullptr && base::starts_with_any_case(base::trimmed(type->value), "application/ld+json");
}

void PageFactsReader::json_ld(std::string_view json) {
  JsonStrings strings{json};
  std::string_view key;
  std::ptrdiff_t author_depth = -1;  // of the object that has an author, while that is read
  while (strings.next()) {
    if (author_depth >= 0 && strings.depth() <= author_depth && strings.is_key()) author_depth = -1;
    if (strings.is_key()) {
      key = strings.raw();
      if (key == "author") author_depth = strings.depth();
      continue;
    }
    const bool is_author = key == "author" || (key == "name" && author_depth >= 0);
    if (!is_author && key != "datePublished" && key != "inLanguage") continue;
    if (strings.raw().size() > kMaxValue) continue;
    value_.clear();
    append_unescaped(value_, strings.raw());
    set(is_author ? Fact::author : key == "datePublished" ? Fact::date : Fact::language, is_author ? 2 : 1, value_);
    if (key != "author") key = {};
  }
}

}  // namespace neardup::text
