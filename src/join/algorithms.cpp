#include "join/algorithms.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cassert>

#include "base/system.h"
#include "join/edit_join.h"
#include "join/forecast.h"
#include "neardup/error.h"

namespace neardup::joins {
namespace {

constexpr std::array<SetAlgorithm, 6> kSetAlgorithms{{
    {"signature", signature, false},
    {"containment", containment, true},
    {"ppjoin+", ppjoin_plus, false},
    {"ppjoin", ppjoin, false},
    {"all-pairs", all_pairs, false},
    {"brute-force", brute_force, true},
}};

}  // namespace

std::span<const SetAlgorithm> set_algorithms() { return kSetAlgorithms; }

const SetAlgorithm& best_algorithm(Measure measure) { return kSetAlgorithms[asks_for_containment(measure) ? 1 : 0]; }

void run_set_join(const OrderedSets& sets, const JoinOptions& options, PairSink& sink, JoinStats& stats,
                  const Context& context) {
  const auto* const algorithm = options.algorithm == "auto"
                                    ? &best_algorithm(options.measure)
                                    : std::ranges::find(kSetAlgorithms, options.algorithm, &SetAlgorithm::name);
  assert(algorithm != kSetAlgorithms.end());
  stats.algorithm = algorithm->name;
  if (options.forecast) {
    if (const auto expected = forecast(sets, options, context)) options.forecast(*expected);
  }
  if (context.observer != nullptr) context.observer->stage("comparing", sets.size(), "documents");
  base::PairOutput output(sink, options.max_pairs);
  algorithm->run({sets, options, output, stats, context});
  stats.pairs = output.count();
  stats.stopped = output.enough();
  stats.peak_bytes = base::peak_memory_bytes();
}

}  // namespace neardup::joins

namespace neardup {

std::vector<std::string> join_algorithms(Measure measure) {
  std::vector<std::string> names{"auto"};
  if (compares_sets(measure)) {
    for (const joins::SetAlgorithm& algorithm : joins::set_algorithms())
      if (algorithm.knows_sides || measure != Measure::contained) names.emplace_back(algorithm.name);
  } else if (measure == Measure::edit) {
    for (const joins::EditAlgorithm& algorithm : joins::edit_algorithms()) names.emplace_back(algorithm.name);
  }
  return names;
}

void JoinOptions::validate() const {
  Definition{.measure = measure, .threshold = threshold}.validate();
  const std::vector<std::string> names = join_algorithms(measure);
  if (std::ranges::find(names, algorithm) != names.end()) return;
  throw Error(ErrorCode::usage,
              fmt::format("unknown algorithm \"{}\" for {}; there are: {}", algorithm, to_string(measure),
                          fmt::join(names, ", ")),
              "algorithm");
}

}  // namespace neardup
