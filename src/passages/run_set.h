// Does one of a given set of runs of items begin here?
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "passages/window_hash.h"

namespace neardup::passages {

// Runs of items, found by hash and compared on their bytes. Each text is split into all its windows of `window` items;
// a shorter text is one run. Memory: the texts and some 50 bytes per window. Time of a search: linear in the items for
// each length that occurs; there are at most `window` of them. Threads: const members may run concurrently.
class RunSet {
 public:
  RunSet(unsigned window, char separator, std::uint64_t seed)
      : window_(window), separator_(separator), hasher_(window, seed) {}

  // Folded items with a separator between two.
  void add(std::string_view items);
  [[nodiscard]] bool empty() const { return runs_.empty(); }

  // By item: how many items the longest run has that begins there; 0: none does.
  void find(std::string_view text, const Items&, std::vector<std::uint32_t>& out) const;

 private:
  struct Run {
    std::uint32_t text, begin, size, next;  // next + 1 of those with the same hash; 0: none
  };
  [[nodiscard]] bool contains(std::uint64_t hash, std::string_view bytes) const;

  unsigned window_;
  char separator_;
  WindowHasher hasher_;
  std::vector<std::string> texts_;
  std::vector<unsigned> lengths_;
  std::vector<Run> runs_;
  std::unordered_map<std::uint64_t, std::uint32_t> first_;  // by hash: run + 1
};

}  // namespace neardup::passages
