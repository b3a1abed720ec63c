// neardup decontaminate: find test items in training text.
#include "neardup/decontaminate.h"

#include <fmt/format.h>

#include <algorithm>

#include "against_flags.h"
#include "flags.h"
#include "neardup/error.h"
#include "session.h"
#include "verbs.h"
#include "words.h"

namespace neardup::cli {
namespace {

const VerbText kText{
    .name = "decontaminate",
    .summary = "find test items in training text and remove, cut or mark them",
    .examples =
        {
            "neardup decontaminate train.jsonl --against gsm8k.jsonl --eval-text question,answer     report only",
            "neardup decontaminate 'train/*.jsonl.zst' --against evals/ --eval-text question -o clean",
            "neardup decontaminate train.jsonl --against evals.jsonl -o clean --action trim --ignore-common 20",
            "neardup decontaminate train.jsonl --against evals.jsonl --fail-above 0.01     exit code 5 in a pipeline",
        },
    .arguments = "TRAIN...",
    .needs = "TRAIN: files, folders, globs, or - for standard input",
};

struct DecontaminateFlags {
  InputFlags input;
  AgainstFlags against;
  RunFlags run;
  DecontaminateOptions options;
  GateFlags gate;
};

App command_line(DecontaminateFlags& flags) {
  auto app = make_app(kText);
  DecontaminateOptions& options = flags.options;
  add_input_flags(*app, flags.input, Quarantine::offered);
  add_against_flags(*app, flags.against, "The test items: files, folders or globs; every file is a suite");
  add_list(*app, kInputGroup,
           {"--eval-text", "FIELD", "Fields of the test items; each is an item of its own", "as --text"},
           [&](const Words& fields) { options.eval_fields = fields; });
  add_value(
      *app, kDefinitionGroup,
      {"--min-share", "SHARE", "An item is hit when this share of its distinct windows is in the document", "0.5"},
      [&](const std::string& value) { options.min_share = parse_threshold(value); });
  add_value(
      *app, kDefinitionGroup, {"--window", "N", "Words per window; a shorter item is one run of all its words", "13"},
      [&](const std::string& value) {
        options.window = static_cast<unsigned>(std::min<std::uint64_t>(parse_positive("--window", value), 1'000'000));
      });
  add_value(*app, kDefinitionGroup, {"--min-words", "N", "Items with fewer words are not judged", "8"},
            [&](const std::string& value) { options.min_words = parse_positive("--min-words", value); });
  add_value(*app, kDefinitionGroup,
            {"--ignore-common", "SHARE|COUNT", "Windows in more training documents than this do not count"},
            [&](const std::string& value) { options.ignore_common = parse_common_limit(value); });
  add_output_flags(*app, options.output);
  add_value(
      *app, kOutputGroup,
      {"--action",
       "WHAT",
       "Documents with a hit: remove them, trim (cut the words of the item), or annotate (add neardup_contaminated)",
       "remove",
       {"remove", "trim", "annotate"}},
      [&](const std::string& value) { options.action = parse_contamination_action(value); });
  add_gate_flag(*app, flags.gate, "Exit code 5 when a larger share of the judged items of any suite was hit");
  add_run_flags(*app, flags.run);
  return app;
}

VerbDescription describe() {
  DecontaminateFlags flags;
  return cli::describe(*command_line(flags), kText);
}

void complete(DecontaminateFlags& flags, const Arguments& arguments) {
  flags.options.on_bad_record = flags.input.on_bad_record;
  flags.options.output.recorded_command = command_of(kText, arguments);
  if (flags.against.inputs.empty()) usage("decontaminate needs --against EVALS: the test items");
  flags.against.check(flags.input.files);
  flags.input.check();
  flags.run.check();
  flags.options.validate();
}

Collection open_items(const DecontaminateFlags& flags, const Context& context) {
  ReadOptions reading = flags.against.reading(flags.input.read);
  if (!flags.options.eval_fields.empty()) {
    if (!flags.against.fields.text_fields.empty())
      usage("--eval-text and --against-text name the same fields: leave one out");
    reading.text_fields = Words{flags.options.eval_fields.front()};
  }
  return Collection::open(flags.against.files(flags.input.files), reading, context);
}

int run(const Arguments& arguments) {
  DecontaminateFlags flags;
  const auto app = command_line(flags);
  if (!parse(*app, kText, arguments)) return kDone;
  complete(flags, arguments);
  Session session(flags.run);
  neardup::check_output(flags.options.output.path, flags.options.output.overwrite, session.context());
  const Collection train = Collection::open(flags.input.files, flags.input.read, session.context());
  const DecontaminateReport report =
      decontaminate(train, open_items(flags, session.context()), flags.options, session.context());
  session.report(report, flags.options, flags.options.output.path);
  const int code = report.bad.count + report.eval_bad.count > 0 ? kSomeSkipped : kDone;
  const auto worst = std::ranges::max_element(report.suites, {}, &SuiteReport::share);
  if (worst == report.suites.end()) return code;
  return flags.gate.exit_code(worst->hit, worst->judged, fmt::format("items of {} hit", printable(worst->name)), code);
}

}  // namespace

const Verb kDecontaminate{kText, describe, run};

}  // namespace neardup::cli
