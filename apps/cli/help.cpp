#include "help.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <sstream>

namespace neardup::cli {
namespace {

constexpr std::size_t kLabelWidth = 30;
constexpr std::size_t kWidth = 100;
constexpr std::array kGroups{kInputGroup, kOutputGroup, kDefinitionGroup, kFinderGroup, kKeepGroup, kRunGroup};

std::string label_of(const CLI::Option& option) {
  std::string label;
  for (const std::string& name : option.get_snames()) label += "-" + name + ", ";
  if (label.empty()) label = "    ";
  label += "--" + option.get_lnames().front();
  return option.get_option_text().empty() ? label : label + " " + option.get_option_text();
}

std::string text_of(const CLI::Option& option) {
  const std::string fallback = option.get_default_str();
  return fallback.empty() ? option.get_description() : fmt::format("{} [{}]", option.get_description(), fallback);
}

}  // namespace

std::string help_line(const std::string& label, const std::string& text) {
  std::string out = fmt::format("  {:<{}}", label, kLabelWidth - 2);
  std::size_t column = kLabelWidth;
  if (label.size() + 3 > kLabelWidth) out += fmt::format("\n{:{}}", "", kLabelWidth);
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (column > kLabelWidth && column + 1 + word.size() > kWidth) {
      out += fmt::format("\n{:{}}", "", kLabelWidth);
      column = kLabelWidth;
    }
    if (column > kLabelWidth) {
      out += ' ';
      ++column;
    }
    out += word;
    column += word.size();
  }
  return out + "\n";
}

std::string verb_help(const CLI::App& app, const VerbText& text) {
  std::string out = fmt::format("neardup {}: {}\n\nExamples:\n", text.name, text.summary);
  for (const char* example : text.examples) out += fmt::format("  {}\n", example);
  out += fmt::format("\nUsage: neardup {} {} [flags]        (defaults in brackets)\n", text.name, text.arguments);
  for (const char* group : kGroups) {
    const auto options = app.get_options(
        [&](const CLI::Option* option) { return option->get_group() == group && !option->get_lnames().empty(); });
    if (options.empty()) continue;
    out += fmt::format("\n{}:\n", group);
    for (const CLI::Option* option : options) out += help_line(label_of(*option), text_of(*option));
  }
  return out;
}

}  // namespace neardup::cli
