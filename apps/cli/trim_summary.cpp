// What `neardup trim` tells its user.
#include <fmt/format.h>

#include <algorithm>

#include "summary.h"
#include "summary_parts.h"
#include "words.h"

namespace neardup::cli {
namespace {

struct UnitWord {
  const char *one, *many;
};
UnitWord unit_word(const TrimUnit& unit) {
  switch (unit.kind) {
    case TrimUnit::Kind::lines:
      return {"line", "lines"};
    case TrimUnit::Kind::paragraphs:
      return {"paragraph", "paragraphs"};
    case TrimUnit::Kind::sentences:
      return {"sentence", "sentences"};
    case TrimUnit::Kind::spans:
      break;
  }
  return {"word", "words"};
}

std::string show_example(const CutExample& example) {
  constexpr std::size_t kWidth = 60, kAround = 24;
  std::string out = fmt::format("  {}: {}[-{}-]{}", printable(example.document), excerpt(example.before, kAround),
                                excerpt(example.cut, kWidth), excerpt(example.after, kAround));
  if (!example.stays_in.empty()) out += fmt::format("  (stays in {})", printable(example.stays_in));
  return out + "\n";
}

}  // namespace

std::string describe(const TrimReport& report, const TrimOptions& options) {
  const UnitWord word = unit_word(options.unit);
  std::string out = describe(report.bad);
  out += fmt::format("{} read ({}, {})\n", counted(report.documents(), "document", "documents"),
                     human_bytes(static_cast<double>(report.bytes)), human_seconds(report.seconds));
  const double share =
      report.items == 0 ? 0 : 100 * static_cast<double>(report.cut_items) / static_cast<double>(report.items);
  out += fmt::format("{} of {} {} ({:.1f}%): {} of {}\n", counted(report.cut_items, word.one, word.many),
                     with_commas(report.items), options.output.annotate ? "marked" : "cut", share,
                     counted(report.cuts, "cut", "cuts"), counted(report.passages, "passage", "passages"));
  out += fmt::format("{} trimmed", counted(report.trimmed, "document", "documents"));
  if (options.min_left.is_given()) {
    out += fmt::format("; below --min-left: {} kept whole, {} emptied, {} removed", with_commas(report.kept_whole),
                       with_commas(report.emptied), with_commas(report.removed));
    if (report.holders > 0)
      out += fmt::format(", {} trimmed because the copy that stays is in them", with_commas(report.holders));
  }
  out += '\n';
  if (!report.costly.empty()) {
    out += fmt::format("passages that cost most ({} cut, places, beginning):\n", word.many);
    for (const CostlyPassage& passage : report.costly)
      out += fmt::format("  {:>9}  {:>7}  {}\n", with_commas(passage.cut_items), with_commas(passage.places),
                         printable(excerpt(passage.beginning, 60)));
  }
  if (!report.examples.empty()) {
    out += "for example:\n";
    for (const CutExample& example : report.examples) out += show_example(example);
  }
  out += bad_count(report.bad, "skipped") + mended(report.repaired_texts, report.repeated_ids);
  return out + what_was_written(options.output, report.outputs);
}

std::string describe(const DecontaminateReport& report, const DecontaminateOptions& options) {
  std::string out = describe(report.bad);
  out += fmt::format("{} read ({}, {})\n", counted(report.documents(), "document", "documents"),
                     human_bytes(static_cast<double>(report.bytes)), human_seconds(report.seconds));
  out += fmt::format("{} of {} hit, in {}\n", with_commas(report.hit), counted(report.items, "test item", "test items"),
                     counted(report.hit_documents, "document", "documents"));
  if (report.too_short > 0)
    out += fmt::format("{} not judged: fewer than {} words\n", counted(report.too_short, "item was", "items were"),
                       options.min_words);
  if (report.all_common > 0)
    out += fmt::format("{} not judged: all windows are common\n", counted(report.all_common, "item was", "items were"));
  for (const SuiteReport& suite : report.suites)
    out +=
        fmt::format("  {}: {} of {} items ({:.2f}%), {}\n", printable(suite.name), with_commas(suite.hit),
                    with_commas(suite.judged), 100 * suite.share(), counted(suite.documents, "document", "documents"));
  if (!report.examples.empty()) out += "for example:\n";
  for (const std::string& example : report.examples) out += fmt::format("  {}\n", printable(excerpt(example, 110)));
  out += bad_count(report.bad, "skipped") + mended(report.repaired_texts, report.repeated_ids);
  return out + what_was_written(options.output, report.outputs);
}

}  // namespace neardup::cli
