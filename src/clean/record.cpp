// What a clean-up says of itself in JSON.
#include <fmt/format.h>

#include <algorithm>

#include "base/json_writer.h"
#include "base/system.h"
#include "clean/lists.h"
#include "report/json_parts.h"
#include "io/collection.h"

namespace neardup {
namespace {

using base::JsonWriter;

void write_quality(JsonWriter& json, std::string_view name, const ResultQuality& quality) {
  json.begin_object(name);
  json.number("duplicate_share", quality.duplicate_share);
  json.number("distinct_results", quality.distinct_results);
  json.end_object();
}

// What a query takes once its results are there.
void write_clean_steps(JsonWriter& json, const std::vector<QueryOutcome>& outcomes) {
  double sum = 0, worst = 0;
  for (const QueryOutcome& outcome : outcomes) {
    sum += outcome.clean_seconds;
    worst = std::max(worst, outcome.clean_seconds);
  }
  const double mean = outcomes.empty() ? 0 : sum / static_cast<double>(outcomes.size());
  json.begin_object("clean_step");
  json.raw("mean_ms", fmt::format("{:.3f}", 1000 * mean));
  json.raw("worst_ms", fmt::format("{:.3f}", 1000 * worst));
  json.end_object();
}

void write_report(JsonWriter& json, const CleanReport& report) {
  json.integer("records", report.records);
  json.integer("bytes", report.bytes);
  json.integer("kept", report.kept);
  json.integer("removed", report.removed);
  json.integer("groups", report.groups);
  json.integer("largest_group", report.largest_group);
  report::write_oddities(json, report);

  json.begin_object("log");
  json.string("format", report.log_format);
  json.integer("lines", report.log_lines);
  json.integer("bad_lines", report.log_bad.count);
  json.integer("without_words", report.log_without_words);
  json.integer("queries", report.log_queries);
  json.integer("searches", report.log_searches);
  json.end_object();
  json.integer("queries", report.queries);
  json.integer("queries_without_results", report.queries_without_results);

  write_clean_steps(json, report.outcomes);

  json.string("results", report.results_source);
  json.integer("index_terms", report.index_terms);
  json.integer("index_postings", report.index_postings);
  json.integer("index_bytes", report.index_bytes);
  report::write_authority(json, report.authority);
  json.integer("protected_documents", report.protected_documents);

  json.begin_object("first_ten_results");
  write_quality(json, "before", report.before);
  write_quality(json, "after", report.after);
  json.number("distinct_results_gained", report.distinct_gained);
  json.end_object();
  if (report.modes) {
    json.begin_object("modes");
    json.integer("removed_sequential", report.modes->removed_sequential);
    json.integer("removed_marked", report.modes->removed_marked);
    json.integer("removed_by_both", report.modes->removed_by_both);
    json.end_object();
  }
  json.strings("warnings", report.warnings);
  report::write_run(json, report);
}

}  // namespace

std::string to_json(const CleanReport& report) {
  JsonWriter json;
  json.begin_object();
  write_report(json, report);
  report::write_definition(json, report.definition);
  report::write_first_bad_records(json, report.bad);
  json.strings("outputs", report.outputs);
  json.end_object();
  return json.text();
}

namespace clean {

std::string clean_record(const Collection& collection, const CleanOptions& options, const CleanReport& report,
                         const Context& context) {
  JsonWriter json;
  json.begin_object();
  report::write_origin(json, options.recorded_command);
  report::write_inputs(json, "inputs", collection);
  report::write_reading(json, collection, options.on_bad_record, report.text_bytes);
  report::write_definition(json, report.definition);
  json.begin_object("options");
  json.string("queries", options.log.path);
  json.integer("min_count", options.log.min_count);
  json.integer("top_queries", options.log.top);
  json.string("results", options.results);
  json.number("k1", options.search.k1);
  json.number("b", options.search.b);
  json.integer("title_boost", options.search.title_boost);
  json.string("links", options.authority.links);
  json.string("authority", options.authority.scores.empty() ? options.authority.field : options.authority.scores);
  json.number("damping", options.authority.damping);
  json.number("tolerance", options.authority.tolerance);
  json.boolean("verify", options.verify);
  json.string("simhash_features", to_string(options.simhash_features));
  json.string("simhash_weights", to_string(options.simhash_weights));
  json.string("k", options.k.text());
  json.string("k_by_results", options.k_by_results.text());
  json.string("depth", options.depth.text());
  json.integer("min_results", options.min_results);
  if (options.authority_below) json.number("authority_below", *options.authority_below);
  json.strings("protect", options.protect);
  json.string("mode", to_string(options.mode));
  json.string("select", to_string(options.select));
  json.integer("budget_queries", options.budget_queries);
  json.number("budget_seconds", options.budget_seconds);
  json.string("output", options.output.path);
  json.boolean("save_removed", options.output.save_removed);
  json.integer("threads", base::threads(context));
  json.integer("memory_bytes", base::memory_bytes(context));
  json.end_object();
  write_report(json, report);
  json.end_object();
  return json.text();
}

}  // namespace clean
}  // namespace neardup
