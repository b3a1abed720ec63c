#include "hamming/pair_blocks.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "neardup/error.h"
#include "simd/dispatch.h"

namespace neardup::hamming {

RowIds::RowIds(base::UnsetVector<Row> first, const Copies& copies, std::uint64_t total_rows)
    : ids_(std::move(first)), first_list_(static_cast<RowsId>(total_rows)) {
  const std::size_t lists = copies.entries.size();
  if (total_rows + lists > UINT32_MAX) {
    throw Error(ErrorCode::limit,
                fmt::format("{} fingerprints, {} of them with copies, are too many for one join; join "
                            "them in parts",
                            total_rows, lists));
  }
  starts_.reserve(lists + 1);
  lists_.reserve(copies.rows.size() + lists);
  starts_.push_back(0);
  for (std::size_t number = 0; number < lists; ++number) {
    RowsId& id = ids_[copies.entries[number]];
    lists_.push_back(std::exchange(id, id_of_list(number)));
    const auto more = copies.of(number);
    lists_.insert(lists_.end(), more.begin(), more.end());
    starts_.push_back(static_cast<std::uint32_t>(lists_.size()));
  }
}

void RowPairs::add_copies(RowsId id) {
  const auto rows = ids_.list(id);
  for (std::size_t i = 0; i < rows.size() && !enough(); ++i) found_.add(rows[i], rows.subspan(i + 1), 0);
}

void RowPairs::send() {
  for (std::size_t i = 0; i < count_; ++i) {
    for (const RowsId id : {waiting_[i].a, waiting_[i].b}) {
      if (!ids_.one_row(id)) ids_.prefetch_list(id);
    }
  }
  for (std::size_t i = 0; i < count_; ++i) {
    const Row a = waiting_[i].a, b = waiting_[i].b;
    auto left = ids_.one_row(a) ? std::span(&a, 1) : ids_.list(a);
    auto right = ids_.one_row(b) ? std::span(&b, 1) : ids_.list(b);
    if (left.size() > right.size()) std::swap(left, right);
    for (const Row row : left) {
      if (enough()) break;
      found_.add(row, right, waiting_[i].distance);
    }
  }
  count_ = 0;
}

std::vector<std::uint64_t> pair_blocks(std::uint64_t varying, unsigned distance) {
  constexpr int kMostBits = 11;
  std::vector<std::uint64_t> blocks(distance + 1);
  for (std::size_t next = 0; varying != 0; varying &= varying - 1, next = (next + 1) % blocks.size()) {
    if (std::popcount(blocks[next]) < kMostBits) blocks[next] |= varying & (~varying + 1);
  }
  return blocks;
}

void PairBlocks::compare(std::span<const std::uint64_t> codes, std::span<const RowsId> ids) {
  const auto size = static_cast<std::uint32_t>(ids.size());
  pairs_.count_compared(std::uint64_t{size} * (size - 1) / 2);
  hits_.resize(std::max<std::size_t>(hits_.size(), std::size_t{4} * size + 8));
  neardup_pair_place place{0, 0};
  while (place.group == 0 && !pairs_.enough()) {
    const std::size_t hits =
        simd::kernels().near_pairs(codes.data(), &size, 1, &rule_, &place, hits_.data(), hits_.size());
    for (std::size_t h = 0; h < hits; ++h) {
      const std::uint32_t a = hits_[h].scan, b = hits_[h].posting;
      const std::uint64_t different = codes[a] ^ codes[b];
      const auto differs = [&](std::uint64_t mask) { return (different & mask) != 0; };
      if (!std::all_of(elsewhere_.begin(), elsewhere_.end(), differs)) continue;
      pairs_.add(ids[a], ids[b], static_cast<unsigned>(std::popcount(different)));
    }
  }
}

void PairBlocks::join(std::span<const std::uint64_t> codes, std::span<const RowsId> ids) {
  const std::size_t size = ids.size();
  if (size < 2) return;
  std::uint64_t varying = 0;
  for (std::size_t i = 1; i < size; ++i) varying |= codes[i] ^ codes[0];
  // Blocks of three bits and more thin out by more than they multiply.
  if (size <= kFew || static_cast<unsigned>(std::popcount(varying)) < 3 * (rule_.most + 1)) {
    compare(codes, ids);
    return;
  }
  CodeItems sorted;
  sorted.resize(size);
  const std::size_t known = elsewhere_.size();
  for (const std::uint64_t block : pair_blocks(varying, rule_.most)) {
    std::vector<std::uint32_t> keys(size), places((std::size_t{1} << std::popcount(block)) + 1);
    for (std::size_t i = 0; i < size; ++i) ++places[keys[i] = gathered(codes[i], block)];
    std::uint32_t sum = 0;
    for (auto& place : places) sum += std::exchange(place, sum);
    for (std::size_t i = 0; i < size; ++i) {
      const std::uint32_t place = places[keys[i]]++;
      sorted.codes[place] = codes[i];
      sorted.ids[place] = ids[i];
    }
    std::uint32_t first = 0;
    for (std::size_t k = 0; k + 1 < places.size() && !pairs_.enough(); ++k) {
      const std::uint32_t last = places[k];
      join(std::span(sorted.codes).subspan(first, last - first + CodeItems::kPastEnd),
           std::span(sorted.ids).subspan(first, last - first));
      first = last;
    }
    elsewhere_.push_back(block);
  }
  elsewhere_.resize(known);
}

}  // namespace neardup::hamming
