// Where are the words of a text, and which of them are equal after folding?
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace neardup::text {

struct WordPlace {
  std::uint32_t start;  // of the word unchanged, with the signs that lean on it; 0 for the first
  std::uint64_t hash;   // of the folded word
};

// In text order. The text is valid UTF-8 of less than 4 GiB; time is linear in it.
std::vector<WordPlace> word_places(std::string_view text);

}  // namespace neardup::text
