#include <fmt/format.h>

#include "base/json_writer.h"
#include "neardup/evaluate.h"
#include "report/json_parts.h"

namespace neardup {
namespace evaluation {
namespace {

using base::JsonValue;
using base::JsonWriter;

JsonValue six(double value) { return JsonValue::rounded(value, 6); }

void write_estimate(JsonWriter& json, std::string_view name, const Estimate& estimate) {
  json.object(name, {{"value", six(estimate.value)}, {"low", six(estimate.low)}, {"high", six(estimate.high)}});
}

void write_mistakes(JsonWriter& json, std::string_view name, const std::vector<Mistake>& mistakes) {
  json.objects(name, mistakes, [&](const Mistake& mistake) {
    json.members({{"left", mistake.left}, {"right", mistake.right}, {"pairs", mistake.pairs}});
    if (!mistake.place.empty()) json.member("cluster", mistake.place);
    if (mistake.score) json.member("score", six(*mistake.score));
    if (!mistake.left_text.empty()) json.member("left_text", mistake.left_text);
    if (!mistake.right_text.empty()) json.member("right_text", mistake.right_text);
  });
}

void write_partitions(JsonWriter& json, const PartitionScores& scores) {
  json.object("bcubed", {{"precision", six(scores.bcubed_precision)},
                         {"recall", six(scores.bcubed_recall)},
                         {"f1", six(scores.bcubed_f1)}});
  json.members({{"ari", six(scores.ari)},
                {"homogeneity", six(scores.homogeneity)},
                {"completeness", six(scores.completeness)},
                {"v_measure", six(scores.v_measure)},
                {"purity", six(scores.purity)},
                {"inverse_purity", six(scores.inverse_purity)}});
}

void write_point(JsonWriter& json, const SweepPoint& point) {
  json.members({{"threshold", six(point.threshold)},
                {"precision", six(point.precision())},
                {"recall", six(point.recall())},
                {"f1", six(point.f1())},
                {"found_pairs", point.found_pairs},
                {"common_pairs", point.common_pairs}});
}

void write_sweep(JsonWriter& json, const Sweep& sweep) {
  json.begin_object("sweep");
  json.begin_object("best");
  write_point(json, sweep.best);
  json.end_object();
  json.objects("points", sweep.points, [&](const SweepPoint& point) { write_point(json, point); });
  json.end_object();
}

}  // namespace
}  // namespace evaluation

std::string to_json(const Evaluation& evaluation, const Sweep* sweep) {
  using namespace evaluation;
  return base::json_object([&](base::JsonWriter& json) {
           report::write_head(json, "evaluate");
           json.members({{"result", evaluation.result_shape},
                         {"truth", evaluation.truth_shape},
                         {"documents", evaluation.documents},
                         {"unknown_documents", evaluation.unknown_documents},
                         {"missing_documents", evaluation.missing_documents},
                         {"repeated_ids", evaluation.repeated_ids},
                         {"contradictions", evaluation.contradictions},
                         {"implied_pairs", evaluation.implied_pairs},
                         {"found_pairs", evaluation.found_pairs},
                         {"true_pairs", evaluation.true_pairs},
                         {"common_pairs", evaluation.common_pairs}});
           write_estimate(json, "precision", evaluation.precision);
           write_estimate(json, "recall", evaluation.recall);
           write_estimate(json, "f1", evaluation.f1);
           json.member("blocks", evaluation.blocks);
           write_partitions(json, evaluation.clusters);
           json.members(
               {{"false_merges_in_all", evaluation.false_merges_in_all}, {"misses_in_all", evaluation.misses_in_all}});
           write_mistakes(json, "false_merges", evaluation.false_merges);
           write_mistakes(json, "misses", evaluation.misses);
           if (sweep != nullptr) write_sweep(json, *sweep);
           json.strings("warnings", evaluation.warnings);
         }) +
         "\n";
}

std::string to_json(const SampledEvaluation& sampled) {
  using namespace evaluation;
  return base::json_object([&](base::JsonWriter& json) {
           report::write_head(json, "evaluate");
           json.members({{"result", sampled.result_shape},
                         {"documents", sampled.documents},
                         {"sampled", sampled.sampled},
                         {"bad_records", sampled.bad.count},
                         {"unknown_documents", sampled.unknown_documents},
                         {"found_pairs", sampled.found_pairs},
                         {"true_pairs", sampled.true_pairs},
                         {"common_pairs", sampled.common_pairs}});
           write_estimate(json, "precision", sampled.precision);
           write_estimate(json, "recall", sampled.recall);
           report::write_definition(json, sampled.definition);
           json.strings("warnings", sampled.warnings);
         }) +
         "\n";
}

}  // namespace neardup
