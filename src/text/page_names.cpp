#include "text/page_names.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

#include "base/ascii.h"

namespace neardup::text {

namespace {

using base::lower;

constexpr std::size_t kMaxWord = 40;  // longer words are not names of anything we know

struct NameRule {
  std::string_view word;
  PageHint hint;
  bool is_prefix = false;  // any word that begins so
};

constexpr PageHint kWeak = PageHint::weak, kStrong = PageHint::strong;
constexpr bool kPrefix = true;

// Sorted by first letter. Of two rules that fit a word the stronger one counts.
constexpr NameRule kNames[] = {
    {"ad", kWeak},
    {"ads", kWeak},
    {"adbox", kWeak},
    {"adslot", kWeak},
    {"advert", kWeak, kPrefix},
    {"also", kWeak},
    {"attribution", kWeak},
    {"author", kWeak, kPrefix},
    {"bio", kWeak},
    {"breadcrumb", kWeak, kPrefix},
    {"byline", kWeak},
    {"callout", kWeak},
    {"caption", kWeak},
    {"captions", kWeak},
    {"carousel", kWeak},
    {"catlinks", kWeak},
    {"comment", kStrong},
    {"commentlist", kStrong},
    {"comments", kStrong},
    {"consent", kStrong},
    {"cookie", kStrong},
    {"cookies", kStrong},
    {"copyright", kStrong},
    {"correction", kWeak},
    {"credit", kWeak},
    {"credits", kWeak},
    {"date", kWeak},
    {"dateline", kWeak},
    {"disclaimer", kWeak},
    {"disqus", kStrong, kPrefix},
    {"editsection", kWeak},
    {"factbox", kWeak},
    {"feedback", kWeak},
    {"figcaption", kWeak},
    {"follow", kWeak, kPrefix},
    {"foot", kWeak},
    {"footer", kStrong},
    {"gallery", kWeak},
    {"gdpr", kStrong},
    {"hidden", kWeak},
    {"infobox", kWeak},
    {"inset", kWeak},
    {"interstitial", kWeak},
    {"keywords", kWeak},
    {"login", kWeak},
    {"masthead", kWeak},
    {"menu", kWeak, kPrefix},
    {"meta", kWeak},
    {"metadata", kWeak},
    {"modal", kStrong},
    {"more", kWeak, kPrefix},
    {"mostpopular", kWeak},
    {"mostread", kWeak},
    {"nav", kWeak, kPrefix},
    {"newsletter", kStrong, kPrefix},
    {"noprint", kWeak},
    {"outbrain", kStrong},
    {"overlay", kWeak},
    {"pager", kWeak},
    {"pagination", kWeak},
    {"paywall", kWeak},
    {"player", kWeak},
    {"poll", kWeak},
    {"popular", kWeak},
    {"popup", kWeak},
    {"printfooter", kWeak},
    {"printonly", kWeak},
    {"privacy", kStrong},
    {"promo", kWeak, kPrefix},
    {"pubdate", kWeak},
    {"pullquote", kWeak},
    {"rail", kWeak},
    {"readmore", kWeak},
    {"readnext", kWeak},
    {"recirc", kWeak, kPrefix},
    {"recommend", kStrong, kPrefix},
    {"related", kStrong, kPrefix},
    {"replies", kWeak},
    {"respond", kWeak},
    {"screenreader", kWeak, kPrefix},
    {"seealso", kWeak},
    {"share", kWeak, kPrefix},
    {"sharing", kWeak},
    {"sidebar", kStrong},
    {"signup", kWeak},
    {"skip", kWeak, kPrefix},
    {"slideshow", kWeak},
    {"social", kWeak, kPrefix},
    {"sponsor", kWeak, kPrefix},
    {"sronly", kWeak},
    {"subscri", kWeak, kPrefix},
    {"taboola", kStrong},
    {"tag", kWeak},
    {"taglist", kWeak},
    {"tags", kWeak},
    {"teaser", kWeak},
    {"teasers", kWeak},
    {"timestamp", kWeak},
    {"toc", kWeak},
    {"toolbar", kWeak},
    {"topics", kWeak},
    {"trending", kWeak},
    {"upnext", kWeak},
    {"visuallyhidden", kWeak},
    {"widget", kWeak, kPrefix},
};

struct LetterIndex {
  std::array<std::uint16_t, 27> first{};
  constexpr LetterIndex() {
    std::size_t at = 0;
    for (std::size_t letter = 0; letter < 26; ++letter) {
      first[letter] = static_cast<std::uint16_t>(at);
      while (at < std::size(kNames) && static_cast<std::size_t>(kNames[at].word[0] - 'a') == letter) ++at;
    }
    first[26] = static_cast<std::uint16_t>(at);
  }
};
constexpr LetterIndex kIndex;
static_assert(kIndex.first[26] == std::size(kNames), "kNames is sorted by first letter");

PageHint hint_of_word(std::string_view word) {
  const std::size_t letter = static_cast<std::size_t>(word[0] - 'a');
  PageHint hint = PageHint::none;
  for (std::size_t i = kIndex.first[letter]; i < kIndex.first[letter + 1]; ++i) {
    const NameRule& rule = kNames[i];
    if (rule.is_prefix ? word.starts_with(rule.word) : word == rule.word) hint = std::max(hint, rule.hint);
  }
  return hint;
}

// Cuts a name into words and asks about each, and about each together with the one before it.
class NameWords {
 public:
  void add(char raw) {
    const char c = lower(raw);
    if (c < 'a' || c > 'z') {
      end_word(raw == '-' || raw == '_');
      was_small_ = false;
      return;
    }
    if (c != raw && was_small_) end_word(true);
    was_small_ = c == raw;
    if (size_ < kMaxWord) word_[size_] = c;
    ++size_;
  }
  PageHint finish() {
    end_word(false);
    return hint_;
  }

