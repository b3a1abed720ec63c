// neardup dedup: find near-duplicates, keep one of each cluster.
#include "neardup/dedup.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>

#include "against_flags.h"
#include "authority_flags.h"
#include "flags.h"
#include "ignore_flags.h"
#include "neardup/error.h"
#include "neardup/index.h"
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
        "neardup dedup today.jsonl --index seen -o fresh.jsonl   only what the index has not seen",
        "neardup dedup pages/ --html all --ignore-common 5% -o out   menus and footers do not count",
        "neardup dedup parts.jsonl --measure containment --threshold 1 --keep longest -o whole.jsonl",
        "zcat names.gz | neardup dedup - --lines --features chars:3 -o -",
    }};

struct DedupFlags {
  InputFlags input;
  AgainstFlags against;
  RunFlags run;
  DefinitionFlags definition;
  DedupOptions options;
  GateFlags gate;
  IgnoreFlags ignore;
  std::string index;  // empty: none
  bool target_given = false, keeps_none = false;
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

void add_condition_flags(CLI::App& app, DedupOptions& options) {
  add_list(
      app, kDefinitionGroup,
      {.name = "--same",
       .value = "KEY",
       .help = "First keep one of the documents with an equal key, by --keep: url (normalised), text, bytes (the whole "
               "record), or a field; url:FIELD where the URL is in another field; several apply in turn"},
      [&](const Words& keys) {
        options.same.clear();
        for (const std::string& key : keys) options.same.push_back(parse_same_key(key));
      });
  add_switch(app, kDefinitionGroup, "--same-only", "With --same: do not look for near-duplicates", options.same_only);
  add_value(app, kDefinitionGroup,
            {"--url-rules", "FILE", "With --same url: further rules, such as `drop sid` or `ignore-www`, one per line"},
            [&](const std::string& value) { options.url_rules = value; });
  add_list(
      app, kDefinitionGroup,
      {.name = "--require",
       .value = "CONDITION",
       .help =
           "Count a pair only if a field is equal (FIELD) or similar (FIELD:MEASURE:T, such as title:jaccard:0.8) as "
           "well; may be repeated",
       .commas = false},
      [&](const Words& conditions) {
        options.require.clear();
        for (const std::string& condition : conditions) options.require.push_back(parse_condition(condition));
      });
  add_value(app, kDefinitionGroup,
            {"--by", "FIELD", "Treat the documents of each value of this field as a collection of their own"},
            [&](const std::string& value) { options.by = value; });
}

void add_keep_flags(CLI::App& app, DedupOptions& options, bool& keeps_none) {
  add_value(
      app, kKeepGroup,
      {"--clusters", "KIND",
       "Kind of cluster: components, star, complete or core; connected by pairs, all similar to the kept one, all "
       "similar to each other, or components cut where a single pair connects two groups; star is the default of "
       "--measure containment, which refuses components and core",
       "components", names_of(cluster_choices())},
      [&](const std::string& value) { options.clusters = parse_cluster_kind(value); });
  add_value(app, kKeepGroup,
            {"--keep",
             "RULES",
             "Keep rules: first, last, longest, shortest, max:FIELD, min:FIELD, newest:FIELD, oldest:FIELD, "
             "prefer:FIELD=VALUE, "
             "authority (PageRank or your own score); several, separated by commas, apply in turn. none: remove every "
             "member of a cluster",
             "first",
             {},
             names_of(keep_choices())},
            [&](const std::string& value) {
              keeps_none = value == "none";
              if (!keeps_none) options.keep = parse_keep_rules(value);
            });
  add_value(app, kKeepGroup, {"--copies", "N", "Keep up to this many documents of each cluster", "1"},
            [&](const std::string& value) { options.copies = parse_positive("--copies", value); });
  add_value(
      app, kKeepGroup,
      {"--decisions", "FILE",
       "Honour the decisions of people, JSON lines as the page of neardup serve exports them: separate a b (never a "
       "pair), same a b (always a pair), keep a"},
      [&](const std::string& value) { options.decisions = value; });
  add_switch(app, kKeepGroup, "--drop-empty", "Also remove documents without words; they are kept by default",
             options.drop_empty);
}

void add_dedup_output_flags(CLI::App& app, OutputOptions& output) {
  add_output_flags(app, output);
  add_switch(app, kOutputGroup, "--annotate",
             "Keep every record and add neardup_cluster, neardup_kept and neardup_score", output.annotate);
  add_switch(app, kOutputGroup, "--count",
             "Add neardup_count: how many documents the cluster of a record has, itself included", output.count);
  add_list(
      app, kOutputGroup,
      {.name = "--collect",
       .value = "FIELD",
       .help =
           "Add neardup_removed_FIELD to each kept record: the values of this field in the removed documents of its "
           "cluster; several, separated by commas"},
      [&](const Words& fields) { output.collect = fields; });
  add_value(app, kOutputGroup,
            {"--collect-limit", "N", "At most this many values per list (and 64 KiB)",
             fmt::format("{}", output.collect_limit)},
            [&](const std::string& value) { output.collect_limit = parse_positive("--collect-limit", value); });
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

// With an index its options are the defaults; whatever else was given is refused by the library.
void use_index_defaults(DedupFlags& flags, const IndexOptions& fixed) {
  DefinitionFlags& definition = flags.definition;
  definition.definition = fixed.definition;
  definition.features.spec = fixed.definition.features;
  if (fixed.definition.features.kind == FeatureKind::tokens) definition.features.spec.kind.reset();
  definition.features.weights = fixed.definition.weights;
  definition.features.text.rules = fixed.definition.text;
  flags.options.clusters = fixed.clusters;
  flags.options.keep = fixed.keep;
  flags.input.read.html = fixed.html;
}

// What could not be a default while the flags were parsed.
void complete_index_defaults(DedupFlags& flags, const IndexOptions& fixed) {
  DefinitionFlags& definition = flags.definition;
  if (!definition.distance) definition.threshold_given = true;
  FieldFlags& fields = definition.features.fields;
  if (fields.names.empty()) fields.weights = fixed.definition.field_weights;
  // The words themselves are in the index; the file they came from may be another one now.
  TextRules& rules = definition.features.text.rules;
  if (rules.stop_words_source == fixed.definition.text.stop_words_source) rules.stop_words_source.clear();
}

// Fills in what several flags decide together, and refuses what contradicts itself.
void complete(DedupFlags& flags, const Arguments& arguments) {
  DedupOptions& options = flags.options;
  use_distance(flags);
  if (flags.keeps_none && options.copies != 1)
    throw Error(ErrorCode::usage, "--keep none removes every member of a cluster: leave --copies out");
  if (flags.keeps_none) options.copies = 0;
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
  if (!flags.index.empty() && !flags.against.inputs.empty())
    throw Error(ErrorCode::usage, "--index and --against cannot be combined: add the documents to the index instead");
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

// A dry run works beside a process that writes.
DedupResult deduplicate_with_index(const Collection& documents, const DedupFlags& flags, const Context& context) {
  Index index = Index::open(flags.index, {.read_only = flags.options.output.dry_run}, context);
  return deduplicate(documents, *known_documents(index), flags.options, context);
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
  add_value(
      *app, kInputGroup,
      {"--index", "DIR",
       "Also remove near-duplicates of documents in this index (neardup index create), and add the kept documents "
       "to it; what counts as a near-duplicate is taken from the index"},
      [&](const std::string& value) { flags.index = value; });
  add_definition_flags(*app, flags.definition,
                       {.help = "Maximum distance: of strings with --measure edit, of simhashes with --measure hamming "
                                "or between the candidates of --finder simhash",
                        .fallback = fmt::format("{} for --finder simhash", flags.options.finder.distance)});
  add_field_flags(*app, flags.definition.features.fields);
  add_condition_flags(*app, flags.options);
  add_ignore_flags(*app, flags.ignore, Counted::offered);
  add_finder_flags(*app, flags);
  add_keep_flags(*app, flags.options, flags.keeps_none);
  add_authority_flags(*app, flags.options.authority);
  add_dedup_output_flags(*app, flags.options.output);
  add_gate_flag(
      *app, flags.gate,
      "End with exit code 5 when more than this share of the documents was removed, such as 0.3 or 30%; outputs "
      "are written as usual");
  add_run_flags(*app, flags.run);
  return app;
}

VerbDescription describe() {
  DedupFlags flags;
  return cli::describe(*command_line(flags), kText);
}

int run_dedup(DedupFlags& flags, const Arguments& arguments) {
  complete(flags, arguments);
  Session session(flags.run);
  const OutputOptions& output = flags.options.output;
  // An output that is there may be that of an interrupted run, which the index knows.
  if (flags.index.empty()) neardup::check_output(output.path, output.overwrite, session.context());
  const Collection documents = Collection::open(flags.input.files, flags.input.read, session.context());
  flags.ignore.open(flags.input.read, session.context());
  flags.options.ignore = flags.ignore.options;
  const DedupReport report = flags.index.empty() ? deduplicate_all(documents, flags, session.context()).report
                                                 : deduplicate_with_index(documents, flags, session.context()).report;
  session.report(report, flags.options, output.path);
  return flags.gate.exit_code(report.removed, report.documents(), "documents removed",
                              report.bad.count + report.against.bad.count > 0 ? kSomeSkipped : kDone);
}

int run(const Arguments& arguments) {
  auto flags = std::make_unique<DedupFlags>();
  if (!parse(*command_line(*flags), kText, arguments)) return kDone;
  if (const std::string index = flags->index; !index.empty()) {
    const IndexOptions fixed = Index::options_of(index, flags->run.context);
    flags = std::make_unique<DedupFlags>();
    use_index_defaults(*flags, fixed);
    parse(*command_line(*flags), kText, arguments);
    complete_index_defaults(*flags, fixed);
  }
  return run_dedup(*flags, arguments);
}

}  // namespace

const Verb kDedup{kText, describe, run};

}  // namespace neardup::cli
