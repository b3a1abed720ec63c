#include "summary.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "app.h"
#include "console.h"
#include "summary_parts.h"
#include "words.h"

namespace neardup::cli {
namespace {

constexpr std::size_t kExampleWidth = 70;  // of a text, where there is no terminal to fit
constexpr std::size_t kLeastWidth = 30, kMostWidth = 110;
constexpr std::size_t kNameWidth = 16;  // a longer name gets a line of its own
constexpr std::size_t kRoleWidth = 12;  // "   removed  "

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

std::size_t text_width(std::size_t besides) {
  if (!stderr_is_terminal()) return kExampleWidth;
  const std::size_t columns = stderr_columns();
  return std::clamp(columns > besides ? columns - besides : 0, kLeastWidth, kMostWidth);
}

std::string kept_excerpt(const Example& example, const std::string& passage) {
  if (example.kept_text.empty()) return "";
  switch (example.same) {
    case Example::Same::text:
      return "the same text";
    case Example::Same::words:
      return "the same words";
    case Example::Same::beginning:
      return "a text that begins with the same words";
    case Example::Same::no:
      break;
  }
  return passage;
}

// A removed document and the one kept in its place. Short names share a line with their texts, which `sets` do not
// have.
std::string describe(const Example& example, Measure measure, const char* reference, bool keeps_none) {
  const std::string removed = printable(example.removed_key);
  const std::string kept = printable(example.kept_key);
  const std::string score = fmt::format(" ({})", !example.rule.empty() ? example.rule
                                                 : example.score       ? format_score(measure, *example.score)
                                                                       : "linked through others");
  const std::size_t name_width = std::max(columns(removed), columns(kept));
  const bool fits = name_width <= kNameWidth;
  const std::size_t width = text_width(kRoleWidth + (fits ? name_width + 2 : 0) + columns(score));
  const auto line = [&](const char* role, const std::string& name, const std::string& text, const std::string& end) {
    const std::string between = fits ? std::string(name_width - columns(name) + 2, ' ') : "\n            ";
    return fmt::format("  {:>8}  {}{}{}{}\n", role, name, text.empty() ? "" : between, text, end);
  };
  const auto [left, right] =
      excerpts({{{example.removed_text, example.removed_differs}, {example.kept_text, example.kept_differs}}}, width);
  return line("removed", removed, left, "") + line(example.is_against ? reference
                                                   : keeps_none       ? "removed"
                                                                      : "kept",
                                                   kept, kept_excerpt(example, right), score);
}

std::string describe_examples(const DedupReport& report, const DedupOptions& options) {
  const OutputOptions& output = options.output;
  if (report.examples.empty()) return "";
  std::string out = "for example:\n";
  for (const Example& example : report.examples)
    out += describe(example, report.definition.measure, report.known ? "index" : "against", options.copies == 0);
  const bool has_folder = !report.outputs.empty() && report.clusters > 0 && is_folder_output(output.path);
  if (!has_folder) return out + "(neardup compare FILE#ID FILE#ID shows every difference)\n";
  return out + fmt::format("(neardup why {} {} explains why and shows every difference)\n", shell_word(output.path),
                           shell_word(report.examples.front().removed_key));
}

std::string percent(std::uint64_t part, std::uint64_t whole) {
  const double share = 100 * static_cast<double>(part) / static_cast<double>(whole);
  return share > 0 && share < 0.1 ? "less than 0.1%" : fmt::format("{:.1f}%", share);
}

std::string describe_kept(const DedupReport& report) {
  std::string out = fmt::format("{} kept, {} removed", with_commas(report.kept), with_commas(report.removed));
  const std::string clusters = fmt::format("{} (largest {})", counted(report.clusters, "cluster", "clusters"),
                                           with_commas(report.largest_cluster));
  // An index is a reference too.
  AgainstReport against = report.against;
  std::string references = fmt::format(
      "the {} (--against)", counted(against.records - against.bad.count, "reference document", "reference documents"));
  if (report.known) {
    against = {.records = report.known->documents, .removed = report.known->removed, .bad = {}};
    references = fmt::format("the {} in the index", counted(against.records, "document", "documents"));
  }
  const std::uint64_t empty = report.removal.empty;
  if (against.removed + empty == 0) {
    out += report.clusters > 0 ? " in " + clusters : "";
    return against.records == 0 ? out : out + "\nnone is a near-duplicate of " + references;
  }
  Words parts;
  if (against.removed > 0) {
    parts.push_back(fmt::format("{} of {}", counted(against.removed, "near-duplicate", "near-duplicates"), references));
  }
  if (report.clusters > 0)
    parts.push_back(fmt::format("{} in {}", with_commas(report.removed - against.removed - empty), clusters));
  if (empty > 0) parts.push_back(with_commas(empty) + " without words");
  out += fmt::format(": {}", fmt::join(parts, ", "));
  return against.records == 0 || against.removed > 0 ? out : out + "\nnone is a near-duplicate of " + references;
}

// What the removed documents are to the kept ones, and how much they are of the whole.
std::string describe_removal(const DedupReport& report) {
  if (report.removed == 0) return "";
  const RemovalReport& removal = report.removal;
  Words parts;
  if (removal.same > 0) parts.push_back(with_commas(removal.same) + " with the same key");
  if (removal.copies > 0) parts.push_back(counted(removal.copies, "copy (same features)", "copies (same features)"));
  const std::uint64_t chained = removal.chained.value_or(0), near = removal.similar - chained;
  if (near > 0) parts.push_back(counted(near, "near-duplicate", "near-duplicates"));
  if (!removal.chained && removal.chained_at_most > 0) {
    parts.back() += fmt::format(" (up to {} linked only through a chain; -o FOLDER counts them)",
                                with_commas(removal.chained_at_most));
  }
  if (chained > 0) {
    parts.push_back(fmt::format(
        "{} linked only through a chain (below the threshold to the kept document; --clusters star keeps them)",
        with_commas(chained)));
  }
  const bool has_others = report.against.removed + removal.empty + (report.known ? report.known->removed : 0) > 0;
  std::string out;
  if (!parts.empty()) out = fmt::format("{}: {}\n", has_others ? "in clusters" : "removed", fmt::join(parts, ", "));
  out += fmt::format("that is {} of the documents", percent(report.removed, report.documents()));
  if (removal.bytes > 0) out += fmt::format(" and {} of the bytes", percent(removal.removed_bytes, removal.bytes));
  return out + "\n";
}

std::string describe_ignored(const IgnoreReport& ignored) {
  std::string out = fmt::format("ignored {} in {}", counted(ignored.features, "feature", "features"),
                                counted(ignored.documents, "document", "documents"));
  if (ignored.left_without_features > 0)
    out +=
        fmt::format("; {} left without features, similar only to {} copies", with_commas(ignored.left_without_features),
                    ignored.left_without_features == 1 ? "its" : "their");
  out += ignored.texts.empty() ? "\n" : ", most often:\n";
  for (const IgnoredText& text : ignored.texts)
    out += fmt::format("  {:>8}  {}\n", with_commas(text.documents), printable(text.text));
  return out;
}

}  // namespace

std::string describe(const DedupReport& report, const DedupOptions& options) {
  if (std::ranges::find(report.resumed, "write") != report.resumed.end())
    return fmt::format("completed an interrupted run ({} was written already): {} added to the index\n",
                       fmt::join(report.outputs, ", "), counted(report.known->added, "document", "documents"));
  std::string out = describe(report.bad);
  out += fmt::format("{} read ({}, {})\n", counted(report.records - report.bad.count, "document", "documents"),
                     human_bytes(static_cast<double>(report.bytes)), human_seconds(report.seconds));
  if (!report.resumed.empty())
    out += fmt::format("resumed an interrupted run (already done: {})\n", fmt::join(report.resumed, ", "));
  out += describe_kept(report) + "\n" + describe_removal(report);
  if (options.same_only) {
    Words keys;
    for (const SameKey& key : options.same) keys.push_back(to_string(key));
    out += fmt::format("same {} · texts were not compared\n", fmt::join(keys, ", "));
  } else if (report.finder.name == "pairs") {
    out += fmt::format("{} from {}\n", counted(report.finder.candidates, "pair", "pairs"), report.finder.parameters);
  } else {
    out += fmt::format("{} · {}\n", describe(report.definition), describe_finder(report.finder));
  }
  if (report.authority) out += describe(*report.authority);
  if (report.ignored) out += describe_ignored(*report.ignored);
  const bool set_aside = options.on_bad_record == OnBadRecord::quarantine && !options.output.dry_run;
  out += bad_count(report.bad, set_aside ? "set aside" : "skipped");
  if (report.against.bad.count > 0)
    out += describe(report.against.bad) + bad_count(report.against.bad, "skipped in --against");
  if (!options.drop_empty) out += without_features(report.without_features, report.definition.features, "kept");
  out += describe(report.encodings);
  out += describe(report.companions);
  out += mended(report.repaired_texts, report.repeated_ids) + whole_pages(report.without_main_text);
  out += describe_examples(report, options);
  if (report.known && !options.output.dry_run)
    out += fmt::format("{} added to the index\n", counted(report.known->added, "document", "documents"));
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
  if (report.ignored) out += describe_ignored(*report.ignored);
  out += bad_count(report.bad, "skipped");
  out += without_features(report.without_features, report.definition.features, "in no pair");
  out += describe(report.encodings);
  out += mended(report.repaired_texts, report.repeated_ids) + whole_pages(report.without_main_text);
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
  out += mended(report.repaired_texts, report.repeated_ids) + whole_pages(report.without_main_text);
  if (file.output != "-") out += fmt::format("written: {}\n", printable(file.output));
  return out;
}

std::string describe(const TextReport& report, const TextOptions& options) {
  std::string out = describe(report.bad);
  out += fmt::format("{}, {} of text ({})\n", counted(report.documents(), "document", "documents"),
                     human_bytes(static_cast<double>(report.text_bytes)), human_seconds(report.seconds));
  out += bad_count(report.bad, "skipped") + describe(report.encodings);
  out += mended(report.repaired_texts, report.repeated_ids) + whole_pages(report.without_main_text);
  if (options.output != "-") out += fmt::format("written: {}\n", printable(options.output));
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
