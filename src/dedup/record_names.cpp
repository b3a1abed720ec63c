#include "dedup/record_names.h"

#include "neardup/error.h"

namespace neardup::dedup {

std::string name_of(const io::Source& source, const io::RawRecord& record, const std::string& key,
                    std::uint32_t occurrence) {
  std::string name = io::record_name(source, record, key);
  if (occurrence > 1) name += '#' + std::to_string(occurrence);
  return name;
}

std::string escape_tsv(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    switch (c) {
      case '\t': out += "\\t"; break;
      case '\n': out += "\\n"; break;
      case '\\': out += "\\\\"; break;
      default: out += c;
    }
  }
  return out;
}

void throw_changed(const io::Source& source) {
  throw Error(ErrorCode::input, source.path + " changed while it was being read; nothing was written");
}

void check_rows(const Collection& collection, std::uint64_t rows_read, std::uint64_t rows_expected) {
  if (rows_read != rows_expected) throw_changed(collection.impl().sources.back());
}

}  // namespace neardup::dedup
