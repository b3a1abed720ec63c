#include "io/record.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <span>

#include "base/random.h"

namespace neardup::io {
namespace {

std::uint64_t hash_of(const DocumentView& document) {
  std::uint64_t hash = 0;
  const auto add = [&](const auto& values) {
    const auto bytes = std::as_bytes(std::span(values.data(), values.size()));
    hash = base::mix64(hash + XXH3_64bits(bytes.data(), bytes.size()));
  };
  add(document.key);
  add(document.text);
  add(document.text_ends);
  for (const std::string_view text : document.texts) add(text);
  add(document.tokens);
  return hash;
}

}  // namespace

std::uint64_t RecordBatch::hash(std::size_t place) const {
  if (has_raw()) {
    const std::string_view bytes_of_record = raw(place);
    return XXH3_64bits(bytes_of_record.data(), bytes_of_record.size());
  }
  DocumentView document;
  const bool is_bad = documents->get(records[place].begin, document) != nullptr;
  return is_bad ? 0 : hash_of(document);
}

const char* BuildingParser::parse(const RecordBatch& batch, std::size_t place, DocumentView& out) {
  document_.key.clear();
  document_.text.clear();
  document_.text_ends.clear();
  document_.fields.assign(fields_.size(), std::nullopt);
  document_.tokens.clear();
  document_.links.clear();
  document_.links_base.clear();
  if (const char* problem = build(batch, place, document_)) return problem;
  out = document_;
  std::ranges::copy(document_.fields, fields_.begin());
  out.fields = fields_;
  return nullptr;
}

}  // namespace neardup::io
