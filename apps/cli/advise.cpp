// neardup advise: look at a sample; say which threshold, distance and finder suit it, and what a run will cost.
#include "neardup/advise.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>

#include "advise_view.h"
#include "against_flags.h"
#include "console.h"
#include "flags.h"
#include "neardup/error.h"
#include "session.h"
#include "verbs.h"
#include "words.h"

namespace neardup::cli {
namespace {

const VerbText kText{
    .name = "advise",
    .summary = "look at a sample: which threshold, finder and settings suit it, and what a run will cost",
    .examples =
        {
            "neardup advise pages.jsonl",
            "neardup advise pages.jsonl --features words:5          advise on these features",
            "neardup advise abt.csv --text name --against buy.csv   settings for matching two tables",
            "neardup advise 'crawl/*.warc.gz' --json > advice.json",
        },
};

struct AdviseFlags {
  InputFlags input;
  AgainstFlags against;
  RunFlags run;
  FeatureSpec features;
  bool features_given = false;
  TextFlags text;
  AdviseOptions options;
  std::size_t width = 0;
  std::string colour = "auto";
  bool ascii = false;
};

void add_advice_flags(CLI::App& app, AdviseFlags& flags) {
  AdviseOptions& options = flags.options;
  add_value(app, kDefinitionGroup,
            {"--features",
             "KIND",
             "Features to compare: words, words:N or chars:N",
             "by the lengths of the texts",
             {},
             {"words", "words:3", "words:5", "chars:3"}},
            [&](const std::string& value) {
              flags.features = parse_features(value);
              flags.features_given = true;
            });
  add_value(app, kDefinitionGroup, {"-t,--threshold", "T", "Minimum Jaccard similarity to advise on", "suggested"},
            [&](const std::string& value) { options.threshold = parse_threshold(value); });
  add_text_flags(app, flags.text);
  add_value(app, kInputGroup,
            {"--examine", "SIZE", "Examine at most this much text; more is sampled",
             fmt::format("{}M", options.text_bytes >> 20)},
            [&](const std::string& value) {
              options.text_bytes = std::max<std::uint64_t>(1, parse_bytes("--examine", value));
            });
  add_value(
      app, kInputGroup,
      {"--read", "SIZE", "Read at most this much of the inputs, from the beginning of each file",
       fmt::format("{}G", options.read_bytes >> 30)},
      [&](const std::string& value) { options.read_bytes = std::max<std::uint64_t>(1, parse_bytes("--read", value)); });
  add_value(app, kOutputGroup, {"--width", "N", "Columns to fill", "the terminal's, else 80"},
            [&](const std::string& value) {
              constexpr std::uint64_t kLeast = 40, kMost = 1000;
              flags.width = parse_count("--width", value);
              if (flags.width < kLeast || flags.width > kMost)
                usage(fmt::format("--width {}: expected {} to {}", value, kLeast, kMost));
            });
  add_value(app, kOutputGroup, {"--color", "WHEN", "auto, always or never", flags.colour, {"auto", "always", "never"}},
            [&](const std::string& value) { flags.colour = value; });
  add_switch(app, kOutputGroup, "--ascii", "Draw plots with ASCII characters only", flags.ascii);
}

App command_line(AdviseFlags& flags) {
  auto app = make_app(kText);
  add_input_flags(*app, flags.input, Quarantine::none);
  add_against_flags(*app, flags.against, "Advise on matching the input (left) with these (right)");
  add_advice_flags(*app, flags);
  add_run_flags(*app, flags.run);
  return app;
}

VerbDescription describe() {
  AdviseFlags flags;
  return cli::describe(*command_line(flags), kText);
}

// Flags that only advise has, or that the advice replaces: they do not go into the next command.
bool takes_value(std::string_view flag) {
  constexpr std::string_view kDropped[] = {"--features", "-t",      "--threshold", "--examine",
                                           "--read",     "--width", "--color",     "--progress"};
  return std::ranges::find(kDropped, flag) != std::end(kDropped);
}
bool is_dropped_switch(std::string_view flag) {
  return flag == "--ascii" || flag == "--json" || flag == "-q" || flag == "--quiet";
}

// The user's own words, with what was found out.
std::string next_command(const Arguments& arguments, const Advice& advice) {
  std::string out = advice.matching ? "neardup pairs" : "neardup dedup";
  bool only_arguments = false;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& word = arguments[i];
    const std::string flag = word.substr(0, word.find('='));
    if (!only_arguments && takes_value(flag)) {
      if (flag == word) ++i;
      continue;
    }
    const bool is_short_threshold = word.size() > 2 && word.starts_with("-t") && !word.starts_with("--");
    if (!only_arguments && (is_dropped_switch(word) || is_short_threshold)) continue;
    if (word == "--") {  // flags that follow would be taken for inputs
      only_arguments = true;
      continue;
    }
    out += " " + shell_word(only_arguments && word.starts_with("-") && word != "-" ? "./" + word : word);
  }
  if (advice.definition.features.kind != FeatureKind::tokens)
    out += " --features " + shell_word(to_string(advice.definition.features));
  out += " --threshold " + to_string(advice.definition.threshold);
  if (advice.matching) return out + " --one-to-one -o matches.csv";
  const auto suits = std::ranges::find_if(advice.finders, &FinderCost::suits);
  if (suits != advice.finders.end() && suits->finder != "exact") out += " --finder " + suits->finder;
  return out + " -o deduplicated";
}

bool is_utf8_locale() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* const value = std::getenv(name);
    if (value == nullptr || *value == '\0') continue;
    std::string locale(value);
    std::ranges::transform(locale, locale.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    return locale.find("utf-8") != locale.npos || locale.find("utf8") != locale.npos;
  }
  return false;
}

AdviceLook look_of(const AdviseFlags& flags) {
  return {.width = flags.width != 0 ? flags.width : std::clamp<std::size_t>(stdout_columns(), 40, 120),
          .colour = flags.colour == "always" || (flags.colour == "auto" && stdout_has_colour()),
          .unicode = !flags.ascii && is_utf8_locale()};
}

int run(const Arguments& arguments) {
  AdviseFlags flags;
  const auto app = command_line(flags);
  if (!parse(*app, kText, arguments)) return kDone;
  AdviseOptions& options = flags.options;
  if (flags.features_given) options.features = flags.features;
  options.text = flags.text.loaded();
  options.seed = flags.input.read.seed;
  options.on_bad_record = flags.input.on_bad_record;
  flags.against.check(flags.input.files);
  flags.input.check();
  flags.run.check();
  options.validate();

  Session session(flags.run);
  const Collection documents = Collection::open(flags.input.files, flags.input.read, session.context());
  std::optional<Collection> against;
  if (!flags.against.inputs.empty()) {
    against = Collection::open(flags.against.files(flags.input.files), flags.against.reading(flags.input.read),
                               session.context());
  }
  const Advice advice = advise(documents, against ? &*against : nullptr, options, session.context());
  session.end_progress();
  const std::string command = next_command(arguments, advice);
  if (!flags.run.quiet) print_note(cli::describe(advice.bad));
  print_data(flags.run.json ? to_json(advice, command) : show_advice(advice, command, look_of(flags)));
  return advice.bad.count > 0 ? kSomeSkipped : kDone;
}

}  // namespace

const Verb kAdvise{kText, describe, run};

}  // namespace neardup::cli
