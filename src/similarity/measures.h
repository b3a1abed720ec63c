// What do measure and threshold demand of two sets, in integers?
//
// A set measure is a struct of pure functions of sizes and overlap. Everything that accepts or rejects works on
// integers, so a pair that sits exactly on the threshold is in, always. docs/algorithms/measures.md derives the bounds.
#pragma once

#include <algorithm>
#include <cassert>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <utility>

#include "neardup/definition.h"
#include "similarity/wide.h"

namespace neardup::similarity {

using Size = std::uint64_t;  // below 2^40

inline constexpr Size kNoLimit = UINT64_MAX;

// min_overlap(x, y, t): the smallest overlap with which sets of sizes x and y reach t (may exceed min(x, y)).
// min_size(x, t), max_size(x, t): the sizes a partner of a set of size x can have (max_size may be kNoLimit).
// min_overlap_any(x, t): the smallest overlap a set of size x has with any partner; prefix length is x - this + 1.
// score(o, x, y): the exact score as a double, for non-empty sets.
// slack_of_larger(x, t), slack_of_smaller(y, t): together at least x + y - 2 min_overlap(x, y), the most tokens that
// partners of sizes x >= y can fail to share, whatever the other size is. In 256ths, rounded up.
//
// Lower bounds are never below 1: an empty set has no partner. The threshold is in the measure's range (see
// Definition::validate).
template <class M>
concept SetMeasure = requires(Size o, Size x, Size y, const Threshold& t) {
  { M::min_overlap(x, y, t) } -> std::same_as<Size>;
  { M::min_size(x, t) } -> std::same_as<Size>;
  { M::max_size(x, t) } -> std::same_as<Size>;
  { M::min_overlap_any(x, t) } -> std::same_as<Size>;
  { M::score(o, x, y) } -> std::same_as<double>;
  { M::slack_of_larger(x, t) } -> std::same_as<std::int64_t>;
  { M::slack_of_smaller(y, t) } -> std::same_as<std::int64_t>;
};

// A share of a size in 256ths, rounded up. Rounding errors are below the one that is added: 2^48 times a few 2^-53.
inline std::int64_t slack_share(double share, Size size) {
  return static_cast<std::int64_t>(share * static_cast<double>(size) * 256) + 1;
}
inline double ratio(const Threshold& t) { return static_cast<double>(t.num) / static_cast<double>(t.den); }

// o / (x + y - o) >= a/b  <=>  o (a + b) >= a (x + y)
struct Jaccard {
  static Size min_overlap(Size x, Size y, const Threshold& t) {
    return std::max<Size>(1, ceil_div(Wide{t.num} * (x + y), t.num + t.den));
  }
  static Size min_size(Size x, const Threshold& t) { return std::max<Size>(1, ceil_div(Wide{t.num} * x, t.den)); }
  static Size max_size(Size x, const Threshold& t) { return floor_div_saturated(Wide{t.den} * x, t.num); }
  static Size min_overlap_any(Size x, const Threshold& t) { return min_size(x, t); }
  static double score(Size o, Size x, Size y) { return static_cast<double>(o) / static_cast<double>(x + y - o); }
  static std::int64_t slack_of_larger(Size x, const Threshold& t) {
    return slack_share((1 - ratio(t)) / (1 + ratio(t)), x);
  }
  static std::int64_t slack_of_smaller(Size y, const Threshold& t) { return slack_of_larger(y, t); }
};

// 2 o / (x + y) >= a/b  <=>  o 2b >= a (x + y)
struct Dice {
  static Size min_overlap(Size x, Size y, const Threshold& t) {
    return std::max<Size>(1, ceil_div(Wide{t.num} * (x + y), 2 * t.den));
  }
  static Size min_size(Size x, const Threshold& t) {
    return std::max<Size>(1, ceil_div(Wide{t.num} * x, 2 * t.den - t.num));
  }
  static Size max_size(Size x, const Threshold& t) { return floor_div_saturated(Wide{2 * t.den - t.num} * x, t.num); }
  static Size min_overlap_any(Size x, const Threshold& t) { return min_size(x, t); }
  static double score(Size o, Size x, Size y) { return 2 * static_cast<double>(o) / static_cast<double>(x + y); }
  static std::int64_t slack_of_larger(Size x, const Threshold& t) { return slack_share(1 - ratio(t), x); }
  static std::int64_t slack_of_smaller(Size y, const Threshold& t) { return slack_of_larger(y, t); }
};

// o / sqrt(x y) >= a/b  <=>  (o b)^2 >= a^2 x y
//
// Each bound is guessed in floating point and corrected in integers, so the guess decides only how many steps the
// correction takes (none or one for real sizes).
struct Cosine {
  static Size min_overlap(Size x, Size y, const Threshold& t) {
    const Product need = multiply(square(t.num), Wide{x} * y);
    const auto reached = [&](Size o) { return multiply(Wide{o} * t.den, Wide{o} * t.den) >= need; };
    auto o = static_cast<Size>(ratio(t) * std::sqrt(static_cast<double>(x) * static_cast<double>(y)));
    while (o > 0 && reached(o - 1)) --o;
    while (!reached(o)) ++o;
    return std::max<Size>(1, o);
  }
  static Size min_size(Size x, const Threshold& t) {  // the smallest y with y b^2 >= a^2 x
    const Product need = multiply(square(t.num), x);
    const auto reached = [&](Size y) { return multiply(square(t.den), y) >= need; };
    auto y = static_cast<Size>(ratio(t) * ratio(t) * static_cast<double>(x));
    while (y > 0 && reached(y - 1)) --y;
    while (!reached(y)) ++y;
    return std::max<Size>(1, y);
  }
  static Size max_size(Size x, const Threshold& t) {  // the largest y with a^2 y <= b^2 x
    const Product most = multiply(square(t.den), x);
    const auto within = [&](Size y) { return multiply(square(t.num), y) <= most; };
    const double guess = static_cast<double>(x) / (ratio(t) * ratio(t));
    if (guess >= 0x1p60) return kNoLimit;  // no set is that large; a guess below 2^50 is right to a unit
    auto y = static_cast<Size>(guess);
    while (!within(y)) --y;
    while (within(y + 1)) ++y;
    return y;
  }
  static Size min_overlap_any(Size x, const Threshold& t) { return min_size(x, t); }
  static double score(Size o, Size x, Size y) {
    return static_cast<double>(o) / std::sqrt(static_cast<double>(x) * static_cast<double>(y));
  }
  // x + y - 2 t sqrt(xy) is convex in y, so between y = t^2 x and y = x it lies below the chord
  // (1 - t) / (1 + t) ((1 + 2t) x + y).
  static std::int64_t slack_of_larger(Size x, const Threshold& t) {
    return slack_share((1 - ratio(t)) * (1 + 2 * ratio(t)) / (1 + ratio(t)), x);
  }
  static std::int64_t slack_of_smaller(Size y, const Threshold& t) {
    return slack_share((1 - ratio(t)) / (1 + ratio(t)), y);
  }

