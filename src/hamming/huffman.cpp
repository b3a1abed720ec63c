#include "hamming/huffman.h"

#include <algorithm>
#include <bit>
#include <cassert>

#include "hamming/sorted_codes.h"

namespace neardup::hamming {
namespace {

// Codes and their common cost; a symbol counts as often as its word gets a bit longer.
struct Package {
  std::uint64_t weight = 0;
  std::array<std::uint8_t, 64> times{};
};

Package both(const Package& a, const Package& b) {
  Package sum{.weight = a.weight + b.weight, .times = a.times};
  for (std::size_t i = 0; i < sum.times.size(); ++i)
    sum.times[i] = static_cast<std::uint8_t>(sum.times[i] + b.times[i]);
  return sum;
}

bool lighter(const Package& a, const Package& b) { return a.weight < b.weight; }

// The lengths of the best code with a limit on them, by packages (Larmore and Hirschberg 1990): with each bit that
// words may be longer, the packages so far pair up and the single symbols come in again.
std::array<std::uint8_t, 64> word_lengths(const std::array<std::uint64_t, 64>& frequencies, unsigned limit) {
  std::vector<Package> single;
  for (std::size_t symbol = 0; symbol < frequencies.size(); ++symbol) {
    if (frequencies[symbol] == 0) continue;
    single.push_back({.weight = frequencies[symbol], .times = {}});
    single.back().times[symbol] = 1;
  }
  std::array<std::uint8_t, 64> lengths{};
  if (single.size() < 2) return lengths;  // no bit is needed to tell one symbol
  std::ranges::stable_sort(single, lighter);
  std::vector<Package> packages = single;
  for (unsigned length = 1; length < limit; ++length) {
    std::vector<Package> pairs, merged;
    for (std::size_t i = 0; i + 1 < packages.size(); i += 2) pairs.push_back(both(packages[i], packages[i + 1]));
    std::ranges::merge(single, pairs, std::back_inserter(merged), lighter);
    packages = std::move(merged);
  }
  for (std::size_t i = 0; i < 2 * (single.size() - 1); ++i) {
    for (std::size_t symbol = 0; symbol < lengths.size(); ++symbol) {
      lengths[symbol] = static_cast<std::uint8_t>(lengths[symbol] + packages[i].times[symbol]);
    }
  }
  return lengths;
}

std::uint16_t reversed(unsigned bits, unsigned length) {
  unsigned result = 0;
  for (unsigned i = 0; i < length; ++i) result |= (bits >> i & 1) << (length - 1 - i);
  return static_cast<std::uint16_t>(result);
}

// Positions are counted from the lowest bit.
unsigned highest_difference(std::uint64_t a, std::uint64_t b) {
  return static_cast<unsigned>(std::bit_width(a ^ b)) - 1;
}

}  // namespace

HuffmanCode::HuffmanCode(const std::array<std::uint64_t, 64>& frequencies) {
  const std::array<std::uint8_t, 64> lengths = word_lengths(frequencies, kMostLength);
  const unsigned longest = *std::ranges::max_element(lengths);
  reads_.assign(std::size_t{1} << longest, {});
  // Canonical: words ascend with their length, then with their symbol.
  unsigned next = 0;
  for (unsigned length = longest == 0 ? 0 : 1; length <= longest; ++length, next <<= 1) {
    for (unsigned symbol = 0; symbol < lengths.size(); ++symbol) {
      if (lengths[symbol] != length || frequencies[symbol] == 0) continue;
      words_[symbol] = {.bits = reversed(next++, length), .length = lengths[symbol]};
      for (std::size_t bits = words_[symbol].bits; bits < reads_.size(); bits += std::size_t{1} << length) {
        reads_[bits] = {.symbol = static_cast<std::uint8_t>(symbol), .length = lengths[symbol]};
      }
    }
  }
}

HuffmanBlocks::HuffmanBlocks(std::span<const std::uint64_t> codes) : size_(codes.size()) {
  if (codes.empty()) return;
  largest_ = codes.back();
  std::array<std::uint64_t, 64> frequencies{};
  for (std::size_t i = 1; i < codes.size(); ++i) {
    assert(codes[i - 1] < codes[i]);
    ++frequencies[highest_difference(codes[i - 1], codes[i])];
  }
  code_ = HuffmanCode(frequencies);
  std::uint64_t bits = 0;
  for (unsigned symbol = 0; symbol < 64; ++symbol) bits += frequencies[symbol] * (code_.word(symbol).length + symbol);
  words_.reserve((bits / kBlockBits + 1) * (kBlockBytes / 8) * 101 / 100 + 1);  // a block wastes half a code or so

  std::uint64_t bit = 0, end = 0;
  // As much of the lowest bits as the block has room for.
  const auto put = [&](std::uint64_t value, unsigned length) {
    if (bit + length > end) {
      length = static_cast<unsigned>(end - bit);
      value &= (std::uint64_t{1} << length) - 1;
    }
    if (length == 0) return;
    words_[bit / 64] |= value << bit % 64;
    if (bit % 64 + length > 64) words_[bit / 64 + 1] |= value >> (64 - bit % 64);
    bit += length;
  };
  const auto begin_block = [&](std::size_t place) {
    const std::size_t block = keys_.size();
    if (block % kBlocksTogether == 0) places_.push_back(static_cast<std::uint32_t>(place));
    steps_.push_back(static_cast<std::uint16_t>(place - places_.back()));
    keys_.push_back(codes[place]);
    words_.resize(words_.size() + kBlockBytes / 8);
    bit = block * kBlockBits;
    end = bit + kBlockBits;
  };
  begin_block(0);
  for (std::size_t i = 1; i < codes.size(); ++i) {
    const unsigned below = highest_difference(codes[i - 1], codes[i]);
    const HuffmanCode::Word& word = code_.word(below);
    const bool fits = bit + word.length + below <= end;
    // No word begins with another one: what is left of a word that is cut off is taken for none that would fit.
    put(word.bits, word.length);
    if (fits) {
      put(codes[i] & ((std::uint64_t{1} << below) - 1), below);
    } else {
      begin_block(i);
    }
  }
  words_.push_back(0);
  words_.shrink_to_fit();
}

HuffmanBlocks::Reader HuffmanBlocks::from(std::uint64_t least) const {
  // The last block whose key is not above, where there is one.
  std::size_t block = lower_place<std::uint64_t>(keys_, least);
  if (block > 0 && (block == keys_.size() || keys_[block] != least)) --block;
  Reader reader(*this, block);
  while (!reader.at_end() && reader.code_ < least) reader.advance();
  return reader;
}

std::uint64_t HuffmanBlocks::memory_bytes() const {
  return words_.size() * sizeof(std::uint64_t) + keys_.size() * (sizeof(std::uint64_t) + sizeof(std::uint16_t)) +
         places_.size() * sizeof(std::uint32_t) + code_.memory_bytes();
}

std::uint64_t HuffmanBlocks::most_bytes(std::size_t count) {
  // Position h is the highest difference of at most 2^(63 - h) neighbours, so that the bits below it are 65 - log2(n)
  // on average, at most. Six more tell any position. A block wastes less than the longest of these.
  const std::uint64_t bits = count * (72 - static_cast<unsigned>(std::bit_width(count)));
  const std::uint64_t blocks = bits / (kBlockBits - 63 - HuffmanCode::kMostLength) + 1;
  return blocks * (kBlockBytes + sizeof(std::uint64_t) + sizeof(std::uint16_t)) +
         (blocks / kBlocksTogether + 1) * sizeof(std::uint32_t) + sizeof(std::uint64_t) +
         (std::size_t{1} << HuffmanCode::kMostLength) * sizeof(HuffmanCode::Read);
}

}  // namespace neardup::hamming
