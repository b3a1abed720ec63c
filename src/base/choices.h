// How are the words of a table of choices read and written?
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/choice.h"

namespace neardup::base {

// The end of a message about a mistyped word: "; did you mean text?", or nothing.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates);

// Throws Error{usage}: `option` was set to `word`, which is none of `names`.
[[noreturn]] void refuse_choice(std::string_view option, std::string_view word, const std::vector<std::string>& names);

template <class Value>
Value parse_choice(std::string_view option, std::string_view word, std::span<const Choice<Value>> choices) {
  std::vector<std::string> names;
  for (const Choice<Value>& choice : choices) {
    if (choice.name == word) return choice.value;
    names.emplace_back(choice.name);
  }
  refuse_choice(option, word, names);
}

// The name of a value, which is in the table.
template <class Value>
std::string choice_name(Value value, std::span<const Choice<Value>> choices) {
  for (const Choice<Value>& choice : choices) {
    if (choice.value == value) return std::string(choice.name);
  }
  return {};
}

}  // namespace neardup::base
