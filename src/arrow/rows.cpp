#include "arrow/rows.h"

#include <algorithm>
#include <bit>
#include <mutex>
#include <utility>

#include "arrow/scalars.h"
#include "arrow/text_parts.h"

namespace neardup::arrow {
namespace {

constexpr std::uint64_t kBatchBytes = std::uint64_t{1} << 20;
constexpr std::size_t kBatchRows = std::size_t{1} << 16;

// The text of a cell that is a string or a scalar. Empty where JSON would have null.
Found plain_text(const Cell& cell, std::deque<std::string>& made, std::string_view& out) {
  if (is_string(cell.cells->type->kind)) return string_of(cell, out);
  std::string text;
  if (!append_scalar(cell, text)) return Found::null;
  out = made.emplace_back(std::move(text));
  return Found::value;
}

// Integers of 64 bits that lie in memory as a span needs them.
bool is_span(const CellRange& list) {
  const Type& type = *list.cells->type;
  return type.kind == Kind::integer && type.width == sizeof(std::uint64_t) && list.cells->validity == nullptr &&
         std::bit_cast<std::uintptr_t>(list.cells->data) % alignof(std::uint64_t) == 0;
}

// Making it costs nothing; the first thread that looks at a document makes all of them.
class ChunkBatch final : public DocumentBatch {
 public:
  ChunkBatch(std::shared_ptr<const Chunk> chunk, std::int64_t from, std::int64_t to, std::uint64_t weight)
      : chunk_(std::move(chunk)), from_(from), to_(to), weight_(weight) {}
  [[nodiscard]] std::size_t size() const override { return static_cast<std::size_t>(to_ - from_); }
  [[nodiscard]] std::uint64_t bytes() const override { return weight_; }
  const char* get(std::size_t place, DocumentView& out) const override {
    std::call_once(filled_, [this] { chunk_->fill(from_, to_, rows_); });
    return rows_.get(place, out);
  }

