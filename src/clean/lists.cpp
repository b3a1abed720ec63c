#include "clean/lists.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "base/json.h"
#include "base/tsv.h"
#include "clean/policy.h"
#include "clean/run_file.h"

namespace neardup::clean {
namespace {

std::string exact(double value) { return fmt::format("{:.17g}", value); }

}  // namespace

void write_clean_pairs(const CleanAudit& audit, io::ByteSink& out) {
  std::vector<std::pair<Row, Row>> links = audit.method.links;
  std::sort(links.begin(), links.end());
  links.erase(std::unique(links.begin(), links.end()), links.end());
  out.write("left\tright\tscore\n");
  const std::vector<clean::SetNumber>& set = audit.read.repository.set;
  for (const auto& [left, right] : links) {
    out.write(fmt::format("{}\t{}\t{}\n", base::escape_tsv(audit.names[left]), base::escape_tsv(audit.names[right]),
                          format_score(audit.definition.measure, *audit.judge.score(set[left], set[right]))));
  }
}

void write_clean_removed(const CleanAudit& audit, io::ByteSink& out) {
  const clean::Repository& repository = audit.read.repository;
  const auto authority = [&](Row row) {
    return repository.authority.empty() || !std::isfinite(repository.authority[row]) ? std::string("null")
                                                                                     : exact(repository.authority[row]);
  };
  std::vector<clean::Removal> removals = audit.method.removals;
  std::ranges::sort(removals, {}, &clean::Removal::row);
  std::string line;
  for (const clean::Removal& removal : removals) {
    const Row kept = audit.decision.kept_for(removal.row);
    const bool by_authority =
        !repository.authority.empty() && repository.authority[removal.kept] > repository.authority[removal.row];
    const auto score = audit.judge.score(repository.set[removal.row], repository.set[kept]);
    line = "{\"id\":";
    base::append_json_string(line, audit.names[removal.row]);
    line += ",\"kept\":";
    base::append_json_string(line, audit.names[kept]);
    line += fmt::format(
        ",\"score\":{},\"rule\":\"{}\",\"cluster\":", score ? format_score(audit.definition.measure, *score) : "null",
        by_authority ? "authority" : "rank");
    base::append_json_string(line, audit.names[kept]);
    line += ",\"query\":";
    base::append_json_string(line, audit.log.queries[removal.query].text);
    line += fmt::format(",\"rank\":{},\"query_rank\":{},\"authority\":{},\"kept_authority\":{}}}\n", removal.rank,
                        removal.query + 1, authority(removal.row), authority(kept));
    out.write(line);
  }
}

void write_queries(const CleanReport& report, io::ByteSink& out) {
  out.write("query\tcount\tresults\tgroups\tremoved\tseconds\n");
  for (const QueryOutcome& query : report.outcomes) {
    out.write(fmt::format("{}\t{}\t{}\t{}\t{}\t{:.6f}\n", base::escape_tsv(query.query), query.count, query.results,
                          query.groups, query.removed, query.seconds));
  }
}

void write_authority(const CleanAudit& audit, io::ByteSink& out) {
  out.write("id\tscore\n");
  const std::vector<double>& scores = audit.read.repository.authority;
  for (Row row = 0; row < audit.read.sets.rows(); ++row) {
    if (audit.read.sets.unit_of_row[row] == corpus::kBadRecord) continue;
    out.write(fmt::format("{}\t{}\n", base::escape_tsv(audit.names[row]),
                          std::isfinite(scores[row]) ? exact(scores[row]) : ""));
  }
}

void write_results(const CleanAudit& audit, const clean::ResultSource& results, io::ByteSink& out, const Context& context) {
  const clean::Policy policy(audit.options);
  const clean::Removed nothing(audit.read.sets.rows());
  constexpr std::size_t kBatch = 1024;
  std::vector<std::vector<clean::Hit>> shown(kBatch);
  for (std::size_t begin = 0; begin < audit.log.queries.size(); begin += kBatch) {
    const std::size_t count = std::min(kBatch, audit.log.queries.size() - begin);
    clean::for_each_query(results, count, context, [&](clean::Searcher& searcher, std::size_t i) {
      const auto query = static_cast<clean::QueryNumber>(begin + i);
      const std::uint64_t matches = policy.needs_matches() ? searcher.matches(query, nothing) : 0;
      searcher.search(query, policy.depth(std::uint64_t{query} + 1, matches), nothing, shown[i]);
    });
    for (std::size_t i = 0; i < count; ++i) {
      const std::string id = clean::run_file_id(audit.log, audit.log.queries[begin + i]);
      for (std::size_t place = 0; place < shown[i].size(); ++place) {
        const clean::Hit& hit = shown[i][place];
        out.write(fmt::format("{}\tQ0\t{}\t{}\t{:.9f}\tneardup\n", base::escape_tsv(id),
                              base::escape_tsv(audit.names[hit.row]), place + 1, hit.score));
      }
    }
  }
}

}  // namespace neardup::clean
