#include "report/lists.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "base/json.h"
#include "base/tsv.h"

namespace neardup::report {

std::string ScoreFormat::operator()(double score) const {
  return format_score(integers_ ? Measure::overlap : Measure::jaccard, score);
}

std::string ScoreFormat::or_null(double score) const { return std::isnan(score) ? "null" : (*this)(score); }

void for_each_row_pair(const corpus::Units& units, const PairVisits& pairs_of_units, const CopyScores& copy_score,
                       const std::function<void(const Pair&)>& visit) {
  // Copies in the order of the list: by the first document of their unit, then by their own row.
  std::vector<std::pair<Unit, Row>> copies;
  for (const Row row : all<Row>(units.rows())) {
    if (units.has_unit(row) && !units.is_first(row) && copy_score(units.unit_of_row[row])) {
      copies.emplace_back(units.unit_of_row[row], row);
    }
  }
  std::sort(copies.begin(), copies.end());
  auto copy = copies.begin();
  const auto visit_copies_before = [&](std::pair<Unit, Row> place) {
    for (; copy != copies.end() && *copy < place; ++copy)
      visit({index(units.first_row[copy->first]), index(copy->second), *copy_score(copy->first)});
  };
  pairs_of_units([&](const Pair& pair) {
    const Row right = units.first_row[unit_of(pair.right)];
    visit_copies_before({unit_of(pair.left), right});
    visit({index(units.first_row[unit_of(pair.left)]), index(right), pair.score});
  });
  visit_copies_before({kNoUnit, Row{0}});
}

void write_pairs(const corpus::RowTexts& names, ScoreFormat format, const PairVisits& pairs, io::ByteSink& out) {
  out.write("left\tright\tscore\n");
  std::string line;
  pairs([&](const Pair& pair) {
    line.clear();
    base::append_escaped(line, names[row_of(pair.left)]);
    line += '\t';
    base::append_escaped(line, names[row_of(pair.right)]);
    line += '\t';
    line += format(pair.score);
    line += '\n';
    out.write(line);
  });
}

void write_clusters(const corpus::RowTexts& names, const Clusters& clusters, io::ByteSink& out) {
  out.write("cluster\tid\tkept\n");
  for (std::size_t c = 0; c < clusters.size(); ++c) {
    const std::string name = base::escape_tsv(names[row_of(clusters.representative(clusters[c].front()))]);
    for (const Clusters::Member row : clusters[c])
      out.write(name + '\t' + base::escape_tsv(names[Row{row}]) + (clusters.is_kept(row) ? "\t1\n" : "\t0\n"));
  }
}

void write_removed(const RemovedDocument& removed, io::ByteSink& out) {
  std::string line = "{\"id\":";
  base::append_json_string(line, removed.id);
  line += ",\"kept\":";
  base::append_json_string(line, removed.kept);
  line += ",\"score\":" + removed.score + ",\"rule\":";
  base::append_json_string(line, removed.rule);
  line += ",\"cluster\":";
  base::append_json_string(line, removed.kept);
  line += removed.more;
  out.write(line + "}\n");
}

}  // namespace neardup::report
