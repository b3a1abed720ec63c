// What fingerprinting and matching say of themselves in JSON.
#include <fmt/format.h>

#include "base/json_writer.h"
#include "neardup/fingerprint.h"
#include "neardup/match.h"
#include "report/json_parts.h"

namespace neardup {

std::string to_json(const FingerprintReport& report) {
  base::JsonWriter json;
  json.begin_object();
  json.integer("documents", report.documents());
  report::write_oddities(json, report);
  report::write_first_bad_records(json, report.bad);
  json.string("features", to_string(report.features));
  json.raw("seconds", fmt::format("{:.3f}", report.seconds));
  json.end_object();
  return json.text();
}

std::string to_json(const MatchReport& report) {
  base::JsonWriter json;
  json.begin_object();
  json.string("method", report.method);
  json.string("description", report.description);
  json.integer("base", report.base);
  json.integer("base_without_features", report.base_without);
  json.integer("queries", report.queries);
  json.integer("queries_without_features", report.queries_without);
  json.integer("matches", report.search.matches);
  json.integer("chunks", report.chunks);
  json.integer("index_bytes", report.index_bytes);
  json.integer("probes", report.search.probes);
  json.integer("compared", report.search.compared);
  json.integer("largest_probe_count", report.search.largest_probe_count);
  json.string("fallback", report.search.fallback);
  json.raw("build_seconds", fmt::format("{:.6f}", report.build_seconds));
  json.raw("search_seconds", fmt::format("{:.6f}", report.search.search_seconds));
  json.raw("seconds", fmt::format("{:.3f}", report.seconds));
  json.integer("peak_bytes", report.peak_bytes);
  json.end_object();
  return json.text();
}

}  // namespace neardup