 private:
  std::shared_ptr<const Chunk> chunk_;
  std::int64_t from_, to_;
  std::uint64_t weight_;
  mutable std::once_flag filled_;
  mutable Rows rows_;
};

}  // namespace

void Rows::resize(std::size_t rows, bool has_tokens) {
  problems.resize(rows);
  keys.resize(rows);
  fields.resize(rows * fields_per_row);
  if (has_tokens) {
    tokens.resize(rows);
  } else {
    texts.resize(rows * texts_per_row);
  }
}

const char* Rows::get(std::size_t place, DocumentView& out) const {
  if (problems[place] != nullptr) return problems[place];
  out.key = keys[place];
  out.fields = std::span(fields).subspan(place * fields_per_row, fields_per_row);
  if (!tokens.empty()) {
    out.tokens = tokens[place];
  } else if (texts_per_row == 1) {
    out.text = texts[place];
  } else {
    out.texts = std::span(texts).subspan(place * texts_per_row, texts_per_row);
  }
  return nullptr;
}

Chunk::Chunk(std::shared_ptr<const Plan> plan, std::shared_ptr<const OwnedArray> owned)
    : plan_(std::move(plan)), array_(std::move(owned)) {
  const Binding& binding = plan_->binding;
  const ArrowArray& array = array_->get();
  for (const Binding::Text& text : binding.texts) texts_.emplace_back(plan_->schema, array, text.path);
  if (binding.id) id_.emplace(plan_->schema, array, binding.id->path);
  for (const auto& field : binding.fields) {
    fields_.emplace_back();
    if (field) fields_.back().emplace(plan_->schema, array, *field);
  }
}

std::uint64_t Chunk::weight(std::int64_t row) const {
  std::uint64_t sum = 1;
  for (const BoundCells& text : texts_) {
    Cell cell{};
    if (text.find(row, cell) == Found::value) sum += text_weight(cell);
  }
  return sum;
}

std::int64_t Chunk::cut(std::int64_t from, std::uint64_t& weight) const {
  weight = 0;
  const std::int64_t most = std::min<std::int64_t>(rows() - from, kBatchRows);
  std::int64_t to = from;
  while (to - from < most && weight < kBatchBytes) weight += this->weight(to++);
  return to;
}

void Chunk::fill(std::int64_t from, std::int64_t to, Rows& out) const {
  const Binding& binding = plan_->binding;
  out.texts_per_row = texts_.size();
  out.fields_per_row = fields_.size();
  out.resize(static_cast<std::size_t>(to - from), binding.has_tokens);
  if (binding.has_tokens) {
    fill_tokens(from, out);
  } else {
    fill_texts(from, out);
  }
  if (id_) fill_keys(from, out);
  fill_fields(from, out);
}

void Chunk::fill_texts(std::int64_t from, Rows& out) const {
  TextParts parts;
  for (std::size_t place = 0; place < out.size(); ++place) {
    for (std::size_t i = 0; i < texts_.size() && out.problems[place] == nullptr; ++i) {
      const Binding::Text& text = plan_->binding.texts[i];
      std::string_view& to = out.texts[place * texts_.size() + i];
      Cell cell{};
      Found found = texts_[i].find(from + static_cast<std::int64_t>(place), cell);
      if (found == Found::value && is_string(cell.cells->type->kind)) {
        found = string_of(cell, to);
      } else if (found == Found::value) {
        found = parts.join(cell);
        if (found == Found::value) to = out.made.emplace_back(parts.take());
      }
      if (found == Found::null) out.problems[place] = text.null.c_str();
      if (found == Found::damaged)
        out.problems[place] = parts.is_too_long() ? text.too_long.c_str() : text.damaged.c_str();
    }
  }
}

void Chunk::fill_tokens(std::int64_t from, Rows& out) const {
  const Binding::Text& text = plan_->binding.texts[0];
  std::vector<CellRange> lists(out.size());
  std::size_t copied = 0;
  for (std::size_t place = 0; place < out.size(); ++place) {
    Cell cell{};
    Found found = texts_[0].find(from + static_cast<std::int64_t>(place), cell);
    if (found == Found::value) found = list_of(cell, lists[place]);
    if (found == Found::null) out.problems[place] = text.null.c_str();
    if (found == Found::damaged) out.problems[place] = text.damaged.c_str();
    if (found != Found::value || lists[place].count == 0) continue;
    if (!is_span(lists[place])) copied += static_cast<std::size_t>(lists[place].count);
  }
  out.made_tokens.reserve(copied);
  for (std::size_t place = 0; place < out.size(); ++place) {
    const CellRange& list = lists[place];
    if (out.problems[place] != nullptr || list.count == 0) continue;
    const auto count = static_cast<std::size_t>(list.count);
    if (is_span(list)) {
      const char* const data =
          list.cells->data + (list.cells->offset + list.begin) * std::int64_t{sizeof(std::uint64_t)};
      out.tokens[place] = {reinterpret_cast<const std::uint64_t*>(data), count};
      continue;
    }
    const std::size_t begin = out.made_tokens.size();
    for (std::int64_t i = 0; i < list.count; ++i) {
      Cell cell{};
      const Found found = find_cell(*list.cells, list.begin + i, cell);
      if (found == Found::null) out.problems[place] = text.mixed.c_str();
      if (found == Found::damaged) out.problems[place] = text.damaged.c_str();
      if (found != Found::value) break;
      out.made_tokens.push_back(static_cast<std::uint64_t>(integer_of(cell)));
    }
    out.tokens[place] = std::span(out.made_tokens).subspan(begin);
  }
}

void Chunk::fill_keys(std::int64_t from, Rows& out) const {
  const Binding::Id& id = *plan_->binding.id;
  for (std::size_t place = 0; place < out.size(); ++place) {
    if (out.problems[place] != nullptr) continue;
    Cell cell{};
    Found found = id_->find(from + static_cast<std::int64_t>(place), cell);
    if (found == Found::value) found = plain_text(cell, out.made, out.keys[place]);
    if (found == Found::damaged) out.problems[place] = id.damaged.c_str();
    if (!id.is_required || found == Found::damaged) continue;
    if (found == Found::null) {
      out.problems[place] = id.null.c_str();
    } else if (out.keys[place].empty()) {
      out.problems[place] = id.empty.c_str();
    }
  }
}

void Chunk::fill_fields(std::int64_t from, Rows& out) const {
  for (std::size_t i = 0; i < fields_.size(); ++i) {
    if (!fields_[i]) continue;
    for (std::size_t place = 0; place < out.size(); ++place) {
      Cell cell{};
      std::string_view value;
      if (fields_[i]->find(from + static_cast<std::int64_t>(place), cell) != Found::value) continue;
      if (plain_text(cell, out.made, value) == Found::value) out.fields[place * fields_.size() + i] = value;
    }
  }
}

std::shared_ptr<const DocumentBatch> ChunkReader::next() {
  if (at_ == chunk_->rows()) return nullptr;
  std::uint64_t weight = 0;
  const std::int64_t from = std::exchange(at_, chunk_->cut(at_, weight));
  return std::make_shared<ChunkBatch>(chunk_, from, at_, weight);
}

}  // namespace neardup::arrow
