#include "report/lists.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "base/json.h"
#include "corpus/row_names.h"

namespace neardup::report {
namespace {

// A row of pairs.tsv before it has names: documents, in the order of the file.
struct Line {
  Row left, right;
  double score;
};

}  // namespace

void write_pairs(const Audit& audit, io::ByteSink& out) {
  const corpus::UnitTable& table = audit.table;
  // Copies in the order of the file: by the first document of their unit, then by their own row.
  std::vector<std::pair<Unit, Row>> copies;
  for (Row row = 0; row < table.rows(); ++row) {
    if (table.has_unit(row) && !table.is_first(row) && audit.oracle.copy_score(table.unit_of_row[row])) {
      copies.emplace_back(table.unit_of_row[row], row);
    }
  }
  std::sort(copies.begin(), copies.end());

  out.write("left\tright\tscore\n");
  const auto write = [&](const Line& line) {
    out.write(base::escape_tsv(audit.names[line.left]) + '\t' + base::escape_tsv(audit.names[line.right]) + '\t' +
              format_score(audit.definition.measure, line.score) + '\n');
  };
  auto copy = copies.begin();
  const auto write_copies_before = [&](std::pair<Unit, Row> place) {
    for (; copy != copies.end() && *copy < place; ++copy) {
      write({table.first_row[copy->first], copy->second, *audit.oracle.copy_score(copy->first)});
    }
  };
  audit.pairs.for_each([&](const Pair& pair) {
    const Row right = table.first_row[pair.right];
    write_copies_before({static_cast<Unit>(pair.left), right});
    write({table.first_row[pair.left], right, pair.score});
  });
  write_copies_before({corpus::kNoUnit, 0});
}

void write_clusters(const corpus::Names& names, const search::Decision& decision, const search::ClusterList& clusters, io::ByteSink& out) {
  out.write("cluster\tid\tkept\n");
  for (std::size_t c = 0; c < clusters.size(); ++c) {
    const Row first = clusters.rows[clusters.begin[c]];
    const std::string name = base::escape_tsv(names[decision.kept_for(first)]);
    for (std::uint64_t i = clusters.begin[c]; i < clusters.begin[c + 1]; ++i) {
      const Row row = clusters.rows[i];
      out.write(name + '\t' + base::escape_tsv(names[row]) + (decision.is_kept(row) ? "\t1\n" : "\t0\n"));
    }
  }
}

void write_removed(const Audit& audit, io::ByteSink& out) {
  std::string line;
  const auto write = [&](Row row, std::string_view kept, const std::string& score, std::string_view rule,
                         std::string_view more) {
    line = "{\"id\":";
    base::append_json_string(line, audit.names[row]);
    line += ",\"kept\":";
    base::append_json_string(line, kept);
    line += ",\"score\":" + score + ",\"rule\":";
    base::append_json_string(line, rule);
    line += ",\"cluster\":";
    base::append_json_string(line, kept);
    line += more;
    out.write(line + "}\n");
  };
  for (Row row = 0; row < audit.table.rows(); ++row) {
    if (audit.table.unit_of_row[row] == corpus::kLeftOut) {
      const search::AgainstMatch& match = *audit.against->of(row);
      write(row, audit.against->names[match.other], format_score(audit.definition.measure, match.score), "against",
            ",\"from\":\"against\"");
    } else if (audit.table.has_unit(row) && !audit.decision.is_kept(row)) {
      const Row kept = audit.decision.kept_for(row);
      write(row, audit.names[kept], score_text(audit.definition, audit.table, audit.scores, row),
            audit.keep.deciding_rule(kept, row), "");
    }
  }
}

std::string score_text(const Definition& definition, const corpus::UnitTable& table, const std::vector<double>& scores,
                       Row row) {
  const double score = scores[table.unit_of_row[row]];
  return std::isnan(score) ? "null" : format_score(definition.measure, score);
}

}  // namespace neardup::report
