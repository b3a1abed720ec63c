// The search, by whichever finder, and the pairs that need none.
#include <fmt/format.h>

#include <utility>

#include "search/exact.h"
#include "search/pair_sinks.h"
#include "search/given_pairs.h"
#include "dedup/run.h"

namespace neardup::dedup {

void Run::find() {
  const search::Wanted wanted =
      needs_scores() || options_.clusters != ClusterKind::components ? search::Wanted::all_pairs : search::Wanted::connections;
  if (!options_.pairs.empty()) {
    search_ = take_listed_pairs();
  } else if (options_.against_only) {
    search_ = nothing_found(wanted);
    if (search_.pairs) search_.pairs->finish();
  } else if (is_saved("find")) {
    search_ = load_search(wanted);
  } else if (finder_ != nullptr) {
    search_ = search::find_pairs({.collection = collection_,
                          .definition = definition_,
                          .table = read_.table,
                          .content = read_.content,
                          .finder = *finder_,
                          .sample = std::move(sample_),
                          .wanted = wanted,
                          .seed = options_.seed},
                         context_);
  } else {
    search_ = search_exactly(wanted);
  }
  report_.candidates = search_.candidates + (against_ ? against_->candidates : 0);
  report_.recall = against_ ? against_->recall : search_.recall;
  if (report_.recall) warn_of_low_recall(report_.recall->value);
  if (search_.pairs) report_.pairs = search_.pairs->size();
}

// Scores go along, because the sets they are computed from do not.
void Run::save_search() {
  checkpoint_->save("find", [&](base::StateWriter& out) {
    search_.save(out);
    out.array(scores_);
    out.text(report_.finder_parameters);
    out.text(search_warning_);
  });
  checkpoint_->drop("sketches");
}

search::SearchResult Run::load_search(search::Wanted wanted) {
  search::SearchResult result = nothing_found(wanted);
  resume("find", [&](base::StateReader& in) {
    result.load(in);
    scores_ = in.array<double>();
    if (!scores_.empty() && scores_.size() != read_.table.units()) in.fail();
    report_.finder_parameters = in.text();
    search_warning_ = in.text();
  });
  if (!search_warning_.empty()) warn(search_warning_);
  return result;
}

// Pairs that the user brings. Every good record is a unit of its own, so that units and rows only differ by the bad
// records between them.
search::SearchResult Run::take_listed_pairs() {
  search::SearchResult result = nothing_found(search::Wanted::all_pairs);
  names_ = names_of([&](Row row) { return read_.table.has_unit(row); });
  search::LinkingSink links(*result.links, result.pairs.get());
  search::RowsToUnits sink(read_.table, links);
  const search::PairsFile file = search::read_pairs_file(options_.pairs, names_, read_.table.rows(), sink, context_);
  result.pairs->finish();
  result.candidates = file.pairs;
  // Only how scores are printed depends on what they measure.
  definition_.measure = file.integer_scores ? Measure::edit : Measure::jaccard;
  definition_.threshold = file.integer_scores ? Threshold{0, 1} : Threshold{1, 1};
  report_.finder_parameters = options_.pairs;
  return result;
}

search::SearchResult Run::search_exactly(search::Wanted wanted) {
  search::SearchResult result = nothing_found(wanted);
  search::LinkingSink sink(*result.links, result.pairs.get());
  JoinOptions join;
  if (wanted == search::Wanted::connections) {
    join.skip = [&](DocId a, DocId b) { return result.links->same(static_cast<Unit>(a), static_cast<Unit>(b)); };
  }
  join.forecast = [&](const JoinForecast& forecast) { warn_of_long_search(forecast); };
  const search::ExactSide side{collection_, read_.table, read_.content};
  const JoinStats stats = search::join_units(
      {.sides = {&side, 1}, .definition = definition_, .shared = std::move(shared_), .options = std::move(join)}, sink,
      context_);
  result.candidates = stats.candidates;
  report_.finder_parameters = stats.algorithm;
  if (result.pairs) result.pairs->finish();
  return result;
}

void Run::warn_of_long_search(const JoinForecast& forecast) {
  constexpr double kLong = 120;
  if (context_.observer != nullptr) context_.observer->expect(forecast.seconds);
  if (forecast.seconds < kLong) return;
  std::string message =
      "comparing will take about " + std::to_string(static_cast<std::uint64_t>(forecast.seconds / 60)) + " minutes";
  if (definition_.measure != Measure::overlap) {
    message += "; --finder minhash is faster, may miss a few pairs, and measures how many";
  }
  search_warning_ = message;
  warn(std::move(message));
}

// The distance of simhashes is the user's choice, not derived from the threshold as bands are.
void Run::warn_of_low_recall(double recall) {
  if (options_.finder != "simhash" || recall >= options_.target_recall) return;
  warn(
      fmt::format("simhashes at a distance of at most {} found {:.0f}% of the pairs (measured); a larger --distance "
                  "finds more, --finder exact all",
                  options_.distance, 100 * recall));
}

}  // namespace neardup::dedup
