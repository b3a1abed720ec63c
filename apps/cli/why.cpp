// neardup why: why a document of an earlier run was removed or kept.
#include "neardup/why.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <limits>

#include "compare_view.h"
#include "flags.h"
#include "neardup/error.h"
#include "session.h"
#include "verbs.h"
#include "view_flags.h"
#include "words.h"

namespace neardup::cli {
namespace {

const VerbText kText{
    .name = "why",
    .summary = "say why a document was removed or kept by an earlier run",
    .examples =
        {
            "neardup dedup pages.jsonl -o out && neardup why out d7",
            "neardup why out d7 --diff none                  only the rule, the cluster and the chain of pairs",
            "neardup why out d7 --json",
        },
    .arguments = "OUT ID",
    .needs = "OUT and ID: the output folder of a run, and the id of a document as its lists print it",
};

struct WhyFlags {
  Words words;
  RunFlags run;
  ViewFlags view;
};

bool has_same_key(const WhyReport& report) { return report.rule.starts_with("same:"); }

std::string describe_outcome(const WhyReport& report) {
  const std::string id = printable(report.id), kept = printable(report.kept);
  const std::string score = report.score.empty() ? "" : fmt::format(" (score {})", report.score);
  switch (report.outcome) {
    case WhyReport::Outcome::kept:
      if (report.cluster_size == 0) return fmt::format("{} was kept: no near-duplicate of it was found\n", id);
      return fmt::format("{} was kept; {} of its cluster {} removed\n", id,
                         counted(report.cluster_size - 1, "other document", "other documents"),
                         report.cluster_size == 2 ? "was" : "were");
    case WhyReport::Outcome::removed:
      if (has_same_key(report))
        return fmt::format("{} was removed: another document has the same key ({}), and {} was kept\n", id, report.rule,
                           kept);
      return fmt::format("{} was removed: {} was kept in its place{}, by the keep rule {}\n", id, kept, score,
                         report.rule);
    case WhyReport::Outcome::against:
      if (has_same_key(report))
        return fmt::format("{} was removed: the reference document {} has the same key ({})\n", id, kept, report.rule);
      return fmt::format("{} was removed: it is a near-duplicate of the reference document {}{}\n", id, kept, score);
    case WhyReport::Outcome::none:
      return fmt::format("{} was removed with its whole cluster, as --keep none says\n", id);
    case WhyReport::Outcome::indexed:
      return fmt::format("{} was removed: it is a near-duplicate of the document {} of the index{}\n", id, kept, score);
    case WhyReport::Outcome::empty:
      return fmt::format("{} was removed: it has nothing to compare, and the run had --drop-empty\n", id);
    case WhyReport::Outcome::unknown:
      break;
  }
  return fmt::format(
      "{} is in no list of this run: it was kept, or there is no such document (the inputs no longer exist)\n", id);
}

std::string describe_cluster(const WhyReport& report) {
  if (report.cluster_size == 0) return "";
  Words names;
  for (const std::string& member : report.members) names.push_back(printable(member));
  const bool is_cut = report.members.size() < report.cluster_size;
  return fmt::format("cluster {}: {}: {}{}\n", report.kept.empty() ? names.front() : printable(report.kept),
                     counted(report.cluster_size, "document", "documents"), fmt::join(names, ", "),
                     is_cut ? ", ..." : "");
}

// Nothing for a single pair, whose score is told already.
std::string describe_chain(const WhyReport& report) {
  if (report.outcome != WhyReport::Outcome::removed || !report.score.empty() || has_same_key(report)) return "";
  if (report.chain.empty()) return "the list of pairs does not say what links the two\n";
  std::string out = "the two do not meet the threshold; a chain of pairs links them (--clusters star keeps them):\n";
  for (const WhyLink& link : report.chain)
    out += fmt::format("  {}  {}  {}\n", link.score, printable(link.from), printable(link.to));
  return out;
}

std::string describe(const WhyReport& report, const DiffLook& look) {
  std::string out = describe_outcome(report) + describe_cluster(report) + describe_chain(report);
  if (!report.definition.empty()) out += fmt::format("definition: {}\n", report.definition);
  if (!report.no_comparison.empty()) out += fmt::format("no comparison: {}\n", printable(report.no_comparison));
  if (report.comparison) out += show_words(*report.comparison, look);
  return out;
}

App command_line(WhyFlags& flags) {
  auto app = make_app(kText);
  add_arguments(*app, "WORDS", flags.words);
  add_view_flags(*app, flags.view);
  add_run_flags(*app, flags.run);
  return app;
}

VerbDescription describe() {
  WhyFlags flags;
  return cli::describe(*command_line(flags), kText);
}

int run(const Arguments& arguments) {
  WhyFlags flags;
  const auto app = command_line(flags);
  if (!parse(*app, kText, arguments)) return kDone;
  if (flags.words.size() != 2)
    throw Error(ErrorCode::usage, fmt::format("why needs {}; {} given (neardup why --help)", kText.needs,
                                              flags.words.size() == 1 ? "one is" : "more are"));
  flags.run.check();
  Session session(flags.run);
  const WhyReport report =
      explain_document(flags.words[0], flags.words[1], {.compare = flags.view.wants_diff()}, session.context());
  session.end_progress();
  if (flags.run.json) {
    constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();
    print_data(to_json(report, flags.view.full ? DiffExcerpt{kAll, kAll} : DiffExcerpt{}));
  } else {
    print_data(describe(report, flags.view.look()));
  }
  return kDone;
}

}  // namespace

const Verb kWhy{kText, describe, run};

}  // namespace neardup::cli
