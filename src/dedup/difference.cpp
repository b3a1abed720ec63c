#include "dedup/difference.h"

#include <algorithm>
#include <string>
#include <vector>

#include "base/utf8.h"
#include "text/word_places.h"

namespace neardup::dedup {
namespace {

constexpr std::size_t kPassageCodePoints = 300;
constexpr std::size_t kLeadBytes = 80;  // of what both have before the difference

std::string_view beginning(std::string_view text) {
  std::size_t end = 0;
  for (std::size_t points = 0; end < text.size(); ++end) {
    if (!base::is_continuation(text[end]) && points++ == kPassageCodePoints) break;
  }
  return text.substr(0, end);
}

class Side {
 public:
  explicit Side(std::string_view text) : text_(text), words_(text::word_places(text)) {}

  [[nodiscard]] const std::vector<text::WordPlace>& words() const { return words_; }
  [[nodiscard]] std::size_t start(std::size_t word) const {
    return word < words_.size() ? words_[word].start : text_.size();
  }

  // From word `first` on; `differs` becomes the place of word `differing` in it.
  [[nodiscard]] std::string passage(std::size_t first, std::size_t differing, std::size_t& differs) const {
    const std::string mark = first > 0 ? "…" : "";
    differs = mark.size() + start(differing) - start(first);
    return mark + std::string(beginning(text_.substr(start(first))));
  }

 private:
  std::string_view text_;
  std::vector<text::WordPlace> words_;
};

}  // namespace

void show_difference(TextAtHand removed, TextAtHand kept, Example& out) {
  const Side a(removed.text), b(kept.text);
  const auto [differs, other] =
      std::ranges::mismatch(a.words(), b.words(), {}, &text::WordPlace::hash, &text::WordPlace::hash);
  const auto word = static_cast<std::size_t>(differs - a.words().begin());
  const bool a_ends = differs == a.words().end(), b_ends = other == b.words().end();
  const bool is_whole = removed.is_whole && kept.is_whole;
  if (is_whole ? a_ends && b_ends : a_ends || b_ends) {
    using Same = Example::Same;
    out.same = !is_whole ? Same::beginning : removed.text == kept.text ? Same::text : Same::words;
    out.removed_text = beginning(removed.text);
    out.kept_text = beginning(kept.text);
    return;
  }
  std::size_t first = word;
  while (first > 0 && a.start(word) - a.start(first - 1) <= kLeadBytes) --first;
  out.removed_text = a.passage(first, word, out.removed_differs);
  out.kept_text = b.passage(first, word, out.kept_differs);
}

}  // namespace neardup::dedup
