#include "help.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <sstream>
#include <vector>

#include "console.h"
#include "topics.h"
#include "verbs.h"

namespace neardup::cli {
namespace {

std::string label_of(const FlagText& flag) {
  const std::string label = (flag.short_name.empty() ? "      " : "  " + flag.short_name + ", ") + flag.name;
  return flag.value.empty() ? label : label + " " + flag.value;
}

std::string text_of(const FlagText& flag) {
  return flag.fallback.empty() ? flag.help : fmt::format("{} [{}]", flag.help, flag.fallback);
}

// The flags that most runs need, in this order.
constexpr std::array kEveryday{"--queries", "--output",   "--force",    "--text",    "--id",        "--lines",
                               "--format",  "--against",  "--features", "--measure", "--threshold", "--distance",
                               "--keep",    "--clusters", "--show",     "--sort",    "--first",     "--diff",
                               "--memory",  "--threads",  "--quiet",    "--json"};

std::size_t everyday_place(const FlagText& flag) {
  return static_cast<std::size_t>(std::ranges::find(kEveryday, flag.name) - kEveryday.begin());
}

// Of a flag's help what comes first, as much as fits.
std::string in_short(FlagText flag, std::size_t columns) {
  std::string& text = flag.help;
  text.resize(std::min({text.size(), text.find(';'), text.find(" ("), text.find(". ")}));
  if (text_of(flag).size() <= columns) return text_of(flag);
  if (text.size() <= columns) return text;
  text.resize(text.rfind(' ', columns - 4));
  return text + " ...";
}

HelpColumns columns_of_terminal() {
  constexpr std::size_t kLeast = 60, kMost = 100;
  return {.width = std::clamp(stdout_columns(), kLeast, kMost)};
}

}  // namespace

std::string help_line(const std::string& label, const std::string& text, const HelpColumns& columns) {
  std::string out = fmt::format("{:<{}}", label, columns.label);
  std::size_t column = columns.label;
  if (label.size() >= columns.label && columns.label > 0) out += fmt::format("\n{:{}}", "", columns.label);
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (column > columns.label && column + 1 + word.size() > columns.width) {
      out += fmt::format("\n{:{}}", "", columns.label);
      column = columns.label;
    }
    if (column > columns.label) {
      out += ' ';
      ++column;
    }
    out += word;
    column += word.size();
  }
  return out + "\n";
}

std::string program_help() {
  std::string out = "neardup finds near-duplicate documents and keeps one of each.\n\nExamples:\n";
  out += "  neardup dedup pages.jsonl                    report the near-duplicates of a file\n";
  out += "  neardup dedup pages.jsonl -o kept.jsonl      write one of each\n";
  out += "  neardup dedup notes/ -o out                  also write what was removed, and why\n";
  out += "  neardup pairs pages.jsonl -o pairs.csv       list every similar pair with its score\n\nVerbs:\n";
  for (const Verb* verb : working_verbs()) out += help_line(fmt::format("  {}", verb->text.name), verb->text.summary);
  out += "\nTopics:\n";
  for (const Topic& topic : topics()) out += help_line("  help " + topic.name, topic.summary);
  return out +
         "\nneardup VERB -h lists the everyday flags of a verb, --help all of them. neardup man prints the man page,\n"
         "neardup completions SHELL a completion script, neardup --version --verbose the libraries in use.\n";
}

std::string verb_help(const VerbDescription& verb) {
  const VerbText& text = verb.text;
  std::string out = fmt::format("neardup {}: {}\n\nExamples:\n", text.name, text.summary);
  for (const char* example : text.examples) out += fmt::format("  {}\n", example);
  out += fmt::format("\nUsage: neardup {} {}", text.name, text.arguments);
  out += verb.groups.empty() ? "\n" : " [flags]        (defaults in brackets)\n";
  for (const FlagGroup& group : verb.groups) {
    out += fmt::format("\n{}:\n", group.heading);
    std::vector<FlagText> flags = group.flags;
    std::ranges::stable_sort(flags, {}, everyday_place);
    for (const FlagText& flag : flags) out += help_line(label_of(flag), text_of(flag), columns_of_terminal());
  }
  return out;
}

std::string short_verb_help(const VerbDescription& verb) {
  constexpr std::size_t kExamples = 3;
  std::string out = fmt::format("neardup {}: {}\n\n", verb.text.name, verb.text.summary);
  for (const char* example : std::span(verb.text.examples).first(std::min(kExamples, verb.text.examples.size())))
    out += fmt::format("  {}\n", example);
  std::vector<FlagText> everyday;
  for (const FlagGroup& group : verb.groups)
    for (const FlagText& flag : group.flags)
      if (group.heading != kFinderGroup && everyday_place(flag) < kEveryday.size()) everyday.push_back(flag);
  std::ranges::stable_sort(everyday, {}, everyday_place);
  out += fmt::format("\nUsage: neardup {} {} [flags]\n\n", verb.text.name, verb.text.arguments);
  const HelpColumns columns = columns_of_terminal();
  for (const FlagText& flag : everyday)
    out += help_line(label_of(flag), in_short(flag, columns.width - columns.label), columns);
  return out + fmt::format("\nneardup {} --help shows all flags and what they mean.\n", verb.text.name);
}

}  // namespace neardup::cli
