#include "dedup/reference_documents.h"

#include <algorithm>

#include "base/document_text.h"
#include "base/system.h"
#include "io/collection.h"
#include "report/write_records.h"

namespace neardup::dedup {

std::map<DocId, ReferenceDocument> reference_documents(const Collection& collection, const std::vector<DocId>& rows,
                                                       const Context& context) {
  constexpr std::uint64_t kMostBytes = std::uint64_t{64} << 20;
  std::map<DocId, ReferenceDocument> found;
  if (rows.empty()) return found;
  const DocId last = *std::ranges::max_element(rows);
  const io::CollectionImpl& impl = io::impl_of(collection);
  const auto batches = impl.batches(impl.options, context);
  const auto parser = impl.parser(impl.options);
  DocumentView document;
  std::uint64_t bytes = 0;
  for (io::RecordBatch batch; bytes < kMostBytes && batches->next(batch); bytes += batch.input_bytes) {
    base::check_stop(context);
    for (const DocId row : rows) {
      if (row < batch.first_row || row >= batch.first_row + batch.size()) continue;
      const std::size_t place = row - batch.first_row;
      if (parser->parse(batch, place, document) != nullptr) continue;
      std::string joined;
      const std::string_view text = base::whole_text(document, joined);
      const std::string_view shown = base::cut_to_code_point(text, report::kShownBytes);
      found[row] = {.name = io::record_name(*batch.source, batch.number(place), document.key),
                    .text = std::string(shown),
                    .is_whole = shown.size() == text.size()};
    }
    if (batch.first_row + batch.size() > last) break;
  }
  return found;
}

std::map<DocId, ReferenceDocument> known_references(const KnownDocuments& known, const corpus::RowTexts& keys,
                                                    const std::vector<DocId>& rows) {
  std::map<DocId, ReferenceDocument> found;
  for (const DocId row : rows) {
    const std::string key(keys[row_of(row)]);
    const std::optional<std::string> text = known.text(key);
    if (!text) continue;
    const std::string_view shown = base::cut_to_code_point(*text, report::kShownBytes);
    found[row] = {.name = key, .text = std::string(shown), .is_whole = shown.size() == text->size()};
  }
  return found;
}

}  // namespace neardup::dedup
