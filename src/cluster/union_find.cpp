#include <fmt/format.h>

#include <atomic>
#include <numeric>
#include <utility>

#include "cluster/cluster.h"
#include "neardup/error.h"

namespace neardup::cluster {
namespace {

constexpr std::uint64_t kMaxUnits = std::uint64_t{1} << 32;

// Relaxed order suffices: a parent only ever changes to a smaller ancestor, so a stale one still lies on the way to the
// root, and a link is made only if its compare-and-swap finds the root still to be one.
std::uint32_t current(std::uint32_t& cell) { return std::atomic_ref{cell}.load(std::memory_order_relaxed); }

bool replace(std::uint32_t& cell, std::uint32_t expected, std::uint32_t desired) {
  return std::atomic_ref{cell}.compare_exchange_strong(expected, desired, std::memory_order_relaxed);
}

}  // namespace

UnionFind::UnionFind(std::size_t size) {
  if (size > kMaxUnits) throw Error{ErrorCode::limit, fmt::format("{} documents to cluster: at most 2^32 fit", size)};
  parent_.resize(size);
  std::iota(parent_.begin(), parent_.end(), 0u);
}

std::uint32_t UnionFind::find(std::uint32_t x) {
  while (true) {
    const std::uint32_t parent = current(parent_[x]);
    if (parent == x) return x;
    const std::uint32_t grandparent = current(parent_[parent]);
    if (grandparent != parent) replace(parent_[x], parent, grandparent);  // halves the path; losing a race is harmless
    x = grandparent;
  }
}

void UnionFind::load(base::StateReader& in) {
  in.array(std::span(parent_));
  for (std::size_t x = 0; x < parent_.size(); ++x) {
    if (parent_[x] > x) in.fail();
  }
}

bool UnionFind::unite(std::uint32_t a, std::uint32_t b) {
  while (true) {
    a = find(a);
    b = find(b);
    if (a == b) return false;
    if (b < a) std::swap(a, b);
    if (replace(parent_[b], b, a)) return true;
  }
}

}  // namespace neardup::cluster
