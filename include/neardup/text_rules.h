// How can texts and words be preprocessed, and which languages are supported?
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

// The names that users type. Throws Error{usage} and says what is allowed.
Numbers parse_numbers(std::string_view);  // "keep", "fold", "drop"
std::string to_string(Numbers);
std::span<const Choice<Numbers>> numbers_choices();

// Stop words, folded: a language from stop_word_languages() by code or by name, or, when `name` contains a slash or a
// dot, a file with one word per line (# begins a comment). Throws Error{usage} for an unknown language and for a line
// that is not a single word, Error{input} for a file that cannot be read.
std::vector<std::string> load_stop_words(const std::string& name, const Context&);
std::vector<std::string> stop_word_languages();  // "en", "english", "de", "german", ...

// Languages of TextRules::stem by name; ISO 639 codes are accepted too.
std::vector<std::string> stem_languages();
bool has_stem_language(const std::string& name_or_code);

// Throws Error{usage} for an invalid expression, an unknown language or a stop word that is not a single word.
void check_rules(const TextRules&);
// True when the rules change anything.
bool has_rules(const TextRules&);
// The rules on one line; rules with the same line have the same effect on every text. Stop words appear as their number
// and a hash. Empty when there are no rules.
std::string describe(const TextRules&);

}  // namespace neardup
