#include "dedup/find.h"

#include <fmt/format.h>

#include <utility>

#include "corpus/names.h"
#include "dedup/conditions.h"
#include "dedup/pairs_file.h"
#include "search/exact.h"
#include "search/sketched.h"

namespace neardup::dedup {
namespace {

// Pairs that the user brings. Every good record is a unit of its own.
FindResult take_given(const Plan& plan, const corpus::Corpus& corpus, const Context& context) {
  const corpus::Units& units = corpus.units;
  FindResult result{.found = search::Found(units.units(), search::Wanted::all_pairs, context),
                    .format = report::ScoreFormat::decimals()};
  PerRow<bool> wanted(units.rows());
  for (const Row row : all<Row>(units.rows())) wanted[row] = units.has_unit(row);
  result.names = corpus::collect_names(corpus, wanted, context);
  read_pairs_file(plan.options, units, result, context);
  result.found.pairs->finish();
  return result;
}

void warn_of_long_search(const JoinForecast& forecast, const Definition& definition, std::string& warning,
                         report::RunFrame& frame, const Context& context) {
  constexpr double kLong = 120;
  if (context.observer != nullptr) context.observer->expect(forecast.seconds);
  if (forecast.seconds < kLong) return;
  warning = fmt::format("comparing will take about {} minutes", static_cast<std::uint64_t>(forecast.seconds / 60));
  if (definition.measure != Measure::overlap) {
    warning += "; `finder=minhash` is faster, may miss a few pairs, and measures how many";
  }
  frame.warn(warning);
}

void search_exactly(const Plan& plan, Reading& reading, FindResult& result, report::RunFrame& frame,
                    const Context& context) {
  search::Found& found = result.found;
  search::LinkingSink sink(*found.links, found.pairs.get());
  JoinOptions join;
  if (plan.wanted == search::Wanted::connections) {
    join.skip = [&](DocId a, DocId b) {
      return found.links->same(static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b));
    };
    join.settled = [&](std::span<const DocId> units) { return search::are_connected(*found.links, units); };
  }
  join.forecast = [&](const JoinForecast& forecast) {
    warn_of_long_search(forecast, plan.definition, result.warning, frame, context);
  };
  const JoinStats stats = search::find_exactly(
      {.sides = {&reading.corpus, 1}, .seen = std::move(reading.seen), .options = std::move(join)}, sink, context);
  found.candidates = stats.candidates;
  found.parameters = stats.algorithm;
}

void load(const corpus::Corpus& corpus, FindResult& result, Checkpoint& resume, report::RunFrame& frame) {
  resume.load("find", [&](base::StateReader& in) {
    result.found.load(in);
    result.scores = PerUnit<double>(in.array<double>());
    if (!result.scores.empty() && result.scores.size() != corpus.units.units()) in.fail();
    result.cohesion = in.array<ClusterCohesion>();
    result.warning = in.text();
  });
  if (!result.warning.empty()) frame.warn(result.warning);
}

}  // namespace

FindResult find(const Plan& plan, Reading& reading, Checkpoint& resume, report::RunFrame& frame,
                const Context& context) {
  if (plan.is_given) return take_given(plan, reading.corpus, context);
  FindResult result{.found = search::Found(reading.corpus.units.units(), plan.wanted, context),
                    .format = report::ScoreFormat(plan.definition.measure)};
  const bool was_found = resume.has("find");
  if (plan.searches && was_found) {
    load(reading.corpus, result, resume, frame);
  } else if (plan.searches && !plan.is_exact) {
    result.found = search::find_by_sketches({.corpus = reading.corpus,
                                             .kept = std::move(reading.seen.kept.front()),
                                             .finder = *reading.finder,
                                             .sample = std::move(reading.sample),
                                             .wanted = plan.wanted,
                                             .seed = plan.options.finder.seed},
                                            context);
    reading.sample_memory.hold(0);
  } else {
    if (plan.searches) search_exactly(plan, reading, result, frame, context);
    if (result.found.pairs) result.found.pairs->finish();
  }
  if (plan.searches && !was_found && has_near_conditions(plan.options))
    drop_unmet(plan, reading.corpus, result.found, context);
  return result;
}

void save(const FindResult& result, Checkpoint& resume) {
  resume.save("find", [&](base::StateWriter& out) {
    result.found.save(out);
    out.array(result.scores.values());
    out.array(result.cohesion);
    out.text(result.warning);
  });
  resume.drop("sketches");
}

}  // namespace neardup::dedup
