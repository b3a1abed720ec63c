// The last reading of the collection: kept records go out unchanged, and a few texts are remembered for people.
#pragma once

#include <cstdint>
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
  std::vector<Row> shown{};                         // documents to bring back, in any order
  bool writes_all = false;                          // also the removed ones, where kept ones go
  std::function<io::Annotation(Row)> annotation{};  // what Outputs::added() says to add; empty: nothing
};

inline constexpr std::size_t kShownBytes = std::size_t{1} << 18;  // of a text; the rest is cut

struct ShownDocument {
  std::string name{}, text{};
  bool is_whole = true;        // nothing of the text was cut
  std::vector<Feature> set{};  // for set measures
  std::string string{};        // for edit
};

struct WrittenRecords {
  std::map<Row, ShownDocument> shown{};        // the wanted documents
  std::uint64_t bytes = 0, removed_bytes = 0;  // RemovalReport has the same
};

// The same documents without writing anything: one more reading, none when no row is wanted.
std::map<Row, ShownDocument> look_up_documents(const corpus::Corpus&, std::vector<Row> rows, const Context&);

// Writes through `outputs`. Does not read when there is nothing to write or to show.
WrittenRecords write_records(WriteRequest, Outputs& outputs, const Context&);

}  // namespace neardup::report
