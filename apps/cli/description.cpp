#include "description.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <sstream>
#include <string_view>
#include <utility>

namespace neardup::cli {
namespace {

constexpr std::array kGroups{kInputGroup, kServiceGroup, kLogGroup,    kOutputGroup, kResultsGroup,   kDefinitionGroup,
                             kWordsGroup, kFinderGroup,  kPolicyGroup, kKeepGroup,   kAuthorityGroup, kRunGroup};

// add_value() has put them there.
std::vector<std::string> words_of(const CLI::Option& option) {
  std::vector<std::string> out;
  std::istringstream all(option.get_type_name());
  for (std::string word; std::getline(all, word, kWordSeparator);) out.push_back(word);
  return out.size() > 1 ? out : std::vector<std::string>{};  // alone it is CLI11's own name of a type
}

FlagText flag_text(const CLI::Option& option) {
  FlagText out;
  out.name = "--" + option.get_lnames().front();
  if (!option.get_snames().empty()) out.short_name = "-" + option.get_snames().front();
  out.value = option.get_option_text();
  out.help = option.get_description();
  out.fallback = option.get_default_str();
  out.words = words_of(option);
  out.repeats = option.get_items_expected_max() > 1;
  return out;
}

}  // namespace

bool FlagText::takes_path() const {
  constexpr std::array<std::string_view, 7> kPaths{"PATH", "FILE", "FILE.toml", "DIR", "INPUT", "LIST", "LOG"};
  return std::find(kPaths.begin(), kPaths.end(), value) != kPaths.end();
}

VerbDescription describe(const CLI::App& app, const VerbText& text) {
  VerbDescription out{.text = text, .groups = {}};
  for (const char* heading : kGroups) {
    FlagGroup group{.heading = heading, .flags = {}};
    for (const CLI::Option* option : app.get_options()) {
      if (option->get_group() == heading && !option->get_lnames().empty()) group.flags.push_back(flag_text(*option));
    }
    if (!group.flags.empty()) out.groups.push_back(std::move(group));
  }
  return out;
}

}  // namespace neardup::cli
