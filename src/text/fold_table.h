// What does one code point fold to when nothing around it interferes?
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace neardup::text {

// What is between the words of spaceless scripts in folded text.
enum class Spacing {
  words,  // a space around each, so that a word is simply a run without spaces
  plain,  // nothing: the text as `chars` features cut it
};

// Appends the folded form of one code point of normalised text, at most kMaxFoldedBytes. `after_spaceless` is carried
// from one to the next: whether the preceding code points are a spaceless word, perhaps with marks.
inline constexpr std::size_t kMaxFoldedBytes = 5;
unsigned fold_normalised(char32_t, Spacing, bool& after_spaceless, char* out);

// The folded form of one code point, and how it sits among its neighbours. Eight bytes, so that a lookup is one load.
struct FoldEntry {
  static constexpr std::uint8_t kBoundary = 1;       // normalises independently of what is before it
  static constexpr std::uint8_t kLong = 2;           // the folded form is not in `bytes`: take the general way
  static constexpr std::uint8_t kStartsLetter = 4;   // must be kept apart from a spaceless word before it
  static constexpr std::uint8_t kEndsSpaceless = 8;  // ends in a spaceless word, which later marks still join
  static constexpr std::uint8_t kOnlyMarks = 16;     // joins whatever is before it
  static constexpr std::uint8_t kTakesMarks = 32;    // ends in combining class 0: ordered marks after it change nothing
  static constexpr std::uint8_t kPlainMark = 64;     // no boundary, but only its combining class matters

  std::uint8_t flags = 0;
  std::uint8_t combining_class = 0;
  std::uint8_t length = 0;
  std::array<char, kMaxFoldedBytes> bytes{};
};
static_assert(sizeof(FoldEntry) == 8);

// All entries for one spacing, made on first use in blocks of 256 code points (2 KiB each).
// Threads: entry() may run concurrently; two threads may make the same block, and one of the two is dropped.
class FoldTable {
 public:
  static const FoldTable& of(Spacing);

  [[nodiscard]] const FoldEntry& entry(char32_t c) const {
    const Block* block = blocks_[c >> 8].load(std::memory_order_acquire);
    if (block == nullptr) [[unlikely]]
      block = &make_block(c >> 8);
    return (*block)[c & 0xFF];
  }

 private:
  using Block = std::array<FoldEntry, 256>;
  explicit FoldTable(Spacing spacing) : spacing_(spacing) {}
  const Block& make_block(char32_t number) const;

  Spacing spacing_;
  mutable std::array<std::atomic<const Block*>, 0x1100> blocks_{};
};

}  // namespace neardup::text
