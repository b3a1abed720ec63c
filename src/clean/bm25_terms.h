// Is this word one of the log's, and which?
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "clean/bm25_index.h"

namespace neardup::clean {

// Terms are numbered by ascending feature. A bit for each of the first bits of a hash turns most other words away; it
// stays in the nearest cache where a table of the terms would not. Threads: const members may run concurrently.
class TermTable {
 public:
  explicit TermTable(const QueryTerms&);

  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(features_.size()); }
  // Precondition: it is one of the terms.
  [[nodiscard]] std::uint32_t number(Feature) const;

  // Calls found(term) for every word that is a term. `scratch` is overwritten.
  template <class Found>
  void for_each(std::span<const Feature> words, std::vector<std::uint64_t>& scratch, Found&& found) const {
    // Two loops, because the first one then has no branch to guess wrongly.
    if (scratch.size() < words.size()) scratch.resize(words.size());
    std::size_t likely = 0;
    for (const Feature word : words) {
      const std::uint64_t place = spread(word) >> filter_shift_;
      scratch[likely] = word;
      likely += filter_[place >> 6] >> (place & 63) & 1;
    }
    for (std::size_t i = 0; i < likely; ++i) {
      const Feature word = scratch[i];
      for (std::size_t slot = spread(word) >> slot_shift_;; slot = (slot + 1) & slot_mask_) {
        const Slot& each = slots_[slot];
        if (each.term == kNone) break;
        if (each.feature == word) {
          found(each.term);
          break;
        }
      }
    }
  }

 private:
  static constexpr std::uint32_t kNone = ~0u;
  struct Slot {
    Feature feature = 0;
    std::uint32_t term = kNone;
  };
  static std::uint64_t spread(Feature feature) { return feature * 0x9e3779b97f4a7c15u; }

  std::vector<Feature> features_;  // ascending
  std::vector<std::uint64_t> filter_;
  std::vector<Slot> slots_;  // at most half of them taken
  unsigned filter_shift_ = 0, slot_shift_ = 0;
  std::size_t slot_mask_ = 0;
};

}  // namespace neardup::clean
