#include "dedup/record.h"

#include <fmt/format.h>

#include "base/json_writer.h"
#include "base/system.h"
#include "report/json_parts.h"

namespace neardup {

using base::JsonWriter;

namespace dedup {
namespace {

using namespace report;

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
  write_oddities(json, report);
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
  write_recall(json, report.recall);
  if (report.authority) write_authority(json, *report.authority);
  json.strings("warnings", report.warnings);
  json.strings("resumed", report.resumed);
  write_run(json, report);
}

void write_options(JsonWriter& json, const DedupOptions& options, const Context& context) {
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
}

}  // namespace

std::string run_record(const Plan& plan, std::uint64_t features, const DedupReport& report, const Context& context) {
  JsonWriter json;
  json.begin_object();
  write_origin(json, plan.options.recorded_command);
  write_inputs(json, "inputs", plan.collection);
  if (plan.against != nullptr) write_inputs(json, "against_inputs", *plan.against);
  write_reading(json, plan.collection, plan.options.on_bad_record, report.text_bytes);
  if (!plan.is_given) {
    write_definition(json, plan.definition, [&](JsonWriter& more) {
      more.string("feature_hash", "neardup 64-bit features, version 1 (docs/algorithms/text.md)");
      more.integer("hash_seed", plan.definition.hash_seed);
      more.integer("features_in_distinct_documents", features);
      // The birthday bound: n (n - 1) / 2 pairs of different features, each equal in 64 bits with probability 2^-64.
      const auto n = static_cast<double>(features);
      more.raw("chance_of_any_hash_collision", fmt::format("{:.3g}", n * n / 2 / 18446744073709551616.0));
    });
  }
  write_options(json, plan.options, context);
  write_report(json, report);
  json.end_object();
  return json.text();
}

}  // namespace dedup

std::string to_json(const DedupReport& report) {
  JsonWriter json;
  json.begin_object();
  dedup::write_report(json, report);
  report::write_definition(json, report.definition);
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
  report::write_first_bad_records(json, report.bad);
  json.strings("outputs", report.outputs);
  json.end_object();
  return json.text();
}

}  // namespace neardup
