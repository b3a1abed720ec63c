#include "join/shared_filter.h"

#include <algorithm>
#include <array>

namespace neardup::joins {
namespace {

constexpr std::uint64_t kBitsPerToken = 6;
constexpr std::size_t kBlocksAhead = 32;  // tokens whose blocks are on their way from memory

}  // namespace

SharedFilter::SharedFilter(unsigned sides, std::uint64_t expected_tokens, std::uint64_t most_bytes, Reservation memory)
    : sides_(sides),
      blocks_(
          std::max<std::uint64_t>(64, std::min(expected_tokens * kBitsPerToken / 64 + 1, most_bytes / sizeof(Block)))),
      memory_(std::move(memory)) {
  memory_.hold(blocks_.size() * sizeof(Block));
}

SharedFilter::Place SharedFilter::place(std::uint64_t token) const {
  const std::uint64_t hash = token * 0x9e3779b97f4a7c15u;
  const std::uint64_t low = hash ^ token >> 32;
  const auto bit = [&](unsigned shift) { return std::uint64_t{1} << (low >> shift & 63); };
  return {static_cast<std::uint64_t>((static_cast<unsigned __int128>(hash) * blocks_.size()) >> 64),
          bit(0) | bit(6) | bit(12)};
}

void SharedFilter::add(unsigned side, std::span<const std::uint64_t> set) {
  std::uint64_t shared = 0, distinct_shared = 0;
  std::array<Place, kBlocksAhead> places;
  const auto announce = [&](std::size_t i) {
    const Place& at = places[i % kBlocksAhead] = place(set[i]);
    __builtin_prefetch(&blocks_[at.block], 1);
  };
  for (std::size_t i = 0; i < std::min(kBlocksAhead, set.size()); ++i) announce(i);
  for (std::size_t i = 0; i < set.size(); ++i) {
    const Place at = places[i % kBlocksAhead];
    if (i + kBlocksAhead < set.size()) announce(i + kBlocksAhead);
    Block& block = blocks_[at.block];
    // All bits of a token are set in one step, so of two threads that bring the same token one sees the other's.
    const auto mark = [&](std::uint64_t& plane) {
      const std::atomic_ref<std::uint64_t> word(plane);
      std::uint64_t before = word.load(std::memory_order_relaxed);
      if ((before & at.bits) != at.bits) before = word.fetch_or(at.bits, std::memory_order_relaxed);
      return (before & at.bits) == at.bits;
    };
    if (sides_ == 1) {
      if (!mark(block.planes[0])) continue;
      ++shared;
      distinct_shared += mark(block.planes[1]) ? 0 : 1;
    } else {
      distinct_shared += mark(block.planes[side]) ? 0 : 1;
      ++shared;
    }
  }
  shared_.fetch_add(shared, std::memory_order_relaxed);
  distinct_shared_.fetch_add(distinct_shared, std::memory_order_relaxed);
}

void SharedFilter::save(base::StateWriter& out) const {
  out.value(shared_.load());
  out.value(distinct_shared_.load());
  out.array(std::span<const Block>(blocks_));
}

void SharedFilter::load(base::StateReader& in, std::uint64_t tokens) {
  shared_ = in.value<std::uint64_t>();
  distinct_shared_ = in.value<std::uint64_t>();
  if (shared_ > tokens || distinct_shared_ > shared_) in.fail();
  in.array(std::span(blocks_.data(), blocks_.size()));
}

bool SharedFilter::keep_shared(unsigned side, std::span<const std::uint64_t> set, std::uint64_t least,
                               std::vector<std::uint64_t>& shared) const {
  if (set.size() < least) return false;
  const std::size_t most_missing = set.size() - least;
  const unsigned plane = sides_ == 1 ? 1 : 1 - side;
  std::array<Place, kBlocksAhead> places;
  const auto announce = [&](std::size_t i) {
    const Place& at = places[i % kBlocksAhead] = place(set[i]);
    __builtin_prefetch(&blocks_[at.block]);
  };
  shared.resize(set.size());
  std::size_t kept = 0;
  for (std::size_t i = 0; i < std::min(kBlocksAhead, set.size()); ++i) announce(i);
  // Most sets are dismissed by the first of their tokens, so it is worth asking now and then.
  for (std::size_t i = 0; i < set.size(); ++i) {
    if (i % kBlocksAhead == 0 && i - kept > most_missing) return false;
    const Place at = places[i % kBlocksAhead];
    if (i + kBlocksAhead < set.size()) announce(i + kBlocksAhead);
    shared[kept] = set[i];
    kept += (blocks_[at.block].planes[plane] & at.bits) == at.bits ? 1 : 0;
  }
  shared.resize(kept);
  return kept >= least;
}

}  // namespace neardup::joins
