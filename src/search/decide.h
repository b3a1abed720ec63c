// Which documents are kept, and which documents do they represent?
#pragma once

#include <functional>

#include "cluster/keep_rules.h"
#include "corpus/units.h"
#include "neardup/cluster.h"
#include "neardup/definition.h"
#include "search/found.h"
#include "search/scorer.h"

namespace neardup::search {

struct ClusterRule {
  ClusterKind kind = ClusterKind::components;
  Measure measure = Measure::jaccard;  // of the scores: core needs to know which pairs are the weakest
};

// Copies of a unit share a cluster, unless their own score does not meet the threshold: then they are in none.
Clusters decide(const corpus::Units&, const Found&, const Scorer&, const cluster::KeepTable&, const ClusterRule&,
                const Context&);

// The unit of the kept document of a unit's cluster; the unit itself when it is in none.
inline Unit leader_of(const corpus::Units& units, const Clusters& clusters, Unit unit) {
  return units.unit_of_row[row_of(clusters.representative(index(units.first_row[unit])))];
}

// Calls `visit` with every pair once; of a repeated pair with the strongest score.
void for_each_distinct_pair(const PairStore&, Measure, const std::function<void(const Pair&)>& visit);

// The score of every unit with its leader; NaN where the two do not meet the threshold. Precondition: all pairs were
// wanted of the search, or it has the sets.
PerUnit<double> leader_scores(const corpus::Units&, const Found&, const Scorer&, const Clusters&, const Context&);

}  // namespace neardup::search
