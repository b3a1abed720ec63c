#include "dedup/record_names.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/random.h"
#include "neardup/error.h"

namespace neardup::dedup {

std::string name_of(const io::Source& source, const io::RawRecord& record, const std::string& key,
                    std::uint32_t occurrence) {
  std::string name = io::record_name(source, record, key);
  if (occurrence > 1) name += '#' + std::to_string(occurrence);
  return name;
}

std::uint64_t name_hash(const io::Source& source, const io::RawRecord& record, std::string_view key) {
  if (!key.empty()) return XXH3_64bits(key.data(), key.size()) | 1;
  return base::mix64(XXH3_64bits(source.path.data(), source.path.size()) + record.number) | 1;
}

std::string escape_tsv(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    switch (c) {
      case '\t':
        out += "\\t";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\\':
        out += "\\\\";
        break;
      default:
        out += c;
    }
  }
  return out;
}

void throw_changed(const io::Source& source) {
  throw Error(ErrorCode::input, source.path + " changed while it was being read; nothing was written");
}

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

}  // namespace neardup::dedup
