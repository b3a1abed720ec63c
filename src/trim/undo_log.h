// What has to be noted so that the inputs can be put together again byte by byte?
//
// Every line of cuts.jsonl says where in its decompressed input some bytes were that the output does not have. Besides
// cuts these are removed documents, bad records and what is between records (blank lines).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "io/collection.h"
#include "io/record.h"

namespace neardup::trimming {

// Appends `"file":...,"at":...,"removed":...` to a line; bytes that are not UTF-8 as `removed_hex`.
void append_removed(std::string& line, const io::Source&, std::uint64_t at, std::string_view bytes);

// Follows the batches of a collection in order and notices the bytes that belong to no record.
class GapFinder {
 public:
  // `note(source, at, bytes)`
  using Note = std::function<void(const io::Source&, std::uint64_t at, std::string_view bytes)>;
  explicit GapFinder(Note note) : note_(std::move(note)) {}

  // Before the records of a batch are written: `before_record(place)` for each of them, in order, then after_batch().
  void begin_batch(const io::RecordBatch&);
  void before_record(const io::RecordBatch&, std::size_t place);
  void after_batch(const io::RecordBatch&);
  void finish();
  // Where a record is in the decompressed input.
  static std::uint64_t place_of(const io::RecordBatch&, std::size_t place);
  // False: some bytes are not known, and the inputs cannot be put together.
  [[nodiscard]] bool is_complete() const { return is_complete_; }

 private:
  void gap(const io::RecordBatch* batch, std::uint64_t to);
  void note_gap(std::string_view bytes);

  Note note_;
  const io::Source* source_ = nullptr;
  std::string header_;          // of a CSV file, until it has been met: it is written by itself
  std::uint64_t expected_ = 0;  // up to here everything is accounted for
  std::string tail_;            // bytes from expected_ on that earlier batches had
  bool is_complete_ = true;
};

}  // namespace neardup::trimming
