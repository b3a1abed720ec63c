// neardup compare: explains one pair.
#include "neardup/compare.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "compare_view.h"
#include "flags.h"
#include "neardup/error.h"
#include "session.h"
#include "verbs.h"
#include "words.h"

namespace neardup::cli {
namespace {

constexpr std::size_t kUsualWidth = 80, kWideEnough = 100;

const VerbText kText{
    .name = "compare",
    .summary = "explain one pair: every score, the simhash bits, what is shared and what differs",
    .examples =
        {
            "neardup compare old.txt new.txt",
            "neardup compare pages.jsonl#d1 pages.jsonl#d7       two records, by the ids that outputs print",
            "neardup compare names.txt#:3 names.txt#:8 --lines   records without ids, by line",
            "curl -s https://example.org | neardup compare page.txt - --diff side --color always | less -R",
            "neardup compare a.txt b.txt --measure hamming --threshold 6 --json",
        },
    .arguments = "A B",
    .needs = "two documents: files, FILE#ID for a record, or - for standard input",
};

struct CompareFlags {
  InputFlags input;
  RunFlags run;
  DefinitionFlags definition;
  std::string diff = "auto", colour = "auto";
  std::size_t width = 0;  // 0: the terminal's
  bool full = false;
};

void add_view_flags(CLI::App& app, CompareFlags& flags) {
  add_value(
      app, kOutputGroup,
      {"--diff",
       "HOW",
       "side (by side), inline, none, or auto: side where the terminal has 100 columns. Words are compared folded, "
       "as neardup sees them, and shown as they stand",
       flags.diff,
       {"auto", "side", "inline", "none"}},
      [&](const std::string& value) { flags.diff = value; });
  add_switch(app, kOutputGroup, "--full", "Show the whole diff: fold nothing and leave out no change", flags.full);
  add_value(app, kOutputGroup, {"--width", "N", "Columns to fill", "the terminal's, else 80"},
            [&](const std::string& value) {
              constexpr std::uint64_t kLeast = 40, kMost = 1000;
              const std::uint64_t width = parse_count("--width", value);
              if (width < kLeast || width > kMost)
                throw Error(ErrorCode::usage, fmt::format("--width {}: expected {} to {}", value, kLeast, kMost));
              flags.width = width;
            });
  add_value(app, kOutputGroup,
            {"--color",
             "WHEN",
             "auto, always or never; without colour changes are [-removed-] and {+added+}",
             flags.colour,
             {"auto", "always", "never"}},
            [&](const std::string& value) { flags.colour = value; });
}

// Every measure is shown, so that a flag for one of them never contradicts the one that decides.
Definition definition_of(DefinitionFlags flags, bool& judge) {
  judge = flags.threshold_given || !has_integer_scores(flags.definition.measure);
  const bool as_is = std::exchange(flags.definition.as_is, false);
  const bool is_edit = flags.definition.measure == Measure::edit;
  const bool bag = flags.features.spec.bag;
  if (is_edit) flags.features.spec.bag = flags.features.features_given = false;
  flags.features.weights_given = false;
  const std::vector<unsigned> field_weights = std::exchange(flags.features.fields.weights, {});
  flags.threshold_given = true;
  Definition all = flags.checked();
  all.as_is = as_is;
  all.field_weights = field_weights;
  all.features.bag = bag;
  return all;
}

std::size_t terminal_width() {
  struct winsize size {};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    return std::clamp<std::size_t>(size.ws_col, 40, 1000);
  return kUsualWidth;
}

CompareLook look_of(const CompareFlags& flags) {
  CompareLook look{.a = flags.input.files.inputs[0], .b = flags.input.files.inputs[1], .diff = {}};
  look.diff.width = flags.width != 0 ? flags.width : terminal_width();
  look.diff.colour = flags.colour == "always" || (flags.colour == "auto" && stdout_has_colour());
  look.diff.full = flags.full;
  const bool side = flags.diff == "side" || (flags.diff == "auto" && look.diff.width >= kWideEnough);
  look.diff.style = flags.diff == "none" ? DiffStyle::none : side ? DiffStyle::side : DiffStyle::inlined;
  return look;
}

App command_line(CompareFlags& flags) {
  auto app = make_app(kText);
  add_reading_flags(*app, flags.input, Quarantine::none);
  add_definition_flags(*app, flags.definition);
  add_field_flags(*app, flags.definition.features.fields);
  add_view_flags(*app, flags);
  add_run_flags(*app, flags.run);
  return app;
}

VerbDescription describe() {
  CompareFlags flags;
  return cli::describe(*command_line(flags), kText);
}

int run(const Arguments& arguments) {
  CompareFlags flags;
  const auto app = command_line(flags);
  if (!parse(*app, kText, arguments)) return kDone;
  if (flags.input.files.inputs.size() != 2)
    throw Error(ErrorCode::usage, fmt::format("compare needs {}; {} given", kText.needs,
                                              flags.input.files.inputs.size() == 1 ? "one is" : "more are"));
  CompareOptions options{.diff = flags.diff != "none"};
  const Definition definition = definition_of(flags.definition, options.judge);
  flags.definition.features.fields.apply(flags.input);
  flags.input.check();
  flags.run.check();

  Session session(flags.run);
  auto [a, b] = read_two(flags.input.files.inputs[0], flags.input.files.inputs[1], flags.input.read, session.context());
  const Comparison comparison = compare(std::move(a), std::move(b), definition, options, session.context());
  session.end_progress();
  if (flags.run.json) {
    constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();
    print_data(to_json(comparison, flags.full ? DiffExcerpt{kAll, kAll} : DiffExcerpt{}));
  } else {
    print_data(show(comparison, look_of(flags)));
  }
  return kDone;
}

}  // namespace

const Verb kCompare{kText, describe, run};

}  // namespace neardup::cli
