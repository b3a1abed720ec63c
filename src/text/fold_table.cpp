#include "text/fold_table.h"

#include <memory>
#include <string>

#include "base/utf8.h"
#include "text/unicode.h"

namespace neardup::text {
namespace {

std::string folded_bytes(const std::vector<char32_t>& code_points, Spacing spacing) {
  std::string out;
  bool after_spaceless = false;
  for (const char32_t c : code_points) {
    char bytes[kMaxFoldedBytes];
    out.append(bytes, fold_normalised(c, spacing, after_spaceless, bytes));
  }
  return out;
}

FoldEntry make_entry(char32_t c, Spacing spacing) {
  Normaliser normaliser;
  normaliser.append(c);
  const std::vector<char32_t>& mapped = normaliser.result();
  const std::string bytes = folded_bytes(mapped, spacing);

  FoldEntry entry;
  entry.combining_class = combining_class(c);
  if (has_boundary_before(c)) {
    entry.flags |= FoldEntry::kBoundary;
  } else if (is_normal(c) && entry.combining_class != 0 && kind_of(c) == Kind::mark) {
    entry.flags |= FoldEntry::kPlainMark;
  }
  bool only_marks = true;
  bool ends_spaceless = false;
  for (const char32_t part : mapped) {
    const Kind kind = kind_of(part);
    if (kind == Kind::mark) continue;
    only_marks = false;
    ends_spaceless = kind == Kind::spaceless;
  }
  const bool starts_with_mark = !mapped.empty() && kind_of(mapped.front()) == Kind::mark;
  if (bytes.size() > entry.bytes.size() || (starts_with_mark && !only_marks)) {
    entry.flags |= FoldEntry::kLong;
    return entry;
  }
  if (only_marks) entry.flags |= FoldEntry::kOnlyMarks;
  if (ends_spaceless && spacing == Spacing::words) entry.flags |= FoldEntry::kEndsSpaceless;
  if (!mapped.empty() && kind_of(mapped.front()) == Kind::letter) entry.flags |= FoldEntry::kStartsLetter;
  if (!mapped.empty() && combining_class(mapped.back()) == 0) entry.flags |= FoldEntry::kTakesMarks;
  entry.length = static_cast<std::uint8_t>(bytes.size());
  bytes.copy(entry.bytes.data(), entry.bytes.size());
  return entry;
}

}  // namespace

unsigned fold_normalised(char32_t c, Spacing spacing, bool& after_spaceless, char* out) {
  const Kind kind = kind_of(c);
  if (kind == Kind::mark) return base::encode(c, out);
  const bool own_word = kind == Kind::spaceless && spacing == Spacing::words;
  const bool apart = own_word || after_spaceless;
  after_spaceless = own_word;
  if (kind == Kind::separator) return *out = ' ', 1;
  if (apart) *out++ = ' ';
  return base::encode(c, out) + apart;
}

// Never destroyed: threads that still fold text while the process ends would lose it.
const FoldTable& FoldTable::of(Spacing spacing) {
  static const FoldTable& with_words = *new FoldTable(Spacing::words);
  static const FoldTable& plain = *new FoldTable(Spacing::plain);
  return spacing == Spacing::words ? with_words : plain;
}

const FoldTable::Block& FoldTable::make_block(char32_t number) const {
  auto block = std::make_unique<Block>();
  for (char32_t i = 0; i < 256; ++i) (*block)[i] = make_entry(number << 8 | i, spacing_);
  const Block* expected = nullptr;
  if (blocks_[number].compare_exchange_strong(expected, block.get(), std::memory_order_acq_rel)) {
    return *block.release();
  }
  return *expected;
}

}  // namespace neardup::text
