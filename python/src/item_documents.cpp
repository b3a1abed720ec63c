// Documents over Items: all at once for a list, batch by batch for what an iterator gave.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <utility>

#include "items.h"

namespace neardup::python {
namespace {

constexpr std::uint64_t kBatchBytes = 1 << 20;
constexpr std::size_t kBatchRows = 1 << 16;

// Rows of Items that follow each other.
class ItemBatch final : public DocumentBatch {
 public:
  // The fields are those of all rows of the items, or none.
  struct Contents {
    std::shared_ptr<const Items> items;
    OwnedTexts owned{};
    Items::Fields fields{};
    std::size_t field_count = 0;
  };
  ItemBatch(std::shared_ptr<const Contents> contents, std::size_t begin, std::size_t end)
      : contents_(std::move(contents)), begin_(begin), end_(end) {
    for (std::size_t row = begin; row < end; ++row) bytes_ += contents_->items->bytes(row);
  }
  [[nodiscard]] std::size_t size() const override { return end_ - begin_; }
  [[nodiscard]] std::uint64_t bytes() const override { return bytes_; }
  const char* get(std::size_t place, DocumentView& out) const override {
    const std::size_t row = begin_ + place, count = contents_->field_count;
    if (!contents_->fields.empty()) out.fields = std::span(contents_->fields).subspan(row * count, count);
    return contents_->items->get(row, out);
  }

 private:
  std::shared_ptr<const Contents> contents_;
  std::size_t begin_, end_;
  std::uint64_t bytes_ = 0;
};

std::shared_ptr<const ItemBatch::Contents> contents_of(std::shared_ptr<const Items> items,
                                                       std::span<const std::string> fields) {
  auto contents = std::make_shared<ItemBatch::Contents>();
  contents->fields = items->fields(fields, contents->owned);
  contents->field_count = fields.size();
  contents->items = std::move(items);
  return contents;
}

// The end of a batch of about a megabyte that begins at this row.
std::size_t batch_end(const Items& items, std::size_t begin) {
  const std::size_t last = std::min(items.size(), begin + kBatchRows);
  std::uint64_t bytes = 0;
  std::size_t end = begin;
  while (end < last && bytes < kBatchBytes) bytes += items.bytes(end++);
  return end;
}

class ItemReader final : public DocumentReader {
 public:
  explicit ItemReader(std::shared_ptr<const ItemBatch::Contents> contents) : contents_(std::move(contents)) {}
  std::shared_ptr<const DocumentBatch> next() override {
    const Items& items = *contents_->items;
    if (next_ == items.size()) return nullptr;
    const std::size_t begin = std::exchange(next_, batch_end(items, next_));
    return std::make_shared<ItemBatch>(contents_, begin, next_);
  }

 private:
  std::shared_ptr<const ItemBatch::Contents> contents_;
  std::size_t next_ = 0;
};

class ItemDocuments final : public DocumentSource {
 public:
  explicit ItemDocuments(std::shared_ptr<const Items> items) : items_(std::move(items)) {
    for (std::size_t row = 0; row < items_->size(); ++row) bytes_ += items_->bytes(row);
  }
  [[nodiscard]] std::unique_ptr<DocumentReader> open(std::span<const std::string> fields) const override {
    return std::make_unique<ItemReader>(contents_of(items_, fields));
  }
  [[nodiscard]] std::uint64_t bytes() const override { return bytes_; }
  [[nodiscard]] bool has_tokens() const override { return items_->kind() == ItemKind::sets; }
  [[nodiscard]] bool may_have_field(std::string_view name) const override { return items_->has_field(name); }

 private:
  std::shared_ptr<const Items> items_;
  std::uint64_t bytes_ = 0;
};

class BatchedReader final : public DocumentReader {
 public:
  BatchedReader(SharedObject iterator, ItemKind kind, ItemColumns columns, std::vector<std::string> fields)
      : iterator_(std::move(iterator)), kind_(kind), columns_(std::move(columns)), fields_(std::move(fields)) {}
  std::shared_ptr<const DocumentBatch> next() override {
    const std::shared_ptr<const Items> items = with_python([&]() -> std::shared_ptr<const Items> {
      const nb::object batch = nb::steal(PyIter_Next(iterator_.get().ptr()));
      if (batch.is_valid()) return std::make_shared<Items>(nb::object(nb::tuple(batch)), kind_, columns_);
      if (PyErr_Occurred()) throw nb::python_error();
      return nullptr;
    });
    if (!items) return nullptr;
    return std::make_shared<ItemBatch>(contents_of(items, fields_), 0, items->size());
  }

 private:
  SharedObject iterator_;
  ItemKind kind_;
  ItemColumns columns_;
  std::vector<std::string> fields_;
};

class BatchedDocuments final : public DocumentSource {
 public:
  BatchedDocuments(SharedObject batches, ItemKind kind, ItemColumns columns)
      : batches_(std::move(batches)), kind_(kind), columns_(std::move(columns)) {}
  [[nodiscard]] std::unique_ptr<DocumentReader> open(std::span<const std::string> fields) const override {
    SharedObject iterator = with_python([&] { return SharedObject(nb::object(nb::iter(batches_.get()()))); });
    return std::make_unique<BatchedReader>(std::move(iterator), kind_, columns_,
                                           std::vector<std::string>(fields.begin(), fields.end()));
  }
  [[nodiscard]] bool has_tokens() const override { return kind_ == ItemKind::sets; }
  [[nodiscard]] bool may_have_field(std::string_view) const override { return kind_ == ItemKind::dicts; }

 private:
  SharedObject batches_;
  ItemKind kind_;
  ItemColumns columns_;
};

}  // namespace

std::shared_ptr<const DocumentSource> item_documents(std::shared_ptr<const Items> items) {
  return std::make_shared<ItemDocuments>(std::move(items));
}

std::shared_ptr<const DocumentSource> batched_documents(nb::object batches, ItemKind kind, const ItemColumns& columns) {
  return std::make_shared<BatchedDocuments>(SharedObject(std::move(batches)), kind, columns);
}

}  // namespace neardup::python
