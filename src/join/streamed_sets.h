// How do sets whose tokens wait in streams become ordered sets?
//
// Partition by partition, each with tables that fit the second-level cache: first it is found out which tokens occur
// twice, roughly, and how many of them each set has; sets that have too few for any partner are left out. Then the
// tokens of the other sets are counted exactly and ranked by rarity. Last, the ranks are brought back from partitions
// to sets, some sets at a time, for which streams need not be searched: they are in the order of the sets.
//
// Memory: four bytes a shared token and 40 bytes a set beside the streams; on several threads four bytes a set each.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "join/ordered_sets.h"
#include "join/token_streams.h"
#include "neardup/context.h"

namespace neardup::joins {

// What a join knows of a set besides its tokens.
struct SetFacts {
  std::uint32_t number, full_size;
  std::uint64_t least;  // the smallest overlap with any partner
};

class StreamedSets {
 public:
  // Counts what is shared. `facts(side, number)` is asked for sets that share something, by the number that the
  // writer gave, in ascending order. The streams must last as long.
  StreamedSets(TokenStreams&, const std::function<SetFacts(unsigned side, std::uint32_t number)>& facts,
               const Context&);

  // What ordering and then joining takes beside the streams.
  [[nodiscard]] std::uint64_t bytes_needed() const;
  // Once; empties the streams. The seed keeps a hostile choice of tokens from crowding one place of a table.
  [[nodiscard]] OrderedSets order(std::uint64_t seed);

 private:
  // Tokens of about the same frequency, rarest first.
  static constexpr std::size_t kClasses = 144;
  using ClassSizes = std::array<std::uint32_t, kClasses>;
  static std::size_t class_of(std::uint32_t count);

  struct Planes;
  struct Group;
  [[nodiscard]] std::vector<std::uint32_t> count_shared() const;
  void choose(std::span<const std::uint32_t> shared,
              const std::function<SetFacts(unsigned side, std::uint32_t number)>& facts);
  void group(std::size_t partition, std::uint64_t seed, Group&);
  [[nodiscard]] Rank rank_classes();
  void collect_ranks(std::uint32_t first, std::uint32_t last, Rank* tokens);

  TokenStreams& streams_;
  Context context_;
  std::array<std::uint64_t, 2> first_number_{};  // of each side in id_
  std::uint64_t numbers_ = 0;
  std::vector<std::uint32_t> id_;  // by number, those of side 1 behind those of side 0: place in sets_, or kNone
  std::vector<OrderedSets::Member> sets_;
  std::uint64_t tokens_ = 0;          // room for those of all sets
  std::vector<ClassSizes> classes_;   // by partition: how many tokens
  std::vector<ClassSizes> rank_add_;  // by partition: what makes the rank of a token of its place in the partition
};

}  // namespace neardup::joins
