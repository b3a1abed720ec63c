#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <string>

#include "base/system.h"
#include "join/edit_join.h"
#include "join/pair_output.h"
#include "neardup/error.h"
#include "neardup/join.h"

namespace neardup::joins {
namespace {

constexpr std::array kAlgorithms{
    EditAlgorithm{"brute-force", edit_brute_force},
    EditAlgorithm{"qgram", edit_qgram},
    EditAlgorithm{"segments", edit_segments},
};

constexpr std::string_view kFastest = "segments";

const EditAlgorithm& algorithm_named(std::string_view name) {
  std::string names = "auto";
  for (const EditAlgorithm& algorithm : kAlgorithms) {
    if (algorithm.name == (name == "auto" ? kFastest : name)) return algorithm;
    names += fmt::format(", {}", algorithm.name);
  }
  throw Error{ErrorCode::usage, fmt::format("--algorithm {}: with the measure edit there are {}", name, names)};
}

void append(std::vector<SourceString>& sources, std::span<const std::string> texts, std::uint32_t side) {
  if (texts.size() > std::numeric_limits<std::uint32_t>::max()) {
    throw Error{ErrorCode::limit, "more than 2^32 - 1 strings cannot be joined at once; split the input"};
  }
  for (std::uint32_t i = 0; i < texts.size(); ++i) sources.push_back({texts[i], i, side});
}

JoinStats join_sources(unsigned sides, std::vector<SourceString> sources, const JoinOptions& options, PairSink& sink,
                       Context& context) {
  JoinStats stats;
  stats.records = sources.size();
  const base::Stopwatch watch;
  const StringSet strings(sides, sources, context);
  sources = {};
  stats.order_seconds = watch.seconds();
  PairOutput output(sink, options.max_pairs);
  run_edit_join({strings, options, output, stats, context});
  return stats;
}

void validate(const JoinOptions& options) {
  options.validate();
  if (options.measure != Measure::edit) {
    throw Error{ErrorCode::usage, fmt::format("--measure {}: strings are joined by edit distance; use --measure edit",
                                              to_string(options.measure))};
  }
  algorithm_named(options.algorithm);
}

}  // namespace

std::span<const EditAlgorithm> edit_algorithms() { return kAlgorithms; }

void run_edit_join(const EditJoin& join) {
  const EditAlgorithm& algorithm = algorithm_named(join.options.algorithm);
  join.stats.algorithm = algorithm.name;
  join.stats.distinct = join.strings.size();
  algorithm.run(join);
  join.stats.peak_bytes = base::peak_memory_bytes();
  join.stats.stopped = join.output.enough();
}

std::uint32_t max_edits(const EditJoin& join) {
  const Threshold& threshold = join.options.threshold;
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(threshold.num / threshold.den, join.strings.longest()));
}

void warn_if_many_comparisons(const EditJoin& join, double comparisons) {
  constexpr double kMany = 2e10;
  if (comparisons <= kMany || join.context.observer == nullptr) return;
  join.context.observer->warning(
      fmt::format("an edit distance of up to {} rules out few of these {} strings: about {:.1e} comparisons lie ahead; "
                  "a smaller --threshold needs fewer",
                  max_edits(join), join.strings.size(), comparisons));
}

}  // namespace neardup::joins

namespace neardup {

JoinStats join_strings(std::span<const std::string> texts, const JoinOptions& options, PairSink& sink,
                       Context& context) {
  joins::validate(options);
  std::vector<joins::SourceString> sources;
  sources.reserve(texts.size());
  joins::append(sources, texts, 0);
  return joins::join_sources(1, std::move(sources), options, sink, context);
}

JoinStats join_strings(std::span<const std::string> left, std::span<const std::string> right,
                       const JoinOptions& options, PairSink& sink, Context& context) {
  joins::validate(options);
  std::vector<joins::SourceString> sources;
  sources.reserve(left.size() + right.size());
  joins::append(sources, left, 0);
  joins::append(sources, right, 1);
  return joins::join_sources(2, std::move(sources), options, sink, context);
}

}  // namespace neardup