 private:
  static Wide square(std::uint64_t value) { return Wide{value} * value; }
};

// o >= a; b is 1
struct Overlap {
  static Size min_overlap(Size, Size, const Threshold& t) { return t.num; }
  static Size min_size(Size, const Threshold& t) { return t.num; }
  static Size max_size(Size x, const Threshold& t) { return x >= t.num ? kNoLimit : 0; }
  static Size min_overlap_any(Size, const Threshold& t) { return t.num; }
  static double score(Size o, Size, Size) { return static_cast<double>(o); }
  // Never negative, so that a sum in which one side was cut to the range of an index entry still lets everything pass.
  static std::int64_t slack_of_larger(Size x, const Threshold& t) {
    return static_cast<std::int64_t>(x - std::min<Size>(t.num, x)) * 256;
  }
  static std::int64_t slack_of_smaller(Size y, const Threshold& t) { return slack_of_larger(y, t); }
};

// o / min(x, y) >= a/b. A partner may have any size, so only the smaller set has a prefix: join/containment.cpp.
struct Containment {
  static Size min_overlap(Size x, Size y, const Threshold& t) {
    return std::max<Size>(1, ceil_div(Wide{t.num} * std::min(x, y), t.den));
  }
  static Size min_size(Size, const Threshold&) { return 1; }
  static Size max_size(Size x, const Threshold&) { return x >= 1 ? kNoLimit : 0; }
  static Size min_overlap_any(Size, const Threshold&) { return 1; }
  static double score(Size o, Size x, Size y) { return static_cast<double>(o) / static_cast<double>(std::min(x, y)); }
  // x + y - 2 ceil(t y) for x >= y. Never negative, as for Overlap.
  static std::int64_t slack_of_larger(Size x, const Threshold&) { return static_cast<std::int64_t>(x) * 256; }
  static std::int64_t slack_of_smaller(Size y, const Threshold& t) {
    return slack_share(std::max(0.0, 1 - 2 * ratio(t)), y);
  }
};

// o / x >= a/b, where x is the size of the left set. Not symmetric: only algorithms that know the sides serve it.
struct Contained {
  static Size min_overlap(Size left, Size, const Threshold& t) {
    return std::max<Size>(1, ceil_div(Wide{t.num} * left, t.den));
  }
  static Size min_size(Size, const Threshold&) { return 1; }
  static Size max_size(Size x, const Threshold&) { return x >= 1 ? kNoLimit : 0; }
  static Size min_overlap_any(Size, const Threshold&) { return 1; }
  static double score(Size o, Size left, Size) { return static_cast<double>(o) / static_cast<double>(left); }
  static std::int64_t slack_of_larger(Size x, const Threshold&) { return static_cast<std::int64_t>(x) * 256; }
  static std::int64_t slack_of_smaller(Size y, const Threshold& t) { return slack_of_larger(y, t); }
};

static_assert(SetMeasure<Jaccard> && SetMeasure<Dice> && SetMeasure<Cosine> && SetMeasure<Overlap> &&
              SetMeasure<Containment> && SetMeasure<Contained>);

// Calls `visitor.template operator()<M>()` (a generic lambda) with the struct for a set measure.
// Precondition: the measure compares sets.
template <class Visitor>
decltype(auto) with_measure(Measure measure, Visitor&& visitor) {
  assert(compares_sets(measure));
  switch (measure) {
    case Measure::cosine:
      return std::forward<Visitor>(visitor).template operator()<Cosine>();
    case Measure::dice:
      return std::forward<Visitor>(visitor).template operator()<Dice>();
    case Measure::overlap:
      return std::forward<Visitor>(visitor).template operator()<Overlap>();
    case Measure::containment:
      return std::forward<Visitor>(visitor).template operator()<Containment>();
    case Measure::contained:
      return std::forward<Visitor>(visitor).template operator()<Contained>();
    case Measure::jaccard:
    case Measure::edit:
    case Measure::hamming:
      break;
  }
  return std::forward<Visitor>(visitor).template operator()<Jaccard>();
}

}  // namespace neardup::similarity
