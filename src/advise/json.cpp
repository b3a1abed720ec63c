#include "base/json_writer.h"
#include "neardup/advise.h"
#include "report/json_parts.h"

namespace neardup {
namespace {

using base::JsonValue;
using base::JsonWriter;

void write_estimate(JsonWriter& json, const char* name, const Estimate& estimate) {
  json.object(name, {{"value", JsonValue::rounded(estimate.value, 1)},
                     {"low", JsonValue::rounded(estimate.low, 1)},
                     {"high", JsonValue::rounded(estimate.high, 1)}});
}

void write_shares(JsonWriter& json, const char* name, const std::vector<NamedShare>& shares) {
  json.objects(name, shares, [&](const NamedShare& share) {
    json.members({{"name", share.name}, {"share", JsonValue::rounded(share.share, 4)}});
  });
}

void write_threshold(JsonWriter& json, const ThresholdAdvice& advice) {
  json.begin_object("threshold");
  json.members(
      {{"suggested", to_string(advice.suggested)},
       {"given", advice.given},
       {"confidence", to_string(advice.confidence)},
       {"reason", advice.reason},
       {"valley", advice.valley ? JsonValue::rounded(*advice.valley, 3) : JsonValue(std::optional<double>())}});
  if (advice.valley) {
    json.members({{"valley_low", JsonValue::rounded(advice.valley_low, 3)},
                  {"valley_high", JsonValue::rounded(advice.valley_high, 3)}});
  }
  json.end_object();
}

void write_outcomes(JsonWriter& json, const Advice& advice) {
  json.objects("outcomes", advice.outcomes, [&](const ThresholdOutcome& outcome) {
    json.member("threshold", to_string(outcome.threshold));
    write_estimate(json, advice.matching ? "matches" : "clusters", outcome.clusters);
    write_estimate(json, advice.matching ? "with_partner" : "removed", outcome.removed);
    json.member("largest_cluster_share", JsonValue::rounded(outcome.largest_share, 4));
  });
  if (advice.matching) {
    json.object("matching", {{"matches", JsonValue::rounded(advice.matching->matches, 1)},
                             {"expected_precision", JsonValue::rounded(advice.matching->expected_precision, 4)},
                             {"expected_f1", JsonValue::rounded(advice.matching->expected_f1, 4)}});
  }
}

void write_simhash(JsonWriter& json, const SimhashAdvice& simhash) {
  json.begin_object("simhash");
  json.members({{"distance", simhash.distance}, {"pairs", simhash.pairs}});
  json.objects("points", simhash.points, [&](const SimhashPoint& point) {
    json.members({{"distance", point.distance},
                  {"recall", JsonValue::rounded(point.recall, 4)},
                  {"precision", JsonValue::rounded(point.precision, 4)}});
  });
  json.end_object();
}

}  // namespace

std::string to_string(Confidence confidence) {
  return confidence == Confidence::high ? "high" : confidence == Confidence::medium ? "medium" : "low";
}

std::string to_json(const Advice& advice, const std::string& command) {
  return base::json_object([&](JsonWriter& json) {
    report::write_head(json, "advise");
    json.members({{"documents", advice.documents()},
                  {"examined_share", advice.examined_share},
                  {"complete", advice.is_complete},
                  {"feature_sampling", advice.feature_sampling}});
    write_estimate(json, "all_documents", advice.all_documents);
    json.member("text_bytes", JsonValue::rounded(advice.all_text_bytes, 0));
    json.object("words", {{"p10", advice.words.p10},
                          {"median", advice.words.median},
                          {"p90", advice.words.p90},
                          {"longest", advice.words.longest}});
    write_shares(json, "scripts", advice.scripts);
    write_shares(json, "languages", advice.languages);
    write_estimate(json, "exact_copies", advice.exact_copies);
    write_estimate(json, "feature_copies", advice.feature_copies);
    report::write_definition(json, advice.definition);
    json.member("features_reason", advice.features_reason);
    write_threshold(json, advice.threshold);
    json.objects("scores", advice.scores, [&](const ScoreBin& bin) {
      json.members({{"from", JsonValue::rounded(bin.from, 2)},
                    {"pairs", JsonValue::rounded(bin.pairs, 1)},
                    {"nearest", JsonValue::rounded(bin.nearest, 4)}});
    });
    write_outcomes(json, advice);
    write_simhash(json, advice.simhash);
    json.object("work", {{"reading_cpu_seconds", JsonValue::rounded(advice.work.reading_cpu_seconds, 3)},
                         {"joining_cpu_seconds", JsonValue::rounded(advice.work.joining_cpu_seconds, 3)},
                         {"documents", advice.work.documents},
                         {"distinct", advice.work.distinct},
                         {"features", advice.work.features}});
    json.objects("finders", advice.finders, [&](const FinderCost& cost) {
      json.members({{"finder", cost.finder},
                    {"cpu_seconds", JsonValue::rounded(cost.cpu_seconds, 3)},
                    {"seconds", JsonValue::rounded(cost.seconds, 3)},
                    {"memory_bytes", JsonValue::rounded(cost.memory_bytes, 0)},
                    {"recall", cost.recall ? JsonValue::rounded(*cost.recall, 4) : JsonValue(cost.recall)},
                    {"suits", cost.suits},
                    {"remark", cost.remark}});
    });
    json.objects("templates", advice.templates, [&](const TemplateText& passage) {
      json.members({{"text", passage.text}, {"share", JsonValue::rounded(passage.share, 4)}});
    });
    json.member("template_pairs_share", JsonValue::rounded(advice.template_pairs_share, 4));
    json.strings("warnings", advice.warnings);
    report::write_oddities(json, advice);
    if (!command.empty()) json.member("command", command);
    json.member("seconds", JsonValue::rounded(advice.seconds, 3));
  });
}

}  // namespace neardup
