#include "report/run_record.h"

#include <fmt/format.h>

#include "base/json_writer.h"
#include "base/system.h"
#include "report/json_parts.h"
#include "neardup/fingerprint.h"

namespace neardup {
namespace {

using base::JsonWriter;
using report::write_definition;
using report::write_encodings;
using report::write_first_bad_records;

void write_report(JsonWriter& json, const DedupReport& report) {
  json.integer("records", report.records);
  json.integer("bytes", report.bytes);
  json.integer("kept", report.kept);
  json.integer("removed", report.removed);
  if (report.against_records > 0) {
    json.integer("against_records", report.against_records);
    json.integer("against_removed", report.against_removed);
    json.integer("against_bad_records", report.against_bad.count);
  }
  json.integer("bad_records", report.bad.count);
  json.integer("without_features", report.without_features);
  json.integer("repaired_texts", report.repaired_texts);
  write_encodings(json, report.encodings);
  json.integer("repeated_ids", report.repeated_ids);
  json.integer("copies", report.copies);
  json.integer("clusters", report.clusters);
  json.integer("largest_cluster", report.largest_cluster);
  if (report.pairs) {
    json.integer("pairs", *report.pairs);
  } else {
    json.null("pairs");
  }
  json.integer("candidates", report.candidates);
  json.string("finder", report.finder);
  json.string("finder_parameters", report.finder_parameters);
  if (report.recall) {
    json.begin_object("recall");
    json.number("value", report.recall->value);
    json.number("low", report.recall->low);
    json.number("high", report.recall->high);
    json.integer("documents", report.recall->documents);
    json.integer("pairs", report.recall->pairs);
    json.end_object();
  } else {
    json.null("recall");
  }
  if (report.authority) report::write_authority(json, *report.authority);
  json.strings("warnings", report.warnings);
  json.strings("resumed", report.resumed);
  report::write_stages(json, report.stages);
  json.raw("seconds", fmt::format("{:.3f}", report.seconds));
  json.integer("peak_memory_bytes", report.peak_memory_bytes);
}

}  // namespace

std::string to_json(const FingerprintReport& report) {
  JsonWriter json;
  json.begin_object();
  json.integer("documents", report.documents);
  json.integer("without_features", report.without_features);
  json.integer("repaired_texts", report.repaired_texts);
  write_encodings(json, report.encodings);
  json.integer("repeated_ids", report.repeated_ids);
  json.integer("bad_records", report.bad.count);
  write_first_bad_records(json, report.bad);
  json.string("features", to_string(report.features));
  json.raw("seconds", fmt::format("{:.3f}", report.seconds));
  json.end_object();
  return json.text();
}

std::string to_json(const DedupReport& report) {
  JsonWriter json;
  json.begin_object();
  write_report(json, report);
  json.begin_object("definition");
  write_definition(json, report.definition);
  json.end_object();
  json.begin_array("examples");
  for (const Example& example : report.examples) {
    json.begin_object();
    json.string("removed", example.removed_key);
    json.string("kept", example.kept_key);
    if (example.score) {
      json.number("score", *example.score);
    } else {
      json.null("score");
    }
    json.end_object();
  }
  json.end_array();
  write_first_bad_records(json, report.bad);
  json.strings("outputs", report.outputs);
  json.end_object();
  return json.text();
}

namespace {

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
  json.begin_object("definition");
  write_definition(json, report.definition);
  json.end_object();
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
  json.integer("documents", report.records);
  if (report.has_against) json.integer("against_documents", report.against_records);
  json.integer("without_features", report.without_features);
  json.integer("repaired_texts", report.repaired_texts);
  write_encodings(json, report.encodings);
  json.integer("repeated_ids", report.repeated_ids);
  json.integer("bad_records", report.bad.count);
  write_first_bad_records(json, report.bad);
  json.strings("warnings", report.warnings);
  json.end_object();
  return json.text();
}

namespace report {

std::string stats_json(const PairsReport& report) {
  JsonWriter json;
  json.begin_object();
  write_pairs_report(json, report);
  json.end_object();
  return json.text();
}

std::string run_record(const Collection& collection, const DedupOptions& options, const RunFacts& facts,
                       const DedupReport& report, const Context& context) {
  const Definition& definition = facts.definition;
  JsonWriter json;
  json.begin_object();
  write_origin(json, options.command_line);
  write_inputs(json, "inputs", collection);
  if (facts.against != nullptr) write_inputs(json, "against_inputs", *facts.against);
  write_reading(json, collection, options.on_bad_record, facts.text_bytes);

  json.begin_object("definition");
  write_definition(json, definition);
  json.string("feature_hash", "neardup 64-bit features, version 1 (docs/algorithms/text.md)");
  json.integer("hash_seed", definition.hash_seed);
  json.integer("features_in_distinct_documents", facts.features);
  // The birthday bound: n (n - 1) / 2 pairs of different features, each equal in 64 bits with probability 2^-64.
  const auto n = static_cast<double>(facts.features);
  json.raw("chance_of_any_hash_collision", fmt::format("{:.3g}", n * n / 2 / 18446744073709551616.0));
  json.end_object();

  json.begin_object("options");
  json.string("finder", options.finder);
  if (!options.pairs.empty()) json.string("pairs", options.pairs);
  json.number("target_recall", options.target_recall);
  if (options.finder == "simhash") json.integer("distance", options.distance);
  json.boolean("measure_recall", options.measure_recall);
  json.boolean("against_only", options.against_only);
  json.string("clusters", to_string(options.clusters));
  std::string keep;
  for (const KeepRule& rule : options.keep) keep += (keep.empty() ? "" : ",") + to_string(rule);
  json.string("keep", keep);
  json.integer("seed", options.seed);
  json.string("output", options.output.path);
  json.boolean("annotate", options.output.annotate);
  json.boolean("save_removed", options.output.save_removed);
  json.integer("threads", base::threads(context));
  json.integer("memory_bytes", base::memory_bytes(context));
  json.end_object();

  write_report(json, report);
  json.end_object();
  return json.text();
}

}  // namespace report
}  // namespace neardup
