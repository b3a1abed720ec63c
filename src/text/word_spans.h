// Which bytes of a text does each of its words come from?
//
// Folding changes lengths, composes marks and may turn one character into several words, so the words of the folded
// text have no simple place in the text as it stands. Folding treats a text in segments (a code point that starts
// independently of those before it, and those that do not); a word begins with the segment of its first character and
// ends with that of its last.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace neardup::text {

struct WordSpan {
  std::uint32_t begin, end;  // bytes of the text; two words of one character overlap
};

// Exactly the words of the folded text, in order. If `folded` is not null it becomes these words, a space between two.
// The text is valid UTF-8 of less than 4 GiB; time is linear in it.
void word_spans(std::string_view text, std::vector<WordSpan>& out, std::string* folded = nullptr);

// Whether a text may be cut before the byte at `at`: not within a character, and not before a mark or a joiner that
// belongs to the character before it. Precondition: at <= text.size().
bool may_cut_before(std::string_view text, std::size_t at);

}  // namespace neardup::text
