#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <limits>
#include <string>

#include "base/guard.h"
#include "base/pair_output.h"
#include "base/system.h"
#include "join/edit_join.h"
#include "neardup/error.h"
#include "neardup/join.h"

namespace neardup::joins {
namespace {

// "auto" is the first.
constexpr std::array<EditAlgorithm, 3> kEditAlgorithms{{
    {"segments", edit_segments},
    {"qgram", edit_qgram},
    {"brute-force", edit_brute_force},
}};

void validate(const JoinOptions& options) {
  options.validate();
  if (options.measure != Measure::edit) {
    throw Error(ErrorCode::usage, to_string(options.measure) + " does not compare strings; edit does", "measure");
  }
}

JoinStats join_sides(std::span<const std::span<const std::string>> sides, const JoinOptions& options, PairSink& sink,
                     const Context& context) {
  validate(options);
  const base::Stopwatch watch;
  JoinStats stats;
  for (const auto& texts : sides) stats.records += texts.size();
  if (stats.records > std::numeric_limits<std::uint32_t>::max()) {
    throw Error(ErrorCode::limit, "more than 2^32 - 1 strings cannot be joined at once; split the input");
  }
  std::vector<SourceString> sources;
  sources.reserve(stats.records);
  for (std::uint32_t side = 0; side < sides.size(); ++side) {
    for (std::uint32_t i = 0; i < sides[side].size(); ++i) sources.push_back({sides[side][i], i, side});
  }
  const StringSet strings(static_cast<unsigned>(sides.size()), sources, context);
  sources = {};
  stats.seconds.order = watch.seconds();
  base::PairOutput output(sink, options.max_pairs);
  run_edit_join({strings, options, output, stats, context});
  return stats;
}

}  // namespace

std::span<const EditAlgorithm> edit_algorithms() { return kEditAlgorithms; }

void run_edit_join(const EditJoin& join) {
  const auto algorithm = join.options.algorithm == "auto"
                             ? kEditAlgorithms.begin()
                             : std::ranges::find(kEditAlgorithms, join.options.algorithm, &EditAlgorithm::name);
  assert(algorithm != kEditAlgorithms.end());
  join.stats.algorithm = algorithm->name;
  join.stats.distinct = join.strings.size();
  if (join.context.observer != nullptr) join.context.observer->stage("comparing", join.strings.size(), "documents");
  algorithm->run(join);
  join.stats.peak_bytes = base::peak_memory_bytes();
  join.stats.stopped = join.output.enough();
  join.stats.pairs = std::min(join.stats.pairs, join.output.count());  // the last ones found may not have gone out
}

std::uint32_t max_edits(const EditJoin& join) {
  const Threshold& threshold = join.options.threshold;
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(threshold.num / threshold.den, join.strings.longest()));
}

void warn_if_many_comparisons(const EditJoin& join, double comparisons) {
  constexpr double kMany = 2e9;  // a minute or two
  if (comparisons <= kMany || join.context.observer == nullptr) return;
  join.context.observer->warning(fmt::format(
      "an edit distance of up to {} rules out few of these {} strings: about {:.1e} comparisons are needed; "
      "a smaller `threshold` needs fewer",
      max_edits(join), join.strings.size(), comparisons));
}

}  // namespace neardup::joins

namespace neardup {

JoinStats join_strings(std::span<const std::string> texts, const JoinOptions& options, PairSink& sink,
                       const Context& context) {
  return base::guarded(context,
                       [&](const Context& call) { return joins::join_sides(std::array{texts}, options, sink, call); });
}

JoinStats join_strings(std::span<const std::string> left, std::span<const std::string> right,
                       const JoinOptions& options, PairSink& sink, const Context& context) {
  return base::guarded(context, [&](const Context& call) {
    return joins::join_sides(std::array{left, right}, options, sink, call);
  });
}

}  // namespace neardup
