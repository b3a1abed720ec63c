// neardup trim: cut passages that stand at several places.
#include "neardup/trim.h"

#include <fmt/format.h>

#include "against_flags.h"
#include "flags.h"
#include "neardup/error.h"
#include "session.h"
#include "summary_parts.h"
#include "verbs.h"
#include "words.h"

namespace neardup::cli {
namespace {

const VerbText kText{
    .name = "trim",
    .summary = "cut repeated passages; one copy stays, and every cut can be undone",
    .examples = {
        "neardup trim pages.jsonl -o out                        runs of 50 words or more that occur twice",
        "neardup trim pages.jsonl -o out --unit lines --min-copies 10 --by site",
        "neardup trim new.jsonl --against old.jsonl -o out      cut what is in old.jsonl",
        "neardup trim pages.jsonl -o out --min-left 20 --short remove",
        "neardup trim --undo out -o pages.jsonl                 put everything back",
    }};

struct TrimFlags {
  InputFlags input;
  AgainstFlags against;
  RunFlags run;
  TrimOptions options;
  std::string undo;
  GateFlags gate;
};

void add_passage_flags(CLI::App& app, TrimFlags& flags) {
  constexpr const char* kGroup = kDefinitionGroup;
  TrimOptions& options = flags.options;
  add_value(app, kGroup,
            {"--unit", "UNIT",
             "What is compared after folding: spans:N (runs of N words or more), lines, paragraphs, sentences:N",
             to_string(options.unit)},
            [&](const std::string& value) { options.unit = parse_trim_unit(value); });
  add_value(app, kGroup, {"--min-copies", "N", "A passage counts as repeated from this many places on", "2"},
            [&](const std::string& value) { options.min_copies = parse_positive("--min-copies", value); });
  add_value(app, kGroup, {"--by", "FIELD", "Compare only documents with the same value of this field"},
            [&](const std::string& value) { options.by = value; });
  add_value(app, kGroup,
            {"--cut",
             "WHERE",
             "Cut at word borders, or only whole sentences or lines within a passage",
             "word",
             {"word", "sentence", "line"}},
            [&](const std::string& value) { options.cut = parse_cut_at(value); });
  add_value(app, kGroup,
            {"--edges",
             "WHAT",
             "Ends of a passage within other text, N-1 words each: keep them, so that every run of N words stays whole "
             "somewhere, or cut the whole passage",
             "keep",
             {"keep", "cut"}},
            [&](const std::string& value) { options.cut_edges = value == "cut"; });
  add_value(app, kGroup, {"--max-passage", "N", "Leave cuts of more than this many words (lines, ...) out", "no limit"},
            [&](const std::string& value) { options.max_passage = parse_positive("--max-passage", value); });
  add_list(app, kGroup, {"--protect", "FILE", "Texts that are never cut: the paragraphs of these files", "", false},
           [&](const Words& files) { options.protect = files; });
}

void add_stay_flags(CLI::App& app, TrimFlags& flags) {
  TrimOptions& options = flags.options;
  add_value(app, kKeepGroup,
            {"--keep",
             "RULES",
             "Where a passage stays: in the document that these rules prefer (first, last, longest, max:FIELD, "
             "newest:FIELD, ...), or none: cut every copy",
             "first",
             {},
             names_of(keep_choices())},
            [&](const std::string& value) {
              options.keep_none = value == "none";
              if (!options.keep_none) options.keep = parse_keep_rules(value);
            });
  add_value(app, kKeepGroup,
            {"--min-left", "N|SHARE",
             "The least that must be left of a document: words (lines, ...), or a share of them such as 0.3"},
            [&](const std::string& value) { options.min_left = parse_min_left(value); });
  add_value(app, kKeepGroup,
            {"--short",
             "WHAT",
             "Documents below --min-left: keep them whole, empty or remove them",
             "keep",
             {"keep", "empty", "remove"}},
            [&](const std::string& value) { options.short_documents = parse_short_documents(value); });
}

void add_trim_output_flags(CLI::App& app, TrimFlags& flags) {
  add_output_flags(app, flags.options.output);
  add_switch(app, kOutputGroup, "--annotate", "Cut nothing; add the field neardup_cuts to JSON records",
             flags.options.output.annotate);
  add_value(app, kOutputGroup,
            {"--undo", "OUT",
             "Put back what was cut by the run that wrote this folder; -o names the restored file or folder"},
            [&](const std::string& value) { flags.undo = value; });
  add_gate_flag(app, flags.gate, "Exit code 5 when more than this share of all words (lines, ...) was cut");
}

App command_line(TrimFlags& flags) {
  auto app = make_app(kText);
  add_input_flags(*app, flags.input, Quarantine::offered);
  add_against_flags(*app, flags.against, "Also cut passages that stand in these inputs, which are never written");
  add_passage_flags(*app, flags);
  add_stay_flags(*app, flags);
  add_trim_output_flags(*app, flags);
  add_run_flags(*app, flags.run);
  return app;
}

VerbDescription describe() {
  TrimFlags flags;
  return cli::describe(*command_line(flags), kText);
}

void complete(TrimFlags& flags, const Arguments& arguments) {
  flags.options.on_bad_record = flags.input.on_bad_record;
  flags.options.output.recorded_command = command_of(kText, arguments);
  flags.against.check(flags.input.files);
  flags.input.check();
  flags.run.check();
  flags.options.validate();
}

int undo(const TrimFlags& flags) {
  if (!flags.input.files.inputs.empty() || flags.options.output.path.empty())
    usage("--undo OUT needs -o and no INPUT: neardup trim --undo out -o restored.jsonl");
  Session session(flags.run);
  const RestoreReport report =
      undo_trim(flags.undo, flags.options.output.path, flags.options.output.overwrite, session.context());
  session.end_progress();
  if (!flags.run.quiet)
    print_note(fmt::format("{} put back, {} restored\n", counted(report.insertions, "cut", "cuts"),
                           human_bytes(static_cast<double>(report.bytes))));
  return kDone;
}

int run(const Arguments& arguments) {
  TrimFlags flags;
  const auto app = command_line(flags);
  if (!parse(*app, kText, arguments)) return kDone;
  if (!flags.undo.empty()) return undo(flags);
  complete(flags, arguments);
  Session session(flags.run);
  neardup::check_output(flags.options.output.path, flags.options.output.overwrite, session.context());
  const Collection documents = Collection::open(flags.input.files, flags.input.read, session.context());
  const Context& context = session.context();
  const TrimReport report = flags.against.inputs.empty()
                                ? trim(documents, flags.options, context)
                                : trim(documents,
                                       Collection::open(flags.against.files(flags.input.files),
                                                        flags.against.reading(flags.input.read), context),
                                       flags.options, context);
  session.report(report, flags.options, flags.options.output.path);
  const char* const cut = flags.options.unit.kind == TrimUnit::Kind::spans ? "words cut" : "units cut";
  return flags.gate.exit_code(report.cut_items, report.items, cut, report.bad.count > 0 ? kSomeSkipped : kDone);
}

}  // namespace

const Verb kTrim{kText, describe, run};

}  // namespace neardup::cli
