// What was removed, why, and on what evidence: the tables beside the kept documents.
#pragma once

#include <vector>

#include "cluster/keep_rules.h"
#include "dedup/against.h"
#include "dedup/decide.h"
#include "dedup/find_pairs.h"
#include "dedup/units.h"
#include "io/output.h"
#include "neardup/definition.h"

namespace neardup::dedup {

struct Audit {
  const Definition& definition;
  const UnitTable& table;
  const PairStore& pairs;
  const Names& names;
  const SimilarityOracle& oracle;
  const cluster::KeepTable& keep;
  const Decision& decision;
  const ClusterList& clusters;
  const std::vector<double>& scores;  // leader_scores()
  const AgainstResult* against = nullptr;
};

void write_pairs(const Audit&, io::ByteSink&);                                          // pairs.tsv
void write_clusters(const Names&, const Decision&, const ClusterList&, io::ByteSink&);  // clusters.tsv
void write_removed(const Audit&, io::ByteSink&);                                        // removed.jsonl

// The score of a removed document with the one that stands for it, as printed; "null" when they are linked only
// through others.
std::string score_text(const Definition&, const UnitTable&, const std::vector<double>& scores, Row);

}  // namespace neardup::dedup
