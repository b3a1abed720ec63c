#include "authority/addresses.h"

#include <memory>

#include "corpus/row_names.h"
#include "io/formats/formats.h"
#include "io/pass.h"

namespace neardup::authority {
namespace {

struct AddressBatch final : io::BatchResult {
  std::uint64_t content = 0;
  std::vector<NameTable::Entry> entries;
  std::vector<PageLink> links;
  std::vector<std::pair<Row, std::string>> names;
};

class AddressWorker final : public io::BatchWorker {
 public:
  explicit AddressWorker(const AddressRequest& request) : request_(request) {
    ReadOptions reading = request.collection.impl().options;
    reading.extra_fields = {"url"};
    reading.links = request.wants_links;
    parser_ = request.collection.impl().parser(reading);
  }

  std::unique_ptr<io::BatchResult> work(const io::RecordBatch& batch) override {
    auto result = std::make_unique<AddressBatch>();
    if (batch.first_row + batch.records.size() > request_.table.rows()) corpus::throw_changed(*batch.source);
    result->content = corpus::content_hash(batch);
    for (std::size_t place = 0; place < batch.records.size(); ++place) {
      const auto row = static_cast<Row>(batch.first_row + place);
      if (request_.table.unit_of_row[row] == corpus::kBadRecord) continue;
      const io::RawRecord& record = batch.records[place];
      if (record.problem != nullptr || parser_->parse(batch, record, document_) != nullptr)
        corpus::throw_changed(*batch.source);
      add(row, *batch.source, record, *result);
    }
    return result;
  }

 private:
  // A page is known by its name, which for a file is its path, and by its URL where it has another one.
  void add(Row row, const io::Source& source, const io::RawRecord& record, AddressBatch& out) {
    std::string name = corpus::name_of(source, record, document_.key, document_.record_id, request_.ids.occurrence(row));
    out.entries.push_back(NameTable::name(row, name));
    const std::string address = io::record_name(source, record, document_.key);
    if (const auto entry = NameTable::url(row, address)) out.entries.push_back(*entry);
    const std::string url = document_.fields.empty() ? std::string() : document_.fields.front().value_or("");
    if (const auto entry = NameTable::url(row, url)) out.entries.push_back(*entry);
    if (request_.wants_links) {
      // A file's own place is what its links stand against, whatever address it claims to have on the web.
      const bool is_file = record.number == 0 && document_.key.empty();
      page_links(row, url.empty() || is_file ? address : url, document_.links_base, document_.links, out.links);
    }
    if (request_.wants_names) out.names.emplace_back(row, std::move(name));
  }

  const AddressRequest& request_;
  std::unique_ptr<io::RecordParser> parser_;
  Document document_;
};

}  // namespace

Addresses collect_addresses(const AddressRequest& request, const Context& context) {
  Addresses addresses;
  std::uint64_t content = 0;
  io::run_pass(
      request.collection, context, "looking up names", [&] { return std::make_unique<AddressWorker>(request); },
      [&](const io::RecordBatch&, io::BatchResult& result) {
        auto& batch = static_cast<AddressBatch&>(result);
        content += batch.content;
        addresses.table.add(batch.entries);
        addresses.links.insert(addresses.links.end(), batch.links.begin(), batch.links.end());
        for (const auto& [row, name] : batch.names) addresses.names.add(row, name);
      });
  corpus::check_unchanged(request.collection, content, request.content);
  addresses.table.finish();
  return addresses;
}

bool has_pages(const Collection& collection) {
  if (collection.impl().options.html == Html::strip) return true;
  for (const io::Source& source : collection.impl().sources)
    if (source.format->named_fields) return true;
  return false;
}

}  // namespace neardup::authority
