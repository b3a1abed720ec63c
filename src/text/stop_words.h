// Which words of a language say little about what a text says?
#pragma once

#include <span>
#include <string_view>

namespace neardup::text {

// Articles, pronouns, prepositions, conjunctions, auxiliary verbs and a few adverbs: what fills every text of the
// language. Contractions are in their parts, as words are cut ("don't" is "don" and "t").
struct StopWordList {
  std::string_view code;   // ISO 639-1
  std::string_view name;   // in English
  std::string_view words;  // separated by white space
};
std::span<const StopWordList> stop_word_lists();

}  // namespace neardup::text
