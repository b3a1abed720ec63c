// Which of the pairs that meet at a token are partners?
//
// A pair that shares several tokens of its prefixes meets at each of them and belongs to the first.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "base/system.h"
#include "join/algorithms.h"
#include "join/ordered_sets.h"
#include "join/reporting.h"
#include "simd/dispatch.h"
#include "similarity/measures.h"

namespace neardup::joins {

// A set that has a token at this position, hidden ones included; kFar represents this position and all beyond.
struct Occurrence {
  static constexpr std::uint32_t kFar = 0xffff;

  Place place;
  std::uint32_t size, position;
};

// Pairs wait until there are some, so that their tokens are on their way from memory when their turn comes. One a
// thread.
template <similarity::SetMeasure M>
class Candidates {
 public:
  explicit Candidates(const SetJoin& join)
      : sets_(join.sets), context_(join.context), threshold_(join.options.threshold), kernels_(simd::kernels()) {
    waiting_.reserve(kWaiting);
  }

  void add(Rank token, const Occurrence& x, const Occurrence& y, Reporter<M>& reporter) {
    const std::uint64_t need = M::min_overlap(x.size, y.size, threshold_);
    if (x.size - x.position < need || y.size - y.position < need) return;
    ++within_positions_;
    sets_.prefetch(x.place);
    sets_.prefetch(y.place);
    waiting_.push_back({x.place, y.place, token, x.position, y.position, static_cast<std::uint32_t>(need)});
    if (waiting_.size() == kWaiting) verify(reporter);
  }

  // Throws Error{interrupted} when the context asks to stop.
  void verify(Reporter<M>& reporter) {
    base::check_stop(context_);
    for (std::size_t c = 0; c < waiting_.size(); ++c) {
      if (c + kAhead < waiting_.size()) prefetch(waiting_[c + kAhead]);
      const Waiting& pair = waiting_[c];
      const auto x = sets_.tokens(pair.x), y = sets_.tokens(pair.y);
      const std::size_t i = index(pair.x, pair.x_position, pair.token), j = index(pair.y, pair.y_position, pair.token);
      if (share_recent(x.first(i), y.first(j)) || !reporter.wanted(pair.x, pair.y) ||
          share_any(x.first(i), y.first(j))) {
        continue;
      }
      ++verified_;
      const std::size_t common =
          kernels_.overlap32(x.data() + i + 1, x.size() - i - 1, y.data() + j + 1, y.size() - j - 1, pair.need - 1);
      if (common == SIZE_MAX || common + 1 < pair.need) continue;
      reporter.report(pair.x, pair.y, common + 1);
    }
    waiting_.clear();
  }

  // Of no more interest.
  void drop() { waiting_.clear(); }

  // How many had enough tokens left, and how many of them were verified, each pair once.
  [[nodiscard]] std::uint64_t within_positions() const { return within_positions_; }
  [[nodiscard]] std::uint64_t verified() const { return verified_; }

 private:
  struct Waiting {
    Place x, y;
    Rank token;
    std::uint32_t x_position, y_position, need;
  };
  static constexpr std::size_t kWaiting = 512, kAhead = 16;

  void prefetch(const Waiting& pair) const {
    prefetch(pair.x, pair.x_position);
    prefetch(pair.y, pair.y_position);
  }
  void prefetch(Place place, std::uint32_t position) const {
    const std::uint32_t hidden = sets_.hidden(place);
    if (position >= hidden) __builtin_prefetch(sets_.tokens(place).data() + (position - hidden));
  }

  // Where the token is among the visible ones.
  [[nodiscard]] std::size_t index(Place place, std::uint32_t position, Rank token) const {
    if (position != Occurrence::kFar) return position - sets_.hidden(place);
    const auto tokens = sets_.tokens(place);
    return static_cast<std::size_t>(std::lower_bound(tokens.begin(), tokens.end(), token) - tokens.begin());
  }

  // Near copies meet at almost all tokens of their prefixes, and mostly share one of those just before.
  static bool share_recent(std::span<const Rank> a, std::span<const Rank> b) {
    constexpr int kSteps = 8;
    std::size_t i = a.size(), j = b.size();
    for (int step = 0; step < kSteps && i > 0 && j > 0; ++step) {
      if (a[i - 1] == b[j - 1]) return true;
      (a[i - 1] > b[j - 1] ? i : j) -= 1;
    }
    return false;
  }

  [[nodiscard]] bool share_any(std::span<const Rank> a, std::span<const Rank> b) const {
    const std::size_t common = kernels_.overlap32(a.data(), a.size(), b.data(), b.size(), 1);
    return common != SIZE_MAX && common > 0;
  }

  const OrderedSets& sets_;
  const Context& context_;
  Threshold threshold_;
  const neardup_kernels& kernels_;
  std::vector<Waiting> waiting_;
  std::uint64_t within_positions_ = 0, verified_ = 0;
};

}  // namespace neardup::joins
