// Which bytes of a record are which bytes of its text?
//
// The text of a JSON record has escapes, that of a CSV row doubled quotes; everywhere invalid UTF-8 is read as U+FFFD.
// A cut removes the bytes of the record that were read as the cut text, and nothing else of the record changes.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/record.h"
#include "neardup/collection.h"

namespace neardup::report {

struct TextRange {
  std::uint64_t from, to;
};

// Whether texts of this source can be cut in place.
bool is_cut_in_place(const io::Source&);

// Finds the bytes of records. Threads: one per thread.
class RecordText {
 public:
  explicit RecordText(const ReadOptions& options) : options_(options) {}
  // The ranges of the record that were read as these ranges of the text, which ascend and do not overlap. A range that
  // runs across two text fields becomes two; `out` says which one each is of. False when the record's bytes are not
  // those of the text: such a record cannot be cut.
  bool find(const io::RecordBatch&, std::size_t place, std::string_view text, std::span<const TextRange> ranges,
            std::vector<TextRange>& out, std::vector<std::uint32_t>& range_of);

 private:
  struct Slot {
    std::size_t begin, end;  // of a text field, or a part of one, in the record
  };
  enum class Coding { plain, json, csv };
  bool find_slots(const io::RecordBatch&, std::size_t place, Coding&);
  bool find_json_slots(std::string_view record);
  bool find_csv_slots(const io::RecordBatch&, std::string_view row);

  ReadOptions options_;
  std::vector<Slot> slots_;
  char quote_ = 0;  // of CSV
};

// What to say of documents that were not cut.
std::string not_mapped_warning(std::uint64_t documents);

}  // namespace neardup::report
