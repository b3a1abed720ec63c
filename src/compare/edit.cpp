#include "compare/edit.h"

#include <algorithm>
#include <vector>

#include "base/system.h"
#include "base/utf8.h"
#include "similarity/edit_distance.h"

namespace neardup::comparison {
namespace {

constexpr std::uint64_t kFirstTry = 64;
constexpr std::uint64_t kMoreEachTry = 4;
constexpr std::uint64_t kMostSymbols = std::uint64_t{1} << 24;  // of one string once equal ends are off
// similarity::EditPattern keeps masks of a pattern's blocks only while they are this few; without them a block costs
// more.
constexpr std::uint64_t kMostMasks = std::uint64_t{1} << 16;
constexpr std::uint64_t kStepsWithoutMasks = 16;

void drop_equal_ends(std::string_view& a, std::string_view& b) {
  auto front = static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
  const auto inside = [](std::string_view text, std::size_t at) {
    return at < text.size() && base::is_continuation(text[at]);
  };
  while (front > 0 && (inside(a, front) || inside(b, front))) --front;
  a.remove_prefix(front);
  b.remove_prefix(front);
  auto back = static_cast<std::size_t>(std::mismatch(a.rbegin(), a.rend(), b.rbegin(), b.rend()).first - a.rbegin());
  while (back > 0 && base::is_continuation(a[a.size() - back])) --back;
  a.remove_suffix(back);
  b.remove_suffix(back);
}

std::vector<std::uint32_t> decoded(std::string_view text) {
  std::vector<std::uint32_t> symbols;
  symbols.reserve(text.size());
  for (const char *at = text.data(), *end = at + text.size(); at != end;) symbols.push_back(base::decode(at, end));
  return symbols;
}

// Code points of both as numbers from 0; returns how many there are.
std::uint32_t number_symbols(std::vector<std::uint32_t>& pattern, std::vector<std::uint32_t>& text) {
  std::vector<std::uint32_t> number_of(0x110000);
  std::uint32_t count = 0;
  for (std::vector<std::uint32_t>* side : {&pattern, &text}) {
    for (std::uint32_t& symbol : *side) {
      std::uint32_t& number = number_of[symbol];
      if (number == 0) number = ++count;
      symbol = number - 1;
    }
  }
  return count;
}

}  // namespace

BoundedDistance edit_distance_bounded(std::string_view a, std::string_view b, std::uint64_t max_steps,
                                      const Context& context) {
  drop_equal_ends(a, b);
  const std::uint64_t a_size = base::code_points(a), b_size = base::code_points(b);
  const std::uint64_t longer = std::max(a_size, b_size), shorter = std::min(a_size, b_size);
  if (shorter == 0) return {.distance = longer};
  BoundedDistance result;
  // The distance is at least the difference of the lengths.
  result.more_than = longer - shorter == 0 ? 0 : longer - shorter - 1;
  if (longer > kMostSymbols) return result;

  std::vector<std::uint32_t> pattern = decoded(a_size <= b_size ? a : b), text = decoded(a_size <= b_size ? b : a);
  const std::uint32_t alphabet = number_symbols(pattern, text);
  const std::uint64_t blocks = (shorter + 63) / 64;
  const std::uint64_t block_steps = (alphabet + 1) * blocks <= kMostMasks ? 1 : kStepsWithoutMasks;
  similarity::EditPattern<std::uint32_t> prepared(alphabet);
  prepared.assign(pattern);
  for (std::uint64_t reach = kFirstTry + longer - shorter;; reach = std::min(longer, reach * kMoreEachTry)) {
    base::check_stop(context);
    const std::uint64_t steps = longer * std::min(blocks, reach / 64 + 2) * block_steps;
    if (steps > max_steps) return result;
    max_steps -= steps;
    if (const auto found = prepared.within(text, static_cast<std::uint32_t>(reach))) {
      result.distance = *found;
      return result;
    }
    result.more_than = reach;
  }
}

}  // namespace neardup::comparison
