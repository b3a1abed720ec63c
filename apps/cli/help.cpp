#include "help.h"

#include <fmt/format.h>

#include <sstream>

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
  out += "  neardup dedup notes/ -o out                  write also what was removed, and why\n";
  out += "  neardup pairs pages.jsonl -o pairs.csv       list every similar pair with its score\n\nVerbs:\n";
  for (const Verb* verb : working_verbs()) out += help_line(fmt::format("  {}", verb->text.name), verb->text.summary);
  out += "\nTopics:\n";
  for (const Topic& topic : topics()) out += help_line("  help " + topic.name, topic.summary);
  return out +
         "\nneardup VERB --help tells more. neardup man and neardup completions SHELL write the manual and what "
         "shells\n"
         "complete words with. neardup --version --verbose shows what this program is made of.\n";
}

std::string verb_help(const VerbDescription& verb) {
  const VerbText& text = verb.text;
  std::string out = fmt::format("neardup {}: {}\n\nExamples:\n", text.name, text.summary);
  for (const char* example : text.examples) out += fmt::format("  {}\n", example);
  out += fmt::format("\nUsage: neardup {} {}", text.name, text.arguments);
  out += verb.groups.empty() ? "\n" : " [flags]        (defaults in brackets)\n";
  for (const FlagGroup& group : verb.groups) {
    out += fmt::format("\n{}:\n", group.heading);
    for (const FlagText& flag : group.flags) out += help_line(label_of(flag), text_of(flag));
  }
  return out;
}

}  // namespace neardup::cli
