// How does text become features, on a given set of kernels?
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "neardup/features.h"
#include "simd/kernels.h"
#include "text/fold.h"
#include "text/word_rules.h"

namespace neardup::features {

// The work behind FeatureExtractor. Time is linear in the text (n log n for a set). Memory beyond `out` is about twice
// the longest text, and is given back after a text of more than a few megabytes. Threads: one extractor per thread.
class Extractor {
 public:
  Extractor(const FeatureSpec&, std::uint64_t hash_seed, const neardup_kernels&, const TextRules& = {});
  void occurrences(std::string_view text, std::vector<Feature>& out);
  void set(std::string_view text, std::vector<Feature>& out);
  // What features are cut from: folded code points for `chars`, else words with a space between them.
  std::string string(std::string_view text);
  // What features are runs of: words or code points, as hashes.
  void elements(std::string_view text, std::vector<std::uint64_t>& out);

 private:
  std::string_view fold(std::string_view text);
  // `take` gets the elements: some at a time where they are words, one at a time where they are code points.
  template <class Take>
  void cut_words(std::string_view folded, Take&& take);
  template <class Take>
  void cut_code_points(std::string_view folded, Take&& take);
  void shrink();

  FeatureSpec spec_;
  std::uint64_t seed_;
  const neardup_kernels& kernels_;
  std::uint64_t outgoing_;  // the weight of an element that leaves a run
  text::Folder folder_;
  std::unique_ptr<text::WordRules> rules_;  // null: there are none
  std::vector<std::uint64_t> masks_;
  std::vector<std::uint64_t> ring_;  // the elements of the current run
  std::vector<Feature> scratch_;
};

// Numbers the repeats: the first occurrence of a feature stays, each later one becomes a feature of its own.
void number_repeats(std::vector<Feature>& features);

// Folded text in which every run of spaces is one and the ends are trimmed.
std::string single_spaced(std::string_view folded);

// Calls `word(first, last)` with the places of every word of folded text, in order.
template <typename Function>
void for_each_word(std::span<const std::uint64_t> masks, std::size_t size, Function&& word) {
  std::size_t first = 0;
  bool inside = false;
  for (std::size_t block = 0; block < masks.size(); ++block) {
    const std::uint64_t mask = masks[block];
    // A set bit is a place where words begin or end: the byte differs from the one before.
    std::uint64_t edges = mask ^ (mask << 1 | static_cast<std::uint64_t>(inside));
    inside = mask >> 63 != 0;
    const std::size_t base = block * 64;
    if (edges == 0) continue;
    if (((mask ^ edges) & (edges & -edges)) != 0) {  // the first edge ends a word from an earlier block
      word(first, base + static_cast<std::size_t>(__builtin_ctzll(edges)));
      edges &= edges - 1;
    }
    while (edges != 0) {
      first = base + static_cast<std::size_t>(__builtin_ctzll(edges));
      edges &= edges - 1;
      if (edges == 0) break;
      word(first, base + static_cast<std::size_t>(__builtin_ctzll(edges)));
      edges &= edges - 1;
    }
  }
  if (inside) word(first, size);
}

}  // namespace neardup::features
