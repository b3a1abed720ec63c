// neardup dedup: find near-duplicates, keep one of each cluster.
#include "neardup/dedup.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "against_flags.h"
#include "authority_flags.h"
#include "flags.h"
#include "ignore_flags.h"
#include "neardup/error.h"
#include "session.h"
#include "verbs.h"
#include "words.h"

namespace neardup::cli {
namespace {

const VerbText kText{
    .name = "dedup",
    .summary = "find near-duplicate documents and keep one of each",
    .examples = {
        "neardup dedup pages.jsonl                               report only",
        "neardup dedup pages.jsonl -o kept.jsonl.zst             write the kept records",
        "neardup dedup 'crawl/*.jsonl.gz' -o out --keep longest  a folder: kept, removed, clusters, pairs",
        "neardup dedup notes/ -o out --threshold 0.9             a folder of text files",
        "neardup dedup new.jsonl --against old.jsonl -o fresh.jsonl    only what is new",
        "neardup dedup pages/ --html strip --ignore-common 5% -o out   menus and footers do not count",
        "neardup dedup parts.jsonl --measure containment --threshold 1 --keep longest -o whole.jsonl",
        "zcat names.gz | neardup dedup - --lines --features chars:3 -o -",
    }};

struct DedupFlags {
  InputFlags input;
  AgainstFlags against;
  RunFlags run;
  DefinitionFlags definition;
  DedupOptions options;
  IgnoreFlags ignore;
  bool target_given = false;
};

void add_finder_flags(CLI::App& app, DedupFlags& flags) {
  DedupOptions& options = flags.options;
  add_value(app, kFinderGroup,
            {"--finder", "NAME",
             fmt::format("{}. exact finds every pair; minhash and simhash may miss some; auto means exact",
                         fmt::join(finder_names(), ", ")),
             options.finder.name, finder_names()},
            [&](const std::string& value) { options.finder.name = value; });
  add_value(app, kFinderGroup,
            {"--target-recall", "R", "minhash: share of the pairs exactly at the threshold to find",
             fmt::format("{}", options.finder.target_recall)},
            [&](const std::string& value) {
              options.finder.target_recall = parse_share("--target-recall", value);
              flags.target_given = true;
            });
  add_value(app, kFinderGroup,
            {"--pairs", "FILE",
             "Read the pairs from a file that `neardup pairs` wrote instead of searching; with --threshold or "
             "--distance only those that reach it (--measure says what integer scores mean: edit, hamming or overlap)"},
            [&](const std::string& value) { options.pairs = value; });
  add_switch(app, kFinderGroup, "--no-recall", "Do not measure recall on a sample",
             [&] { options.finder.measure_recall = false; });
}

void add_keep_flags(CLI::App& app, DedupOptions& options) {
  add_value(
      app, kKeepGroup,
      {"--clusters", "KIND",
       "Kind of cluster: components, star or complete; connected by pairs, all similar to the kept one, or all similar "
       "to each other; star is the default of --measure containment, which refuses components",
       "components", names_of(cluster_choices())},
      [&](const std::string& value) { options.clusters = parse_cluster_kind(value); });
  add_value(app, kKeepGroup,
            {"--keep",
             "RULES",
             "Keep rules: first, last, longest, shortest, max:FIELD, min:FIELD, newest:FIELD, oldest:FIELD, "
             "prefer:FIELD=VALUE, "
             "authority (PageRank or your own score); several, separated by commas, apply in turn",
             "first",
             {},
             names_of(keep_choices())},
            [&](const std::string& value) { options.keep = parse_keep_rules(value); });
  add_switch(app, kKeepGroup, "--drop-empty", "Also remove documents without words; they are kept by default",
             options.drop_empty);
}

void add_dedup_output_flags(CLI::App& app, OutputOptions& output) {
  add_output_flags(app, output);
  add_switch(app, kOutputGroup, "--annotate",
             "Keep every record and add neardup_cluster, neardup_kept and neardup_score", output.annotate);
  add_switch(app, kOutputGroup, "--resume",
             "Save finished stages next to the output, and continue from them when an interrupted command is repeated",
             output.resume);
}

// Pairs that are known already leave nothing to define and to find, but a threshold can choose among them.
void use_listed_pairs(DedupFlags& flags) {
  const Definition defaults;
  const DefinitionFlags& definition = flags.definition;
  const bool defines = definition.features.features_given || definition.features.spec.bag ||
                       definition.features.text.given() ||
                       (definition.definition.measure != defaults.measure && !definition.threshold_given);
  if (defines || flags.options.finder.name != "auto") {
    throw Error(ErrorCode::usage,
                "--pairs says which documents are similar: leave out --features, --bag, --finder, the flags for text "
                "preprocessing, and --measure unless --threshold chooses among the pairs");
  }
  if (definition.threshold_given) flags.options.pairs_threshold = definition.definition.threshold;
}

// Of simhashes of candidate pairs, unless it is the definition's.
void use_distance(DedupFlags& flags) {
  if (flags.definition.apply_distance() || !flags.definition.distance) return;
  if (flags.options.finder.name != "simhash") {
    throw Error(ErrorCode::usage,
                "--distance applies to --measure edit and hamming, and to --finder simhash; other measures have a "
                "--threshold");
  }
  constexpr unsigned kTooFar = 65;
  flags.options.finder.distance = std::min(kTooFar, *flags.definition.distance);
}

// Otherwise links and scores would be ignored silently.
void check_authority_is_asked_for(const DedupOptions& options) {
  const AuthorityOptions& authority = options.authority;
  const bool is_given = !authority.links.empty() || !authority.field.empty() || !authority.scores.empty();
  const bool is_asked_for =
      std::ranges::any_of(options.keep, [](const KeepRule& rule) { return rule.kind == KeepRule::Kind::authority; });
  if (is_given && !is_asked_for)
    throw Error(ErrorCode::usage, "--links and --authority apply only to --keep authority");
}

// Fills in what several flags decide together, and refuses what contradicts itself.
void complete(DedupFlags& flags, const Arguments& arguments) {
  DedupOptions& options = flags.options;
  use_distance(flags);
  if (!options.pairs.empty()) use_listed_pairs(flags);
  check_authority_is_asked_for(options);
  if (flags.target_given && options.finder.name != "minhash" && options.finder.name != "simhash") {
    throw Error(ErrorCode::usage, "--target-recall is for --finder minhash; the exact finder finds every pair");
  }
  options.definition = flags.definition.checked();
  options.ignore = flags.ignore.options;
  options.on_bad_record = flags.input.on_bad_record;
  options.output.recorded_command = command_of(kText, arguments);
  options.finder.seed = flags.input.read.seed;
  flags.against.check(flags.input.files);
  if (options.against_only && flags.against.inputs.empty()) {
    throw Error(ErrorCode::usage, "--against-only needs --against INPUT");
  }
  flags.definition.features.fields.apply(flags.input);
  flags.input.check();
  flags.run.check();
  options.validate();
}

DedupResult deduplicate_all(const Collection& documents, const DedupFlags& flags, const Context& context) {
  if (flags.against.inputs.empty()) return deduplicate(documents, flags.options, context);
  const ReadOptions reading = flags.against.reading(flags.input.read);
  return deduplicate(documents, Collection::open(flags.against.files(flags.input.files), reading, context),
                     flags.options, context);
}

App command_line(DedupFlags& flags) {
  auto app = make_app(kText);
  add_input_flags(*app, flags.input, Quarantine::offered);
  add_against_flags(
      *app, flags.against,
      "Also remove near-duplicates of documents in these inputs; they are read whole, never written and not "
      "compared with each other");
  add_switch(*app, kInputGroup, "--against-only",
             "Remove only near-duplicates of --against; keep those within the input itself",
             flags.options.against_only);
  add_definition_flags(*app, flags.definition,
                       {.help = "Maximum distance: of strings with --measure edit, of simhashes with --measure hamming "
                                "or between the candidates of --finder simhash",
                        .fallback = fmt::format("{} for --finder simhash", flags.options.finder.distance)});
  add_field_flags(*app, flags.definition.features.fields);
  add_ignore_flags(*app, flags.ignore, Counted::offered);
  add_finder_flags(*app, flags);
  add_keep_flags(*app, flags.options);
  add_authority_flags(*app, flags.options.authority);
  add_dedup_output_flags(*app, flags.options.output);
  add_run_flags(*app, flags.run);
  return app;
}

VerbDescription describe() {
  DedupFlags flags;
  return cli::describe(*command_line(flags), kText);
}

int run(const Arguments& arguments) {
  DedupFlags flags;
  const auto app = command_line(flags);
  if (!parse(*app, kText, arguments)) return kDone;
  complete(flags, arguments);

  Session session(flags.run);
  neardup::check_output(flags.options.output.path, flags.options.output.overwrite, session.context());
  const Collection documents = Collection::open(flags.input.files, flags.input.read, session.context());
  flags.ignore.open(flags.input.read, session.context());
  flags.options.ignore = flags.ignore.options;
  const DedupReport report = deduplicate_all(documents, flags, session.context()).report;
  session.report(report, flags.options, flags.options.output.path);
  return report.bad.count + report.against.bad.count > 0 ? kSomeSkipped : kDone;
}

}  // namespace

const Verb kDedup{kText, describe, run};

}  // namespace neardup::cli
