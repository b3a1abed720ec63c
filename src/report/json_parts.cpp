#include "report/json_parts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "io/codecs/codecs.h"
#include "io/collection.h"
#include "io/formats/formats.h"
#include "io/read_options.h"
#include "neardup/text_rules.h"
#include "neardup/version.h"

namespace neardup::report {

using base::JsonWriter;

void write_oddities(JsonWriter& json, const ReadFacts& facts) {
  json.integer("bad_records", facts.bad.count);
  json.integer("without_features", facts.without_features);
  json.integer("repaired_texts", facts.repaired_texts);
  json.begin_array("encodings");
  for (const EncodingCount& encoding : facts.encodings) {
    json.begin_object();
    json.string("name", encoding.name);
    json.boolean("detected", encoding.detected);
    json.integer("documents", encoding.documents);
    json.end_object();
  }
  json.end_array();
  json.integer("repeated_ids", facts.repeated_ids);
}

namespace {

void write_text_rules(JsonWriter& json, const TextRules& rules) {
  json.begin_object("text_rules");
  json.strings("strip", rules.strip);
  json.string("numbers", to_string(rules.numbers));
  json.integer("min_word", rules.min_word);
  if (!rules.stop_words.empty()) {
    json.string("stop_words", rules.stop_words_source);
    json.integer("stop_words_count", rules.stop_words.size());
  }
  if (!rules.stem.empty()) json.string("stem", rules.stem);
  json.string("applied", describe(rules));
  json.end_object();
}

}  // namespace

void write_definition(JsonWriter& json, const Definition& definition, const std::function<void(JsonWriter&)>& more) {
  json.begin_object("definition");
  if (definition.measure != Measure::edit) {
    json.string("features", to_string(definition.features));
    json.boolean("bag", definition.features.bag);
  }
  json.string("measure", to_string(definition.measure));
  json.string("threshold", to_string(definition.threshold));
  if (definition.measure == Measure::hamming) {
    json.string("weights", to_string(definition.weights));
    json.string("length_ratio", to_string(definition.length_ratio));
  }
  if (!definition.field_weights.empty())
    json.raw("field_weights", fmt::format("[{}]", fmt::join(definition.field_weights, ",")));
  if (definition.measure == Measure::edit) json.boolean("as_is", definition.as_is);
  if (has_rules(definition.text)) write_text_rules(json, definition.text);
  if (more) more(json);
  json.end_object();
}

void write_recall(JsonWriter& json, const std::optional<Recall>& recall) {
  if (!recall) return json.null("recall");
  json.begin_object("recall");
  json.number("value", recall->value);
  json.number("low", recall->low);
  json.number("high", recall->high);
  json.integer("documents", recall->documents);
  json.integer("pairs", recall->pairs);
  json.end_object();
}

void write_first_bad_records(JsonWriter& json, const BadRecords& records) {
  json.begin_array("first_bad_records");
  for (const BadRecord& bad : records.first) {
    json.begin_object();
    json.string("path", bad.path);
    json.integer("line", bad.number);
    json.string("reason", bad.reason);
    json.end_object();
  }
  json.end_array();
}

void write_inputs(JsonWriter& json, std::string_view name, const Collection& collection) {
  json.begin_array(name);
  for (const io::Source& source : io::impl_of(collection).sources) {
    json.begin_object();
    json.string("path", source.path);
    json.string("format", source.format->name);
    json.string("codec", source.codec->name);
    json.integer("bytes", source.file_bytes);
    json.end_object();
  }
  json.end_array();
}

void write_authority(JsonWriter& json, const AuthorityReport& report) {
  json.begin_object("authority");
  json.string("source", report.source.empty() ? "none" : report.source);
  json.integer("documents", report.documents);
  json.integer("links", report.links);
  json.integer("self_links", report.self_links);
  json.integer("repeated_links", report.repeated_links);
  json.integer("unknown", report.unknown);
  json.integer("dangling", report.dangling);
  json.integer("rounds", report.rounds);
  json.raw("seconds", fmt::format("{:.3f}", report.seconds));
  json.end_object();
}

void write_origin(JsonWriter& json, const std::vector<std::string>& recorded_command) {
  json.string("version", version());
  json.strings("libraries", library_versions());
  json.strings("command_line", recorded_command);
}

namespace {

std::string_view to_word(OnBadRecord policy) {
  switch (policy) {
    case OnBadRecord::skip:
      return "skip";
    case OnBadRecord::fail:
      return "fail";
    case OnBadRecord::quarantine:
      break;
  }
  return "quarantine";
}

}  // namespace

void write_reading(JsonWriter& json, const Collection& collection, OnBadRecord on_bad_record,
                   std::uint64_t text_bytes) {
  const ReadOptions& reading = io::impl_of(collection).options;
  json.begin_object("reading");
  json.strings("text", io::text_fields(reading));
  json.string("format", reading.format);
  json.string("html", to_string(reading.html));
  json.string("encoding", reading.encoding);
  json.string("id", io::id_field(reading));
  json.boolean("id_required", reading.id_field.has_value());
  json.integer("max_record_bytes", reading.max_record_bytes);
  json.integer("limit", reading.limit);
  json.number("sample", reading.sample);
  json.string("on_bad_record", to_word(on_bad_record));
  json.integer("text_bytes", text_bytes);
  json.end_object();
}

void write_run(JsonWriter& json, const RunFacts& run) {
  json.begin_object("stage_seconds");
  for (const StageTime& stage : run.stages) json.raw(stage.name, fmt::format("{:.3f}", stage.seconds));
  json.end_object();
  json.raw("seconds", fmt::format("{:.3f}", run.seconds));
  json.integer("peak_memory_bytes", run.peak_memory_bytes);
}

}  // namespace neardup::report
