#define XXH_INLINE_ALL
#include <xxhash.h>

#include <array>
#include <string>

#include "base/ascii.h"
#include "base/numbering.h"
#include "base/utf8.h"
#include "compare/word_diff.h"
#include "simd/dispatch.h"
#include "text/fold.h"
#include "text/fold_table.h"

namespace neardup::comparison {
namespace {

using WordNumbers = base::Numbering<std::uint64_t>;  // by hash

enum class Role {
  separator,
  ignored,    // folds to nothing, and does not end a word
  mark,       // belongs to what stands before it
  letter,     // belongs to a word with its neighbours
  spaceless,  // a word of its own, with its marks
};

Role role_of(char32_t c) {
  const text::FoldEntry& entry = text::FoldTable::of(text::Spacing::words).entry(c);
  if ((entry.flags & text::FoldEntry::kLong) != 0) return Role::letter;
  if ((entry.flags & text::FoldEntry::kEndsSpaceless) != 0) return Role::spaceless;
  const std::string_view folded(entry.bytes.data(), entry.length);
  if (folded.empty()) return Role::ignored;
  if (folded.find_first_not_of(' ') == std::string_view::npos) return Role::separator;
  return (entry.flags & text::FoldEntry::kOnlyMarks) != 0 ? Role::mark : Role::letter;
}

constexpr bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

// Cuts a text as it stands into words, each with the signs that lean on it.
class WordCutter {
 public:
  WordCutter(std::string_view text, WordNumbers& numbers)
      : text_(text), numbers_(numbers), folder_(text::Spacing::words, simd::kernels()) {
    for (char32_t c = 0; c < ascii_.size(); ++c) ascii_[c] = role_of(c);
  }

  void cut(std::vector<std::uint32_t>& starts, std::vector<std::uint32_t>& words) {
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
      starts.push_back(static_cast<std::uint32_t>((lean != nullptr ? lean : first) - begin));
      words.push_back(numbers_.number(hash({first, static_cast<std::size_t>(last - first)})).first);
      at = last;
      lean = nullptr;
    }
    if (!starts.empty()) starts.front() = 0;
    starts.push_back(static_cast<std::uint32_t>(text_.size()));
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
  WordNumbers& numbers_;
  text::Folder folder_;
  std::array<Role, 128> ascii_{};
  std::string folded_;
};

DiffPart::Kind kind_of(const Edit& edit) {
  if (edit.a_begin == edit.a_end) return DiffPart::Kind::added;
  return edit.b_begin == edit.b_end ? DiffPart::Kind::removed : DiffPart::Kind::replaced;
}

}  // namespace

WordDiff diff_words(std::string_view a, std::string_view b, std::uint64_t max_steps, const Context& context) {
  WordDiff diff;
  WordNumbers numbers;
  std::vector<std::uint32_t> a_words, b_words;
  WordCutter(a, numbers).cut(diff.a_starts, a_words);
  WordCutter(b, numbers).cut(diff.b_starts, b_words);
  const EditScript script = diff_sequences(a_words, b_words, numbers.size(), max_steps, context);
  diff.shortest = script.shortest;
  std::uint32_t i = 0, j = 0;
  const auto equal_up_to = [&](std::uint32_t a_end, std::uint32_t b_end) {
    if (i != a_end) diff.parts.push_back({DiffPart::Kind::equal, i, a_end, j, b_end});
    diff.equal_words += a_end - i;
  };
  for (const Edit& edit : script.edits) {
    equal_up_to(edit.a_begin, edit.b_begin);
    diff.parts.push_back({kind_of(edit), edit.a_begin, edit.a_end, edit.b_begin, edit.b_end});
    diff.removed_words += edit.a_end - edit.a_begin;
    diff.added_words += edit.b_end - edit.b_begin;
    i = edit.a_end;
    j = edit.b_end;
  }
  equal_up_to(static_cast<std::uint32_t>(a_words.size()), static_cast<std::uint32_t>(b_words.size()));
  return diff;
}

}  // namespace neardup::comparison
