#include "hamming/prepared.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/parallel.h"
#include "base/random.h"
#include "hamming/csr_tables.h"

namespace neardup::hamming {
namespace {

// How many fingerprints share a list with a given one, on average over the tables, estimated from a sample.
double crowd(std::span<const std::uint64_t> sample, const BitOrder& order, unsigned key_bits, std::size_t rows) {
  double pairs = 0;
  std::vector<std::uint32_t> keys(sample.size());
  for (unsigned table = 0; table < CsrTables::kTables; ++table) {
    const CsrTables::Split split(table, key_bits);
    std::transform(sample.begin(), sample.end(), keys.begin(),
                   [&](std::uint64_t code) { return split.key(order(code)); });
    std::sort(keys.begin(), keys.end());
    for (auto run = keys.begin(); run != keys.end();) {
      const auto end = std::upper_bound(run, keys.end(), *run);
      pairs += static_cast<double>(end - run) * static_cast<double>(end - run - 1);
      run = end;
    }
  }
  const auto size = static_cast<double>(sample.size());
  return pairs / CsrTables::kTables / std::max(1.0, size * (size - 1)) * static_cast<double>(rows);
}

// The order as it is, unless lists get long in it and shorter in another one.
BitOrder choose_order(std::span<const std::uint64_t> bits) {
  constexpr std::size_t kSample = 1u << 15;
  constexpr double kCrowded = 8;  // times as many as if spread evenly
  if (bits.empty()) return {};
  base::Random random(bits.size());
  std::vector<std::uint64_t> sample(std::min(kSample, bits.size()));
  for (auto& code : sample) code = bits[random.below(bits.size())];
  // Copies are collapsed before they get into tables.
  std::sort(sample.begin(), sample.end());
  sample.erase(std::unique(sample.begin(), sample.end()), sample.end());
  const unsigned key_bits = CsrTables::suitable_key_bits(bits.size());
  const double even = 16 + static_cast<double>(bits.size()) / static_cast<double>(std::uint64_t{1} << key_bits);
  const double now = crowd(sample, BitOrder(), key_bits, bits.size());
  if (now < kCrowded * even) return {};
  BitOrder other(sample, CsrTables::preferred_bits());
  return crowd(sample, other, key_bits, bits.size()) < now / 2 ? other : BitOrder();
}

}  // namespace

OrderedBits::OrderedBits(std::span<const std::uint64_t> bits, const Context& context)
    : bits_(bits), order_(choose_order(bits)) {
  if (!order_.changes()) return;
  moved_.resize(bits.size());
  base::parallel_for(context, bits.size(), [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) moved_[i] = order_(bits[i]);
  });
}

Prepared prepare(std::span<const std::uint64_t> bits, const Context& context) {
  const OrderedBits ordered(bits, context);
  return {find_distinct(ordered.bits(), context), ordered.order()};
}

}  // namespace neardup::hamming
