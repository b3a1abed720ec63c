#include "corpus/row_names.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <vector>

#include "base/random.h"
#include "io/formats/formats.h"
#include "neardup/error.h"

namespace neardup::corpus {

std::string name_of(const io::Source& source, const io::RawRecord& record, const std::string& key,
                    const std::string& record_id, std::uint32_t occurrence) {
  std::string name = io::record_name(source, record, key);
  if (occurrence <= 1) return name;
  if (!record_id.empty() && record_id != key) return name + ' ' + record_id;
  return name + '#' + std::to_string(occurrence);
}

NameHasher::NameHasher(const Collection& collection) : places_repeat_(false) {
  std::vector<std::string_view> paths;
  for (const io::Source& source : collection.impl().sources) {
    places_repeat_ |= source.format->framing == io::Format::Framing::json_array;
    paths.push_back(source.path);
  }
  std::sort(paths.begin(), paths.end());
  places_repeat_ |= std::adjacent_find(paths.begin(), paths.end()) != paths.end();
}

std::uint64_t NameHasher::hash(const io::Source& source, const io::RawRecord& record, std::string_view key) const {
  if (!key.empty()) return XXH3_64bits(key.data(), key.size()) | 1;
  if (!places_repeat_) return 0;
  return base::mix64(XXH3_64bits(source.path.data(), source.path.size()) + record.number) | 1;
}

std::string repeated_ids_warning(std::uint64_t count) {
  return std::to_string(count) + (count == 1 ? " record repeats" : " records repeat") +
         " an id; such records are called id#2, id#3, ... in all outputs (of web archives: page and record id)";
}

void throw_changed(const std::string& path) {
  throw Error(ErrorCode::input, path + " changed while it was being read; nothing was written");
}
void throw_changed(const io::Source& source) { throw_changed(source.path); }

std::uint64_t content_hash(const io::RecordBatch& batch) {
  std::uint64_t sum = 0;
  DocId row = batch.first_row;
  for (const io::RawRecord& record : batch.records) {
    const std::string_view raw = batch.raw(record);
    sum += base::mix64(XXH3_64bits(raw.data(), raw.size()) + ++row);
  }
  return sum;
}

void check_unchanged(const Collection& collection, std::uint64_t content, std::uint64_t expected) {
  if (content != expected) throw_changed(collection.impl().sources.back());
}

}  // namespace neardup::corpus
