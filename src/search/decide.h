// Who stays, and for whom does it stand?
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "cluster/keep_rules.h"
#include "search/sketched.h"
#include "search/scorer.h"
#include "corpus/units.h"
#include "neardup/cluster.h"

namespace neardup::search {

// Copies of a unit always share a cluster, so a decision is one row per unit: the document that stands for its cluster.
class Decision {
 public:
  Decision(const corpus::UnitTable& table, std::vector<Row> kept_row) : table_(table), kept_row_(std::move(kept_row)) {}

  static constexpr Row kItself = corpus::kBadRecord;  // a unit whose documents stand for themselves, copies included

  // The document that stands for this one: itself, or another. Precondition: the row is no bad record.
  [[nodiscard]] Row kept_for(Row row) const {
    const Unit unit = table_.unit_of_row[row];
    return !table_.has_unit(row) || kept_row_[unit] == kItself ? row : kept_row_[unit];
  }
  [[nodiscard]] bool is_kept(Row row) const {
    const Unit unit = table_.unit_of_row[row];
    return unit != corpus::kBadRecord && unit != corpus::kLeftOut && kept_for(row) == row;
  }
  // Whether a unit's documents are in no cluster, not even with their own copies.
  [[nodiscard]] bool stands_alone(Unit unit) const { return kept_row_[unit] == kItself; }
  // The unit of the kept document of a unit's cluster.
  [[nodiscard]] Unit leader(Unit unit) const {
    return kept_row_[unit] == kItself ? unit : table_.unit_of_row[kept_row_[unit]];
  }

 private:
  const corpus::UnitTable& table_;
  std::vector<Row> kept_row_;  // by unit
};

Decision decide(const corpus::UnitTable&, const SearchResult&, const SimilarityOracle&, const cluster::KeepTable&, ClusterKind,
                std::size_t memory_bytes, const Context&);

// The clusters of two documents and more: by first member, members in input order.
struct ClusterList {
  std::vector<Row> rows;
  std::vector<std::uint64_t> begin;  // of each cluster in rows; one more at the end
  [[nodiscard]] std::size_t size() const { return begin.size() - 1; }
};
ClusterList list_clusters(const corpus::UnitTable&, const Decision&);

// The score of every unit with its leader, by unit; NaN where the two do not meet the threshold. Precondition: all
// pairs were wanted of the search, or it has the sets.
std::vector<double> leader_scores(const corpus::UnitTable&, const SearchResult&, const SimilarityOracle&, const Decision&,
                                  const Context&);

}  // namespace neardup::search
