// How do rows of an Arrow array become documents?
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "arrow/binding.h"
#include "arrow/owned.h"
#include "neardup/document.h"

namespace neardup::arrow {

// What a reading looks at: the schema, and which of its columns are what. Shared by all that was read with it.
struct Plan {
  Type schema;
  Binding binding;
};

// Documents in the order of their rows: a table of views. Whoever fills it owns what they lead to, but for what is made
// here.
struct Rows {
  std::size_t texts_per_row = 1, fields_per_row = 0;
  std::vector<const char*> problems{};  // null: there is none
  std::vector<std::string_view> keys{}, texts{};
  std::vector<std::optional<std::string_view>> fields{};
  std::vector<std::span<const std::uint64_t>> tokens{};  // only where documents are sets
  std::deque<std::string> made{};                        // numbers as text, joined texts
  std::vector<std::uint64_t> made_tokens{};              // never moves once spans lead there

  void resize(std::size_t rows, bool has_tokens);
  [[nodiscard]] std::size_t size() const { return problems.size(); }
  const char* get(std::size_t place, DocumentView& out) const;
};

// An array and all that is looked at in it. Immutable: threads may share it.
class Chunk {
 public:
  // Throws Error{input} when the array does not fit the plan.
  Chunk(std::shared_ptr<const Plan>, std::shared_ptr<const OwnedArray>);

  [[nodiscard]] std::int64_t rows() const { return array_->get().length; }
  [[nodiscard]] const Plan& plan() const { return *plan_; }
  // About how many bytes of text there are in a row; at least 1.
  [[nodiscard]] std::uint64_t weight(std::int64_t row) const;
  // Where a batch ends that begins at this row: about a megabyte further, at least one row. `weight` is what it weighs.
  [[nodiscard]] std::int64_t cut(std::int64_t from, std::uint64_t& weight) const;
  void fill(std::int64_t from, std::int64_t to, Rows& out) const;

 private:
  void fill_texts(std::int64_t from, Rows& out) const;
  void fill_tokens(std::int64_t from, Rows& out) const;
  void fill_keys(std::int64_t from, Rows& out) const;
  void fill_fields(std::int64_t from, Rows& out) const;

  std::shared_ptr<const Plan> plan_;
  std::shared_ptr<const OwnedArray> array_;
  std::vector<BoundCells> texts_;
  std::optional<BoundCells> id_;
  std::vector<std::optional<BoundCells>> fields_;
};

// Goes through a chunk batch by batch. Batches keep the chunk.
class ChunkReader {
 public:
  explicit ChunkReader(std::shared_ptr<const Chunk> chunk) : chunk_(std::move(chunk)) {}
  // Null at the end.
  std::shared_ptr<const DocumentBatch> next();

 private:
  std::shared_ptr<const Chunk> chunk_;
  std::int64_t at_ = 0;
};

}  // namespace neardup::arrow
