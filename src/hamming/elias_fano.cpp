#include "hamming/elias_fano.h"

#include <algorithm>
#include <cassert>

namespace neardup::hamming {
namespace {

struct Layout {
  unsigned low_bits;
  std::uint64_t low_words, high_words;
  [[nodiscard]] std::uint64_t words() const { return low_words + high_words; }
};

// The cheapest cut. At most 63 low bits, so that shifts are defined; at least so many that there are about as many
// steps as numbers.
Layout lay_out(std::uint64_t count, std::uint64_t largest) {
  Layout best{};
  for (unsigned low_bits = 0; low_bits < 64; ++low_bits) {
    const std::uint64_t steps = largest >> low_bits;
    if (steps > 4 * count && low_bits < 63) continue;
    const Layout layout{low_bits, (count * low_bits + 63) / 64 + 2, (count + steps + 1 + 63) / 64};
    if (best.high_words == 0 || layout.words() < best.words()) best = layout;
  }
  return best;
}

}  // namespace

EliasFano::EliasFano(std::span<const std::uint64_t> numbers) : size_(numbers.size()) {
  if (numbers.empty()) return;
  largest_ = numbers.back();
  const Layout layout = lay_out(size_, largest_);
  low_bits_ = layout.low_bits;
  low_mask_ = (std::uint64_t{1} << low_bits_) - 1;
  low_.resize(layout.low_words);
  high_.assign(layout.high_words, 0);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    assert(i == 0 || numbers[i - 1] < numbers[i]);
    const std::uint64_t low = numbers[i] & low_mask_, bit = i * low_bits_;
    low_[bit / 64] |= low << bit % 64;
    low_[bit / 64 + 1] |= low >> 1 >> (63 - bit % 64);
    const std::uint64_t one = (numbers[i] >> low_bits_) + i;
    high_[one / 64] |= std::uint64_t{1} << one % 64;
  }
  std::uint32_t ones = 0;
  for (std::size_t word = 0; word < high_.size(); ++word) {
    if (word % kWords == 0) ones_.push_back(ones);
    ones += static_cast<std::uint32_t>(std::popcount(high_[word]));
  }
}

std::uint64_t EliasFano::select_zero(std::uint64_t rank) const {
  // The last stretch of words with at most `rank` zeros before it, which is near its share of all stretches as a rule.
  const auto starts_before = [&](std::size_t stretch) { return stretch * kWords * 64 - ones_[stretch] <= rank; };
  const double share = static_cast<double>(rank) / static_cast<double>(high_.size() * 64 - size_);
  std::size_t low = std::min(static_cast<std::size_t>(share * static_cast<double>(ones_.size())), ones_.size() - 1);
  std::size_t high = low + 1;
  for (std::size_t reach = 1; low > 0 && !starts_before(low); reach *= 2) {
    high = low;
    low -= std::min(low, reach);
  }
  for (std::size_t reach = 1; high < ones_.size() && starts_before(high); reach *= 2) {
    low = high;
    high += std::min(ones_.size() - high, reach);
  }
  while (high - low > 1) {
    const std::size_t middle = low + (high - low) / 2;
    (starts_before(middle) ? low : high) = middle;
  }
  std::size_t word = low * kWords;
  std::uint64_t skip = rank - (word * 64 - ones_[low]);
  std::uint64_t zeros = ~high_[word];
  for (unsigned here = 0; skip >= (here = static_cast<unsigned>(std::popcount(zeros))); zeros = ~high_[++word]) {
    skip -= here;
  }
  for (; skip > 0; --skip) zeros &= zeros - 1;
  return word * 64 + static_cast<std::uint64_t>(std::countr_zero(zeros));
}

std::uint64_t EliasFano::zero_from(std::uint64_t bit, std::uint64_t rank) const {
  const std::size_t word = bit / 64;
  if (const std::uint64_t zeros = ~high_[word] & (~std::uint64_t{0} << bit % 64); zeros != 0) {
    return word * 64 + static_cast<std::uint64_t>(std::countr_zero(zeros));
  }
  return select_zero(rank);
}

EliasFano::Reader EliasFano::from(std::uint64_t least) const {
  if (size_ == 0 || least > largest_) return {*this, size_, 0};
  // All numbers with the same high half are between two zeros.
  const std::uint64_t half = least >> low_bits_, low_half = least & low_mask_;
  const std::uint64_t begin = half == 0 ? 0 : select_zero(half - 1) + 1;
  std::size_t first = begin - half, last = zero_from(begin, half) - half;
  while (first < last) {
    const std::size_t middle = first + (last - first) / 2;
    if (low(middle) < low_half) {
      first = middle + 1;
    } else {
      last = middle;
    }
  }
  return {*this, first, half + first};
}

std::uint64_t EliasFano::memory_bytes() const {
  return (low_.size() + high_.size()) * sizeof(std::uint64_t) + ones_.size() * sizeof(std::uint32_t);
}

std::uint64_t EliasFano::most_bytes(std::size_t count) {
  const Layout layout = lay_out(count, UINT64_MAX);
  return layout.words() * sizeof(std::uint64_t) + (layout.high_words + kWords - 1) / kWords * sizeof(std::uint32_t);
}

}  // namespace neardup::hamming
