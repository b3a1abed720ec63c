// Which clusters show best whether a run did the right thing?
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/row.h"
#include "neardup/cluster.h"
#include "report/write_records.h"

namespace neardup::report {

// What the lists of a run say about its documents. Rows are numbers of documents: those of the collection, or any other
// numbering in input order.
struct PageLists {
  const Clusters& clusters;
  std::function<double(Row)> score{};      // of a removed document with the one kept in its place; NaN: none
  std::function<std::string(Row)> rule{};  // that decided between the two
  std::function<std::string(Row)> name{};
};

// A cluster of the page, with some of its removed documents.
struct PageExample {
  Row kept;
  std::uint64_t documents = 0;  // of the whole cluster
  std::vector<Row> removed;
};

struct PageExamples {
  std::vector<PageExample> largest;  // clusters
  // Clusters with the removed documents that are least similar to the kept one, those without a score first; none that
  // `largest` has.
  std::vector<PageExample> doubtful;

  [[nodiscard]] std::vector<Row> rows() const;  // all of them, ascending
};

struct PageExampleLimits {
  std::size_t largest = 10, doubtful = 10;
  std::size_t removed = 3;  // of one of the largest clusters: the least similar, the middle and the most similar one
};

PageExamples choose_examples(const PageLists&, bool is_distance, const PageExampleLimits& = {});

// Each cluster as a JSON object. `shown` has the documents whose texts are known.
std::vector<std::string> examples_json(const std::vector<PageExample>&, const PageLists&,
                                       const std::map<Row, ShownDocument>& shown, const Context&);

// Two documents that are not near-duplicates, but nearly, as a JSON object.
std::string apart_json(const ShownDocument& left, const ShownDocument& right, double score, const Context&);

}  // namespace neardup::report
