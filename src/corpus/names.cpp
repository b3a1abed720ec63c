#include "corpus/names.h"

#include <algorithm>

#include "base/document_text.h"
#include "base/system.h"
#include "corpus/reread.h"

namespace neardup::corpus {
namespace {

struct NamedBatch {
  std::vector<Row> rows;
  std::vector<std::string> texts;  // of each row its name, then its fields
};

std::string field_text(const DocumentView& document, std::size_t place, std::string_view name) {
  if (place < document.fields.size() && document.fields[place]) return std::string(*document.fields[place]);
  std::string joined;
  return name == "text" ? std::string(base::whole_text(document, joined)) : std::string();
}

}  // namespace

NamedRows collect_names(const Corpus& corpus, const PerRow<bool>& wanted, const std::vector<std::string>& fields,
                        const Context& context) {
  NamedRows named{.names = RowTexts(base::reservation(context)), .fields = {}};
  for (std::size_t i = 0; i < fields.size(); ++i) named.fields.emplace_back(base::reservation(context));
  if (std::find(wanted.begin(), wanted.end(), true) == wanted.end()) return named;
  reread<NamedBatch>(
      corpus, {.stage = "looking up names", .fields = fields}, [&](Row row) { return wanted[row]; },
      [&] {
        return [&](const RereadRecord& record, NamedBatch& out) {
          out.rows.push_back(record.row);
          out.texts.push_back(record.name());
          for (std::size_t i = 0; i < fields.size(); ++i) {
            out.texts.push_back(field_text(record.document, i, fields[i]));
          }
        };
      },
      [&](const io::RecordBatch&, const NamedBatch& batch) {
        auto text = batch.texts.begin();
        for (const Row row : batch.rows) {
          named.names.add(row, *text++);
          for (RowTexts& field : named.fields) field.add(row, *text++);
        }
      },
      context);
  return named;
}

}  // namespace neardup::corpus
