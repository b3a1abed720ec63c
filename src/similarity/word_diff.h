// What has to be taken out of one sequence, and put in, to make it another?
//
// The shortest answer (Myers 1986, both ends at once, so memory is linear) as long as it takes no more than a given
// number of steps. Elements that only one side has are set aside first: they never match, and two sequences without
// anything in common cost nothing. When the steps do not suffice, runs of elements that each side has exactly once
// become anchors, and between them the search gives up after a while and goes on from where it got furthest: the answer
// is right, but need not be the shortest.
//
// Time: O(n log n) and a small multiple of the steps. Memory: about 40 bytes an element.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "neardup/compare.h"
#include "neardup/context.h"

namespace neardup::similarity {

// What differs: elements [a_begin, a_end) are taken out, [b_begin, b_end) put in. Between two edits all is equal.
struct Edit {
  std::uint32_t a_begin = 0, a_end = 0, b_begin = 0, b_end = 0;
  friend bool operator==(const Edit&, const Edit&) = default;
};

struct EditScript {
  std::vector<Edit> edits;  // in order, with something equal between any two
  bool shortest = true;
};

// Elements are numbers below `alphabet`; sequences have fewer than 2^31 of them.
EditScript diff_sequences(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b, std::uint32_t alphabet,
                          std::uint64_t max_steps, const Context&);

// The diff of two texts by words, compared folded. Texts are valid UTF-8 of less than 4 GiB.
WordDiff diff_words(std::string_view a, std::string_view b, std::uint64_t max_steps, const Context&);

}  // namespace neardup::similarity
