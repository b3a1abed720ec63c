// What fingerprinting says of itself in JSON.
#include <fmt/format.h>

#include "base/json_writer.h"
#include "neardup/fingerprint.h"
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

}  // namespace neardup
