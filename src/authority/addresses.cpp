#include "authority/addresses.h"

#include <string>
#include <utility>

#include "base/system.h"
#include "corpus/reread.h"
#include "io/collection.h"

namespace neardup::authority {
namespace {

struct AddressBatch {
  std::vector<NameTable::Entry> entries;
  std::vector<PageLink> links;
  std::vector<std::pair<Row, std::string>> names;
};

// A page is known by its name, which for a file is its path, and by its URL where it has another one.
void add(const corpus::RereadRecord& record, const AddressOptions& options, AddressBatch& out) {
  const DocumentView& document = record.document;
  const std::uint32_t row = index(record.row);
  std::string name = record.name();
  out.entries.push_back(NameTable::name(row, name));
  const std::string address = io::record_name(record.source, record.number, document.key);
  if (const auto entry = NameTable::url(row, address)) out.entries.push_back(*entry);
  const std::string_view url = document.fields.empty() ? std::string_view() : document.fields.front().value_or("");
  if (const auto entry = NameTable::url(row, url)) out.entries.push_back(*entry);
  if (options.links) {
    // Links of a file are relative to its own place, whatever address it claims to have on the web.
    const bool is_file = record.number == 0 && document.key.empty();
    page_links(row, url.empty() || is_file ? address : url, document.links_base, document.links, out.links);
  }
  if (options.names) out.names.emplace_back(record.row, std::move(name));
}

}  // namespace

Addresses collect_addresses(const corpus::Corpus& corpus, const AddressOptions& options, const Context& context) {
  Addresses addresses{.table = {},
                      .links = {},
                      .names = corpus::RowTexts(base::reservation(context)),
                      .memory = base::reservation(context)};
  const auto hold = [&] {
    addresses.memory.hold(addresses.table.memory_bytes() + addresses.links.capacity() * sizeof(PageLink));
  };
  corpus::reread<AddressBatch>(
      corpus, {.stage = "looking up names", .fields = {"url"}, .links = options.links},
      [&](Row row) { return corpus.units.status[row] != RowStatus::bad; },
      [&] { return [&](const corpus::RereadRecord& record, AddressBatch& out) { add(record, options, out); }; },
      [&](const io::RecordBatch&, const AddressBatch& batch) {
        addresses.table.add(batch.entries);
        addresses.links.insert(addresses.links.end(), batch.links.begin(), batch.links.end());
        for (const auto& [row, name] : batch.names) addresses.names.add(row, name);
        hold();
      },
      context);
  addresses.table.finish();
  hold();
  return addresses;
}

}  // namespace neardup::authority
