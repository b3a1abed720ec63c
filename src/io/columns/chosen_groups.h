// Which rows of each group of a file of columns are chosen?
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "io/columns/column_file.h"
#include "io/output.h"

namespace neardup::io {

// A pass shows rows without most of their columns, batch by batch; whoever writes them reads whole groups again. Here
// decisions wait until a group is complete. Groups without a chosen row are passed over.
class ChosenGroups {
 public:
  // `chosen` has a number for each row of the group; `annotations` too, or is empty.
  using Put = std::function<void(ColumnFile&, std::int64_t group, std::span<const std::uint8_t> chosen,
                                 std::span<const Annotation> annotations)>;
  ChosenGroups(FileSystem& files, Put put) : files_(files), put_(std::move(put)) {}

  // Batches in input order. `annotations` is empty, or has one for each record.
  void add(const RecordBatch&, std::span<const std::uint8_t> chosen, std::span<const Annotation> annotations);
  // Puts what waits: there are no more rows of this source.
  void flush();

 private:
  void enter(const Source&);
  void put_group();
  void next_group();

  FileSystem& files_;
  Put put_;
  const Source* source_ = nullptr;
  std::unique_ptr<ColumnFile> file_;
  std::int64_t group_ = 0;
  std::uint64_t first_row_ = 0, rows_ = 0;  // of the group: its first row in the file, from 0, and how many it has
  bool has_chosen_ = false, is_annotated_ = false;
  std::vector<std::uint8_t> chosen_;
  std::vector<Annotation> annotations_;
};

}  // namespace neardup::io
