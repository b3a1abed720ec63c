// The items of test sets: their windows, and which documents may hit them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/collection.h"
#include "neardup/decontaminate.h"
#include "passages/window_hash.h"

namespace neardup::contamination {

struct EvalItem {
  std::string id, words;  // folded words, a space between two
  std::uint32_t suite = 0;
  std::uint32_t count = 0;                // words
  std::vector<std::uint32_t> windows{};   // by position; empty: not judged
  std::vector<std::uint32_t> distinct{};  // those that count, ascending
  std::uint32_t needed = 0;               // how many of them make a hit
};

// A window of an item in a document.
struct FoundWindow {
  std::uint32_t position;  // of its first word
  std::uint32_t window;
};

// Every distinct window of the items, with its items. Memory: the items and some 60 bytes per window. Threads: const
// members may run concurrently.
class ItemIndex {
 public:
  explicit ItemIndex(unsigned window) : window_(window), hasher_(window, 0x7f4a7c159e3779b9) {}

  void add(EvalItem);  // before finish()
  void finish(const DecontaminateOptions&, std::vector<std::uint64_t>* documents_of_window, std::uint64_t documents,
              DecontaminateReport&);
  void seal();  // makes find() possible

  [[nodiscard]] const std::vector<EvalItem>& items() const { return items_; }
  [[nodiscard]] std::size_t windows() const { return texts_.size(); }
  // Items of which this window is one of the rarest: an item that is hit has at least one such window in the document.
  [[nodiscard]] std::vector<std::uint32_t> items_of(std::uint32_t window) const;

  struct Scratch {
    passages::Items items;
    std::vector<std::uint64_t> hashes;
  };
  // The windows of a document's folded words, in order of position.
  void find(std::string_view words, Scratch&, std::vector<FoundWindow>& out) const;

 private:
  struct WindowText {
    std::uint32_t item, begin, size, length;
    std::uint32_t next = 0;  // + 1 of those with the same hash
    std::uint64_t hash = 0;
  };
  [[nodiscard]] std::string_view text_of(const WindowText& text) const {
    return std::string_view(items_[text.item].words).substr(text.begin, text.size);
  }
  [[nodiscard]] std::uint32_t find_window(std::uint64_t hash, unsigned length,
                                          std::string_view bytes) const;  // or kNone
  static constexpr std::uint32_t kNone = 0xffffffff;

  unsigned window_;
  passages::WindowHasher hasher_;
  std::vector<EvalItem> items_;
  std::vector<WindowText> texts_;
  std::vector<std::uint32_t> slots_;  // window + 1 by hash, linear probing; 0: free
  std::vector<std::uint64_t> bits_;   // a filter in front of it
  std::vector<unsigned> lengths_;
  std::vector<std::uint32_t> posting_begins_, postings_;
};

}  // namespace neardup::contamination
