// Which items does a text consist of, where are they in the text, and what are they after folding?
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/fold.h"

namespace neardup::passages {

enum class ItemKind { words, lines, paragraphs, sentences };

constexpr char separator_of(ItemKind kind) { return kind == ItemKind::words ? ' ' : '\n'; }

struct ByteRange {
  std::uint32_t begin, end;
};

// Lines with their line ends; paragraphs with the blank lines or block elements behind them; sentences with the white
// space behind them. They follow each other without gaps but for what is before the first. Time is linear.
std::vector<ByteRange> lines_of(std::string_view text);
std::vector<ByteRange> paragraphs_of(std::string_view text);
std::vector<ByteRange> sentences_of(std::string_view text);  // by ICU's rules for English and most languages

// Folds texts into items. Threads: one per thread.
class ItemFolder {
 public:
  explicit ItemFolder(ItemKind);
  // The items with separator_of() between two, words within an item with a space. Items without words are left out. The
  // view is valid until the next call.
  std::string_view fold(std::string_view text, std::uint32_t& items);

 private:
  void append_words(std::string_view folded);

  ItemKind kind_;
  text::Folder folder_;
  std::vector<std::uint64_t> masks_;
  std::string out_;
};

// The ranges of the items that ItemFolder makes of the text, for other kinds than words.
std::vector<ByteRange> item_ranges(std::string_view text, ItemKind);

}  // namespace neardup::passages
