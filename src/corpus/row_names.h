// What is a record called in every output?
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/tsv.h"
#include "io/collection.h"

namespace neardup::corpus {

// The record's id or place; the second record with an id is `id#2`, and so on. Records of web archives have an id of
// their own beside the page's: the second one of a page is `page record`, and so are all that follow.
std::string name_of(const io::Source&, const io::RawRecord&, const std::string& key, const std::string& record_id,
                    std::uint32_t occurrence);

// Finds names that occur twice, by a hash.
class NameHasher {
 public:
  explicit NameHasher(const Collection&);
  // Equal for records that would have the same name, and 0 for a record whose name nobody else can have: most records
  // without an id are named by a place of their own.
  [[nodiscard]] std::uint64_t hash(const io::Source&, const io::RawRecord&, std::string_view key) const;

 private:
  bool places_repeat_;  // a file is given twice, or a JSON array, whose elements can share a line, is among the inputs
};

// What people are told of them.
std::string repeated_ids_warning(std::uint64_t count);

// The input is not what it was in an earlier pass over it.
[[noreturn]] void throw_changed(const std::string& path);
[[noreturn]] void throw_changed(const io::Source&);
// Stands for the records of a batch, whatever the batches around it; summed over a pass it stands for the collection.
std::uint64_t content_hash(const io::RecordBatch&);
// Throws when a later pass met other records than the first one did.
void check_unchanged(const Collection&, std::uint64_t content, std::uint64_t expected);

}  // namespace neardup::corpus
