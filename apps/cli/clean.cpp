// neardup clean: query-biased clean-up.
#include "neardup/clean.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "authority_flags.h"
#include "flags.h"
#include "neardup/error.h"
#include "session.h"
#include "verbs.h"
#include "words.h"

namespace neardup::cli {
namespace {

const VerbText kText{
    .name = "clean",
    .summary = "remove the near-duplicates that appear in search results",
    .examples = {
        "neardup clean pages/ --queries log.txt                           report only",
        "neardup clean crawl.warc.gz --queries log.tsv -o out             kept, removed, queries, authority",
        "neardup clean pages.jsonl --queries log.tsv --links links.tsv -o out",
        "neardup clean pages.jsonl --queries log.tsv --results engine.run -o out    your own engine's results",
        "neardup clean pages.jsonl --queries log.tsv --distance '1-100:3,101-500:2,...:1' --protect example.org -o out",
        "neardup clean pages.jsonl --queries log.tsv --no-verify --mode marked -o out",
    }};

struct CleanFlags {
  InputFlags input;
  RunFlags run;
  DefinitionFlags definition;
  CleanOptions options;
};

void add_log_flags(CLI::App& app, QueryLogOptions& log) {
  add_value(app, kLogGroup,
            {"--queries", "LOG", "Search log: one query per line, query TAB count, or records with fields"},
            [&](const std::string& value) { log.path = value; });
  Words formats = query_log_formats();
  formats.insert(formats.begin(), "auto");
  add_value(
      app, kLogGroup,
      {"--queries-format", "NAME",
       fmt::format("Format of the log: {}; auto detects it from the content", fmt::join(query_log_formats(), ", ")),
       log.format, formats},
      [&](const std::string& value) { log.format = value; });
  add_value(app, kLogGroup, {"--query-field", "FIELD", "Field that holds the query", "query"},
            [&](const std::string& value) { log.query_field = value; });
  add_value(
      app, kLogGroup,
      {"--count-field", "FIELD", "Field that holds the number of searches", "count, else every record counts once"},
      [&](const std::string& value) { log.count_field = value; });
  add_value(app, kLogGroup,
            {"--query-id-field", "FIELD", "Field that holds the query id used in --results", "id, else its line"},
            [&](const std::string& value) { log.id_field = value; });
  add_value(app, kLogGroup, {"--min-count", "N", "Ignore queries with a lower count", "1"},
            [&](const std::string& value) { log.min_count = parse_count("--min-count", value); });
  add_value(app, kLogGroup, {"--top-queries", "N", "Only the N most frequent queries", "all"},
            [&](const std::string& value) { log.top = parse_positive("--top-queries", value); });
}

void add_results_flags(CLI::App& app, CleanOptions& options) {
  add_value(
      app, kResultsGroup,
      {"--results", "FILE", "Results of your own engine as a TREC run file (query-id Q0 document-id rank score tag)",
       "BM25 over the input"},
      [&](const std::string& value) { options.results = value; });
  add_value(app, kResultsGroup, {"--k1", "X", "BM25: term frequency saturation", fmt::format("{}", options.search.k1)},
            [&](const std::string& value) { options.search.k1 = parse_number("--k1", value); });
  add_value(app, kResultsGroup,
            {"--b", "X", "BM25: document length normalisation, 0 to 1", fmt::format("{}", options.search.b)},
            [&](const std::string& value) { options.search.b = parse_number("--b", value); });
  add_value(app, kResultsGroup,
            {"--title-boost", "N", "BM25: weight of the words of the field `title`",
             fmt::format("{}", options.search.title_boost)},
            [&](const std::string& value) {
              options.search.title_boost = static_cast<unsigned>(
                  std::min<std::uint64_t>(parse_count("--title-boost", value), std::uint64_t{1} << 31));
            });
  add_switch(app, kResultsGroup, "--save-results",
             "Also write the results of every query before the clean-up, as OUT/results.run (TREC)",
             options.save_results);
}

void add_near_flags(CLI::App& app, CleanOptions& options) {
  add_value(app, kDefinitionGroup,
            {"--simhash-features",
             "KIND",
             "Features of the simhashes, as in --features",
             "words",
             {},
             {"words", "words:2", "words:5", "chars:4"}},
            [&](const std::string& value) { options.simhash.features = parse_features(value); });
  add_switch(
      app, kDefinitionGroup, "--no-verify",
      "Decide by simhash distance alone, as in the paper, and ignore --features, --measure and --threshold. Unrelated "
      "long texts can have close simhashes: use --simhash-features words:2 then",
      [&] { options.verify = false; });
}

double parse_seconds(const std::string& value) {
  const std::size_t unit = value.find_first_not_of("0123456789.");
  const std::string_view suffix = unit == value.npos ? std::string_view("s") : std::string_view(value).substr(unit);
  const double factor = suffix == "s" ? 1 : suffix == "m" ? 60 : suffix == "h" ? 3600 : 0;
  const double seconds = factor == 0 ? 0 : factor * parse_number("--budget-time", value.substr(0, unit));
  if (!(seconds > 0)) {
    throw Error(ErrorCode::usage, fmt::format("--budget-time {}: expected a time such as 90s, 10m or 2h", value));
  }
  return seconds;
}

void add_policy_flags(CLI::App& app, CleanPolicy& policy) {
  const auto add_rule = [&](const char* name, const char* help, RangeRule& rule, std::uint64_t first,
                            RangeRule::Shares shares, const std::string& fallback) {
    add_value(app, kPolicyGroup, {name, "RULE", help, fallback},
              [&rule, name, first, shares](const std::string& value) {
                try {
                  rule = RangeRule::parse(value, first, shares);
                } catch (const Error& error) {
                  throw Error(error.code(), fmt::format("{} {}", name, error.what()));
                }
              });
  };
  add_rule("--distance", "Maximum simhash distance, or one per range of query ranks: 1-100:3,101-500:2,...:1", policy.k,
           1, RangeRule::Shares::refused, policy.k.text());
  add_rule("--distance-by-results",
           "Maximum simhash distance by number of results: 0-9:0,10-:3; the smaller limit applies", policy.k_by_results,
           0, RangeRule::Shares::refused, "");
  add_rule("--depth", "Number of results to examine: a number, a share (20%), or one per range of query ranks",
           policy.depth, 1, RangeRule::Shares::allowed, policy.depth.text());
  add_value(app, kPolicyGroup, {"--min-results", "N", "Skip queries with fewer results", "0"},
            [&](const std::string& value) { policy.min_results = parse_count("--min-results", value); });
  add_value(app, kPolicyGroup, {"--authority-below", "X", "Remove only documents with a lower authority", "any"},
            [&](const std::string& value) { policy.authority_below = parse_number("--authority-below", value); });
  add_list(
      app, kPolicyGroup,
      {.name = "--protect",
       .value = "WHAT",
       .help = "Never remove these: FIELD=VALUE, a file of ids or URLs, or a host with its subdomains; may be repeated",
       .commas = false},
      [&](const Words& all) { policy.protect = all; });
}

void add_course_flags(CLI::App& app, CleanCourse& course) {
  add_value(
      app, kPolicyGroup,
      {"--mode", "MODE",
       "sequential: each query sees what earlier queries left; marked: every query sees all documents, and marked "
       "documents are removed at the end",
       to_string(course.mode), names_of(clean_mode_choices())},
      [&](const std::string& value) { course.mode = parse_clean_mode(value); });
  add_switch(app, kPolicyGroup, "--compare-modes", "Also run the other mode, and report how the two differ",
             course.compare_modes);
  add_value(
      app, kPolicyGroup,
      {"--select", "HOW",
       "Order of the queries: frequency (most frequent first) or coverage (those with the most unseen results first)",
       to_string(course.select), names_of(query_selection_choices())},
      [&](const std::string& value) { course.select = parse_query_selection(value); });
  add_value(app, kPolicyGroup, {"--budget-queries", "N", "Stop after N queries", "all"},
            [&](const std::string& value) { course.budget_queries = parse_positive("--budget-queries", value); });
  add_value(app, kPolicyGroup, {"--budget-time", "TIME", "Stop after this time: 90s, 10m, 2h", "none"},
            [&](const std::string& value) { course.budget_seconds = parse_seconds(value); });
}

App command_line(CleanFlags& flags) {
  auto app = make_app(kText);
  add_input_flags(*app, flags.input, Quarantine::offered);
  add_log_flags(*app, flags.options.log);
  add_results_flags(*app, flags.options);
  add_set_definition_flags(*app, flags.definition);
  add_near_flags(*app, flags.options);
  add_authority_flags(*app, flags.options.authority);
  add_policy_flags(*app, flags.options.policy);
  add_course_flags(*app, flags.options.course);
  add_output_flags(*app, flags.options.output);
  add_run_flags(*app, flags.run);
  return app;
}

void complete(CleanFlags& flags, const Arguments& arguments) {
  CleanOptions& options = flags.options;
  // Simhashes are at work whatever the measure, so that weights always matter.
  options.simhash.weights = flags.definition.features.weights;
  flags.definition.features.weights_given = false;
  options.definition = flags.definition.checked();
  options.definition.weights = Weights::occurrences;
  options.on_bad_record = flags.input.on_bad_record;
  options.output.recorded_command = command_of(kText, arguments);
  const auto readers = std::ranges::count(flags.input.files.inputs, "-") + (options.log.path == "-" ? 1 : 0) +
                       (flags.input.files.files_from == "-" ? 1 : 0);
  if (readers > 1)
    throw Error(ErrorCode::usage,
                "standard input can be only one of the documents, their list and the log: name a file for the others");
  flags.input.check();
  flags.run.check();
  options.validate();
}

VerbDescription describe() {
  CleanFlags flags;
  return cli::describe(*command_line(flags), kText);
}

int run(const Arguments& arguments) {
  CleanFlags flags;
  const auto app = command_line(flags);
  if (!parse(*app, kText, arguments)) return kDone;
  complete(flags, arguments);

  Session session(flags.run);
  neardup::check_output(flags.options.output.path, flags.options.output.overwrite, session.context());
  const Collection documents = Collection::open(flags.input.files, flags.input.read, session.context());
  const CleanReport report = clean_up(documents, flags.options, session.context()).report;
  session.report(report, flags.options, flags.options.output.path);
  return report.bad.count + report.log.bad.count > 0 ? kSomeSkipped : kDone;
}

}  // namespace

const Verb kClean{kText, describe, run};

}  // namespace neardup::cli
