#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <vector>

#include "base/json_writer.h"
#include "base/system.h"
#include "dedup/write.h"
#include "report/json_parts.h"

namespace neardup {

using base::JsonValue;
using base::JsonWriter;

namespace dedup {
namespace {

using namespace report;

void write_cohesion(JsonWriter& json, const CohesionReport& report, Measure measure) {
  json.begin_object("cohesion");
  json.members({{"examined", report.examined},
                {"loose", report.loose},
                {"bridged", report.bridged},
                {"everything", report.is_everything}});
  json.objects("worst", report.worst, [&](const LooseCluster& cluster) {
    const auto score = [&](double value) { return JsonValue::raw(format_score(measure, value)); };
    json.members({{"cluster", cluster.name},
                  {"documents", cluster.cohesion.documents},
                  {"distinct", cluster.cohesion.distinct},
                  {"share", JsonValue::rounded(cluster.cohesion.share, 6)},
                  {"sampled", cluster.cohesion.is_sampled}});
    if (report.is_everything)
      json.members({{"weakest", score(cluster.cohesion.weakest)}, {"bridges", cluster.cohesion.bridges}});
    if (cluster.lowest) json.members({{"lowest", score(*cluster.lowest)}, {"compared", cluster.compared}});
  });
  json.end_object();
}

void write_near_misses(JsonWriter& json, const NearMissReport& misses) {
  json.begin_object("near_misses");
  json.member("sampled_documents", misses.documents);
  json.objects("estimates", misses.estimates, [&](const NearMissReport::Estimate& estimate) {
    json.members({{"threshold", estimate.threshold},
                  {"pairs", JsonValue::rounded(estimate.pairs, 1)},
                  {"low", JsonValue::rounded(estimate.low, 1)},
                  {"high", JsonValue::rounded(estimate.high, 1)}});
  });
  json.objects("closest", misses.closest, [&](const NearMissReport::Closest& pair) {
    json.members({{"left", pair.left}, {"right", pair.right}, {"score", JsonValue::rounded(pair.score, 6)}});
  });
  json.end_object();
}

// A record is written before anything is added to an index.
enum class Where { record, summary };

void write_report(JsonWriter& json, const DedupReport& report, Where where) {
  json.members({{"records", report.records},
                {"documents", report.documents()},
                {"bytes", report.bytes},
                {"kept", report.kept},
                {"removed", report.removed}});
  const RemovalReport& removal = report.removal;
  json.members({{"removed_copies", removal.copies},
                {"removed_same", removal.same},
                {"removed_empty", removal.empty},
                {"removed_similar", removal.similar},
                {"removed_through_chain", removal.chained},
                {"removed_through_chain_at_most", removal.chained_at_most}});
  if (removal.bytes > 0) json.members({{"document_bytes", removal.bytes}, {"removed_bytes", removal.removed_bytes}});
  if (report.known) {
    json.members({{"index_documents", report.known->documents}, {"index_removed", report.known->removed}});
    if (where == Where::summary) json.member("index_added", report.known->added);
  }
  if (report.against.records > 0) {
    json.members({{"against_records", report.against.records},
                  {"against_removed", report.against.removed},
                  {"against_bad_records", report.against.bad.count}});
  }
  write_oddities(json, report);
  json.members({{"copies", report.copies}, {"clusters", report.clusters}, {"largest_cluster", report.largest_cluster}});
  if (report.clusters > 0) write_cohesion(json, report.cohesion, report.definition.measure);
  json.members({{"pairs", report.finder.document_pairs},
                {"distinct_pairs", report.finder.pairs},
                {"candidates", report.finder.candidates},
                {"finder", report.finder.name},
                {"finder_parameters", report.finder.parameters}});
  write_recall(json, report.finder.recall);
  if (report.near_misses) write_near_misses(json, *report.near_misses);
  if (report.authority) write_authority(json, *report.authority);
  if (report.ignored) write_ignored(json, *report.ignored);
  json.strings("warnings", report.warnings);
  json.strings("resumed", report.resumed);
  write_run(json, report);
}

void write_options(JsonWriter& json, const Plan& plan, const Context& context) {
  const DedupOptions& options = plan.options;
  const FinderOptions& finder = options.finder;
  std::vector<std::string> keep;
  for (const KeepRule& rule : options.keep) keep.push_back(to_string(rule));
  json.begin_object("options");
  json.member("finder", finder.name);
  if (plan.known != nullptr) json.member("index", plan.known->name());
  if (!options.pairs.empty()) json.member("pairs", options.pairs);
  if (!options.decisions.empty()) json.member("decisions", options.decisions);
  if (options.pairs_threshold) {
    json.members({{"pairs_threshold", to_string(*options.pairs_threshold)},
                  {"pairs_measure", to_string(options.definition.measure)}});
  }
  const auto add_names = [&](const char* name, const auto& values) {
    std::vector<std::string> names;
    for (const auto& value : values) names.push_back(to_string(value));
    if (!names.empty()) json.strings(name, names);
  };
  add_names("same", options.same);
  if (!options.same.empty()) json.members({{"same_only", options.same_only}, {"url_rules", options.url_rules}});
  add_names("require", options.require);
  if (!options.by.empty()) json.member("by", options.by);
  write_ignore_options(json, options.ignore);
  json.member("target_recall", finder.target_recall);
  if (finder.name == "simhash") json.member("distance", finder.distance);
  json.members({{"measure_recall", finder.measure_recall},
                {"against_only", options.against_only},
                {"drop_empty", options.drop_empty},
                {"clusters", to_string(options.cluster_kind())},
                {"keep", fmt::format("{}", fmt::join(keep, ","))},
                {"copies", options.copies},
                {"count", options.output.count},
                {"collect", fmt::format("{}", fmt::join(options.output.collect, ","))},
                {"collect_limit", options.output.collect_limit},
                {"seed", finder.seed},
                {"output", options.output.path},
                {"annotate", options.output.annotate},
                {"save_removed", options.output.save_removed},
                {"threads", base::threads(context)},
                {"memory_bytes", base::memory_bytes(context)}});
  json.end_object();
}

}  // namespace

std::string run_record(const Plan& plan, std::uint64_t features, const DedupReport& report, const Context& context) {
  return base::json_object([&](JsonWriter& json) {
    write_origin(json, "dedup", plan.options.output);
    write_inputs(json, "inputs", plan.collection);
    if (plan.against != nullptr) write_inputs(json, "against_inputs", *plan.against);
    if (plan.options.ignore.texts) write_inputs(json, "ignore_inputs", *plan.options.ignore.texts);
    write_reading(json, plan.collection, plan.options.on_bad_record, report.text_bytes);
    if (plan.against != nullptr) write_against_reading(json, *plan.against);
    if (!plan.is_given) {
      write_definition(json, plan.definition, [&](JsonWriter& more) {
        // The birthday bound: n (n - 1) / 2 pairs of different features, each equal in 64 bits with probability 2^-64.
        const auto n = static_cast<double>(features);
        more.members({{"feature_hash", "neardup 64-bit features, version 1 (docs/algorithms/text.md)"},
                      {"hash_seed", plan.definition.hash_seed},
                      {"features_in_distinct_documents", features},
                      {"chance_of_any_hash_collision",
                       JsonValue::raw(fmt::format("{:.3g}", n * n / 2 / 18446744073709551616.0))}});
      });
    }
    write_options(json, plan, context);
    write_report(json, report, Where::record);
  });
}

}  // namespace dedup

std::string to_json(const DedupReport& report) {
  return base::json_object([&](JsonWriter& json) {
    report::write_head(json, "dedup");
    dedup::write_report(json, report, dedup::Where::summary);
    // Pairs that the user brought were not found by any definition.
    if (report.finder.name != "pairs") report::write_definition(json, report.definition);
    json.objects("examples", report.examples, [&](const Example& example) {
      json.members({{"removed", example.removed_key},
                    {"kept", example.kept_key},
                    {"score", example.score},
                    {"against", example.is_against}});
    });
    report::write_first_bad_records(json, report.bad);
    json.strings("outputs", report.outputs);
  });
}

}  // namespace neardup
