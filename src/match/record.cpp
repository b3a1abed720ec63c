// What fingerprinting and matching say of themselves in JSON.
#include "base/json_writer.h"
#include "neardup/fingerprint.h"
#include "neardup/match.h"
#include "report/json_parts.h"

namespace neardup {

using base::JsonValue;
using base::JsonWriter;

std::string to_json(const FingerprintReport& report) {
  return base::json_object([&](JsonWriter& json) {
    report::write_head(json, "fingerprint");
    json.member("documents", report.documents());
    report::write_oddities(json, report);
    report::write_first_bad_records(json, report.bad);
    json.members({{"features", to_string(report.features)},
                  {"seconds", JsonValue::rounded(report.seconds, 3)},
                  {"peak_memory_bytes", report.peak_memory_bytes}});
  });
}

std::string to_json(const MatchReport& report) {
  return base::json_object([&](JsonWriter& json) {
    report::write_head(json, "match");
    json.members({{"method", report.method},
                  {"description", report.description},
                  {"base", report.base},
                  {"base_without_features", report.base_without},
                  {"queries", report.queries},
                  {"queries_without_features", report.queries_without},
                  {"matches", report.search.matches},
                  {"chunks", report.chunks},
                  {"index_bytes", report.index_bytes},
                  {"probes", report.search.probes},
                  {"compared", report.search.compared},
                  {"largest_probe_count", report.search.largest_probe_count},
                  {"fallback", report.search.fallback},
                  {"build_seconds", JsonValue::rounded(report.build_seconds, 6)},
                  {"search_seconds", JsonValue::rounded(report.search.search_seconds, 6)},
                  {"seconds", JsonValue::rounded(report.seconds, 3)},
                  {"peak_memory_bytes", report.peak_memory_bytes}});
  });
}

}  // namespace neardup
