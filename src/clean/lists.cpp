#include "clean/lists.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "base/json.h"
#include "base/tsv.h"
#include "clean/policy.h"
#include "clean/run_file.h"
#include "report/lists.h"

namespace neardup::clean {
namespace {

std::string exact(double value) { return fmt::format("{:.17g}", value); }

std::string_view rule_of(const CleanAudit& audit, const Removal& removal) {
  const std::vector<double>& authority = audit.read.repository.authority;
  const bool by_authority = !authority.empty() && authority[removal.kept] > authority[removal.row];
  return by_authority ? "authority" : "rank";
}

}  // namespace

void write_clean_pairs(const CleanAudit& audit, report::ReportPage* page, io::ByteSink& out) {
  std::vector<std::pair<DocumentNumber, DocumentNumber>> links = audit.method.links;
  std::sort(links.begin(), links.end());
  links.erase(std::unique(links.begin(), links.end()), links.end());
  out.write("left\tright\tscore\n");
  const std::vector<SetNumber>& set = audit.read.repository.set;
  for (const auto& [left, right] : links) {
    const double score = *audit.judge.score(set[left], set[right]);
    out.write(fmt::format("{}\t{}\t{}\n", base::escape_tsv(audit.names[Row{left}]),
                          base::escape_tsv(audit.names[Row{right}]),
                          format_score(audit.plan.definition.measure, score)));
    if (page != nullptr) page->add_pair({left, right, score});
  }
}

PageScores::PageScores(const CleanAudit& audit) : audit_(audit) {
  for (const Removal& removal : audit.method.removals) removals_.emplace(removal.row, &removal);
}

report::PageLists PageScores::lists() const {
  return {
      .clusters = audit_.clusters,
      .score =
          [this](Row row) {
            const std::vector<SetNumber>& set = audit_.read.repository.set;
            const auto kept = audit_.clusters.representative(index(row));
            return audit_.judge.score(set[index(row)], set[kept]).value_or(std::numeric_limits<double>::quiet_NaN());
          },
      .rule = [this](Row row) { return std::string(rule_of(audit_, *removals_.at(index(row)))); },
      .name = [this](Row row) { return std::string(audit_.names[row]); }};
}

void write_clean_removed(const CleanAudit& audit, io::ByteSink& out) {
  const Repository& repository = audit.read.repository;
  const report::ScoreFormat format(audit.plan.definition.measure);
  const auto authority = [&](DocumentNumber row) {
    return repository.authority.empty() || !std::isfinite(repository.authority[row]) ? std::string("null")
                                                                                     : exact(repository.authority[row]);
  };
  std::vector<Removal> removals = audit.method.removals;
  std::ranges::sort(removals, {}, &Removal::row);
  for (const Removal& removal : removals) {
    const auto kept = static_cast<DocumentNumber>(audit.clusters.representative(removal.row));
    const auto score = audit.judge.score(repository.set[removal.row], repository.set[kept]);
    std::string more = ",\"query\":";
    base::append_json_string(more, audit.log.queries[removal.query].text);
    more += fmt::format(",\"rank\":{},\"query_rank\":{},\"authority\":{},\"kept_authority\":{}", removal.rank,
                        removal.query + 1, authority(removal.row), authority(kept));
    report::write_removed({.id = audit.names[Row{removal.row}],
                           .kept = audit.names[Row{kept}],
                           .score = score ? format(*score) : "null",
                           .rule = rule_of(audit, removal),
                           .more = std::move(more)},
                          out);
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
  const corpus::Units& units = audit.read.corpus.units;
  for (const Row row : all<Row>(units.rows())) {
    if (units.status[row] == RowStatus::bad) continue;
    const double score = scores[index(row)];
    out.write(fmt::format("{}\t{}\n", base::escape_tsv(audit.names[row]), std::isfinite(score) ? exact(score) : ""));
  }
}

void write_results(const CleanAudit& audit, const ResultSource& results, io::ByteSink& out, const Context& context) {
  const Policy policy(audit.plan.options.policy);
  const Removed nothing(audit.read.corpus.units.rows());
  constexpr std::size_t kBatch = 1024;
  std::vector<std::vector<Hit>> shown(kBatch);
  for (std::size_t begin = 0; begin < audit.log.queries.size(); begin += kBatch) {
    const std::size_t count = std::min(kBatch, audit.log.queries.size() - begin);
    for_each_query(results, count, context, [&](Searcher& searcher, std::size_t i) {
      const auto query = static_cast<QueryNumber>(begin + i);
      const std::uint64_t matches = policy.needs_matches() ? searcher.matches(query, nothing) : 0;
      searcher.search(query, policy.depth(std::uint64_t{query} + 1, matches), nothing, shown[i]);
    });
    for (std::size_t i = 0; i < count; ++i) {
      const std::string id = run_file_id(audit.log, audit.log.queries[begin + i]);
      for (std::size_t place = 0; place < shown[i].size(); ++place) {
        const Hit& hit = shown[i][place];
        out.write(fmt::format("{}\tQ0\t{}\t{}\t{:.9f}\tneardup\n", base::escape_tsv(id),
                              base::escape_tsv(audit.names[Row{hit.row}]), place + 1, hit.score));
      }
    }
  }
}

}  // namespace neardup::clean
