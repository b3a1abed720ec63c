// Which words does an option accept?
//
// Every enum that users name has one table of choices. Its parser, its to_string(), help texts, completions and
// forms are all made from that table.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace neardup {

template <class Value>
struct Choice {
  std::string_view name;  // the word
  Value value;
  std::string_view summary;  // what it means, on one line
};

// The candidate most similar to a mistyped word, ignoring case; empty when none is similar. Cheap for long lists.
std::string nearest(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace neardup
