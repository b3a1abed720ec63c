// What is left of a text once case, compatibility forms and punctuation no longer matter?
//
// Folded text is UTF-8 in which every separator is a space. docs/algorithms/text.md says what folding means and how the
// fast way and the general way come to agree.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

#include "simd/kernels.h"
#include "text/fold_table.h"
#include "text/unicode.h"

namespace neardup::text {

// Folds texts one after the other into a buffer of its own. Time is linear in the text (n log n within a run of marks).
// Threads: one folder per thread.
class Folder {
 public:
  Folder(Spacing, const neardup_kernels&);

  // Runs of spaces are not collapsed. The view holds until the next call; 64 spaces may be read past its end.
  // Invalid UTF-8, which callers should not pass, counts as U+FFFD byte by byte.
  std::string_view fold(std::string_view text);

  // Gives back buffers larger than this.
  void shrink(std::size_t max_bytes);

 private:
  struct Position;
  void append_ascii(Position&);
  void append_code_point(Position&);
  void append_segment(Position&);
  void reserve(std::size_t used, std::size_t more);

  Spacing spacing_;
  const FoldTable& table_;
  const neardup_kernels& kernels_;
  Normaliser normaliser_;
  std::unique_ptr<char[]> buffer_;
  std::size_t capacity_ = 0;
};

}  // namespace neardup::text
