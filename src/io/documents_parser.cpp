#include "io/documents_parser.h"

#include <algorithm>

#include "base/document_text.h"
#include "base/utf8.h"
#include "io/splitter.h"

namespace neardup::io {
namespace {

bool is_broken(std::string_view text) { return !base::is_valid_utf8(text); }

}  // namespace

DocumentsParser::DocumentsParser() : most_bytes_(kMostRecordBytes), too_long_("record is longer than 2 GiB") {}

DocumentsParser::DocumentsParser(std::uint64_t max_record_bytes)
    : most_bytes_(max_record_bytes), too_long_(too_long_message(max_record_bytes)) {}

const char* DocumentsParser::parse(const RecordBatch& batch, std::size_t place, DocumentView& out) {
  out = {};
  repaired_.clear();
  if (const char* problem = batch.documents->get(batch.records[place].begin, out)) return problem;
  if (base::text_bytes(out) > most_bytes_) return too_long_.c_str();
  if (!out.is_valid_utf8) repair(out);
  return nullptr;
}

void DocumentsParser::repair(DocumentView& out) {
  out.is_valid_utf8 = true;
  for (std::string_view* text : {&out.key, &out.text}) {
    if (is_broken(*text)) *text = repaired(*text);
  }
  if (std::ranges::any_of(out.texts, is_broken)) {
    texts_.assign(out.texts.begin(), out.texts.end());
    for (std::string_view& text : texts_) text = repaired(text);
    out.texts = texts_;
  }
  if (std::ranges::any_of(out.fields, [](const auto& field) { return field && is_broken(*field); })) {
    fields_.assign(out.fields.begin(), out.fields.end());
    for (auto& field : fields_) {
      if (field) field = repaired(*field);
    }
    out.fields = fields_;
  }
}

std::string_view DocumentsParser::repaired(std::string_view text) {
  if (!is_broken(text)) return text;
  base::append_repaired_utf8(repaired_.emplace_back(), text);
  return repaired_.back();
}

}  // namespace neardup::io
