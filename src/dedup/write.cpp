#include "dedup/write.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

#include "base/tsv.h"
#include "corpus/names.h"
#include "dedup/collect.h"
#include "dedup/examples.h"
#include "dedup/loose_clusters.h"
#include "report/write_records.h"

namespace neardup::dedup {
namespace {

// The names of all documents that are in a pair or a cluster, set aside or dropped.
corpus::RowTexts names_of_related(const Outcome& outcome, const Context& context) {
  const corpus::Units& units = outcome.reading.corpus.units;
  PerUnit<std::uint32_t> rows_of_root(units.units());
  const auto root = [&](Row row) { return unit_of(outcome.search.found.links->find(index(units.unit_of_row[row]))); };
  for (const Row row : all<Row>(units.rows())) {
    if (units.has_unit(row)) ++rows_of_root[root(row)];
  }
  PerRow<bool> wanted(units.rows());
  for (const Row row : all<Row>(units.rows()))
    wanted[row] = units.has_unit(row)
                      ? rows_of_root[root(row)] > 1
                      : units.status[row] == RowStatus::set_aside || units.status[row] == RowStatus::dropped;
  for (std::size_t c = 0; c < outcome.clusters.size(); ++c)  // documents with the same key have no pairs
    for (const Clusters::Member row : outcome.clusters[c]) wanted[Row{row}] = true;
  return corpus::collect_names(outcome.reading.corpus, wanted, context);
}

void write_removed(const Outcome& outcome, const corpus::RowTexts& names, io::ByteSink& out) {
  const corpus::Units& units = outcome.reading.corpus.units;
  const std::string from = outcome.plan.known != nullptr ? "index" : "against", more = ",\"from\":\"" + from + "\"";
  for (const Row row : all<Row>(units.rows())) {
    const std::string key = same_rule(outcome, row);
    if (units.status[row] == RowStatus::set_aside) {
      const AgainstMatch& match = outcome.against->of(row);
      report::write_removed({.id = names[row],
                             .kept = outcome.against->names[row_of(match.other)],
                             .score = outcome.search.format.or_null(match.score),
                             .rule = key.empty() ? from : key,
                             .more = more},
                            out);
    } else if (units.status[row] == RowStatus::dropped) {
      report::write_removed({.id = names[row], .kept = {}, .score = "null", .rule = "empty"}, out);
    } else if ((units.has_unit(row) || units.status[row] == RowStatus::same_key) &&
               !outcome.clusters.is_kept(index(row))) {
      const DocId kept = outcome.clusters.representative(index(row));
      const bool keeps_none = outcome.plan.options.copies == 0;
      const std::string rule = keeps_none     ? "none"
                               : !key.empty() ? key
                                              : outcome.reading.keep.deciding_rule(kept, index(row));
      report::write_removed({.id = names[row],
                             .kept = keeps_none ? std::nullopt : std::optional(names[row_of(kept)]),
                             .score = outcome.search.format.or_null(score_with_kept(outcome, row)),
                             .rule = rule,
                             .cluster = names[row_of(kept)]},
                            out);
    }
  }
}

void write_pairs(const Outcome& outcome, const corpus::RowTexts& names, io::ByteSink& out) {
  out.write("left\tright\tscore\n");
  std::string line;
  const auto write = [&](const Pair& pair) {
    line.clear();
    base::append_escaped(line, names[row_of(pair.left)]);
    line += '\t';
    base::append_escaped(line, names[row_of(pair.right)]);
    line += '\t';
    line += outcome.search.format(pair.score);
    line += '\n';
    out.write(line);
  };
  for_each_row_pair(outcome.reading.corpus.units, *outcome.search.found.pairs, outcome.scorer, write);
}

void write_lists(const Outcome& outcome, const corpus::RowTexts& names, report::Outputs& outputs) {
  outputs.write("pairs.tsv", [&](io::ByteSink& out) { write_pairs(outcome, names, out); });
  outputs.write("clusters.tsv", [&](io::ByteSink& out) { report::write_clusters(names, outcome.clusters, out); });
  outputs.write("cohesion.tsv", [&](io::ByteSink& out) { write_cohesion(outcome, names, out); });
  outputs.write("removed.jsonl", [&](io::ByteSink& out) { write_removed(outcome, names, out); });
}

}  // namespace

std::string same_rule(const Outcome& outcome, Row row) {
  if (outcome.same == nullptr || !outcome.same->is_removed(row)) return {};
  return "same:" + to_string(outcome.plan.options.same[outcome.same->key[row] - 1u]);
}

double score_with_kept(const Outcome& outcome, Row row) {
  const corpus::Units& units = outcome.reading.corpus.units;
  if (!units.has_unit(row) || outcome.plan.options.copies == 0) return std::numeric_limits<double>::quiet_NaN();
  return outcome.search.scores[units.unit_of_row[row]];
}

void for_each_row_pair(const corpus::Units& units, const search::PairStore& pairs, const search::Scorer& scorer,
                       const std::function<void(const Pair&)>& visit) {
  // Copies in the order of the list: by the first document of their unit, then by their own row.
  std::vector<std::pair<Unit, Row>> copies;
  for (const Row row : all<Row>(units.rows())) {
    if (units.has_unit(row) && !units.is_first(row) && scorer.copy_score(units.unit_of_row[row])) {
      copies.emplace_back(units.unit_of_row[row], row);
    }
  }
  std::sort(copies.begin(), copies.end());
  auto copy = copies.begin();
  const auto visit_copies_before = [&](std::pair<Unit, Row> place) {
    for (; copy != copies.end() && *copy < place; ++copy)
      visit({index(units.first_row[copy->first]), index(copy->second), *scorer.copy_score(copy->first)});
  };
  pairs.for_each([&](const Pair& pair) {
    if (std::isnan(pair.score)) return;  // joined by a decision
    const Row right = units.first_row[unit_of(pair.right)];
    visit_copies_before({unit_of(pair.left), right});
    visit({index(units.first_row[unit_of(pair.left)]), index(right), pair.score});
  });
  visit_copies_before({kNoUnit, Row{0}});
}

void write(const Outcome& outcome, report::Outputs& outputs, DedupReport& report, report::RunFrame& frame,
           const Context& context) {
  const Plan& plan = outcome.plan;
  corpus::RowTexts related;
  if (plan.needs_scores && !plan.is_given) related = names_of_related(outcome, context);
  const corpus::RowTexts& names = plan.is_given ? outcome.search.names : related;
  if (outputs.writes_audit()) write_lists(outcome, names, outputs);
  const Examples examples(outcome);
  const LooseClusters loose(outcome);
  std::vector<Row> shown = examples.wanted();
  std::ranges::copy(loose.wanted(), std::back_inserter(shown));
  const bool adds = outputs.writes_records() && !outputs.added().empty();
  const CollectedValues collected = adds ? collect_values(outcome, context) : CollectedValues();
  const report::WrittenRecords written = report::write_records(
      {.corpus = outcome.reading.corpus,
       .clusters = outcome.clusters,
       .shown = std::move(shown),
       .writes_all = plan.options.output.annotate,
       .annotation = adds ? annotations_of(outcome, names, collected) : std::function<io::Annotation(Row)>()},
      outputs, context);
  report.removal.bytes = written.bytes;
  report.removal.removed_bytes = written.removed_bytes;
  if (auto warning = examples.giant_warning(written.shown)) frame.warn(std::move(*warning));
  report.cohesion = loose.judge(written.shown);
  if (auto warning = loose_warning(report.cohesion, plan)) frame.warn(std::move(*warning));
  report.examples = examples.show(written.shown, context);
}

}  // namespace neardup::dedup
