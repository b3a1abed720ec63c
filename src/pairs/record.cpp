// What a listing says of itself in JSON.
#include <fmt/format.h>

#include "base/json_writer.h"
#include "pairs/list_pairs.h"
#include "report/json_parts.h"

namespace neardup {
namespace {

using base::JsonWriter;

void write_join(JsonWriter& json, const JoinStats& stats) {
  json.string("algorithm", stats.algorithm);
  json.integer("records", stats.records);
  json.integer("distinct_records", stats.distinct);
  json.raw("order_seconds", fmt::format("{:.6f}", stats.order_seconds));
  json.raw("index_seconds", fmt::format("{:.6f}", stats.index_seconds));
  json.raw("join_seconds", fmt::format("{:.6f}", stats.join_seconds));
  json.integer("index_entries", stats.index_entries);
  json.integer("index_bytes", stats.index_bytes);
  json.begin_array("filters");
  for (const FilterCount& filter : stats.filters) {
    json.begin_object();
    json.string("name", filter.name);
    json.integer("pairs", filter.pairs);
    json.end_object();
  }
  json.end_array();
  json.integer("candidates", stats.candidates);
  json.integer("distinct_pairs", stats.pairs);
  json.integer("rounds", stats.rounds);
  json.boolean("stopped", stats.stopped);
  json.integer("peak_bytes", stats.peak_bytes);
}

void write_pairs_report(JsonWriter& json, const PairsReport& report) {
  write_join(json, report.join);
  json.integer("pairs", report.pairs);
  report::write_definition(json, report.definition);
  json.boolean("approximate", report.definition.features.minwise != 0);
  if (report.recall) json.number("recall", *report.recall);
  if (report.precision) json.number("precision", *report.precision);
  json.raw("seconds", fmt::format("{:.3f}", report.seconds));
}

}  // namespace

std::string to_json(const PairsReport& report) {
  JsonWriter json;
  json.begin_object();
  write_pairs_report(json, report);
  json.integer("documents", report.left_documents);
  if (report.has_other) json.integer("against_documents", report.right_documents);
  report::write_oddities(json, report);
  report::write_first_bad_records(json, report.bad);
  json.strings("warnings", report.warnings);
  json.end_object();
  return json.text();
}

std::string pairs::stats_json(const PairsReport& report) {
  JsonWriter json;
  json.begin_object();
  write_pairs_report(json, report);
  json.end_object();
  return json.text();
}

}  // namespace neardup
