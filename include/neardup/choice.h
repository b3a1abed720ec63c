// What can an option that takes one of several words be set to?
//
// Every enum that users name has one table of choices. Its parser, its to_string(), helps, completions and forms all
// come from that table.
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

// The candidate nearest to a mistyped word, whatever their case; empty when none is near. Cheap for long lists.
std::string nearest(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace neardup
