// What does Unicode say about one code point, and what does a run of interacting ones become?
//
// All data is ICU's: the mappings, classes and compositions of its `nfkc_cf` normalisation (NFKC with case folding,
// default-ignorable code points removed), general categories and the Script property.
#pragma once

#include <cstdint>
#include <vector>

namespace neardup::text {

enum class Kind : std::uint8_t {
  separator,  // neither letter, mark nor number
  mark,       // category M
  letter,     // category L or N
  spaceless,  // category L or N in a script that is written without spaces: a word of its own
};
Kind kind_of(char32_t);
// Category N.
bool is_number(char32_t);

// True when normalisation never looks across the place before this code point, whatever is there.
bool has_boundary_before(char32_t);
// True when the code point normalises to itself and never merges with anything before it.
bool is_normal(char32_t);
std::uint8_t combining_class(char32_t);

// Collects code points, then gives their nfkc_cf form. Equals ICU's normaliser, but takes n log n time at worst: ICU
// inserts each mark into its place among the marks before it, which is quadratic in a run of a million unordered marks.
class Normaliser {
 public:
  void clear() { items_.clear(); }
  void append(char32_t);
  // The normalised code points, valid until the next call of any member. To be called once; then clear().
  const std::vector<char32_t>& result();
  // Gives memory back after a gigantic run.
  void shrink(std::size_t max_bytes);

 private:
  void append_decomposed(char32_t);
  void order_marks();

  std::vector<char32_t> items_;  // each with its combining class in the top byte
};

}  // namespace neardup::text
