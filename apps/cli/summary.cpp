#include "summary.h"

#include <fmt/format.h>

#include <algorithm>

#include "json.h"
#include "neardup/version.h"
#include "words.h"

namespace neardup::cli {
namespace {

constexpr std::size_t kExamplesShown = 3;
constexpr std::size_t kExampleWidth = 70;
constexpr std::size_t kNameWidth = 40;

std::string describe(const BadRecords& bad) {
  std::string out;
  for (const BadRecord& record : bad.first) {
    const std::string place = record.number == 0 ? record.path : fmt::format("{}:{}", record.path, record.number);
    out += printable(fmt::format("{}: {}", place, record.reason)) + "\n";
  }
  if (bad.count > bad.first.size()) out += fmt::format("... and {} more\n", with_commas(bad.count - bad.first.size()));
  return out;
}

std::string bad_count(const BadRecords& bad, OnBadRecord rule) {
  if (bad.count == 0) return "";
  return fmt::format("{} {}\n", counted(bad.count, "bad record", "bad records"),
                     rule == OnBadRecord::quarantine ? "set aside" : "skipped");
}

std::string describe(const Definition& definition) {
  const bool distance = definition.measure == Measure::hamming;
  return fmt::format("{}{}, {} {} {}", to_string(definition.features), definition.features.bag ? " (bag)" : "",
                     to_string(definition.measure), distance ? "<=" : ">=", to_string(definition.threshold));
}

std::string describe(const Recall& recall) {
  return fmt::format("recall {:.3f} ({:.3f}–{:.3f} on {})", recall.value, recall.low, recall.high,
                     counted(recall.pairs, "pair", "pairs"));
}

std::string describe_finder(const DedupReport& report) {
  std::string out = "finder " + report.finder;
  if (!report.finder_parameters.empty()) out += fmt::format(" ({})", report.finder_parameters);
  if (report.recall) out += " · " + describe(*report.recall);
  return out;
}

std::string shortened(const std::string& name) {
  const Excerpts pieces = excerpts(name, {}, kNameWidth);
  return pieces.left;
}

std::string describe(const Example& example, Measure measure) {
  const Excerpts texts = excerpts(example.removed_text, example.kept_text, kExampleWidth);
  const std::string score = example.score ? format_score(measure, *example.score) : "linked through others";
  const std::string removed = shortened(example.removed_key);
  const std::string kept = shortened(example.kept_key);
  const std::size_t width = std::max<std::size_t>({removed.size(), kept.size(), 1});
  if (texts.same || texts.left == texts.right) {
    return fmt::format("  removed {:<{}}  {}\n     kept {:<{}}  the same text ({})\n", removed, width, texts.left, kept,
                       width, score);
  }
  return fmt::format("  removed {:<{}}  {}\n     kept {:<{}}  {} ({})\n", removed, width, texts.left, kept, width,
                     texts.right, score);
}

std::string describe_examples(const DedupReport& report, Measure measure) {
  if (report.examples.empty()) return "";
  std::string out = "for example:\n";
  for (std::size_t i = 0; i < std::min(kExamplesShown, report.examples.size()); ++i)
    out += describe(report.examples[i], measure);
  return out;
}

void add_bad(Json& json, const BadRecords& bad) {
  json.begin_object("bad_records").number("count", bad.count).begin_array("first");
  for (const BadRecord& record : bad.first) {
    json.begin_object()
        .text("path", record.path)
        .number("number", record.number)
        .text("reason", record.reason)
        .end_object();
  }
  json.end_array().end_object();
}

void add_strings(Json& json, const char* key, const std::vector<std::string>& values) {
  json.begin_array(key);
  for (const std::string& value : values) json.element(value);
  json.end_array();
}

void add_definition(Json& json, const Definition& definition) {
  json.begin_object("definition")
      .text("features", to_string(definition.features))
      .boolean("bag", definition.features.bag)
      .text("measure", to_string(definition.measure))
      .text("threshold", to_string(definition.threshold));
  if (definition.measure == Measure::hamming) json.text("weights", to_string(definition.weights));
  json.end_object();
}

void add_finder(Json& json, const DedupReport& report) {
  json.begin_object("finder").text("name", report.finder).text("parameters", report.finder_parameters);
  if (report.pairs) {
    json.number("pairs", *report.pairs);
  } else {
    json.null("pairs");
  }
  json.number("candidates", report.candidates).end_object();
  if (!report.recall) {
    json.null("recall");
    return;
  }
  const Recall& recall = *report.recall;
  json.begin_object("recall")
      .decimal("value", recall.value)
      .decimal("low", recall.low)
      .decimal("high", recall.high)
      .number("documents", recall.documents)
      .number("pairs", recall.pairs)
      .end_object();
}

void add_examples(Json& json, const std::vector<Example>& examples) {
  json.begin_array("examples");
  for (const Example& example : examples) {
    json.begin_object().text("removed", example.removed_key).text("kept", example.kept_key);
    if (example.score) {
      json.decimal("score", *example.score);
    } else {
      json.null("score");
    }
    json.text("removed_text", example.removed_text).text("kept_text", example.kept_text).end_object();
  }
  json.end_array();
}

}  // namespace

std::string describe(const DedupReport& report, const DedupOptions& options) {
  std::string out = describe(report.bad);
  out += fmt::format("{} read ({}, {})\n", counted(report.records - report.bad.count, "document", "documents"),
                     human_bytes(static_cast<double>(report.bytes)), human_seconds(report.seconds));
  out += fmt::format("{} kept, {} removed", with_commas(report.kept), with_commas(report.removed));
  if (report.clusters > 0) {
    out += fmt::format(" in {} (largest {})", counted(report.clusters, "cluster", "clusters"),
                       with_commas(report.largest_cluster));
  }
  out += "\n" + fmt::format("{} · {}\n", describe(options.definition), describe_finder(report));
  out += bad_count(report.bad, options.on_bad_record);
  if (report.without_features > 0) {
    out += fmt::format("{} without words, kept\n", counted(report.without_features, "document", "documents"));
  }
  if (report.repaired_texts > 0) {
    out += fmt::format("{} with invalid UTF-8, repaired\n", counted(report.repaired_texts, "text", "texts"));
  }
  if (report.repeated_ids > 0) {
    out += fmt::format("{} (shown as ID#2, ID#3, ...)\n", counted(report.repeated_ids, "repeated id", "repeated ids"));
  }
  out += describe_examples(report, options.definition.measure);
  if (!options.output.path.empty() && options.output.dry_run) out += "dry run: nothing was written\n";
  if (options.output.path.empty())
    out += "nothing was written (-o OUT writes the kept documents and what was removed)\n";
  for (const std::string& path : report.outputs) {
    if (path != "-") out += fmt::format("written: {}\n", printable(path));
  }
  return out;
}

std::string describe(const FingerprintReport& report, const FingerprintOptions& options) {
  std::string out = describe(report.bad);
  out += fmt::format("{} fingerprinted ({})\n", counted(report.documents, "document", "documents"),
                     human_seconds(report.seconds));
  out += bad_count(report.bad, options.on_bad_record);
  if (report.without_features > 0) {
    out += fmt::format("{} without words, written as -\n", counted(report.without_features, "document", "documents"));
  }
  if (options.output != "-") out += fmt::format("written: {}\n", printable(options.output));
  return out;
}

std::string to_json(const DedupReport& report, const DedupOptions& options) {
  Json json;
  json.begin_object().text("verb", "dedup").text("version", version());
  json.number("records", report.records).number("bytes", report.bytes);
  json.number("kept", report.kept).number("removed", report.removed);
  json.number("clusters", report.clusters)
      .number("largest_cluster", report.largest_cluster)
      .number("copies", report.copies);
  json.number("without_features", report.without_features).number("repaired_texts", report.repaired_texts);
  json.number("repeated_ids", report.repeated_ids);
  add_bad(json, report.bad);
  add_definition(json, options.definition);
  add_finder(json, report);
  add_strings(json, "warnings", report.warnings);
  add_examples(json, report.examples);
  add_strings(json, "outputs", report.outputs);
  json.begin_array("stages");
  for (const StageTime& stage : report.stages) {
    json.begin_object().text("name", stage.name).decimal("seconds", stage.seconds).end_object();
  }
  json.end_array();
  json.decimal("seconds", report.seconds).number("peak_memory_bytes", report.peak_memory_bytes).end_object();
  return json.str() + "\n";
}

std::string to_json(const FingerprintReport& report, const FingerprintOptions& options) {
  Json json;
  json.begin_object().text("verb", "fingerprint").text("version", version());
  json.number("documents", report.documents).number("without_features", report.without_features);
  add_bad(json, report.bad);
  json.text("features", to_string(options.features))
      .boolean("bag", options.features.bag)
      .text("weights", to_string(options.weights));
  json.text("output", options.output).decimal("seconds", report.seconds).end_object();
  return json.str() + "\n";
}

}  // namespace neardup::cli
