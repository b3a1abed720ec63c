// Which windows certainly stand at one place only, when there are too many of them to remember?
//
// Two bits for each slot: seen, and seen again. A window that stands at two places is always recognised; one that does
// not may be taken for such, which costs memory later and changes no answer.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <span>
#include <utility>

#include "base/zeroed_array.h"
#include "neardup/memory.h"

namespace neardup::passages {

class RepeatFilter {
 public:
  // For about this many windows, in at most so many bytes.
  RepeatFilter(std::uint64_t windows, std::size_t most_bytes, Reservation memory)
      : words_(words_for(windows, most_bytes)),
        shift_(64 - std::countr_zero(words_.size())),
        memory_(std::move(memory)) {
    memory_.hold(words_.size() * sizeof(std::uint64_t));
  }

  // Threads: may run concurrently with itself.
  void add(std::span<const std::uint64_t> windows) {
    constexpr std::size_t kAhead = 16;
    for (std::size_t i = 0; i < windows.size(); ++i) {
      if (i + kAhead < windows.size()) __builtin_prefetch(&words_[word(windows[i + kAhead])], 1);
      const std::uint64_t seen = seen_bit(windows[i]);
      std::atomic_ref<std::uint64_t> bits(words_[word(windows[i])]);
      const std::uint64_t before = bits.load(std::memory_order_relaxed);
      if ((before & seen << 1) != 0) continue;
      if ((bits.fetch_or(seen, std::memory_order_relaxed) & seen) != 0)
        bits.fetch_or(seen << 1, std::memory_order_relaxed);
    }
  }

  // After the last add(). Threads: may run concurrently.
  [[nodiscard]] bool may_repeat(std::uint64_t window) const {
    return (words_[word(window)] & seen_bit(window) << 1) != 0;
  }
  void prefetch(std::uint64_t window) const { __builtin_prefetch(&words_[word(window)]); }

 private:
  static std::size_t words_for(std::uint64_t windows, std::size_t most_bytes) {
    constexpr std::size_t kLeast = std::size_t{1} << 10;
    const std::uint64_t wanted = std::bit_ceil(windows / 8 + 1);  // 4 slots per window, 32 in a word
    const std::uint64_t most = std::bit_floor(std::max<std::uint64_t>(most_bytes / sizeof(std::uint64_t), kLeast));
    return static_cast<std::size_t>(std::clamp<std::uint64_t>(wanted, kLeast, most));
  }
  [[nodiscard]] std::size_t word(std::uint64_t window) const { return static_cast<std::size_t>(window >> shift_); }
  static std::uint64_t seen_bit(std::uint64_t window) { return std::uint64_t{1} << 2 * (window & 31); }

  base::ZeroedArray<std::uint64_t> words_;
  unsigned shift_;
  Reservation memory_;
};

}  // namespace neardup::passages
