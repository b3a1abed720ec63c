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

using base::JsonValue;
using base::JsonWriter;

void write_oddities(JsonWriter& json, const ReadFacts& facts) {
  json.members({{"bad_records", facts.bad.count},
                {"without_features", facts.without_features},
                {"repaired_texts", facts.repaired_texts},
                {"without_main_text", facts.without_main_text}});
  json.objects("encodings", facts.encodings, [&](const EncodingCount& encoding) {
    json.members({{"name", encoding.name}, {"detected", encoding.detected}, {"documents", encoding.documents}});
  });
  json.members({{"repeated_ids", facts.repeated_ids}, {"binary_files", facts.binary_files}});
}

namespace {

void write_text_rules(JsonWriter& json, const TextRules& rules) {
  json.begin_object("text_rules");
  json.strings("strip", rules.strip);
  json.members({{"numbers", to_string(rules.numbers)}, {"min_word", rules.min_word}});
  if (!rules.stop_words.empty())
    json.members({{"stop_words", rules.stop_words_source}, {"stop_words_count", rules.stop_words.size()}});
  if (!rules.stem.empty()) json.member("stem", rules.stem);
  json.member("applied", describe(rules));
  json.end_object();
}

std::string_view to_word(OnBadRecord policy) {
  return policy == OnBadRecord::skip ? "skip" : policy == OnBadRecord::fail ? "fail" : "quarantine";
}

}  // namespace

void write_definition(JsonWriter& json, const Definition& definition, const std::function<void(JsonWriter&)>& more) {
  const bool is_edit = definition.measure == Measure::edit;
  json.begin_object("definition");
  if (!is_edit) json.members({{"features", to_string(definition.features)}, {"bag", definition.features.bag}});
  json.members({{"measure", to_string(definition.measure)}, {"threshold", to_string(definition.threshold)}});
  if (definition.measure == Measure::hamming)
    json.members({{"weights", to_string(definition.weights)}, {"length_ratio", to_string(definition.length_ratio)}});
  if (!definition.field_weights.empty())
    json.member("field_weights", JsonValue::raw(fmt::format("[{}]", fmt::join(definition.field_weights, ","))));
  if (is_edit) json.member("as_is", definition.as_is);
  if (has_rules(definition.text)) write_text_rules(json, definition.text);
  if (more) more(json);
  json.end_object();
}

void write_recall(JsonWriter& json, const std::optional<Recall>& recall) {
  if (!recall) return json.member("recall", std::optional<double>());
  json.object("recall", {{"value", recall->value},
                         {"low", recall->low},
                         {"high", recall->high},
                         {"documents", recall->documents},
                         {"pairs", recall->pairs}});
}

void write_first_bad_records(JsonWriter& json, const BadRecords& records) {
  json.objects("first_bad_records", records.first, [&](const BadRecord& bad) {
    json.members({{"path", bad.path}, {"line", bad.number}, {"reason", bad.reason}});
  });
}

void write_inputs(JsonWriter& json, std::string_view name, const Collection& collection) {
  json.objects(name, io::impl_of(collection).sources, [&](const io::Source& source) {
    json.members({{"path", source.path},
                  {"format", source.format->name},
                  {"codec", source.codec->name},
                  {"bytes", source.file_bytes}});
  });
}

void write_authority(JsonWriter& json, const AuthorityReport& report) {
  json.object("authority", {{"source", report.source.empty() ? "none" : report.source},
                            {"documents", report.documents},
                            {"links", report.links},
                            {"self_links", report.self_links},
                            {"repeated_links", report.repeated_links},
                            {"unknown", report.unknown},
                            {"dangling", report.dangling},
                            {"rounds", report.rounds},
                            {"seconds", JsonValue::rounded(report.seconds, 3)}});
}

void write_ignored(JsonWriter& json, const IgnoreReport& report) {
  json.begin_object("ignored");
  json.members({{"features", report.features},
                {"documents", report.documents},
                {"left_without_features", report.left_without_features}});
  json.objects("texts", report.texts, [&](const IgnoredText& text) {
    json.members({{"text", text.text}, {"documents", text.documents}});
  });
  json.end_object();
}

void write_ignore_options(JsonWriter& json, const IgnoreOptions& options) {
  if (options.common) json.member("ignore_common", to_string(*options.common));
  if (!options.within.empty()) json.member("within", options.within);
}

void write_head(JsonWriter& json, std::string_view verb) { json.members({{"verb", verb}, {"version", version()}}); }

void write_origin(JsonWriter& json, std::string_view verb, const OutputOptions& output) {
  write_head(json, verb);
  json.strings("libraries", library_versions());
  json.strings("command_line", output.recorded_command);
}

namespace {

void write_read_options(JsonWriter& json, const ReadOptions& reading) {
  json.strings("text", io::text_fields(reading));
  json.members({{"format", reading.format},
                {"delimiter", reading.rows.delimiter ? std::string(1, *reading.rows.delimiter) : ""},
                {"quote", to_string(reading.rows.quote)},
                {"header", reading.rows.has_header},
                {"html", to_string(reading.html)},
                {"encoding", reading.encoding},
                {"id", io::id_field(reading)},
                {"id_required", reading.id_field.has_value()},
                {"max_record_bytes", reading.max_record_bytes},
                {"limit", reading.limit},
                {"sample", reading.sample}});
}

}  // namespace

void write_reading(JsonWriter& json, const Collection& collection, OnBadRecord on_bad_record,
                   std::uint64_t text_bytes) {
  json.begin_object("reading");
  write_read_options(json, io::impl_of(collection).options);
  json.members({{"on_bad_record", to_word(on_bad_record)}, {"text_bytes", text_bytes}});
  json.end_object();
}

void write_against_reading(JsonWriter& json, const Collection& collection) {
  json.begin_object("against_reading");
  write_read_options(json, io::impl_of(collection).options);
  json.end_object();
}

namespace {

void write_removed_by(JsonWriter& json, const RemovedBy& by) {
  const auto write = [&](const RemovedShare& share) {
    json.members({{"name", share.name}, {"documents", share.documents}, {"removed", share.removed}});
  };
  json.begin_object("removed_by");
  json.member("by", by.field.empty() ? "source" : "field");
  if (!by.field.empty()) json.member("field", by.field);
  json.objects("largest", by.largest, write);
  json.members(
      {{"others", by.others}, {"others_documents", by.of_others.documents}, {"others_removed", by.of_others.removed}});
  json.end_object();
}

}  // namespace

void write_run(JsonWriter& json, const RunFacts& run) {
  if (run.removed_by) write_removed_by(json, *run.removed_by);
  json.begin_object("stage_seconds");
  for (const StageTime& stage : run.stages) json.member(stage.name, JsonValue::rounded(stage.seconds, 3));
  json.end_object();
  if (run.companions.copied + run.companions.dropped > 0)
    json.object("companion_records", {{"copied", run.companions.copied}, {"dropped", run.companions.dropped}});
  json.members({{"seconds", JsonValue::rounded(run.seconds, 3)}, {"peak_memory_bytes", run.peak_memory_bytes}});
}

}  // namespace neardup::report
