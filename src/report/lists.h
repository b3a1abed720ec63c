// What was removed, why, and on what evidence: the tables beside the kept documents.
#pragma once

#include <vector>

#include "cluster/keep_rules.h"
#include "search/against.h"
#include "search/decide.h"
#include "search/sketched.h"
#include "corpus/units.h"
#include "io/output.h"
#include "neardup/definition.h"

namespace neardup::report {

struct Audit {
  const Definition& definition;
  const corpus::UnitTable& table;
  const search::PairStore& pairs;
  const corpus::Names& names;
  const search::SimilarityOracle& oracle;
  const cluster::KeepTable& keep;
  const search::Decision& decision;
  const search::ClusterList& clusters;
  const std::vector<double>& scores;  // search::leader_scores()
  const search::AgainstResult* against = nullptr;
};

void write_pairs(const Audit&, io::ByteSink&);                                          // pairs.tsv
void write_clusters(const corpus::Names&, const search::Decision&, const search::ClusterList&, io::ByteSink&);  // clusters.tsv
void write_removed(const Audit&, io::ByteSink&);                                        // removed.jsonl

// The score of a removed document with the one that stands for it, as printed; "null" when they are linked only
// through others.
std::string score_text(const Definition&, const corpus::UnitTable&, const std::vector<double>& scores, Row);

}  // namespace neardup::report
