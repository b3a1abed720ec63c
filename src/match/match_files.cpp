// Two files of fingerprints matched: open, search, name, write.
#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>

#include "base/guard.h"
#include "base/memory_plan.h"
#include "base/system.h"
#include "io/codecs/codecs.h"
#include "io/output.h"
#include "match/find_matches.h"
#include "match/match_names.h"
#include "neardup/error.h"
#include "report/tsv_output.h"

namespace neardup {
namespace matching {
namespace {

struct OpenedSides {
  std::unique_ptr<io::FingerprintSource> base, queries;
  [[nodiscard]] MatchSides view() const { return {.base = *base, .queries = *queries}; }
};

OpenedSides open_sides(const MatchFiles& files, const Context& context) {
  if (files.base == "-" && files.queries == "-")
    throw Error(ErrorCode::usage, "- is named twice; standard input can be read only once");
  return {.base = io::open_fingerprints(files.base, context), .queries = io::open_fingerprints(files.queries, context)};
}

}  // namespace

MatchReport match_as_planned(const MatchFiles& files, const MatchOptions& options, const std::optional<MatchPlan>& plan,
                             const Context& context) {
  const base::Stopwatch watch;
  const std::array inputs{files.base, files.queries};
  for (const std::string& output : {files.output, files.stats}) {
    if (!output.empty() && output != "-") io::check_apart_from_files(inputs, output, context);
  }
  report::TsvOutput out(files.output, files.overwrite, context);
  std::unique_ptr<io::OutputTransaction> stats;
  if (!files.stats.empty()) stats = std::make_unique<io::OutputTransaction>(files.stats, files.overwrite, context);
  const OpenedSides sides = open_sides(files, context);
  auto [report, pairs] = search_matches(sides.view(), options, plan, context);
  out.write("left\tright\tscore\n");
  MatchWriter writer(
      sides.view(), base::plan_memory(context).names, [&](std::string_view line) { out.write(line); }, context);
  pairs->for_each([&](const Pair& pair) { writer.add(pair); });
  writer.finish();
  out.close();
  report.peak_bytes = base::peak_memory_bytes();
  report.seconds = watch.seconds();
  if (stats != nullptr) {
    const auto sink = io::open_sink(base::files(context), stats->working_path(), io::plain_codec());
    sink->write(to_json(report) + "\n");
    sink->close();
  }
  base::check_stop(context);
  io::OutputTransaction::commit_together({out.transaction(), stats.get()});
  return std::move(report);
}

}  // namespace matching

MatchReport match_files(const MatchFiles& files, const MatchOptions& options, const Context& context) {
  return base::guarded(
      context, [&](const Context& call) { return matching::match_as_planned(files, options, std::nullopt, call); });
}

std::string explain_match(const MatchFiles& files, const MatchOptions& options, const Context& context) {
  return base::guarded(context, [&](const Context& call) {
    const matching::OpenedSides sides = matching::open_sides(files, call);
    return matching::explain(sides.view(), options, call);
  });
}

}  // namespace neardup