 private:
  void end_word(bool joins_next) {
    if (size_ > 0 && size_ <= kMaxWord) {
      const std::string_view word{word_.data(), size_};
      add_word(word);
      const bool fits = before_size_ > 0 && before_size_ + size_ <= kMaxWord;
      if (fits) {
        std::copy(word.begin(), word.end(), before_.data() + before_size_);
        add_word({before_.data(), before_size_ + size_});
      }
      std::copy(word.begin(), word.end(), before_.data());
    }
    before_size_ = joins_next && size_ <= kMaxWord ? size_ : 0;
    size_ = 0;
  }

  void add_word(std::string_view word) { hint_ = std::max(hint_, hint_of_word(word)); }

  std::array<char, kMaxWord> word_{}, before_{};
  std::size_t size_ = 0, before_size_ = 0;
  bool was_small_ = false;
  PageHint hint_ = PageHint::none;
};

bool is_any_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::ranges::find(words, word) != words.end();
}

PageHint hint_of_tag(std::string_view tag) {
  if (is_any_of(tag, {"button", "select", "textarea", "option"})) return PageHint::control;
  if (is_any_of(tag, {"nav", "footer", "aside", "dialog", "menu"})) return PageHint::strong;
  if (is_any_of(tag, {"figure", "figcaption", "form", "fieldset", "caption"})) return PageHint::weak;
  return PageHint::none;
}

bool hides(std::string_view style) {
  std::array<char, 32> window{};  // the last letters, without white space, in lower case
  constexpr std::string_view kNone = "display:none", kHidden = "visibility:hidden";
  std::size_t size = 0;
  for (const char c : style) {
    if (is_html_space(c)) continue;
    if (size == window.size()) {
      std::copy(window.begin() + 1, window.end(), window.begin());
      --size;
    }
    window[size++] = lower(c);
    const std::string_view seen{window.data(), size};
    if (seen.ends_with(kNone) || seen.ends_with(kHidden)) return true;
  }
  return false;
}

}  // namespace

PageHint hint_of_name(std::string_view raw) {
  NameWords words;
  for (const char c : raw) words.add(c);
  return words.finish();
}

// Attributes other than class and id; most elements have none.
PageHint PageHints::of_attributes(const PageElement& element) {
  const std::size_t known = element.tag.size() + element.classes.size() + element.id.size();
  if (element.start_tag.size() < known + 8) return PageHint::none;
  tokens_.start(element.start_tag);
  if (!tokens_.next()) return PageHint::none;
  PageHint hint = PageHint::none;
  for (const HtmlAttribute& attribute : tokens_.attributes()) {
    const std::string_view name = attribute.name, value = attribute.value;
    if (equal_html_names(name, "style")) {
      if (hides(value)) hint = PageHint::strong;
    } else if (equal_html_names(name, "hidden")) {
      if (!equal_html_names(value, "false")) hint = PageHint::strong;
    } else if (equal_html_names(name, "aria-hidden")) {
      if (equal_html_names(value, "true")) hint = PageHint::strong;
    } else if (equal_html_names(name, "role")) {
      for (const std::string_view role :
           {"navigation", "banner", "contentinfo", "complementary", "search", "dialog", "menu"}) {
        if (equal_html_names(value, role)) hint = PageHint::strong;
      }
      is_article_ |= equal_html_names(value, "main");
    } else if (equal_html_names(name, "itemprop")) {
      is_article_ |= value.find("articleBody") != std::string_view::npos;
    }
  }
  return hint;
}

PageHint PageHints::of(const PageElement& element) {
  is_article_ = is_any_of(element.tag, {"article", "main"});
  const PageHint attributes = of_attributes(element);
  if (attributes == PageHint::strong) return attributes;
  if (is_any_of(element.tag, {"article", "main", "html", "body", "blockquote"})) return PageHint::none;
  const PageHint tag = hint_of_tag(element.tag);
  if (tag != PageHint::none) return tag;
  const PageHint names = std::max(hint_of_name(element.classes), hint_of_name(element.id));
  // Rows are called after what they list.
  return element.tag == "tr" && names == PageHint::weak ? PageHint::none : names;
}

}  // namespace neardup::text
