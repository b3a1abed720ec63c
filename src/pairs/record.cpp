// What a listing says of itself in JSON.
#include "base/json_writer.h"
#include "pairs/list_pairs.h"
#include "report/json_parts.h"

namespace neardup {
namespace {

using base::JsonValue;
using base::JsonWriter;

void write_pairs_report(JsonWriter& json, const PairsReport& report) {
  const JoinStats& join = report.join;
  json.members({{"algorithm", join.algorithm},
                {"records", join.records},
                {"distinct_records", join.distinct},
                {"order_seconds", JsonValue::rounded(join.seconds.order, 6)},
                {"index_seconds", JsonValue::rounded(join.seconds.index, 6)},
                {"join_seconds", JsonValue::rounded(join.seconds.join, 6)},
                {"index_entries", join.index.entries},
                {"index_bytes", join.index.bytes}});
  json.objects("filters", join.filters, [&](const FilterCount& filter) {
    json.members({{"name", filter.name}, {"pairs", filter.pairs}});
  });
  json.members({{"candidates", join.candidates},
                {"distinct_pairs", join.pairs},
                {"rounds", join.rounds},
                {"stopped", join.stopped},
                {"peak_bytes", join.peak_bytes},
                {"pairs", report.pairs}});
  report::write_definition(json, report.definition);
  json.member("approximate", report.definition.features.minwise != 0);
  if (report.recall) json.member("recall", *report.recall);
  if (report.precision) json.member("precision", *report.precision);
  json.member("seconds", JsonValue::rounded(report.seconds, 3));
}

}  // namespace

std::string to_json(const PairsReport& report) {
  return base::json_object([&](JsonWriter& json) {
    write_pairs_report(json, report);
    json.member("documents", report.left_documents);
    if (report.right_documents) json.member("against_documents", *report.right_documents);
    report::write_oddities(json, report);
    report::write_first_bad_records(json, report.bad);
    json.strings("warnings", report.warnings);
  });
}

std::string pairs::stats_json(const PairsReport& report) {
  return base::json_object([&](JsonWriter& json) { write_pairs_report(json, report); });
}

}  // namespace neardup
