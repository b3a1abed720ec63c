// In which parts do sets meet that do not fit into memory together, and what will that cost?
//
// Sets are cut into parts by their size, and a part meets all parts before it whose sizes can match. The less memory
// there is, the more parts there are, and the more often each of them is loaded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "neardup/similarity.h"

namespace neardup::search {

// Sets of one size, or a single one. `tokens` are those that come into memory.
struct SizedSets {
  std::uint32_t size = 0;
  std::uint64_t sets = 0, tokens = 0;
  // What loading and joining them takes: SetBuilder::bytes_for() with two different ones among three tokens.
  [[nodiscard]] std::uint64_t bytes() const {
    constexpr std::uint64_t kBytesPerToken = 28, kBytesPerSet = 64;
    return tokens * kBytesPerToken + sets * kBytesPerSet;
  }
};

struct SetPart {
  std::uint64_t sets = 0, bytes = 0;
  std::uint32_t least_size = 0, largest_size = 0;
};

// A part and those of [first, last), all of them before it.
struct PartMeeting {
  std::size_t part, first, last;
  bool with_itself;
};

// Cuts sets into parts: add() one after the other, in ascending order of size.
class PartCutter {
 public:
  explicit PartCutter(std::uint64_t meeting_bytes) : most_bytes_(meeting_bytes / kPartsInAMeeting) {}
  // Returns the part that the sets belong to.
  std::size_t add(const SizedSets&);
  [[nodiscard]] const std::vector<SetPart>& parts() const { return parts_; }

 private:
  static constexpr std::uint64_t kPartsInAMeeting = 4;
  std::uint64_t most_bytes_;
  std::vector<SetPart> parts_;
};

// Meetings in which every two sets that can match are in memory together once. A meeting takes at most this many bytes,
// unless two parts alone take more.
std::vector<PartMeeting> plan_meetings(std::span<const SetPart>, const Verifier&, std::uint64_t meeting_bytes);

// How many sets all meetings load together.
std::uint64_t loaded_sets(std::span<const SetPart>, std::span<const PartMeeting>);

// The least memory for a meeting, in whole mebibytes, with which sets are loaded no more than kMostLoads times each, or
// so few of them that it does not matter.
// `sets` are in ascending order of size.
inline constexpr std::uint64_t kMostLoads = 32;
std::uint64_t least_meeting_bytes(std::span<const SizedSets> sets, const Verifier&);

}  // namespace neardup::search
