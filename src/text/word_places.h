// Where do the words of a text stand, and which of them are equal once folded?
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace neardup::text {

struct WordPlace {
  std::uint32_t start;  // of the word as it stands, with the signs that lean on it; 0 for the first
  std::uint64_t hash;   // of the folded word
};

// In text order. The text is valid UTF-8 of less than 4 GiB; time is linear in it.
std::vector<WordPlace> word_places(std::string_view text);

}  // namespace neardup::text
