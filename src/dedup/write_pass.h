// The last reading of the collection: kept records go out as they stood, and a few texts are remembered for people.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "dedup/against.h"
#include "dedup/decide.h"
#include "dedup/outputs.h"
#include "dedup/units.h"

namespace neardup::dedup {

struct WriteRequest {
  const Collection& collection;
  const Definition& definition;
  const UnitTable& table;
  const RepeatedIds& ids;
  std::uint64_t content;  // ReadResult::content
  const Decision& decision;
  const Names& names;                 // of documents in clusters; only for annotations
  const std::vector<double>& scores;  // leader_scores(); only for annotations
  const ClusterList& clusters;
  std::vector<Row> texts_wanted;  // any order
  bool annotate = false;
  const AgainstResult* against = nullptr;
};

struct Shown {
  std::string name{}, text{};
  std::vector<Feature> set{};  // for set measures
  std::string string{};        // for edit
};

// Writes through `outputs`, and returns the wanted documents. Does not read when there is nothing to write or to show.
std::map<Row, Shown> write_records(WriteRequest, Outputs& outputs, Context&);

}  // namespace neardup::dedup
