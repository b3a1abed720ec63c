#include "report/lists.h"

#include <cmath>

#include "base/json.h"
#include "base/tsv.h"

namespace neardup::report {

std::string ScoreFormat::operator()(double score) const {
  return format_score(integers_ ? Measure::overlap : Measure::jaccard, score);
}

std::string ScoreFormat::or_null(double score) const { return std::isnan(score) ? "null" : (*this)(score); }

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
  const auto append = [&](const std::optional<std::string_view>& name) {
    if (name) {
      base::append_json_string(line, *name);
    } else {
      line += "null";
    }
  };
  line += ",\"kept\":";
  append(removed.kept);
  line += ",\"score\":" + removed.score + ",\"rule\":";
  base::append_json_string(line, removed.rule);
  line += ",\"cluster\":";
  append(removed.cluster ? removed.cluster : removed.kept);
  line += removed.more;
  out.write(line + "}\n");
}

}  // namespace neardup::report
