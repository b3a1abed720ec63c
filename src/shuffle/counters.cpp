#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "base/random.h"
#include "corpus/units.h"
#include "neardup/error.h"
#include "neardup/shuffle.h"

namespace neardup::shuffle {
namespace {

constexpr unsigned kLeastBits = 8, kMostBits = 34;

// Keys are hashes, but band keys and features of different kinds meet in one table: the mix costs nothing beside the
// cache miss that follows.
std::size_t slot(std::uint64_t key, std::size_t size) {
  return base::mix64(key) >> (64 - static_cast<unsigned>(std::countr_zero(size)));
}

}  // namespace

UnitHash hash_unit(std::span<const Feature> set, std::uint64_t salt) {
  const corpus::SetHash hash = corpus::hash_set(set);
  if (salt == 0) return {hash.low, hash.high};
  return {base::mix64(hash.low + salt * hash.high), hash.high};
}

Counters::Counters(unsigned bits) {
  if (bits < kLeastBits || bits > kMostBits) {
    throw Error(ErrorCode::usage,
                fmt::format("counters of 2^{} bytes: the exponent is {} to {}", bits, kLeastBits, kMostBits));
  }
  bytes_.resize(std::size_t{1} << bits);
}

void Counters::add(std::uint64_t key) {
  std::uint8_t& counter = bytes_[slot(key, bytes_.size())];
  if (counter != kFull) ++counter;
}

void Counters::merge(std::span<const std::uint8_t> bytes) {
  if (bytes.size() != bytes_.size())
    throw Error(ErrorCode::usage, fmt::format("{} counters cannot be added to {}", bytes.size(), bytes_.size()));
  for (std::size_t i = 0; i < bytes.size(); ++i)
    bytes_[i] = static_cast<std::uint8_t>(std::min<unsigned>(kFull, bytes_[i] + bytes[i]));
}

CountersView::CountersView(std::span<const std::uint8_t> bytes) : bytes_(bytes) {
  if (!std::has_single_bit(bytes.size()) || bytes.size() < (std::size_t{1} << kLeastBits) ||
      bytes.size() > (std::size_t{1} << kMostBits))
    throw Error(ErrorCode::usage, fmt::format("{} bytes are not a table of counters", bytes.size()));
}

std::uint8_t CountersView::operator[](std::uint64_t key) const {
  return bytes_.empty() ? Counters::kFull : bytes_[slot(key, bytes_.size())];
}

}  // namespace neardup::shuffle
