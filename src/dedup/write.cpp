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
#include "report/removed_by.h"
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

// Why another document of its cluster was kept in its place.
std::string removal_rule(const Outcome& outcome, Row row) {
  if (outcome.plan.options.copies == 0) return "none";
  const std::string key = same_rule(outcome, row);
  if (!key.empty()) return key;
  return outcome.reading.keep.deciding_rule(outcome.clusters.representative(index(row)), index(row));
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
      report::write_removed({.id = names[row],
                             .kept = keeps_none ? std::nullopt : std::optional(names[row_of(kept)]),
                             .score = outcome.search.format.or_null(score_with_kept(outcome, row)),
                             .rule = removal_rule(outcome, row),
                             .cluster = names[row_of(kept)]},
                            out);
    }
  }
}

void write_pairs(const Outcome& outcome, const corpus::RowTexts& names, report::ReportPage* page, io::ByteSink& out) {
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
    if (page != nullptr) page->add_pair(pair);
  };
  for_each_row_pair(outcome.reading.corpus.units, *outcome.search.found.pairs, outcome.scorer, write);
}

void write_lists(const Outcome& outcome, const corpus::RowTexts& names, report::ReportPage* page,
                 report::Outputs& outputs) {
  outputs.write("pairs.tsv", [&](io::ByteSink& out) { write_pairs(outcome, names, page, out); });
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

namespace {

// Below the threshold, and not in one cluster through others.
bool is_apart(const Outcome& outcome, const report::NearMiss& miss) {
  const corpus::Units& units = outcome.reading.corpus.units;
  const auto kept = [&](Unit unit) { return outcome.clusters.representative(index(units.first_row[unit])); };
  return kept(miss.left) != kept(miss.right);
}

// Those to show.
std::vector<report::NearMiss> closest_misses(const Outcome& outcome) {
  constexpr std::size_t kShown = 6;
  std::vector<report::NearMiss> out;
  for (const report::NearMiss& miss : outcome.reading.near_misses.pairs)
    if (out.size() < kShown && is_apart(outcome, miss)) out.push_back(miss);
  return out;
}

NearMissReport report_near_misses(const Outcome& outcome, std::span<const report::NearMiss> closest,
                                  const std::map<Row, report::ShownDocument>& shown, report::ReportPage& page,
                                  const Context& context) {
  const report::NearMisses& misses = outcome.reading.near_misses;
  const PerUnit<Row>& row = outcome.reading.corpus.units.first_row;
  std::vector<report::NearMiss> apart;
  std::ranges::copy_if(misses.pairs, std::back_inserter(apart),
                       [&](const report::NearMiss& miss) { return is_apart(outcome, miss); });
  NearMissReport out{.documents = misses.documents};
  const Threshold& threshold = outcome.plan.definition.threshold;
  constexpr std::uint64_t kHundred = 100;
  for (std::uint64_t part = (threshold.num * kHundred - 1) / threshold.den; part > 0; --part) {
    const double at_least = static_cast<double>(part) / static_cast<double>(kHundred);
    if (at_least < misses.from) break;
    const report::PairEstimate pairs = report::estimate_pairs(apart, at_least);
    out.estimates.push_back({at_least, pairs.value, pairs.low, pairs.high});
  }
  for (const report::NearMiss& miss : closest) {
    const report::ShownDocument &left = shown.at(row[miss.left]), &right = shown.at(row[miss.right]);
    out.closest.push_back({left.name, right.name, miss.score});
    page.show_apart(left, right, miss.score, context);
  }
  return out;
}

report::PageLists page_lists(const Outcome& outcome, const corpus::RowTexts& names) {
  return {.clusters = outcome.clusters,
          .score = [&outcome](Row row) { return score_with_kept(outcome, row); },
          .rule = [&outcome](Row row) { return removal_rule(outcome, row); },
          .name = [&names](Row row) { return std::string(names[row]); }};
}

}  // namespace

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

void write(const Outcome& outcome, report::Outputs& outputs, report::ReportPage* page, DedupReport& report,
           report::RunFrame& frame, const Context& context) {
  const Plan& plan = outcome.plan;
  const corpus::Corpus& corpus = outcome.reading.corpus;
  corpus::RowTexts related;
  if (plan.needs_scores && !plan.is_given) related = names_of_related(outcome, context);
  const corpus::RowTexts& names = plan.is_given ? outcome.search.names : related;
  if (outputs.writes_audit()) write_lists(outcome, names, page, outputs);
  const Examples examples(outcome);
  const LooseClusters loose(outcome);
  const report::PageLists lists = page_lists(outcome, names);
  std::vector<Row> shown = examples.wanted();
  std::ranges::copy(loose.wanted(), std::back_inserter(shown));
  const std::vector<report::NearMiss> misses = closest_misses(outcome);
  if (page != nullptr) {
    std::ranges::copy(page->choose(lists), std::back_inserter(shown));
    for (const report::NearMiss& miss : misses) {
      shown.push_back(outcome.reading.corpus.units.first_row[miss.left]);
      shown.push_back(outcome.reading.corpus.units.first_row[miss.right]);
    }
  }
  const bool adds = outputs.writes_records() && !outputs.added().empty();
  const CollectedValues collected = adds ? collect_values(outcome, context) : CollectedValues();
  const report::WrittenRecords written = report::write_records(
      {.corpus = corpus,
       .clusters = outcome.clusters,
       .shown = std::move(shown),
       .writes_all = plan.options.output.annotate,
       .annotation = adds ? annotations_of(outcome, names, collected) : std::function<io::Annotation(Row)>()},
      outputs, context);
  report.removal.bytes = written.bytes;
  report.removal.removed_bytes = written.removed_bytes;
  report.removed_by = report::removed_by(corpus, outcome.clusters, plan.options.output.report_by, context);
  if (auto warning = examples.giant_warning(written.shown)) frame.warn(std::move(*warning));
  report.cohesion = loose.judge(written.shown);
  if (auto warning = loose_warning(report.cohesion, plan)) frame.warn(std::move(*warning));
  report.examples = examples.show(written.shown, context);
  if (page != nullptr) page->show(lists, written.shown, context);
  if (page != nullptr && outcome.reading.near_misses.from > 0)
    report.near_misses = report_near_misses(outcome, misses, written.shown, *page, context);
}

}  // namespace neardup::dedup
