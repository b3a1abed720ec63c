// What may be done to texts and words before they become features, and what is there to choose from?
//
// TextRules themselves are part of a Definition; docs/algorithms/text.md says what each does, and in which order.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/context.h"
#include "neardup/definition.h"

namespace neardup {

// The words users type. Throws Error{usage} and says what is allowed.
Numbers parse_numbers(std::string_view);  // "keep", "fold", "drop"
std::string to_string(Numbers);
std::span<const Choice<Numbers>> numbers_choices();

// Words to leave out, folded: a language from stop_word_languages() by code or by name, or, when `name` has a slash or
// a dot, a file with one word a line (# begins a comment). Throws Error{usage} for a language that is not there and for
// a line that is not one word, Error{input} for a file that cannot be read.
std::vector<std::string> load_stop_words(const std::string& name, const Context&);
std::vector<std::string> stop_word_languages();  // "en", "english", "de", "german", ...

// Languages of TextRules::stem by name; ISO 639 codes are understood too.
std::vector<std::string> stem_languages();
bool has_stem_language(const std::string& name_or_code);

// Throws Error{usage} when an expression is wrong, a language is not there or a stop word is not one word.
void check_rules(const TextRules&);
// True when the rules change anything.
bool has_rules(const TextRules&);
// The rules on one line; rules with the same line do the same to every text. Of the stop words only their number and a
// hash. Empty when there are none.
std::string describe(const TextRules&);

}  // namespace neardup
