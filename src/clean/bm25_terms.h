// Is this word one of the log's, and which?
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/numbering.h"
#include "clean/bm25_index.h"

namespace neardup::clean {

// Terms are numbered by ascending feature. A bit for each of the first bits of a hash turns most other words away; it
// stays in the nearest cache where a table of the terms would not. Threads: const members may run concurrently.
class TermTable {
 public:
  explicit TermTable(const QueryTerms&);

  [[nodiscard]] std::uint32_t size() const { return terms_.size(); }
  // Precondition: it is one of the terms.
  [[nodiscard]] std::uint32_t number(Feature feature) const { return terms_.find(feature); }

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
      const std::uint32_t term = terms_.find(scratch[i]);
      if (term != base::kNoNumber) found(term);
    }
  }

 private:
  static std::uint64_t spread(Feature feature) { return feature * 0x9e3779b97f4a7c15u; }

  base::Numbering<Feature> terms_;
  std::vector<std::uint64_t> filter_;
  unsigned filter_shift_ = 0;
};

}  // namespace neardup::clean
