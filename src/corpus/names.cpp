#include "corpus/names.h"

#include <algorithm>
#include <memory>

#include "corpus/row_names.h"
#include "io/pass.h"

namespace neardup::corpus {
namespace {

struct NamedBatch final : io::BatchResult {
  std::uint64_t content = 0;
  std::vector<Row> rows;
  std::vector<std::string> texts;  // of each row its name, then its fields
};

class NameWorker final : public io::BatchWorker {
 public:
  explicit NameWorker(const NamesRequest& request) : request_(request) {
    ReadOptions reading = request.collection.impl().options;
    reading.extra_fields = request.fields;
    parser_ = request.collection.impl().parser(reading);
  }

  std::unique_ptr<io::BatchResult> work(const io::RecordBatch& batch) override {
    auto result = std::make_unique<NamedBatch>();
    if (batch.first_row + batch.records.size() > request_.table.rows()) throw_changed(*batch.source);
    result->content = content_hash(batch);
    for (std::size_t place = 0; place < batch.records.size(); ++place) {
      const auto row = static_cast<Row>(batch.first_row + place);
      if (!request_.wanted[row]) continue;
      const io::RawRecord& record = batch.records[place];
      if (record.problem != nullptr || parser_->parse(batch, record, document_) != nullptr)
        throw_changed(*batch.source);
      result->rows.push_back(row);
      result->texts.push_back(
          name_of(*batch.source, record, document_.key, document_.record_id, request_.ids.occurrence(row)));
      for (std::size_t field = 0; field < request_.fields.size(); ++field) {
        const bool has = field < document_.fields.size() && document_.fields[field].has_value();
        result->texts.push_back(has ? *document_.fields[field] : std::string());
      }
    }
    return result;
  }

 private:
  const NamesRequest& request_;
  std::unique_ptr<io::RecordParser> parser_;
  Document document_;
};

}  // namespace

NamedRows collect_names(const NamesRequest& request, const Context& context) {
  NamedRows named;
  named.fields.resize(request.fields.size());
  if (std::find(request.wanted.begin(), request.wanted.end(), true) == request.wanted.end()) return named;
  std::uint64_t content = 0;
  io::run_pass(
      request.collection, context, "looking up names", [&] { return std::make_unique<NameWorker>(request); },
      [&](const io::RecordBatch&, io::BatchResult& result) {
        const auto& batch = static_cast<NamedBatch&>(result);
        content += batch.content;
        auto text = batch.texts.begin();
        for (const Row row : batch.rows) {
          named.names.add(row, *text++);
          for (Names& field : named.fields) field.add(row, *text++);
        }
      });
  check_unchanged(request.collection, content, request.content);
  return named;
}

}  // namespace neardup::corpus
