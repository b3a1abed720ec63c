#include "summary.h"

#include <fmt/format.h>

#include <algorithm>

#include "words.h"

namespace neardup::cli {
namespace {

constexpr std::size_t kExamplesShown = 3;
constexpr std::size_t kExampleWidth = 70;
constexpr std::size_t kNameWidth = 16;  // a longer name gets a line of its own

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

// A document beside the one that stands for it. Short names share a line with their texts.
std::string describe(const Example& example, Measure measure) {
  const Excerpts texts = excerpts(example.removed_text, example.kept_text, kExampleWidth);
  const std::string removed = printable(example.removed_key);
  const std::string kept = printable(example.kept_key);
  const bool same = texts.same || texts.left == texts.right;
  const std::string score = example.score ? format_score(measure, *example.score) : "linked through others";
  const std::size_t width = std::max(columns(removed), columns(kept));
  const auto line = [&](const char* role, const std::string& name, const std::string& text) {
    const bool fits = width <= kNameWidth;
    const std::string between = fits ? std::string(width - columns(name) + 2, ' ') : "\n            ";
    return fmt::format("  {:>8}  {}{}{}\n", role, name, between, text);
  };
  return line("removed", removed, texts.left) +
         line("kept", kept,
              same ? fmt::format("the same text ({})", score) : fmt::format("{} ({})", texts.right, score));
}

std::string describe_examples(const DedupReport& report, Measure measure) {
  if (report.examples.empty()) return "";
  std::string out = "for example:\n";
  for (std::size_t i = 0; i < std::min(kExamplesShown, report.examples.size()); ++i)
    out += describe(report.examples[i], measure);
  return out;
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
  out += "\n" + fmt::format("{} · {}\n", describe(report.definition), describe_finder(report));
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
  out += describe_examples(report, report.definition.measure);
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

}  // namespace neardup::cli
