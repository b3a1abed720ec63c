// Which words may users type where one of several is asked for, and which one did they mean?
//
// Helps, completions, manuals and forms are made from these lists, so that they cannot fall behind the parsers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace neardup {

struct Choice {
  std::string name;     // the word
  std::string summary;  // what it means, on one line
};
std::vector<Choice> measure_choices();
std::vector<Choice> weights_choices();
std::vector<Choice> numbers_choices();
std::vector<Choice> html_choices();
std::vector<Choice> projection_choices();
std::vector<Choice> cluster_choices();
std::vector<Choice> keep_choices();  // with FIELD and VALUE where the user's own words go: "max:FIELD"
std::vector<Choice> clean_mode_choices();
std::vector<Choice> query_selection_choices();

struct FormatChoice {
  std::string name, summary;
  std::vector<std::string> endings;  // ".jsonl", ...
};
std::vector<FormatChoice> format_choices();

// The candidate nearest to a mistyped word, whatever their case; empty when none is near. Cheap for long lists.
std::string nearest(std::string_view word, const std::vector<std::string>& candidates);
// The end of a message about such a word: "; did you mean text?", or nothing.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace neardup
