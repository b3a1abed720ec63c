#include "summary.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "summary_parts.h"
#include "words.h"

namespace neardup::cli {
namespace {

constexpr std::size_t kExamplesShown = 3;
constexpr std::size_t kExampleWidth = 70;
constexpr std::size_t kNameWidth = 16;  // a longer name gets a line of its own

std::string describe(const Recall& recall) {
  return fmt::format("recall {:.3f} ({:.3f}–{:.3f} on {})", recall.value, recall.low, recall.high,
                     counted(recall.pairs, "pair", "pairs"));
}

std::string describe_finder(const FinderReport& finder) {
  std::string out = "finder " + finder.name;
  if (!finder.parameters.empty()) out += fmt::format(" ({})", finder.parameters);
  if (finder.recall) out += " · " + describe(*finder.recall);
  return out;
}

// What to show of the kept text. Texts come cut to their first few hundred code points, so that only of short ones the
// whole is known.
std::string kept_excerpt(const Example& example, const Excerpts& texts) {
  if (!texts.same || texts.right.empty()) return texts.right;
  const std::size_t longer = std::max(columns(example.removed_text), columns(example.kept_text));
  return longer <= kExampleWidth ? "the same text" : "begins the same";
}

// A document beside the one that stands for it. Short names share a line with their texts, which `sets` do not have.
std::string describe(const Example& example, Measure measure) {
  const Excerpts texts = excerpts(example.removed_text, example.kept_text, kExampleWidth);
  const std::string removed = printable(example.removed_key);
  const std::string kept = printable(example.kept_key);
  const std::string score = example.score ? format_score(measure, *example.score) : "linked through others";
  const std::size_t width = std::max(columns(removed), columns(kept));
  const auto line = [&](const char* role, const std::string& name, const std::string& text, const std::string& end) {
    const bool fits = width <= kNameWidth;
    const std::string between = fits ? std::string(width - columns(name) + 2, ' ') : "\n            ";
    return fmt::format("  {:>8}  {}{}{}{}\n", role, name, text.empty() ? "" : between, text, end);
  };
  return line("removed", removed, texts.left, "") +
         line("kept", kept, kept_excerpt(example, texts), fmt::format(" ({})", score));
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
  if (!report.resumed.empty())
    out += fmt::format("continued an interrupted run (finished there: {})\n", fmt::join(report.resumed, ", "));
  out += fmt::format("{} kept, {} removed", with_commas(report.kept), with_commas(report.removed));
  if (report.clusters > 0) {
    out += fmt::format(" in {} (largest {})", counted(report.clusters, "cluster", "clusters"),
                       with_commas(report.largest_cluster));
  }
  if (report.against.records > 0) {
    out += fmt::format("\n{} near something in {} (--against)", with_commas(report.against.removed),
                       counted(report.against.records - report.against.bad.count, "other document", "other documents"));
  }
  if (report.finder.name == "pairs") {
    out += fmt::format("\n{} from {}\n", counted(report.finder.candidates, "pair", "pairs"), report.finder.parameters);
  } else {
    out += fmt::format("\n{} · {}\n", describe(report.definition), describe_finder(report.finder));
  }
  if (report.authority) out += describe(*report.authority);
  const bool set_aside = options.on_bad_record == OnBadRecord::quarantine && !options.output.dry_run;
  out += bad_count(report.bad, set_aside ? "set aside" : "skipped");
  if (report.against.bad.count > 0)
    out += describe(report.against.bad) + bad_count(report.against.bad, "skipped in --against");
  out += without_features(report.without_features, report.definition.features, "kept");
  out += describe(report.encodings);
  out += describe(report.companions);
  out += mended(report.repaired_texts, report.repeated_ids);
  out += describe_examples(report, report.definition.measure);
  return out + what_was_written(options.output, report.outputs);
}

std::string describe(const PairsReport& report, const PairsListOptions& list) {
  std::string out = describe(report.bad);
  out += counted(report.left_documents, "document", "documents");
  if (report.right_documents) out += fmt::format(" against {}", with_commas(*report.right_documents));
  out += fmt::format(", {} ({})\n", counted(report.pairs, "pair", "pairs"), human_seconds(report.seconds));
  out += fmt::format("{} · {}, {} verified\n", describe(report.definition), report.join.algorithm,
                     counted(report.join.candidates, "candidate", "candidates"));
  if (report.definition.features.minwise != 0) {
    out += "approximate: scores and pairs are those of the smallest hashes only";
    if (report.recall) {
      out += fmt::format("; recall {:.3f}, precision {:.3f} against the whole feature sets", *report.recall,
                         *report.precision);
    }
    out += "\n";
  }
  out += bad_count(report.bad, "skipped");
  out += without_features(report.without_features, report.definition.features, "in no pair");
  out += describe(report.encodings);
  out += mended(report.repaired_texts, report.repeated_ids);
  if (list.path != "-") out += fmt::format("written: {}\n", printable(list.path));
  if (!list.stats.empty()) out += fmt::format("written: {}\n", printable(list.stats));
  return out;
}

std::string describe(const FingerprintReport& report, const FingerprintFileOptions& file) {
  std::string out = describe(report.bad);
  out += fmt::format("{} fingerprinted ({})\n", counted(report.documents(), "document", "documents"),
                     human_seconds(report.seconds));
  out += bad_count(report.bad, "skipped");
  out += without_features(report.without_features, report.features, "written as -");
  out += describe(report.encodings);
  out += mended(report.repaired_texts, report.repeated_ids);
  if (file.output != "-") out += fmt::format("written: {}\n", printable(file.output));
  return out;
}

std::string describe(const MatchReport& report, const AskedMatch& asked) {
  std::string out =
      fmt::format("{} against {}, {} within distance {} ({})\n", counted(report.queries, "query", "queries"),
                  with_commas(report.base), counted(report.search.matches, "match", "matches"),
                  asked.options.search.distance, human_seconds(report.seconds));
  const std::string built = report.description.empty() ? "nothing to search" : report.description;
  out += fmt::format("{}{} · index {}, built in {}, searched in {}\n",
                     built.starts_with(report.method) ? "" : report.method + ": ", built,
                     human_bytes(static_cast<double>(report.index_bytes)), human_seconds(report.build_seconds),
                     human_seconds(report.search.search_seconds));
  if (!report.search.fallback.empty()) out += fmt::format("compared everything: {}\n", report.search.fallback);
  const std::uint64_t without = report.base_without + report.queries_without;
  if (without > 0) out += fmt::format("{} without features, in no match\n", counted(without, "document", "documents"));
  if (asked.files.output != "-") out += fmt::format("written: {}\n", printable(asked.files.output));
  if (!asked.files.stats.empty()) out += fmt::format("written: {}\n", printable(asked.files.stats));
  return out;
}

}  // namespace neardup::cli
