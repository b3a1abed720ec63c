// neardup help, man, completions: the verbs that tell about the others.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "completions.h"
#include "console.h"
#include "help.h"
#include "manual.h"
#include "neardup/error.h"
#include "topics.h"
#include "verbs.h"
#include "words.h"

namespace neardup::cli {
namespace {

const VerbText kHelpText{.name = "help",
                         .summary = "show help for a verb or topic",
                         .examples = {"neardup help", "neardup help dedup", "neardup help formats"},
                         .arguments = "[VERB|TOPIC]"};
const VerbText kManText{
    .name = "man", .summary = "print the man page (roff)", .examples = {"neardup man | man -l -"}, .arguments = ""};
const VerbText kCompletionsText{
    .name = "completions",
    .summary = "print a shell completion script",
    .examples = {"source <(neardup completions bash)", "neardup completions zsh > ~/.zfunc/_neardup",
                 "neardup completions fish > ~/.config/fish/completions/neardup.fish"},
    .arguments = "SHELL"};

VerbDescription describe_help() {
  VerbDescription out{.text = kHelpText, .groups = {}, .argument_words = verb_names()};
  const Words names = names_of(topics());
  out.argument_words.insert(out.argument_words.end(), names.begin(), names.end());
  return out;
}
VerbDescription describe_man() { return {.text = kManText, .groups = {}}; }
VerbDescription describe_completions() {
  return {.text = kCompletionsText, .groups = {}, .argument_words = completion_shells()};
}

// False when help was asked for and has been printed. These verbs have no flags besides.
bool parse_words(const VerbDescription& verb, const Arguments& arguments, std::size_t most) {
  for (const std::string& word : arguments) {
    if (word == "-h" || word == "--help") {
      print_data(verb_help(verb));
      return false;
    }
    if (word.starts_with('-')) usage(fmt::format("{} has no flag {}", verb.text.name, word));
  }
  if (arguments.size() > most)
    usage(fmt::format("unexpected: {}",
                      fmt::join(arguments.begin() + static_cast<std::ptrdiff_t>(most), arguments.end(), " ")));
  return true;
}

int run_help(const Arguments& arguments) {
  if (!parse_words(describe_help(), arguments, 1)) return kDone;
  if (arguments.empty()) {
    print_data(program_help());
    return kDone;
  }
  const std::string& word = arguments.front();
  if (const Verb* verb = verb_named(word)) {
    print_data(verb_help(verb->describe()));
    return kDone;
  }
  const std::vector<Topic> all = topics();
  const auto topic = std::find_if(all.begin(), all.end(), [&](const Topic& one) { return one.name == word; });
  if (topic == all.end()) {
    usage(fmt::format("there is no help topic {}{} (neardup help lists verbs and topics)", word,
                      did_you_mean(word, describe_help().argument_words)));
  }
  print_data(topic_help(*topic));
  return kDone;
}

std::vector<VerbDescription> all_verbs() {
  std::vector<VerbDescription> out;
  for (const Verb* verb : verbs()) out.push_back(verb->describe());
  return out;
}

int run_man(const Arguments& arguments) {
  if (parse_words(describe_man(), arguments, 0)) print_data(manual(all_verbs(), topics()));
  return kDone;
}

int run_completions(const Arguments& arguments) {
  const VerbDescription verb = describe_completions();
  if (!parse_words(verb, arguments, 1)) return kDone;
  if (arguments.empty()) usage(fmt::format("completions needs a SHELL: {}", either(verb.argument_words)));
  const std::string& shell = arguments.front();
  check_choice("completions", shell, verb.argument_words);
  print_data(completions(shell, all_verbs()));
  return kDone;
}

}  // namespace

const Verb kHelp{kHelpText, describe_help, run_help};
const Verb kMan{kManText, describe_man, run_man};
const Verb kCompletions{kCompletionsText, describe_completions, run_completions};

}  // namespace neardup::cli
