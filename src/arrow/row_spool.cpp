#include "arrow/row_spool.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "neardup/error.h"

namespace neardup::arrow {
namespace {

// A block is the number of rows, then for each row: 1 + the number of its problem or 0, the size of its key, the sizes
// of its texts or the number of its tokens, 1 + the size of each field or 0. Then all tokens, then all bytes, filled up
// to eight.
constexpr std::size_t kWord = sizeof(std::uint64_t);

// Takes a block apart. Nothing in it makes it look elsewhere.
class Cursor {
 public:
  explicit Cursor(std::span<const std::uint64_t> words) : words_(words) {}

  std::span<const std::uint64_t> words(std::uint64_t count) {
    if (count > words_.size()) damaged();
    const auto taken = words_.first(static_cast<std::size_t>(count));
    words_ = words_.subspan(static_cast<std::size_t>(count));
    return taken;
  }
  std::string_view bytes(std::uint64_t count) {
    if (count > words_.size_bytes() - used_) damaged();
    const std::string_view taken(reinterpret_cast<const char*>(words_.data()) + used_, static_cast<std::size_t>(count));
    used_ += taken.size();
    return taken;
  }
  [[noreturn]] static void damaged() {
    throw Error(ErrorCode::corrupt, "the temporary file with the rows of an Arrow stream was changed");
  }

 private:
  std::span<const std::uint64_t> words_;
  std::size_t used_ = 0;  // bytes; no words are taken then
};

}  // namespace

RowSpool::RowSpool(std::shared_ptr<const Plan> plan, const Context& context)
    : plan_(std::move(plan)),
      temp_(context),
      files_(base::files(context)),
      out_(files_.create(temp_.path() / "rows")) {}

std::uint64_t RowSpool::number_of(const char* problem) {
  if (problem == nullptr) return 0;
  const auto found = std::ranges::find(problems_, problem);
  const auto number = static_cast<std::uint64_t>(found - problems_.begin());
  if (found == problems_.end()) problems_.push_back(problem);
  return number + 1;
}

void RowSpool::add(const Rows& rows, std::uint64_t weight) {
  numbers_.assign(1, rows.size());
  bytes_.clear();
  const auto add_bytes = [this](std::string_view text) { bytes_.insert(bytes_.end(), text.begin(), text.end()); };
  for (std::size_t row = 0; row < rows.size(); ++row) {
    numbers_.push_back(number_of(rows.problems[row]));
    numbers_.push_back(rows.keys[row].size());
    add_bytes(rows.keys[row]);
    if (rows.tokens.empty()) {
      for (std::size_t i = 0; i < rows.texts_per_row; ++i) {
        const std::string_view text = rows.texts[row * rows.texts_per_row + i];
        numbers_.push_back(text.size());
        add_bytes(text);
      }
    } else {
      numbers_.push_back(rows.tokens[row].size());
    }
    for (std::size_t i = 0; i < rows.fields_per_row; ++i) {
      const auto& field = rows.fields[row * rows.fields_per_row + i];
      numbers_.push_back(field ? field->size() + 1 : 0);
      if (field) add_bytes(*field);
    }
  }
  for (const auto tokens : rows.tokens) numbers_.insert(numbers_.end(), tokens.begin(), tokens.end());
  bytes_.resize((bytes_.size() + kWord - 1) / kWord * kWord);
  out_->write({reinterpret_cast<const char*>(numbers_.data()), numbers_.size() * kWord});
  out_->write(bytes_);
  const std::uint64_t size = numbers_.size() * kWord + bytes_.size();
  blocks_.push_back({.offset = written_, .bytes = size, .weight = weight});
  written_ += size;
}

void RowSpool::finish() {
  out_->close();
  out_.reset();
  std::vector<std::uint64_t>().swap(numbers_);
  std::vector<char>().swap(bytes_);
  in_ = files_.open(temp_.path() / "rows");
}

void RowSpool::load(std::size_t block, std::span<const std::optional<std::size_t>> fields, Rows& out,
                    std::vector<std::uint64_t>& bytes) const {
  const Block& place = blocks_[block];
  bytes.resize(static_cast<std::size_t>(place.bytes / kWord));
  in_->read_at(place.offset, {reinterpret_cast<char*>(bytes.data()), bytes.size() * kWord});
  const std::size_t stored_fields = plan_->binding.fields.size();
  const bool has_tokens = plan_->binding.has_tokens;
  out.texts_per_row = plan_->binding.texts.size();
  out.fields_per_row = fields.size();
  Cursor cursor(bytes);
  const std::uint64_t rows = cursor.words(1)[0], per_row = 2 + out.texts_per_row + stored_fields;
  if (rows > bytes.size() / per_row) Cursor::damaged();
  const auto numbers = cursor.words(rows * per_row);
  out.resize(static_cast<std::size_t>(rows), has_tokens);
  if (has_tokens) {
    for (std::size_t row = 0; row < rows; ++row) out.tokens[row] = cursor.words(numbers[row * per_row + 2]);
  }
  std::vector<std::optional<std::string_view>> stored(stored_fields);
  for (std::size_t row = 0; row < rows; ++row) {
    const auto sizes = numbers.subspan(row * per_row, per_row);
    if (sizes[0] > problems_.size()) Cursor::damaged();
    if (sizes[0] != 0) out.problems[row] = problems_[sizes[0] - 1];
    out.keys[row] = cursor.bytes(sizes[1]);
    if (!has_tokens) {
      for (std::size_t i = 0; i < out.texts_per_row; ++i)
        out.texts[row * out.texts_per_row + i] = cursor.bytes(sizes[2 + i]);
    }
    for (std::size_t i = 0; i < stored_fields; ++i) {
      const std::uint64_t size = sizes[2 + out.texts_per_row + i];
      stored[i] = size == 0 ? std::nullopt : std::optional(cursor.bytes(size - 1));
    }
    for (std::size_t i = 0; i < fields.size(); ++i) {
      if (fields[i]) out.fields[row * fields.size() + i] = stored[*fields[i]];
    }
  }
}

}  // namespace neardup::arrow
