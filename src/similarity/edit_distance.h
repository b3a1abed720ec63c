// Are two strings within so many edits of each other, and how many exactly?
//
// Bit-parallel Levenshtein distance (Myers 1999 in Hyyro's form): a column of 64 cells is two words, and a column is
// left behind by a dozen operations. Strings are sequences of symbols, small numbers that represent code points.
//
// A pair costs about (1 + T / 64) steps a symbol: only blocks that a path of T edits can reach are computed. It stops
// as soon as the cell on the diagonal that leads to the end exceeds T, which for unrelated strings is after a few
// symbols: values never fall along a diagonal.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace neardup::similarity {

// One string, prepared for comparison with many. Symbol is uint8_t, uint16_t or uint32_t.
//
// Memory: a word for each symbol of the alphabet; for strings longer than 64 symbols at most half a megabyte more, and
// sixteen bytes for every 64 symbols.
// Threads: one object a thread.
template <class Symbol>
class EditPattern {
 public:
  // Symbols are below `alphabet`.
  explicit EditPattern(std::uint32_t alphabet) : masks_(alphabet), rows_(alphabet) {}

  // Takes a string, which must stay where it is until the next assign() has returned.
  void assign(std::span<const Symbol> pattern);

  // The distance when it is at most `max_distance`.
  [[nodiscard]] std::optional<std::uint32_t> within(std::span<const Symbol> text, std::uint32_t max_distance);

 private:
  struct Block {  // where the next row's value is one more, or one less
    std::uint64_t up, down;
  };
  class Diagonal;

  [[nodiscard]] std::optional<std::uint32_t> in_one_word(std::span<const Symbol> text, std::size_t skipped,
                                                         Diagonal diagonal) const;
  template <class Matches>  // (block, symbol) to the word of places in the block where the symbol stands
  [[nodiscard]] std::optional<std::uint32_t> in_blocks(std::span<const Symbol> text, std::size_t rows,
                                                       Diagonal diagonal, Matches matches);
  void prepare_blocks();

  std::span<const Symbol> pattern_;
  std::vector<std::uint64_t> masks_;  // by symbol: where it is in a pattern of at most 64
  std::vector<std::uint32_t> rows_;   // by symbol: its row in block_masks_, from 1; 0: none
  std::vector<std::uint64_t> block_masks_;
  std::size_t blocks_ = 0;        // of a pattern longer than 64
  bool has_block_masks_ = false;  // otherwise they are made when needed: a table would be too large
  std::vector<Block> column_;
};

extern template class EditPattern<std::uint8_t>;
extern template class EditPattern<std::uint16_t>;
extern template class EditPattern<std::uint32_t>;

// One pair of UTF-8 strings; the distance in code points when it is at most `max_distance`.
std::optional<std::uint32_t> edit_distance_within(std::string_view a, std::string_view b, std::uint32_t max_distance);

}  // namespace neardup::similarity
