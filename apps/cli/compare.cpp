// neardup compare: explains one pair.
#include "neardup/compare.h"

#include <fmt/format.h>

#include <limits>
#include <utility>

#include "against_flags.h"
#include "compare_view.h"
#include "flags.h"
#include "ignore_flags.h"
#include "neardup/error.h"
#include "session.h"
#include "verbs.h"
#include "view_flags.h"

namespace neardup::cli {
namespace {

const VerbText kText{
    .name = "compare",
    .summary = "explain one pair: every score, the simhash bits, what is shared and what differs",
    .examples =
        {
            "neardup compare old.txt new.txt",
            "neardup compare pages.jsonl#d1 pages.jsonl#d7       two records, by the ids that outputs print",
            "neardup compare names.txt#:3 names.txt#:8 --lines   records without ids, by line",
            "neardup compare train.jsonl#7 test.jsonl#q1 --against-text question --against-id qid",
            "curl -s https://example.org | neardup compare page.txt - --diff side --color always | less -R",
            "neardup compare a.txt b.txt --measure hamming --distance 6 --json",
        },
    .arguments = "A B",
    .needs = "two documents: files, FILE#ID for a record, or - for standard input",
};

struct CompareFlags {
  InputFlags input;
  RunFlags run;
  DefinitionFlags definition;
  ViewFlags view;
  AgainstFields against;
  IgnoreFlags ignore;
};

// Every measure is shown, so that a flag for one of them never contradicts the one that decides.
Definition definition_of(DefinitionFlags flags, bool& judge) {
  flags.use_distance_only_as_threshold();
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

App command_line(CompareFlags& flags) {
  auto app = make_app(kText);
  add_reading_flags(*app, flags.input, Quarantine::none);
  add_against_field_flags(*app, flags.against, "B");
  add_definition_flags(*app, flags.definition);
  add_field_flags(*app, flags.definition.features.fields);
  add_ignore_flags(*app, flags.ignore, Counted::none);
  add_view_flags(*app, flags.view);
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
  CompareOptions options{.diff = flags.view.wants_diff()};
  const Definition definition = definition_of(flags.definition, options.judge);
  flags.definition.features.fields.apply(flags.input);
  flags.input.check();
  flags.run.check();

  Session session(flags.run);
  const std::string &first = flags.input.files.inputs[0], &second = flags.input.files.inputs[1];
  const ReadOptions& reading = flags.input.read;
  auto [a, b] = flags.against.given()
                    ? read_two(first, second, reading, flags.against.applied(reading), session.context())
                    : read_two(first, second, reading, session.context());
  flags.ignore.open(reading, session.context());
  options.ignore = flags.ignore.options.texts;
  const Comparison comparison = compare(std::move(a), std::move(b), definition, options, session.context());
  session.end_progress();
  if (flags.run.json) {
    constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();
    print_data(to_json(comparison, flags.view.full ? DiffExcerpt{kAll, kAll} : DiffExcerpt{}));
  } else {
    print_data(show(comparison, {.a = first, .b = second, .diff = flags.view.look()}));
  }
  return kDone;
}

}  // namespace

const Verb kCompare{kText, describe, run};

}  // namespace neardup::cli
