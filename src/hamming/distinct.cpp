#include "hamming/distinct.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <limits>
#include <utility>

#include "base/parallel.h"
#include "base/radix_sort.h"
#include "base/zeroed_array.h"
#include "hamming/partition.h"
#include "neardup/error.h"

namespace neardup::hamming {
namespace {

// Fingerprints and their rows, side by side.
struct Items {
  std::uint64_t* codes;
  Row* rows;

  struct Item {
    std::uint64_t code;
    Row row;
  };
  [[nodiscard]] Item get(std::size_t i) const { return {codes[i], rows[i]}; }
  void set(std::size_t i, const Item& item) const {
    codes[i] = item.code;
    rows[i] = item.row;
  }
  static std::uint64_t key(const Item& item) { return item.code; }
  [[nodiscard]] Items from(std::size_t i) const { return {codes + i, rows + i}; }
};

// The bits in which fingerprints differ at all.
std::uint64_t varying_bits(std::span<const std::uint64_t> bits, const Context& context) {
  std::atomic<std::uint64_t> varying{0};
  base::parallel_for(context, bits.size(), [&](std::size_t first, std::size_t last) {
    std::uint64_t mine = 0;
    for (std::size_t i = first; i < last; ++i) mine |= bits[i] ^ bits[0];
    varying |= mine;
  });
  return varying;
}

void sort_all(std::span<const std::uint64_t> bits, const Items& result, base::ZeroedArray<std::byte>& room,
              const Context& context) {
  const std::size_t n = bits.size();
  const unsigned used = static_cast<unsigned>(std::bit_width(varying_bits(bits, context)));
  const unsigned shift = used > kDigitBits ? used - kDigitBits : 0;
  auto* codes = reinterpret_cast<std::uint64_t*>(room.data());
  const Items spare{codes, reinterpret_cast<Row*>(codes + n)};
  const DigitStarts starts = partition(
      context, n, [&](std::size_t i) { return bits[i] >> shift & (kDigits - 1); },
      [&](std::uint32_t place) {
        __builtin_prefetch(spare.codes + place, 1);
        __builtin_prefetch(spare.rows + place, 1);
      },
      [&](std::size_t i, std::uint32_t place) {
        spare.set(place, {bits[i], static_cast<Row>(i)});
      });
  each_digit(context, [&](std::size_t digit) {
    const std::uint32_t first = starts[digit];
    base::radix_sort(result.from(first), spare.from(first), starts[digit + 1] - first, shift, base::StandIn::spare);
  });
}

}  // namespace

RowLists::RowLists(std::uint64_t total_rows, std::size_t entries)
    : total_rows_(total_rows),
      width_(std::max(1u, static_cast<unsigned>(std::bit_width(std::max<std::uint64_t>(total_rows, 1) - 1)))),
      packed_((entries * width_ + 63) / 64 + 1),
      flags_((entries + 63) / 64) {}

RowLists::RowLists(std::uint64_t total_rows, std::span<const Row> first, Copies copies, const Context& context)
    : RowLists(total_rows, first.size()) {
  // Groups of 64 entries share no word.
  base::parallel_for(context, flags_.size(), [&](std::size_t from, std::size_t to) {
    const std::size_t begin = from * 64, end = std::min(first.size(), to * 64);
    pack(static_cast<Entry>(begin), first.subspan(begin, end - begin));
  });
  for (const Entry entry : copies.entries) flag(entry);
  rank();
  copies_ = std::move(copies);
  copies_.entries = {};
}

void RowLists::pack(Entry first, std::span<const Row> rows) {
  std::uint64_t bit = std::uint64_t{first} * width_;
  for (const Row row : rows) {
    const unsigned shift = bit & 63;
    packed_[bit >> 6] |= std::uint64_t{row} << shift;
    if (shift + width_ > 64) packed_[(bit >> 6) + 1] |= std::uint64_t{row} >> (64 - shift);
    bit += width_;
  }
}

void RowLists::rank() {
  ranks_.clear();
  ranks_.reserve(flags_.size());
  std::uint32_t set = 0;
  for (const std::uint64_t word : flags_) {
    ranks_.push_back(set);
    set += static_cast<std::uint32_t>(std::popcount(word));
  }
}

std::uint64_t RowLists::memory_bytes() const {
  return (packed_.capacity() + flags_.capacity()) * sizeof(std::uint64_t) +
         (ranks_.capacity() + copies_.ends.capacity() + copies_.rows.capacity()) * sizeof(std::uint32_t);
}

RowLists RowLists::reordered(std::span<const Entry> order) const {
  constexpr std::size_t kAhead = 32;
  RowLists out(total_rows_, order.size());
  out.copies_.ends.reserve(copies_.ends.size());
  out.copies_.rows.reserve(copies_.rows.size());
  std::array<Row, 64> rows;
  for (std::size_t first = 0; first < order.size(); first += rows.size()) {
    const std::size_t count = std::min(rows.size(), order.size() - first);
    for (std::size_t i = 0; i < count; ++i) {
      if (first + i + kAhead < order.size()) prefetch(order[first + i + kAhead]);
      const Entry old = order[first + i];
      rows[i] = this->first(old);
      if (!has_copies(old)) continue;
      out.flag(static_cast<Entry>(first + i));
      const auto more = copies(old);
      out.copies_.rows.insert(out.copies_.rows.end(), more.begin(), more.end());
      out.copies_.ends.push_back(static_cast<std::uint32_t>(out.copies_.rows.size()));
    }
    out.pack(static_cast<Entry>(first), std::span(rows).first(count));
  }
  out.rank();
  return out;
}

SortedRows sort_rows(std::span<const std::uint64_t> bits, base::ZeroedArray<std::byte>& room, const Context& context) {
  if (bits.size() > std::numeric_limits<Row>::max()) {
    throw Error(ErrorCode::limit,
                fmt::format("{} fingerprints: an index holds fewer than 2^32; split the collection", bits.size()));
  }
  SortedRows out;
  if (bits.empty()) return out;
  auto& [codes, rows, copies] = out;
  codes.resize(bits.size());
  rows.resize(bits.size());
  sort_all(bits, {codes.data(), rows.data()}, room, context);
  std::size_t entries = 0;
  for (std::size_t i = 0; i < bits.size(); ++i) {
    if (i > 0 && codes[i] == codes[entries - 1]) {
      const auto entry = static_cast<Entry>(entries - 1);
      if (copies.entries.empty() || copies.entries.back() != entry) {
        copies.entries.push_back(entry);
        copies.ends.push_back(0);
      }
      copies.rows.push_back(rows[i]);
      copies.ends.back() = static_cast<std::uint32_t>(copies.rows.size());
    } else {
      codes[entries] = codes[i];
      rows[entries++] = rows[i];
    }
  }
  codes.resize(entries);
  rows.resize(entries);
  copies.rows.shrink_to_fit();
  copies.ends.shrink_to_fit();
  return out;
}

Distinct find_distinct(std::span<const std::uint64_t> bits, const Context& context) {
  SortedRows sorted = [&] {
    base::ZeroedArray<std::byte> room(bits.size() * kSortRoom);
    return sort_rows(bits, room, context);
  }();
  return {std::move(sorted.codes), RowLists(bits.size(), sorted.first, std::move(sorted.copies), context)};
}

}  // namespace neardup::hamming
