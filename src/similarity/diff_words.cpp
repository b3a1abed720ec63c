#include "base/numbering.h"
#include "similarity/word_diff.h"
#include "text/word_places.h"

namespace neardup::similarity {
namespace {

using WordNumbers = base::Numbering<std::uint64_t>;  // by hash

// Where the words of a text begin, then where it ends; words that are equal have equal numbers.
void cut(std::string_view text, WordNumbers& numbers, std::vector<std::uint32_t>& starts,
         std::vector<std::uint32_t>& words) {
  for (const text::WordPlace& word : text::word_places(text)) {
    starts.push_back(word.start);
    words.push_back(numbers.number(word.hash).first);
  }
  starts.push_back(static_cast<std::uint32_t>(text.size()));
}

DiffPart::Kind kind_of(const Edit& edit) {
  if (edit.a_begin == edit.a_end) return DiffPart::Kind::added;
  return edit.b_begin == edit.b_end ? DiffPart::Kind::removed : DiffPart::Kind::replaced;
}

}  // namespace

WordDiff diff_words(std::string_view a, std::string_view b, std::uint64_t max_steps, const Context& context) {
  WordDiff diff;
  WordNumbers numbers;
  std::vector<std::uint32_t> a_words, b_words;
  cut(a, numbers, diff.a_starts, a_words);
  cut(b, numbers, diff.b_starts, b_words);
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

}  // namespace neardup::similarity
