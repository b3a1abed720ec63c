#include "join/suffix_filter.h"

#include <algorithm>
#include <cstdlib>

namespace neardup::joins {

// Where this differs from the paper's Algorithms 3 and 4:
// - An empty side has no middle token, so its distance is the length of the other.
// - The range [l, r] in which the cut is looked for can begin before x or end behind it: only a bound that lies inside
//   x is compared with the token.
// - Line 2 cuts y at token ceil(|y| / 2), Examples 4 and 5 at floor(|y| / 2) + 1, which is another one when |y| is
//   even. Both are right; this is the examples' choice.
std::int64_t distance_bound(std::span<const Rank> x, std::span<const Rank> y, std::int64_t max_distance,
                            unsigned depth) {
  const auto x_size = static_cast<std::int64_t>(x.size()), y_size = static_cast<std::int64_t>(y.size());
  const std::int64_t difference = std::abs(x_size - y_size);
  if (depth == 0 || x.empty() || y.empty() || difference > max_distance) return difference;

  const std::int64_t middle = y_size / 2;
  const Rank token = y[middle];
  // A cut farther off than this costs more than max_distance on both sides together.
  const std::int64_t reach = (max_distance - difference) / 2;
  const std::int64_t first = middle - reach - (x_size < y_size ? difference : 0);
  const std::int64_t last = middle + reach + (x_size < y_size ? 0 : difference);
  if (first >= 0 && x[first] > token) return max_distance + 1;
  if (last < x_size && x[last] < token) return max_distance + 1;

  const auto cut = std::lower_bound(x.begin() + std::max<std::int64_t>(first, 0),
                                    x.begin() + std::min<std::int64_t>(last + 1, x_size), token);
  const bool is_shared = cut != x.end() && *cut == token;
  const std::int64_t unshared = is_shared ? 0 : 1;
  const auto x_left = x.first(static_cast<std::size_t>(cut - x.begin())), y_left = y.first(middle);
  const auto x_right = x.subspan(x_left.size() + (is_shared ? 1 : 0)), y_right = y.subspan(middle + 1);

  const auto sizes = [](std::span<const Rank> a, std::span<const Rank> b) {
    return std::abs(static_cast<std::int64_t>(a.size()) - static_cast<std::int64_t>(b.size()));
  };
  const std::int64_t right = sizes(x_right, y_right) + unshared;
  if (sizes(x_left, y_left) + right > max_distance) return sizes(x_left, y_left) + right;
  const std::int64_t left = distance_bound(x_left, y_left, max_distance - right, depth - 1);
  if (left + right > max_distance) return left + right;
  return left + unshared + distance_bound(x_right, y_right, max_distance - left - unshared, depth - 1);
}

}  // namespace neardup::joins
