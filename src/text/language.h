// In which script and in which language is a text written?
//
// The script comes from Unicode's Script property of its letters. The language comes from the script where only one is
// common in it, otherwise from the function words that fill every text of a language. A guess that is not clear is not
// made: short texts, lists of names and mixtures have no language here.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace neardup::text {

struct LanguageGuess {
  std::string script;    // of most letters, as Unicode calls it: "Latin", "Han"; empty: there are no letters
  std::string language;  // ISO 639-1; empty: unknown
};

// `utf8` is valid UTF-8. Examines the first 64 KB.
LanguageGuess guess_language(std::string_view utf8);

// "English" for "en"; the code itself when it is not known.
std::string language_name(std::string_view code);

}  // namespace neardup::text
