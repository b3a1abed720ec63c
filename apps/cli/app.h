// How does a verb's command line become values, and mistakes become sentences?
#pragma once

#include <functional>
#include <memory>
#include <ranges>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;  // its header takes ten seconds to compile, so that only app.cpp and description.cpp include it
}

namespace neardup::cli {

// Headings of the help; help.cpp has their order.
inline constexpr const char* kInputGroup = "Input";
inline constexpr const char* kDefinitionGroup = "What counts as a near-duplicate";
inline constexpr const char* kWordsGroup = "Text preprocessing";
inline constexpr const char* kFinderGroup = "How pairs are found";
inline constexpr const char* kLogGroup = "Search log";
inline constexpr const char* kResultsGroup = "Search results";
inline constexpr const char* kPolicyGroup = "Clean-up policy";
inline constexpr const char* kKeepGroup = "Which document is kept";
inline constexpr const char* kAuthorityGroup = "Authority (PageRank or your own scores)";
inline constexpr const char* kEvaluateGroup = "Evaluation";
inline constexpr const char* kServiceGroup = "Service";
inline constexpr const char* kOutputGroup = "Output";
inline constexpr const char* kRunGroup = "General";

using Arguments = std::vector<std::string>;

// What one verb says about itself in its help.
struct VerbText {
  const char* name;
  const char* summary;                // one line
  std::vector<const char*> examples;  // whole commands
  const char* arguments = "INPUT...";
  const char* needs = "an INPUT: files, folders, globs, or - for standard input";
};

struct DeleteApp {
  void operator()(CLI::App*) const;
};
using App = std::unique_ptr<CLI::App, DeleteApp>;
// An application with the common help, and -h and --config. Its help shows `text`.
App make_app(const VerbText& text);

using Words = std::vector<std::string>;
// Of choices, which have names.
template <std::ranges::range Choices>
Words names_of(const Choices& choices) {
  Words out;
  for (const auto& choice : choices) out.emplace_back(choice.name);
  return out;
}

// The end of a message about a mistyped word: "; did you mean text?", or nothing.
std::string did_you_mean(std::string_view word, const Words& candidates);
// "a, b or c"; there are two or more.
std::string either(const Words&);
// Throws Error{usage}, with the nearest of the choices, when `value` is none of them; `what` was to be one.
void check_choice(std::string_view what, const std::string& value, const Words& choices);

// A flag with a value: `take` gets what the user typed and may throw Error{usage}. An empty `default_text` shows none.
struct ValueFlag {
  const char* names;  // "-o,--output"
  const char* value;  // PATH
  std::string help;
  std::string default_text = {};
  Words choices = {};      // the only values there are; others are refused before `take` sees them
  Words suggestions = {};  // some of the values, for completions
};
// Between the words of a flag in CLI11's name of its type.
inline constexpr char kWordSeparator = '|';
void add_value(CLI::App&, const char* group, const ValueFlag&, const std::function<void(const std::string&)>& take);

// A flag that may be repeated: `take` gets all values at once.
struct ListFlag {
  const char* name;
  const char* value;
  const char* help;
  std::string default_text = {};
  bool commas = true;  // whether they also separate values
};
void add_list(CLI::App&, const char* group, const ListFlag&, const std::function<void(const Words&)>& take);

// A flag without a value.
void add_switch(CLI::App&, const char* group, const char* name, const char* help, bool& on);
void add_switch(CLI::App&, const char* group, const char* name, const char* help, const std::function<void()>& take);

// The words that belong to no flag; there must be some.
void add_arguments(CLI::App&, const char* name, Words& out);

// Parses; false when help was asked for and has been printed. Throws Error{usage}.
bool parse(CLI::App&, const VerbText&, const Arguments&);
// The whole command line, for the record of a run.
Arguments command_of(const VerbText&, const Arguments&);

}  // namespace neardup::cli
