#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/json_writer.h"
#include "base/system.h"
#include "report/json_parts.h"
#include "trim/write.h"

namespace neardup {

using base::JsonWriter;

namespace trimming {
namespace {

void write_counts(JsonWriter& json, const TrimReport& report) {
  json.members({{"records", report.records}, {"documents", report.documents()}, {"bytes", report.bytes}});
  json.members({{"items", report.items},
                {"cut_items", report.cut_items},
                {"cut_text_bytes", report.cut_bytes},
                {"cuts", report.cuts},
                {"passages", report.passages}});
  json.members({{"trimmed", report.trimmed},
                {"kept_whole", report.kept_whole},
                {"emptied", report.emptied},
                {"removed", report.removed},
                {"holders", report.holders},
                {"not_mapped", report.not_mapped}});
  json.members({{"windows", report.windows}, {"candidates", report.candidates}, {"can_undo", report.can_undo}});
  if (report.against_records > 0) json.member("against_records", report.against_records);
  report::write_oddities(json, report);
  json.objects("costly_passages", report.costly, [&](const CostlyPassage& passage) {
    json.members({{"passage", passage.name},
                  {"items", passage.items},
                  {"places", passage.places},
                  {"cut_items", passage.cut_items},
                  {"first_id", passage.document},
                  {"beginning", passage.beginning}});
  });
  json.strings("warnings", report.warnings);
}

void write_trim_options(JsonWriter& json, const TrimOptions& options, const Context& context) {
  std::vector<std::string> keep;
  for (const KeepRule& rule : options.keep) keep.push_back(to_string(rule));
  json.begin_object("options");
  json.members({{"unit", to_string(options.unit)},
                {"cut", to_string(options.cut)},
                {"keep", options.keep_none ? "none" : fmt::format("{}", fmt::join(keep, ","))},
                {"min_copies", options.min_copies},
                {"edges", options.cut_edges ? "cut" : "keep"},
                {"by", options.by}});
  if (options.min_left.items > 0) json.member("min_left", options.min_left.items);
  if (options.min_left.share) json.member("min_left", to_string(*options.min_left.share));
  json.members({{"short_documents", to_string(options.short_documents)},
                {"max_passage", options.max_passage},
                {"output", options.output.path},
                {"annotate", options.output.annotate}});
  json.strings("protect", options.protect);
  json.members({{"threads", base::threads(context)}, {"memory_bytes", base::memory_bytes(context)}});
  json.end_object();
}

}  // namespace

std::string run_record(const Collection& collection, const Collection* other, const TrimOptions& options,
                       const TrimReport& report, const Context& context) {
  return base::json_object([&](JsonWriter& json) {
    report::write_origin(json, "trim", options.output);
    report::write_inputs(json, "inputs", collection);
    if (other != nullptr) report::write_inputs(json, "against_inputs", *other);
    report::write_reading(json, collection, options.on_bad_record, report.text_bytes);
    if (other != nullptr) report::write_against_reading(json, *other);
    write_trim_options(json, options, context);
    // Where the records of each input are, for undoing.
    const io::CollectionImpl& impl = io::impl_of(collection);
    json.begin_array("files");
    for (const io::Source& source : impl.sources) {
      json.begin_object();
      json.members({{"input", source.path},
                    {"output", impl.single_input ? io::name_like("kept", source).string() : "kept/" + source.relative},
                    {"relative", source.relative}});
      json.end_object();
    }
    json.end_array();
    write_counts(json, report);
    report::write_run(json, report);
  });
}

}  // namespace trimming

std::string to_json(const TrimReport& report) {
  return base::json_object([&](JsonWriter& json) {
    report::write_head(json, "trim");
    trimming::write_counts(json, report);
    json.objects("examples", report.examples, [&](const CutExample& example) {
      json.members({{"document", example.document},
                    {"before", example.before},
                    {"cut", example.cut},
                    {"after", example.after},
                    {"stays_in", example.stays_in}});
    });
    report::write_first_bad_records(json, report.bad);
    report::write_run(json, report);
    json.strings("outputs", report.outputs);
  });
}

}  // namespace neardup
