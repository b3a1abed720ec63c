// Which cluster does a document join, and what happens to clusters when one is removed?
//
// The result is always that of clustering everything anew (docs/algorithms/clusters.md). Components grow by merging
// groups, the smaller into the larger. A star or complete cluster depends only on the pairs of its connected component
// and the keep order; a unit that ranks behind all its neighbours changes nothing for others and is placed at once,
// anything else has its component searched and clustered again. Names: a merge keeps the oldest one, a split keeps it
// where the kept document is (or, when that was removed, the oldest one).
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "index/decision_book.h"
#include "index/ledger.h"
#include "index/neighbours.h"
#include "index/unit_search.h"

namespace neardup::indexing {

// Works on one batch. Threads: one at a time.
class Clusterer {
 public:
  Clusterer(Ledger& ledger, const UnitSearch& search, const DecisionBook& decisions, std::string reason)
      : ledger_(ledger), search_(search), decisions_(decisions), reason_(std::move(reason)) {}

  // A unit whose document and content were stored, and which is searched already.
  void add_unit(UnitId, std::span<const Neighbour>);
  // A further document of a unit; its row was stored.
  void add_copy(UnitId, const KeepPlace&);
  // Takes a document out of its unit. Its rows are still there, and are erased by this.
  void remove(Sequence, const DocumentRow&);
  // Clusters the components of these units again.
  void recompute(std::span<const UnitId> seeds);

 private:
  struct Component;
  struct OldGroup;
  struct NewCluster;

  [[nodiscard]] std::vector<Neighbour> allowed(UnitId, std::span<const Neighbour>) const;
  [[nodiscard]] Component explore(std::span<const UnitId> seeds) const;
  [[nodiscard]] bool ranks_last(UnitId, std::span<const Neighbour>) const;
  [[nodiscard]] GroupId star_of(std::span<const Neighbour>) const;
  [[nodiscard]] GroupId complete_of(std::span<const Neighbour>) const;
  void merge(std::vector<GroupId>);
  void move_units(GroupId from, GroupId to);
  void remove_from_group(Sequence, const DocumentRow&, UnitPlace);
  void choose_kept(GroupId, GroupRow);

  void reassign(const Component&, std::span<const std::size_t> leader_of);
  [[nodiscard]] std::map<GroupId, OldGroup> old_groups(const Component&) const;
  void claim_names(const Component&, std::span<const std::size_t> leader_of, const std::map<GroupId, OldGroup>&,
                   std::map<std::size_t, NewCluster>&);
  void rewrite(const Component&, const std::map<GroupId, OldGroup>&, std::map<std::size_t, NewCluster>&);
  void report(const std::map<GroupId, OldGroup>&, const std::map<std::size_t, NewCluster>&);
  void report_moves(const OldGroup&, const std::map<std::size_t, NewCluster>&);

  void note(IndexChange::Kind, ClusterId, ClusterId other, Sequence document);
  void note_members(ClusterId, UnitId);

  Ledger& ledger_;
  const UnitSearch& search_;
  const DecisionBook& decisions_;
  std::string reason_;
};

}  // namespace neardup::indexing
