#include "similarity/edit_distance.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/utf8.h"

namespace neardup::similarity {
namespace {

constexpr std::size_t kWord = 64;
constexpr std::size_t kMaxMaskWords = std::size_t{1} << 16;

template <class Symbol>
std::size_t common_prefix(std::span<const Symbol> a, std::span<const Symbol> b) {
  const std::size_t n = std::min(a.size(), b.size());
  constexpr std::size_t kStep = sizeof(std::uint64_t) / sizeof(Symbol);
  std::size_t i = 0;
  for (; i + kStep <= n; i += kStep) {
    if (std::memcmp(a.data() + i, b.data() + i, sizeof(std::uint64_t)) != 0) break;
  }
  while (i < n && a[i] == b[i]) ++i;
  return i;
}

template <class Symbol>
std::size_t common_suffix(std::span<const Symbol> a, std::span<const Symbol> b) {
  const std::size_t n = std::min(a.size(), b.size());
  std::size_t i = 0;
  while (i < n && a[a.size() - 1 - i] == b[b.size() - 1 - i]) ++i;
  return i;
}

template <class Symbol>
std::uint64_t places_of(Symbol symbol, std::span<const Symbol> block) {
  std::uint64_t places = 0;
  for (std::size_t i = 0; i < block.size(); ++i) places |= static_cast<std::uint64_t>(block[i] == symbol) << i;
  return places;
}

}  // namespace

// The cells (row, column) with row - column = the difference of the lengths, which end in the result. Their value
// begins with that difference and grows by one in each column where the diagonal step is not free.
template <class Symbol>
class EditPattern<Symbol>::Diagonal {
 public:
  Diagonal(std::size_t pattern, std::size_t text, std::uint32_t max_distance)
      : offset_(static_cast<std::ptrdiff_t>(pattern) - static_cast<std::ptrdiff_t>(text)),
        value_(static_cast<std::uint64_t>(offset_ < 0 ? -offset_ : offset_)),
        max_(max_distance) {}

  [[nodiscard]] bool exceeded() const { return value_ > max_; }
  [[nodiscard]] std::uint32_t value() const { return static_cast<std::uint32_t>(value_); }
  void step(bool free) { value_ += free ? 0 : 1; }
  // The 0-based row in a 0-based column; negative before the diagonal begins.
  [[nodiscard]] std::ptrdiff_t row(std::size_t column) const { return static_cast<std::ptrdiff_t>(column) + offset_; }

  // Paths of at most max edits leave this diagonal by at most half of what they do not need for the lengths.
  [[nodiscard]] std::ptrdiff_t lowest() const { return -((static_cast<std::ptrdiff_t>(max_) - offset_) / 2); }
  [[nodiscard]] std::ptrdiff_t highest() const { return (static_cast<std::ptrdiff_t>(max_) + offset_) / 2; }

