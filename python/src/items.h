// How do Python objects, strs or dicts, become documents?
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gil.h"
#include "item_values.h"
#include "neardup/document.h"

namespace neardup::python {

// Where dicts have their text and id.
struct ItemColumns {
  std::optional<std::vector<std::string>> text_fields{};  // absent: "text"
  std::optional<std::string> id_field{};                  // absent: "id" where there is one; given: required
};

// What the objects of a sequence are; the first one that is any of these decides, and others count as bad records.
enum class ItemKind { texts, dicts, sets };  // sets: lists, sets and arrays of ints
ItemKind kind_of_items(nb::handle objects);

// Views of a sequence of objects. Made with the interpreter's lock; looked at without it, on any thread, but for
// fields() and has_field(). Holds the objects.
class Items {
 public:
  // `objects` is a tuple, so that nobody changes it meanwhile.
  Items(nb::object objects, ItemKind, const ItemColumns&);

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] ItemKind kind() const { return kind_; }
  [[nodiscard]] std::uint64_t bytes(std::size_t row) const { return bytes_[row]; }
  // As DocumentBatch::get() without fields.
  const char* get(std::size_t row, DocumentView& out) const;
  // Error{usage} when these are dicts and none has a text: the column's name must be wrong.
  void check_columns() const;

  // Takes the lock itself: these fields of all rows, row by row.
  using Fields = std::vector<std::optional<std::string_view>>;
  [[nodiscard]] Fields fields(std::span<const std::string> names, OwnedTexts& owned) const;
  [[nodiscard]] bool has_field(std::string_view name) const;

 private:
  struct Names;
  void add_str(nb::handle);
  void add_dict(nb::handle, const Names&);
  void add_tokens(nb::handle);
  void add_bad(std::string reason);
  void add_row(std::string_view key, bool is_valid, std::uint64_t bytes);

  SharedObject objects_;
  OwnedTexts owned_;
  std::size_t size_ = 0, text_count_ = 1, with_text_ = 0;
  ItemKind kind_;
  ItemColumns columns_;
  bool has_keys_ = false;
  std::vector<std::string_view> texts_;  // text_count_ for each row
  std::vector<std::string_view> keys_;   // empty unless has_keys_
  std::vector<std::uint8_t> is_valid_;
  std::vector<std::uint64_t> bytes_;
  std::vector<std::uint64_t> tokens_, token_ends_;
  std::map<std::size_t, std::string> bad_;
};

// A collection over all of them.
std::shared_ptr<const DocumentSource> item_documents(std::shared_ptr<const Items>);

// A collection over lists of objects that `batches()` yields, one after another and again from the beginning when it
// is called again. Only the batches that are being worked on are held.
std::shared_ptr<const DocumentSource> batched_documents(nb::object batches, ItemKind, const ItemColumns&);

}  // namespace neardup::python
