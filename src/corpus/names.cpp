#include "corpus/names.h"

#include <algorithm>

#include "corpus/reread.h"

namespace neardup::corpus {
namespace {

struct NamedBatch {
  std::vector<Row> rows;
  std::vector<std::string> texts;  // of each row its name, then its fields
};

}  // namespace

NamedRows collect_names(const Corpus& corpus, const PerRow<bool>& wanted, const std::vector<std::string>& fields,
                        const Context& context) {
  NamedRows named;
  named.fields.resize(fields.size());
  if (std::find(wanted.begin(), wanted.end(), true) == wanted.end()) return named;
  reread<NamedBatch>(
      corpus, {.stage = "looking up names", .fields = fields}, [&](Row row) { return wanted[row]; },
      [&] {
        return [&](const RereadRecord& record, NamedBatch& out) {
          out.rows.push_back(record.row);
          out.texts.push_back(record.name());
          for (std::size_t i = 0; i < fields.size(); ++i) {
            const auto& values = record.document.fields;
            out.texts.emplace_back(i < values.size() ? values[i].value_or("") : std::string_view());
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
