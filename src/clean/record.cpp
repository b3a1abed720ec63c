// What a clean-up says of itself in JSON.
#include <algorithm>

#include "base/json_writer.h"
#include "base/system.h"
#include "clean/lists.h"
#include "report/json_parts.h"

namespace neardup {
namespace {

using base::JsonValue;
using base::JsonWriter;

void write_quality(JsonWriter& json, std::string_view name, const ResultQuality& quality) {
  json.object(name, {{"duplicate_share", quality.duplicate_share}, {"distinct_results", quality.distinct_results}});
}

// What a query takes once its results are there.
void write_clean_steps(JsonWriter& json, const std::vector<QueryOutcome>& outcomes) {
  double sum = 0, worst = 0;
  for (const QueryOutcome& outcome : outcomes) {
    sum += outcome.clean_seconds;
    worst = std::max(worst, outcome.clean_seconds);
  }
  const double mean = outcomes.empty() ? 0 : sum / static_cast<double>(outcomes.size());
  json.object("clean_step",
              {{"mean_ms", JsonValue::rounded(1000 * mean, 3)}, {"worst_ms", JsonValue::rounded(1000 * worst, 3)}});
}

void write_report(JsonWriter& json, const CleanReport& report) {
  json.members({{"records", report.records},
                {"documents", report.documents()},
                {"bytes", report.bytes},
                {"kept", report.kept},
                {"removed", report.removed},
                {"groups", report.groups},
                {"largest_group", report.largest_group}});
  report::write_oddities(json, report);
  json.object("log", {{"format", report.log.format},
                      {"lines", report.log.lines},
                      {"bad_lines", report.log.bad.count},
                      {"without_words", report.log.without_words},
                      {"queries", report.log.queries},
                      {"searches", report.log.searches}});
  json.members({{"queries", report.outcomes.size()}, {"queries_without_results", report.queries_without_results()}});
  write_clean_steps(json, report.outcomes);
  json.members({{"results", report.results.source},
                {"index_terms", report.results.terms},
                {"index_postings", report.results.postings},
                {"index_bytes", report.results.bytes}});
  report::write_authority(json, report.authority);
  json.member("protected_documents", report.protected_documents);
  json.begin_object("first_ten_results");
  write_quality(json, "before", report.shown.before);
  write_quality(json, "after", report.shown.after);
  json.member("distinct_results_gained", report.shown.distinct_gained);
  json.end_object();
  if (report.modes) {
    json.object("modes", {{"removed_sequential", report.modes->removed_sequential},
                          {"removed_marked", report.modes->removed_marked},
                          {"removed_by_both", report.modes->removed_by_both}});
  }
  json.strings("warnings", report.warnings);
  report::write_run(json, report);
}

void write_options(JsonWriter& json, const CleanOptions& options, const Context& context) {
  const QueryLogOptions& log = options.log;
  const AuthorityOptions& authority = options.authority;
  const CleanPolicy& policy = options.policy;
  const CleanCourse& course = options.course;
  json.begin_object("options");
  json.members({{"queries", log.path},
                {"min_count", log.min_count},
                {"top_queries", log.top},
                {"results", options.results},
                {"k1", options.search.k1},
                {"b", options.search.b},
                {"title_boost", options.search.title_boost},
                {"links", authority.links},
                {"authority", authority.scores.empty() ? authority.field : authority.scores},
                {"damping", authority.damping},
                {"tolerance", authority.tolerance},
                {"verify", options.verify},
                {"simhash_features", to_string(options.simhash.features)},
                {"simhash_weights", to_string(options.simhash.weights)},
                {"k", policy.k.text()},
                {"k_by_results", policy.k_by_results.text()},
                {"depth", policy.depth.text()},
                {"min_results", policy.min_results}});
  if (policy.authority_below) json.member("authority_below", *policy.authority_below);
  json.strings("protect", policy.protect);
  json.members({{"mode", to_string(course.mode)},
                {"select", to_string(course.select)},
                {"budget_queries", course.budget_queries},
                {"budget_seconds", course.budget_seconds},
                {"output", options.output.path},
                {"save_removed", options.output.save_removed},
                {"threads", base::threads(context)},
                {"memory_bytes", base::memory_bytes(context)}});
  json.end_object();
}

}  // namespace

std::uint64_t CleanReport::queries_without_results() const {
  return static_cast<std::uint64_t>(std::ranges::count(outcomes, 0u, &QueryOutcome::results));
}

std::string to_json(const CleanReport& report) {
  return base::json_object([&](JsonWriter& json) {
    report::write_head(json, "clean");
    write_report(json, report);
    report::write_definition(json, report.definition);
    report::write_first_bad_records(json, report.bad);
    json.strings("outputs", report.outputs);
  });
}

std::string clean::clean_record(const Collection& collection, const CleanOptions& options, const CleanReport& report,
                                const Context& context) {
  return base::json_object([&](JsonWriter& json) {
    report::write_origin(json, "clean", options.output);
    report::write_inputs(json, "inputs", collection);
    report::write_reading(json, collection, options.on_bad_record, report.text_bytes);
    report::write_definition(json, report.definition);
    write_options(json, options, context);
    write_report(json, report);
  });
}

}  // namespace neardup
