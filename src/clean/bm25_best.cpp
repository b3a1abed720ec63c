#include "clean/bm25_best.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <utility>

namespace neardup::clean {

namespace {

constexpr unsigned kDigitBits = 8;
constexpr std::size_t kDigits = 1 << kDigitBits;

Units largest(const std::vector<BestRows::Scored>& rows) {
  Units most = 0;
  for (const BestRows::Scored& each : rows) most = std::max(most, each.score);
  return most;
}

}  // namespace

void BestRows::start(std::size_t depth, Units enough) {
  depth_ = depth;
  limit_ = depth + depth / 4 + 16;
  enough_ = enough;
  rows_.clear();
}

void BestRows::cut() {
  // The first digit says where the last of the best must be, and few have it in common.
  const auto range = static_cast<std::uint64_t>(largest(rows_) - enough_);
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
  // By the lowest digit first; each pass leaves the order of equals alone, so rows ascend among them in the end.
  const Units most = largest(rows_);
  other_.resize(rows_.size());
  for (unsigned shift = 0; (most - enough_) >> shift != 0; shift += kDigitBits) {
    const auto digit = [&](const Scored& each) {
      return static_cast<std::size_t>((most - each.score) >> shift) % kDigits;
    };
    std::array<std::size_t, kDigits> places{};
    for (const Scored& each : rows_) ++places[digit(each)];
    std::size_t place = 0;
    for (std::size_t& each : places) place += std::exchange(each, place);
    for (const Scored& each : rows_) other_[places[digit(each)]++] = each;
    rows_.swap(other_);
  }
  return rows_;
}

}  // namespace neardup::clean