 private:
  std::ptrdiff_t offset_;
  std::uint64_t value_;
  std::uint64_t max_;
};

template <class Symbol>
void EditPattern<Symbol>::assign(std::span<const Symbol> pattern) {
  if (pattern_.size() <= kWord) {
    for (const Symbol symbol : pattern_) masks_[symbol] = 0;
  } else {
    for (const Symbol symbol : pattern_) rows_[symbol] = 0;
  }
  pattern_ = pattern;
  if (pattern.size() <= kWord) {
    for (std::size_t i = 0; i < pattern.size(); ++i) masks_[pattern[i]] |= std::uint64_t{1} << i;
  } else {
    prepare_blocks();
  }
}

template <class Symbol>
void EditPattern<Symbol>::prepare_blocks() {
  blocks_ = (pattern_.size() + kWord - 1) / kWord;
  if (column_.size() < blocks_) column_.resize(blocks_);
  std::uint32_t rows = 0;
  for (const Symbol symbol : pattern_) {
    if (rows_[symbol] == 0) rows_[symbol] = ++rows;
  }
  has_block_masks_ = (rows + 1) * blocks_ <= kMaxMaskWords;
  if (!has_block_masks_) return;
  block_masks_.assign((rows + 1) * blocks_, 0);  // row 0: symbols that are not in the pattern
  for (std::size_t i = 0; i < pattern_.size(); ++i) {
    block_masks_[rows_[pattern_[i]] * blocks_ + i / kWord] |= std::uint64_t{1} << (i % kWord);
  }
}

template <class Symbol>
std::optional<std::uint32_t> EditPattern<Symbol>::within(std::span<const Symbol> text, std::uint32_t max_distance) {
  const Diagonal diagonal(pattern_.size(), text.size(), max_distance);
  if (diagonal.exceeded()) return std::nullopt;
  // Equal ends never need an edit. The front of a long pattern is cut in whole blocks only, whose masks then still fit.
  std::size_t front = common_prefix(pattern_, text);
  if (pattern_.size() > kWord) front -= front % kWord;
  std::span<const Symbol> pattern = pattern_.subspan(front);
  text = text.subspan(front);
  const std::size_t back = common_suffix(pattern, text);
  pattern = pattern.first(pattern.size() - back);
  text = text.first(text.size() - back);
  if (pattern.empty() || text.empty()) return diagonal.value();
  if (pattern_.size() <= kWord) return in_one_word(text, front, diagonal);
  const std::size_t first_block = front / kWord;
  if (has_block_masks_) {
    return in_blocks(text, pattern.size(), diagonal, [&](std::size_t block, Symbol symbol) {
      return block_masks_[rows_[symbol] * blocks_ + first_block + block];
    });
  }
  return in_blocks(text, pattern.size(), diagonal, [&](std::size_t block, Symbol symbol) {
    const std::size_t first = block * kWord;
    return places_of(symbol, pattern.subspan(first, std::min(kWord, pattern.size() - first)));
  });
}

template <class Symbol>
std::optional<std::uint32_t> EditPattern<Symbol>::in_one_word(std::span<const Symbol> text, std::size_t skipped,
                                                              Diagonal diagonal) const {
  std::uint64_t up = ~std::uint64_t{0}, down = 0;
  for (std::size_t j = 0; j < text.size(); ++j) {
    const std::uint64_t equal = masks_[text[j]] >> skipped;
    const std::uint64_t free = (((equal & up) + up) ^ up) | equal | down;
    if (const std::ptrdiff_t row = diagonal.row(j); row >= 0) {
      diagonal.step((free >> row & 1) != 0);
      if (diagonal.exceeded()) return std::nullopt;
    }
    const std::uint64_t right = (down | ~(free | up)) << 1 | 1;  // the top row grows by one in every column
    const std::uint64_t left = (up & free) << 1;
    up = left | ~(free | right);
    down = right & free;
  }
  return diagonal.value();
}

template <class Symbol>
template <class Matches>
std::optional<std::uint32_t> EditPattern<Symbol>::in_blocks(std::span<const Symbol> text, std::size_t rows,
                                                            Diagonal diagonal, Matches matches) {
  const auto last_row = static_cast<std::ptrdiff_t>(rows) - 1;
  const auto block_of = [](std::ptrdiff_t row) { return static_cast<std::size_t>(row) / kWord; };
  const std::ptrdiff_t lowest = diagonal.lowest(), highest = diagonal.highest();
  std::size_t entered = 0;  // blocks that have been in reach so far
  for (std::size_t j = 0; j < text.size(); ++j) {
    const auto column = static_cast<std::ptrdiff_t>(j);
    const std::size_t first = block_of(std::max<std::ptrdiff_t>(0, column + lowest));
    const std::size_t last = block_of(std::min(last_row, column + highest));
    // Below what was computed, and above what no longer is, values are taken to grow by one from cell to cell. That is
    // never too little, and right for every path that can matter.
    while (entered <= last) column_[entered++] = {~std::uint64_t{0}, 0};
    std::uint64_t right_in = 1, left_in = 0;
    const std::ptrdiff_t row = diagonal.row(j);
    for (std::size_t b = first; b <= last; ++b) {
      Block& cells = column_[b];
      const std::uint64_t equal = matches(b, text[j]) | left_in;
      const std::uint64_t free = (((equal & cells.up) + cells.up) ^ cells.up) | equal | cells.down;
      if (row >= 0 && block_of(row) == b) diagonal.step((free >> (static_cast<std::size_t>(row) % kWord) & 1) != 0);
      std::uint64_t right = cells.down | ~(free | cells.up);
      std::uint64_t left = cells.up & free;
      const std::uint64_t right_out = right >> 63, left_out = left >> 63;
      right = right << 1 | right_in;
      left = left << 1 | left_in;
      cells.up = left | ~(free | right);
      cells.down = right & free;
      right_in = right_out;
      left_in = left_out;
    }
    if (diagonal.exceeded()) return std::nullopt;
  }
  return diagonal.value();
}

template class EditPattern<std::uint8_t>;
template class EditPattern<std::uint16_t>;
template class EditPattern<std::uint32_t>;

std::optional<std::uint32_t> edit_distance_within(std::string_view a, std::string_view b, std::uint32_t max_distance) {
  const auto decode = [](std::string_view text) {
    std::vector<std::uint32_t> symbols;
    symbols.reserve(text.size());
    for (const char *at = text.data(), *end = at + text.size(); at != end;) symbols.push_back(base::decode(at, end));
    return symbols;
  };
  std::vector<std::uint32_t> x = decode(a), y = decode(b), alphabet = x;
  std::sort(alphabet.begin(), alphabet.end());
  alphabet.erase(std::unique(alphabet.begin(), alphabet.end()), alphabet.end());
  const auto foreign =
      static_cast<std::uint32_t>(alphabet.size());  // represents all symbols that the pattern does not have
  const auto number = [&](std::uint32_t& symbol) {
    const auto at = std::lower_bound(alphabet.begin(), alphabet.end(), symbol);
    symbol = at == alphabet.end() || *at != symbol ? foreign : static_cast<std::uint32_t>(at - alphabet.begin());
  };
  std::for_each(x.begin(), x.end(), number);
  std::for_each(y.begin(), y.end(), number);
  EditPattern<std::uint32_t> pattern(foreign + 1);
  pattern.assign(x);
  return pattern.within(y, max_distance);
}

}  // namespace neardup::similarity
