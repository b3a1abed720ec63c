// How are unsigned numbers sorted without comparing them?
//
// radix_sort: by their highest bits first. Items are counted and moved into about as many buckets as there are items,
// after which hardly any has to move again, and crowded buckets are sorted by their next bits. For keys of many bits;
// every step decides some of them, so that the most lopsided keys cost no more than further linear steps.
//
// sort_by_digits: by their lowest digit first. For a few hundred items or more whose keys have few digits and crowd: as
// many steps as digits, whatever the keys.
//
// In both, equal keys keep their order.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace neardup::base {

// Items in one array. Code that keeps its items in several arrays writes an area like this one.
template <class Item, class KeyOf = std::identity>
struct ItemArea {
  Item* items;
  [[no_unique_address]] KeyOf key_of{};

  [[nodiscard]] Item get(std::size_t i) const { return items[i]; }
  void set(std::size_t i, const Item& item) const { items[i] = item; }
  [[nodiscard]] auto key(const Item& item) const { return key_of(item); }  // unsigned
  [[nodiscard]] ItemArea from(std::size_t i) const { return {items + i, key_of}; }
};

namespace radix {

constexpr std::size_t kFew = 24;         // items that are sorted by insertion from the start
constexpr std::uint32_t kTogether = 16;  // items of a bucket that insertion puts in order
constexpr unsigned kMostBits = 12;       // of a step: its counters fit the first-level cache

template <class Area>
void insert_sorted(Area from, Area to, std::size_t n) {
  if (n == 0) return;
  to.set(0, from.get(0));
  auto greatest = to.key(to.get(0));
  for (std::size_t i = 1; i < n; ++i) {
    const auto item = from.get(i);
    const auto key = from.key(item);
    std::size_t at = i;
    if (key < greatest) {
      do {
        to.set(at, to.get(at - 1));
      } while (--at > 0 && key < to.key(to.get(at - 1)));
    } else {
      greatest = key;
    }
    to.set(at, item);
  }
}

// How many low bits tell the keys apart.
template <class Area>
unsigned differing_bits(const Area& area, std::size_t n) {
  const auto first = area.key(area.get(0));
  auto varying = first;
  varying = 0;
  for (std::size_t i = 1; i < n; ++i) varying |= area.key(area.get(i)) ^ first;
  unsigned bits = 0;
  for (; varying != 0; varying >>= 1) ++bits;
  return bits;
}

}  // namespace radix

enum class StandIn : bool { result, spare };

// Sorts n items that agree above the low `bits` bits of their keys. They are in `where`, end up in `result`, and move
// back and forth between the two, which are equally long. Fewer than 2^32 items.
template <class Area>
void radix_sort(Area result, Area spare, std::size_t n, unsigned bits, StandIn where) {
  while (n > radix::kFew && bits > 0) {
    const Area from = where == StandIn::result ? result : spare, to = where == StandIn::result ? spare : result;
    const unsigned width = std::min({bits, radix::kMostBits, static_cast<unsigned>(std::bit_width(n)) + 1});
    const unsigned shift = bits - width;
    const std::size_t buckets = std::size_t{1} << width;
    const auto bucket_of = [&](const auto& item) {
      return static_cast<std::size_t>(from.key(item) >> shift) & (buckets - 1);
    };
    std::array<std::uint32_t, std::size_t{1} << radix::kMostBits> ends;
    std::fill_n(ends.begin(), buckets, 0);
    for (std::size_t i = 0; i < n; ++i) ++ends[bucket_of(from.get(i))];
    if (ends[bucket_of(from.get(0))] == n) {
      bits = radix::differing_bits(from, n);
      continue;
    }
    std::uint32_t begin = 0, fullest = 0;
    for (std::size_t bucket = 0; bucket < buckets; ++bucket) {
      fullest = std::max(fullest, ends[bucket]);
      begin += std::exchange(ends[bucket], begin);
    }
    for (std::size_t i = 0; i < n; ++i) {
      const auto item = from.get(i);
      to.set(ends[bucket_of(item)]++, item);
    }
    where = where == StandIn::result ? StandIn::spare : StandIn::result;
    if (fullest <= radix::kTogether) break;
    begin = 0;
    for (std::size_t bucket = 0; bucket < buckets; begin = ends[bucket++]) {
      if (ends[bucket] == begin) continue;
      radix_sort(result.from(begin), spare.from(begin), ends[bucket] - begin, shift, where);
    }
    return;
  }
  radix::insert_sorted(where == StandIn::result ? result : spare, result, n);
}

// The same for one array; `scratch` is at least as long.
template <class Item, class KeyOf = std::identity>
void radix_sort(std::span<Item> items, std::span<Item> scratch, unsigned bits, KeyOf key_of = {}) {
  using Area = ItemArea<Item, KeyOf>;
  radix_sort(Area{items.data(), key_of}, Area{scratch.data(), key_of}, items.size(), bits, StandIn::result);
}

// Sorts a list by the digits of its keys; comparing is quicker for a short one. `scratch` grows to the list's length.
// Fewer than 2^32 items.
template <class Item, class KeyOf = std::identity>
void sort_by_digits(std::span<Item> items, std::vector<Item>& scratch, KeyOf key_of = {}) {
  constexpr unsigned kDigitBits = 8;
  constexpr unsigned kDigits = sizeof(key_of(items[0]));
  constexpr std::size_t kValues = std::size_t{1} << kDigitBits;
  if (items.empty()) return;
  const auto value_of = [&](const Item& item, unsigned digit) {
    return static_cast<std::size_t>(key_of(item) >> digit * kDigitBits) & (kValues - 1);
  };
  std::array<std::array<std::uint32_t, kValues>, kDigits> places{};
  for (const Item& item : items) {
    for (unsigned digit = 0; digit < kDigits; ++digit) ++places[digit][value_of(item, digit)];
  }
  scratch.resize(items.size());
  Item* from = items.data();
  Item* to = scratch.data();
  for (unsigned digit = 0; digit < kDigits; ++digit) {
    auto& next = places[digit];
    if (next[value_of(from[0], digit)] == items.size()) continue;  // all have the same
    std::exclusive_scan(next.begin(), next.end(), next.begin(), 0u);
    for (std::size_t i = 0; i < items.size(); ++i) to[next[value_of(from[i], digit)]++] = from[i];
    std::swap(from, to);
  }
  if (from != items.data()) std::copy_n(from, items.size(), items.data());
}

}  // namespace neardup::base
