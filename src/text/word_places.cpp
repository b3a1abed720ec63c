#include "text/word_places.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <array>
#include <string>

#include "base/ascii.h"
#include "base/utf8.h"
#include "simd/dispatch.h"
#include "text/fold.h"
#include "text/fold_table.h"

namespace neardup::text {
namespace {

enum class Role {
  separator,
  ignored,    // folds to nothing, and does not end a word
  mark,       // belongs to what is before it
  letter,     // belongs to a word with its neighbours
  spaceless,  // a word of its own, with its marks
};

Role role_of(char32_t c) {
  const FoldEntry& entry = FoldTable::of(Spacing::words).entry(c);
  if ((entry.flags & FoldEntry::kLong) != 0) return Role::letter;
  if ((entry.flags & FoldEntry::kEndsSpaceless) != 0) return Role::spaceless;
  const std::string_view folded(entry.bytes.data(), entry.length);
  if (folded.empty()) return Role::ignored;
  if (folded.find_first_not_of(' ') == std::string_view::npos) return Role::separator;
  return (entry.flags & FoldEntry::kOnlyMarks) != 0 ? Role::mark : Role::letter;
}

constexpr bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

// Cuts a text unchanged into words, each with the signs that lean on it.
class WordCutter {
 public:
  explicit WordCutter(std::string_view text) : text_(text), folder_(Spacing::words, simd::kernels()) {
    for (char32_t c = 0; c < ascii_.size(); ++c) ascii_[c] = role_of(c);
  }

  std::vector<WordPlace> cut() {
    std::vector<WordPlace> words;
    const char *const begin = text_.data(), *const end = begin + text_.size();
    const char* lean = nullptr;  // behind the last blank since the last word
    for (const char* at = begin; at != end;) {
      const char* const first = at;
      const Role role = step(at, end);
      if (role == Role::separator || role == Role::ignored) {
        if (is_blank(*first)) lean = at;
        continue;
      }
      const char* last = at;  // behind the word, without what is ignored after it
      for (const char* next = at; next != end;) {
        const Role follows = step(next, end);
        const bool joins = follows == Role::mark || (follows == Role::letter && role != Role::spaceless);
        if (!joins && follows != Role::ignored) break;
        if (joins) last = next;
      }
      words.push_back({.start = static_cast<std::uint32_t>((lean != nullptr ? lean : first) - begin),
                       .hash = hash({first, static_cast<std::size_t>(last - first)})});
      at = last;
      lean = nullptr;
    }
    if (!words.empty()) words.front().start = 0;
    return words;
  }

 private:
  Role step(const char*& at, const char* end) const {
    if (base::is_ascii(*at)) return ascii_[static_cast<unsigned char>(*at++)];
    return role_of(base::decode(at, end));
  }

  std::uint64_t hash(std::string_view word) {
    folded_.clear();
    for (const char c : folder_.fold(word)) {
      if (c != ' ' || (!folded_.empty() && folded_.back() != ' ')) folded_ += c;
    }
    if (folded_.ends_with(' ')) folded_.pop_back();
    return XXH3_64bits(folded_.data(), folded_.size());
  }

  std::string_view text_;
  Folder folder_;
  std::array<Role, 128> ascii_{};
  std::string folded_;
};

}  // namespace

std::vector<WordPlace> word_places(std::string_view text) { return WordCutter(text).cut(); }

}  // namespace neardup::text
