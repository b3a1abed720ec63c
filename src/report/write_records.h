// The last reading of the collection: kept records go out as they stood, and a few texts are remembered for people.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "search/against.h"
#include "search/decide.h"
#include "report/outputs.h"
#include "corpus/units.h"

namespace neardup::report {

struct WriteRequest {
  const Collection& collection;
  const Definition& definition;
  const corpus::UnitTable& table;
  const corpus::RepeatedIds& ids;
  std::uint64_t content;  // corpus::ReadResult::content
  const search::Decision& decision;
  const corpus::Names& names;                 // of documents in clusters; only for annotations
  const std::vector<double>& scores;  // search::leader_scores(); only for annotations
  const search::ClusterList& clusters;
  std::vector<Row> texts_wanted;  // any order
  bool annotate = false;
  const search::AgainstResult* against = nullptr;
};

struct Shown {
  std::string name{}, text{};
  std::vector<Feature> set{};  // for set measures
  std::string string{};        // for edit
};

// Writes through `outputs`, and returns the wanted documents. Does not read when there is nothing to write or to show.
std::map<Row, Shown> write_records(WriteRequest, Outputs& outputs, const Context&);

}  // namespace neardup::report
