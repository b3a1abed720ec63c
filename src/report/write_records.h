// The last reading of the collection: kept records go out as they stood, and a few texts are remembered for people.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "corpus/corpus.h"
#include "neardup/cluster.h"
#include "report/outputs.h"

namespace neardup::report {

struct WriteRequest {
  const corpus::Corpus& corpus;
  const Clusters& clusters;
  std::vector<Row> shown{};  // documents to bring back, in any order
  // Keeps every record and adds this to it; empty: only kept records are written.
  std::function<io::Annotation(Row)> annotation{};
};

struct ShownDocument {
  std::string name{}, text{};
  std::vector<Feature> set{};  // for set measures
  std::string string{};        // for edit
};

// Writes through `outputs`, and returns the wanted documents. Does not read when there is nothing to write or to show.
std::map<Row, ShownDocument> write_records(WriteRequest, Outputs& outputs, const Context&);

}  // namespace neardup::report
