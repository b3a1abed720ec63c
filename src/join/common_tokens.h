// Which tokens do too many sets have, and how are they taken out of the streams?
//
// The streams have all occurrences of a token in one partition, so each partition is counted exactly by itself, with a
// table that fits the second-level cache, and written back without its common tokens.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/row.h"
#include "features/ignored_features.h"
#include "join/token_streams.h"
#include "neardup/context.h"

namespace neardup::joins {

// A token that was left out of the sets of a group.
struct CommonToken {
  std::uint64_t token;
  features::Group group;
  std::uint64_t sets;  // that have it and count
  std::uint32_t side;  // of the first unit that lost it
  Unit unit;
};

// What is known of the sets of one side.
struct CountedSets {
  std::span<const Unit> unit_of_number;  // by the number in the streams; the rest is by unit
  std::size_t units;
  std::span<const features::Group> group;     // empty: all are in group 0
  std::span<const std::uint8_t> is_repeated;  // 1: on another side too, and counted there; empty: none is
};

struct CommonTokensRequest {
  std::vector<CountedSets> sides;
  // How many sets of a group may have a token that stays. Sorted by group; none: only listed tokens are left out.
  std::vector<std::pair<features::Group, std::uint64_t>> most_of_group;
  const features::IgnoredFeatures* listed = nullptr;  // left out anyway
};

struct CommonTokens {
  std::vector<CommonToken> tokens;                  // in any order
  std::vector<std::vector<std::uint32_t>> removed;  // by side and unit: how many tokens
};

// Takes them out of complete streams.
CommonTokens drop_common_tokens(TokenStreams&, const CommonTokensRequest&, const Context&);

}  // namespace neardup::joins
