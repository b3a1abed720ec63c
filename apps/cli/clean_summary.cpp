// What a clean-up tells its user.
#include <fmt/format.h>

#include <algorithm>

#include "summary.h"
#include "summary_parts.h"
#include "words.h"

namespace neardup::cli {
namespace {

constexpr std::size_t kQueriesShown = 3;
constexpr std::size_t kQueryWidth = 60;

std::string describe_log(const CleanReport& report) {
  std::string out = fmt::format("{} ({}, read as {})\n", counted(report.log.queries, "query", "queries"),
                                counted(report.log.searches, "search", "searches"), report.log.format);
  out += bad_count(report.log.bad, "in the log skipped");
  if (report.log.without_words > 0)
    out += fmt::format("{} in the log without words\n", counted(report.log.without_words, "line", "lines"));
  return out;
}

// The queries that removed most.
std::string describe_queries(const CleanReport& report) {
  std::vector<const QueryOutcome*> busy;
  for (const QueryOutcome& query : report.outcomes)
    if (query.removed > 0) busy.push_back(&query);
  if (busy.empty()) return "";
  const std::size_t shown = std::min(kQueriesShown, busy.size());
  std::partial_sort(busy.begin(), busy.begin() + static_cast<std::ptrdiff_t>(shown), busy.end(),
                    [](const QueryOutcome* a, const QueryOutcome* b) {
                      return std::pair(b->removed, a->rank) < std::pair(a->removed, b->rank);
                    });
  std::string out = fmt::format("{} of {} removed something; most:\n", with_commas(busy.size()),
                                counted(report.outcomes.size(), "query", "queries"));
  for (std::size_t i = 0; i < shown; ++i) {
    out += fmt::format("  {:>7}  {}\n", with_commas(busy[i]->removed), excerpt(busy[i]->query, kQueryWidth));
  }
  return out;
}

std::string describe_gain(const CleanReport& report) {
  const auto percent = [](double share) { return fmt::format("{:.2f}%", 100 * share); };
  return fmt::format("near-duplicates among the first ten results: {} before, {} after\n",
                     percent(report.shown.before.duplicate_share), percent(report.shown.after.duplicate_share)) +
         fmt::format("distinct results per search: {:.2f} before, {:.2f} after\n", report.shown.before.distinct_results,
                     report.shown.after.distinct_results);
}

std::string describe_order(const CleanOptions& options) {
  return to_string(options.course.mode) + (options.course.select == QuerySelection::coverage ? ", by coverage" : "");
}

std::string describe_modes(const CleanReport& report) {
  if (!report.modes) return "";
  const ModeDifference& modes = *report.modes;
  return fmt::format("sequential removes {}, marked {}, both {}\n", with_commas(modes.removed_sequential),
                     with_commas(modes.removed_marked), with_commas(modes.removed_by_both));
}

}  // namespace

std::string describe(const CleanReport& report, const CleanOptions& options) {
  std::string out = describe(report.bad) + describe(report.log.bad);
  out += fmt::format("{} read ({}, {})\n", counted(report.records - report.bad.count, "document", "documents"),
                     human_bytes(static_cast<double>(report.bytes)), human_seconds(report.seconds));
  out += describe_log(report);
  out += fmt::format("{} kept, {} removed", with_commas(report.kept), with_commas(report.removed));
  if (report.groups > 0) {
    out += fmt::format(" in {} (largest {})", counted(report.groups, "group", "groups"),
                       with_commas(report.largest_group));
  }
  out += fmt::format("\nsimhashes at most {} bits apart{} · {} · {}\n", options.policy.k.text(),
                     options.verify ? fmt::format(" and {}", describe(report.definition)) : "", describe_order(options),
                     report.results.source);
  out += report.authority.source.empty()
             ? "no authority: of near-duplicates the one that ranks first is kept (--links, --authority)\n"
             : describe(report.authority);
  if (report.protected_documents > 0)
    out += fmt::format("{} protected\n", counted(report.protected_documents, "document", "documents"));
  out += describe_queries(report);
  out += describe_gain(report);
  out += describe_modes(report);
  out += bad_count(report.bad, options.on_bad_record == OnBadRecord::quarantine ? "set aside" : "skipped");
  out += without_features(report.without_features, report.definition.features, "kept");
  out += describe(report.encodings);
  out += describe(report.companions);
  out += mended(report.repaired_texts, report.repeated_ids) + whole_pages(report.without_main_text);
  return out + what_was_written(options.output, report.outputs);
}

}  // namespace neardup::cli
