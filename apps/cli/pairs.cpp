// neardup pairs: every similar pair with its exact score.
#include "neardup/pairs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "against_flags.h"
#include "flags.h"
#include "ignore_flags.h"
#include "neardup/error.h"
#include "session.h"
#include "verbs.h"
#include "words.h"

namespace neardup::cli {
namespace {

const VerbText kText{
    .name = "pairs",
    .summary = "list every similar pair with its exact score",
    .examples = {
        "neardup pairs pages.jsonl                                     TAB-separated: left, right, score",
        "neardup pairs films.csv --text title --features words --threshold 0.7 --show title,year -o pairs.csv",
        "neardup pairs imdb.csv --text title --against dbpedia.csv --against-text name --features words --one-to-one",
        "neardup pairs names.txt --lines --measure edit --distance 2 --show text --sort score",
        "neardup pairs baskets.sets --measure cosine --threshold 0.9 --algorithm ppjoin+ --stats stats.json",
    }};

struct PairsFlags {
  InputFlags input;
  AgainstFlags against;
  RunFlags run;
  DefinitionFlags definition;
  PairsOptions options;
  PairsListOptions list;
  IgnoreFlags ignore;
};

// For sets and for strings.
Words algorithm_names() {
  Words names = pair_algorithms(Measure::jaccard);
  for (const std::string& name : pair_algorithms(Measure::edit)) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return names;
}

void add_algorithm_flags(CLI::App& app, PairsOptions& options) {
  add_value(
      app, kFinderGroup,
      {"--algorithm", "NAME",
       fmt::format("{} (edit: {}); all but sp find every pair", fmt::join(pair_algorithms(Measure::jaccard), ", "),
                   fmt::join(pair_algorithms(Measure::edit), ", ")),
       options.algorithm, algorithm_names()},
      [&](const std::string& value) { options.algorithm = value; });
  add_value(app, kFinderGroup,
            {"--suffix-depth", "N", "ppjoin+: recursion depth of the suffix filter (MAXDEPTH in the paper)",
             fmt::format("{}", options.suffix_depth)},
            [&](const std::string& value) {
              constexpr std::uint64_t kMost = 32;
              const std::uint64_t depth = parse_count("--suffix-depth", value);
              if (depth > kMost)
                throw Error(ErrorCode::usage, fmt::format("--suffix-depth {}: expected 0 to {}", value, kMost));
              options.suffix_depth = static_cast<unsigned>(depth);
            });
  add_value(app, kFinderGroup, {"--gram-length", "N", "qgram: characters per gram", "by length and threshold"},
            [&](const std::string& value) {
              constexpr std::uint64_t kMost = 64;
              const std::uint64_t length = parse_count("--gram-length", value);
              if (length == 0 || length > kMost)
                throw Error(ErrorCode::usage, fmt::format("--gram-length {}: expected 1 to {}", value, kMost));
              options.gram_length = static_cast<unsigned>(length);
            });
  add_switch(app, kFinderGroup, "--no-recall",
             "With minwise features: do not measure recall against the whole feature sets",
             [&] { options.measure_recall = false; });
}

void add_output_flags(CLI::App& app, PairsOptions& options, PairsListOptions& list) {
  add_value(app, kOutputGroup,
            {"-o,--output", "PATH",
             "Output file, or - for standard output; .tsv, .csv or .jsonl, also compressed (.tsv.gz, ...)", list.path},
            [&](const std::string& value) { list.path = output_name(value); });
  add_value(app, kOutputGroup,
            {"--output-format", "NAME", "tsv, csv or jsonl", "by the ending of -o, else tsv", {"tsv", "csv", "jsonl"}},
            [&](const std::string& value) { list.format = value; });
  add_value(app, kOutputGroup,
            {"--sort", "ORDER", "Order of the pairs: input, or score (best first)", "input", {"input", "score"}},
            [&](const std::string& value) { options.order = value == "score" ? PairOrder::score : PairOrder::input; });
  add_switch(app, kOutputGroup, "--one-to-one",
             "Each record is in at most one pair: the best pair first, then the best of the rest (greedy)",
             options.one_to_one);
  add_value(app, kOutputGroup, {"--top", "N", "Only the N best matches of each left record", "all"},
            [&](const std::string& value) {
              options.top = parse_count("--top", value);
              if (options.top == 0) throw Error(ErrorCode::usage, "--top 0 would write nothing; omit it for all");
            });
  add_list(
      app, kOutputGroup,
      {"--show", "FIELD", "Fields to show with each pair, as left_FIELD and right_FIELD; text is the compared text"},
      [&](const Words& fields) { list.show = fields; });
  add_list(app, kOutputGroup, {"--against-show", "FIELD", "The same as --show for the other side", "as --show"},
           [&](const Words& fields) { list.against_show = fields; });
  add_value(app, kOutputGroup, {"--max-pairs", "N", "Stop after this many pairs (exit code 1)", "all"},
            [&](const std::string& value) {
              options.max_pairs = parse_count("--max-pairs", value);
              if (options.max_pairs == 0)
                throw Error(ErrorCode::usage, "--max-pairs 0 would find nothing; omit it for all");
            });
  add_value(app, kOutputGroup, {"--stats", "FILE", "Write counts and timings of the join as JSON"},
            [&](const std::string& value) { list.stats = value; });
  add_value(app, kOutputGroup, {"--report", "FILE.html", "Write one HTML page about the pairs"},
            [&](const std::string& value) { list.report = value; });
  add_force_flag(app, list.overwrite);
}

// Fills in what several flags decide together, and refuses what contradicts itself.
void complete(PairsFlags& flags) {
  PairsOptions& options = flags.options;
  flags.definition.use_distance_only_as_threshold();
  options.definition = flags.definition.checked();
  options.ignore = flags.ignore.options;
  options.on_bad_record = flags.input.on_bad_record;
  flags.against.check(flags.input.files);
  if (flags.list.path.empty()) throw Error(ErrorCode::usage, "--output needs a name; omit it for standard output");
  flags.definition.features.fields.apply(flags.input);
  flags.input.check();
  flags.run.check();
  options.validate();
}

App command_line(PairsFlags& flags) {
  auto app = make_app(kText);
  add_input_flags(*app, flags.input, Quarantine::none);
  add_against_flags(*app, flags.against, "Join the input (left) with these (right) instead of with itself");
  add_definition_flags(*app, flags.definition);
  add_field_flags(*app, flags.definition.features.fields);
  add_ignore_flags(*app, flags.ignore, Counted::offered);
  add_algorithm_flags(*app, flags.options);
  add_output_flags(*app, flags.options, flags.list);
  add_run_flags(*app, flags.run);
  return app;
}

VerbDescription describe() {
  PairsFlags flags;
  return cli::describe(*command_line(flags), kText);
}

int run(const Arguments& arguments) {
  PairsFlags flags;
  const auto app = command_line(flags);
  if (!parse(*app, kText, arguments)) return kDone;
  complete(flags);
  flags.list.recorded_command = command_of(kText, arguments);

  Session session(flags.run);
  PairsOptions& options = flags.options;
  const PairsListOptions& list = flags.list;
  check_output(list.path, list.overwrite, session.context());
  for (const std::string& file : {list.stats, list.report})
    if (!file.empty()) check_output(file, list.overwrite, session.context());
  const Collection documents = Collection::open(flags.input.files, flags.input.read, session.context());
  std::optional<Collection> against;
  if (!flags.against.inputs.empty()) {
    against = Collection::open(flags.against.files(flags.input.files), flags.against.reading(flags.input.read),
                               session.context());
  }
  flags.ignore.open(flags.input.read, session.context());
  options.ignore = flags.ignore.options;
  const PairsReport report = list_pairs(documents, against ? &*against : nullptr, options, list, session.context());
  session.report(report, list, list.path);
  const bool capped = options.max_pairs != 0 && report.join.stopped;
  return capped || report.bad.count > 0 ? kSomeSkipped : kDone;
}

}  // namespace

const Verb kPairs{kText, describe, run};

}  // namespace neardup::cli
