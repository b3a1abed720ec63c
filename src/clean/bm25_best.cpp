#include "clean/bm25_best.h"

#include <algorithm>
#include <bit>
#include <functional>

#include "base/radix_sort.h"

namespace neardup::clean {

namespace {

constexpr unsigned kDigitBits = 8;
constexpr std::size_t kDigits = 1 << kDigitBits;

}  // namespace

void BestRows::start(std::size_t depth, Units enough) {
  depth_ = depth;
  limit_ = depth + depth / 4 + 16;
  enough_ = enough;
  rows_.clear();
}

void BestRows::cut() {
  // The first digit says where the last of the best must be, and few have it in common.
  const auto range = static_cast<std::uint64_t>(std::ranges::max(rows_, {}, &Scored::score).score - enough_);
  const auto width = static_cast<unsigned>(std::bit_width(range));
  const unsigned shift = width > kDigitBits ? width - kDigitBits : 0;
  const auto digit = [&](const Scored& each) { return static_cast<std::size_t>((each.score - enough_) >> shift); };
  std::array<std::size_t, kDigits> counts{};
  for (const Scored& each : rows_) ++counts[digit(each)];
  std::size_t last = kDigits - 1, above = 0;
  while (above + counts[last] < depth_) above += counts[last--];
  scores_.clear();
  for (const Scored& each : rows_) {
    if (digit(each) == last) scores_.push_back(each.score);
  }
  const auto place = scores_.begin() + static_cast<std::ptrdiff_t>(depth_ - above) - 1;
  std::nth_element(scores_.begin(), place, scores_.end(), std::greater<>());
  enough_ = *place;
  // Of those that just suffice, as many as there is room for.
  auto equals = 1 + static_cast<std::size_t>(std::count(scores_.begin(), place, enough_));
  std::erase_if(rows_, [&](const Scored& each) {
    if (each.score != enough_) return each.score < enough_;
    if (equals == 0) return true;
    --equals;
    return false;
  });
}

std::span<const BestRows::Scored> BestRows::finish() {
  if (rows_.size() > depth_) cut();
  const Units most = rows_.empty() ? 0 : std::ranges::max(rows_, {}, &Scored::score).score;
  // Equal scores stay as they are, so rows ascend among them at the end.
  base::sort_by_digits(std::span(rows_), other_,
                       [most](const Scored& each) { return static_cast<std::uint64_t>(most - each.score); });
  return rows_;
}

}  // namespace neardup::clean
