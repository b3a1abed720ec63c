// What do measure and threshold demand of two sets, in integers?
//
// A set measure is a struct of pure functions of sizes and overlap. Everything that accepts or rejects works on integers,
// so a pair that sits exactly on the threshold is in, always. docs/algorithms/measures.md derives the bounds.
#pragma once

#include <concepts>
#include <cstdint>

#include "neardup/definition.h"

namespace neardup::similarity {

using Size = std::uint64_t;

// min_overlap(x, y, t): the smallest overlap with which sets of sizes x and y reach t (may exceed min(x, y)).
// min_size(x, t), max_size(x, t): the sizes a partner of a set of size x can have (max_size may be "no limit").
// min_overlap_any(x, t): the smallest overlap a set of size x has with any partner; prefix length is x - this + 1.
// score(o, x, y): the exact score as a double.
template <class M>
concept SetMeasure = requires(Size o, Size x, Size y, const Threshold& t) {
  { M::min_overlap(x, y, t) } -> std::same_as<Size>;
  { M::min_size(x, t) } -> std::same_as<Size>;
  { M::max_size(x, t) } -> std::same_as<Size>;
  { M::min_overlap_any(x, t) } -> std::same_as<Size>;
  { M::score(o, x, y) } -> std::same_as<double>;
};

struct Jaccard {
  static Size min_overlap(Size x, Size y, const Threshold&);
  static Size min_size(Size x, const Threshold&);
  static Size max_size(Size x, const Threshold&);
  static Size min_overlap_any(Size x, const Threshold&);
  static double score(Size o, Size x, Size y);
};
// Cosine, Dice, Overlap: the same functions.

// Calls `visitor.template operator()<M>()` (a generic lambda) with the struct for a set measure.
// Precondition: the measure is not hamming.
template <class Visitor>
decltype(auto) with_measure(Measure, Visitor&&);

}  // namespace neardup::similarity
