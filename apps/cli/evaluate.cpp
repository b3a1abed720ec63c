// neardup evaluate: how good a result is, with a truth or without one.
#include "neardup/evaluate.h"

#include <fmt/format.h>

#include <optional>

#include "console.h"
#include "flags.h"
#include "neardup/error.h"
#include "session.h"
#include "summary_parts.h"
#include "verbs.h"
#include "words.h"

namespace neardup::cli {
namespace {

const VerbText kText{
    .name = "evaluate",
    .summary = "precision, recall, F1, B-cubed and ARI of a result, of neardup or another tool",
    .examples =
        {
            "neardup evaluate out --truth labels.csv --input pages.jsonl",
            "neardup evaluate out --truth pairs.tsv --sweep --svg sweep.svg",
            "neardup evaluate predictions.parquet --truth clusters.csv --json     another tool's result",
            "neardup evaluate --sample 1000 pages.jsonl --result out              without a truth",
        },
    .arguments = "RESULT --truth TRUTH",
    .needs = "a RESULT: the output folder of a run, or a file of clusters or pairs",
};

struct EvaluateFlags {
  Words words;
  RunFlags run;
  DefinitionFlags definition;
  GroupingOptions result, truth;
  EvaluateOptions options;
  SampleOptions sample;
  ReadOptions read;
  std::string truth_path, result_path, svg;
  Words inputs;
  Overwrite overwrite = Overwrite::refuse;
  bool sweep = false, samples = false;
};

void add_evaluation_flags(CLI::App& app, EvaluateFlags& flags) {
  const Words formats = grouping_formats();
  add_value(app, kEvaluateGroup, {"--truth", "FILE", "True clusters (id, label) or pairs (left, right)"},
            [&](const std::string& value) { flags.truth_path = value; });
  add_value(app, kEvaluateGroup, {"--format", "NAME", "Format of the result", "auto", formats},
            [&](const std::string& value) { flags.result.format = value; });
  add_value(app, kEvaluateGroup, {"--truth-format", "NAME", "Format of the truth", "auto", formats},
            [&](const std::string& value) { flags.truth.format = value; });
  add_switch(app, kEvaluateGroup, "--two-sided", "Pairs join two collections: equal ids left and right are different",
             [&] { flags.result.is_two_sided = flags.truth.is_two_sided = true; });
  add_switch(app, kEvaluateGroup, "--distances", "The scores of the result are distances: lower is stronger",
             flags.result.scores_are_distances);
  add_switch(app, kEvaluateGroup, "--sweep", "Also evaluate other thresholds, from the scores of the result's pairs",
             flags.sweep);
  add_value(app, kEvaluateGroup, {"--svg", "FILE", "Draw the sweep; implies --sweep"}, [&](const std::string& value) {
    flags.svg = value;
    flags.sweep = true;
  });
  add_value(app, kEvaluateGroup,
            {"--show", "N", "False merges and misses to list, of each", fmt::format("{}", flags.options.shown)},
            [&](const std::string& value) { flags.options.shown = parse_count("--show", value); });
  add_force_flag(app, flags.overwrite);
}

void add_document_flags(CLI::App& app, EvaluateFlags& flags) {
  add_value(app, kInputGroup,
            {"--sample", "N", "Without a truth: draw N documents of INPUT and compare them with all, exactly"},
            [&](const std::string& value) {
              flags.sample.documents = parse_positive("--sample", value);
              flags.samples = true;
            });
  add_value(app, kInputGroup, {"--result", "RESULT", "With --sample: the result to evaluate"},
            [&](const std::string& value) { flags.result_path = value; });
  add_list(app, kInputGroup,
           {.name = "--input", .value = "FILE", .help = "The documents, to show texts of mistakes", .commas = false},
           [&](const Words& values) { flags.inputs = values; });
  add_value(app, kInputGroup, {"--input-format", "NAME", "Format of the documents", "auto"},
            [&](const std::string& value) { flags.read.format = value; });
  add_list(app, kInputGroup, {"--text", "FIELD", "Field that holds the text of a document", "text"},
           [&](const Words& fields) { flags.read.text_fields = fields; });
  add_value(app, kInputGroup, {"--id", "FIELD", "Field that holds the id of a document", "id, else path and line"},
            [&](const std::string& value) { flags.read.id_field = value; });
  add_value(app, kRunGroup, {"--seed", "N", "Random seed", fmt::format("{}", flags.options.seed)},
            [&](const std::string& value) { flags.options.seed = flags.sample.seed = parse_count("--seed", value); });
}

App command_line(EvaluateFlags& flags) {
  auto app = make_app(kText);
  add_arguments(*app, "RESULT", flags.words);
  add_evaluation_flags(*app, flags);
  add_document_flags(*app, flags);
  add_definition_flags(*app, flags.definition);
  add_run_flags(*app, flags.run);
  return app;
}

VerbDescription describe() {
  EvaluateFlags flags;
  return cli::describe(*command_line(flags), kText);
}

void check(const EvaluateFlags& flags) {
  flags.run.check();
  if (!flags.samples) {
    if (flags.words.size() != 1) usage("evaluate needs one RESULT (neardup evaluate --help)");
    if (flags.truth_path.empty())
      usage("evaluate needs --truth FILE; without a truth: evaluate --sample N INPUT --result RESULT");
    if (!flags.result_path.empty()) usage("--result belongs to --sample; with --truth the RESULT is an argument");
    return;
  }
  if (!flags.truth_path.empty()) usage("--sample evaluates without a truth: leave --truth out");
  if (flags.result_path.empty()) usage("--sample needs --result RESULT");
  if (flags.sweep) usage("--sweep needs a truth");
  if (!flags.inputs.empty()) usage("with --sample the documents are the arguments: leave --input out");
}

std::string describe(const char* name, const Estimate& estimate) {
  return fmt::format("{:<10} {:.4f}  ({:.4f}–{:.4f})\n", name, estimate.value, estimate.low, estimate.high);
}

std::string describe_texts(const Mistake& mistake) {
  constexpr std::size_t kWidth = 90;
  std::string out;
  for (const std::string& text : {mistake.left_text, mistake.right_text})
    if (!text.empty()) out += fmt::format("      {}\n", excerpt(text, kWidth));
  return out;
}

std::string describe(const char* title, const std::vector<Mistake>& mistakes, std::uint64_t in_all) {
  if (mistakes.empty()) return "";
  std::string out =
      fmt::format("{} ({} of {}, the worst first):\n", title, with_commas(mistakes.size()), with_commas(in_all));
  for (const Mistake& mistake : mistakes) {
    out += fmt::format("  {} | {}", printable(mistake.left), printable(mistake.right));
    if (mistake.score) out += fmt::format("  score {:g}", *mistake.score);
    if (!mistake.place.empty())
      out += fmt::format("  {} in {}", counted(mistake.pairs, "pair", "pairs"), printable(mistake.place));
    out += "\n" + describe_texts(mistake);
  }
  return out;
}

std::string describe(const Sweep& sweep) {
  constexpr std::size_t kRows = 20;
  std::string out = fmt::format("best F1 {:.4f} at threshold {:g}\nthreshold  precision  recall     F1\n",
                                sweep.best.f1(), sweep.best.threshold);
  const std::size_t rows = std::min(kRows, sweep.points.size());
  for (std::size_t i = 0; i < rows; ++i) {
    const SweepPoint& point = sweep.points[rows == 1 ? 0 : i * (sweep.points.size() - 1) / (rows - 1)];
    out += fmt::format("{:<9g}  {:.4f}     {:.4f}     {:.4f}\n", point.threshold, point.precision(), point.recall(),
                       point.f1());
  }
  return out;
}

std::string describe(const Evaluation& evaluated) {
  const PartitionScores& clusters = evaluated.clusters;
  std::string out = fmt::format("result: {}\ntruth: {}\n{}; {} found, {} true, {} in common\n", evaluated.result_shape,
                                evaluated.truth_shape, counted(evaluated.documents, "document", "documents"),
                                counted(evaluated.found_pairs, "pair", "pairs"), with_commas(evaluated.true_pairs),
                                with_commas(evaluated.common_pairs));
  out +=
      describe("precision", evaluated.precision) + describe("recall", evaluated.recall) + describe("F1", evaluated.f1);
  out += fmt::format("(95% intervals by bootstrap over {})\n",
                     counted(evaluated.blocks, "separate group of documents", "separate groups of documents"));
  out += fmt::format("B-cubed    {:.4f} (precision {:.4f}, recall {:.4f})\n", clusters.bcubed_f1,
                     clusters.bcubed_precision, clusters.bcubed_recall);
  out += fmt::format("ARI        {:.4f}\npurity     {:.4f} (inverse {:.4f})\n", clusters.ari, clusters.purity,
                     clusters.inverse_purity);
  out += fmt::format("V-measure  {:.4f} (homogeneity {:.4f}, completeness {:.4f})\n", clusters.v_measure,
                     clusters.homogeneity, clusters.completeness);
  out += describe("false merges", evaluated.false_merges, evaluated.false_merges_in_all);
  return out + describe("misses", evaluated.misses, evaluated.misses_in_all);
}

std::string describe(const SampledEvaluation& sampled) {
  std::string out = fmt::format("result: {}\n{} of {} drawn and compared with all; {}\n", sampled.result_shape,
                                with_commas(sampled.sampled), counted(sampled.documents, "document", "documents"),
                                cli::describe(sampled.definition));
  out += fmt::format("{} found, {} true, {} in common\n", counted(sampled.found_pairs, "pair", "pairs"),
                     with_commas(sampled.true_pairs), with_commas(sampled.common_pairs));
  return out + describe("precision", sampled.precision) + describe("recall", sampled.recall);
}

void warn(const std::vector<std::string>& warnings, const RunFlags& run) {
  if (run.quiet) return;
  for (const std::string& warning : warnings) print_note(fmt::format("neardup: warning: {}\n", printable(warning)));
}

int run_sample(EvaluateFlags& flags, Session& session) {
  flags.definition.use_distance_only_as_threshold();
  flags.sample.definition = flags.definition.checked();
  flags.sample.validate();
  const Grouping result = read_grouping(flags.result_path, flags.result, session.context());
  const Collection documents = Collection::open(flags.words, flags.read, session.context());
  const SampledEvaluation sampled = evaluate_sample(documents, result, flags.sample, session.context());
  session.end_progress();
  warn(sampled.warnings, flags.run);
  print_data(flags.run.json ? to_json(sampled) : describe(sampled));
  return sampled.bad.count > 0 ? kSomeSkipped : kDone;
}

int run_truth(EvaluateFlags& flags, Session& session) {
  if (!flags.svg.empty()) check_output(flags.svg, flags.overwrite, session.context());
  const Grouping truth = read_grouping(flags.truth_path, flags.truth, session.context());
  const Grouping result = read_grouping(flags.words.front(), flags.result, session.context());
  Evaluation evaluated = evaluate(result, truth, flags.options, session.context());
  if (!flags.inputs.empty()) {
    const Collection documents = Collection::open(flags.inputs, flags.read, session.context());
    if (const std::uint64_t missing = add_texts(evaluated, documents, session.context()); missing > 0)
      evaluated.warnings.push_back(counted(missing, "document is not in the input", "documents are not in the input"));
  }
  std::optional<Sweep> sweep;
  if (flags.sweep) {
    flags.result.prefers_pairs = true;
    sweep =
        sweep_thresholds(read_grouping(flags.words.front(), flags.result, session.context()), truth, session.context());
    if (!flags.svg.empty()) write_sweep_svg(*sweep, flags.svg, flags.overwrite, session.context());
  }
  session.end_progress();
  warn(evaluated.warnings, flags.run);
  print_data(flags.run.json ? to_json(evaluated, sweep ? &*sweep : nullptr)
                            : describe(evaluated) + (sweep ? describe(*sweep) : ""));
  if (!flags.svg.empty() && !flags.run.quiet) print_note(fmt::format("written: {}\n", printable(flags.svg)));
  return kDone;
}

int run(const Arguments& arguments) {
  EvaluateFlags flags;
  const auto app = command_line(flags);
  if (!parse(*app, kText, arguments)) return kDone;
  check(flags);
  Session session(flags.run);
  return flags.samples ? run_sample(flags, session) : run_truth(flags, session);
}

}  // namespace

const Verb kEvaluate{kText, describe, run};

}  // namespace neardup::cli
