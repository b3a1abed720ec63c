// How do sets of arbitrary tokens become ordered sets?
//
// encode() replaces tokens by numbers, on any thread and in any order; add() keeps the encoded set; finish() ranks the
// tokens by rarity, drops what no other set shares and sorts sets and tokens.
//
// Memory: four bytes a token, 24 bytes a set, and the dictionary, which is gone after finish().
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "join/ordered_sets.h"
#include "join/token_dictionary.h"
#include "neardup/context.h"

namespace neardup::joins {

class SetBuilder {
 public:
  struct Expected {
    unsigned sides = 1;
    std::uint64_t distinct_tokens = 0;  // of those that will be encoded; a few more fit
    std::uint64_t tokens = 0;
    std::uint64_t sets = 0;
    std::uint64_t seed = 0;   // any number that depends on the data
    bool may_repeat = false;  // OrderedSets::may_repeat()
  };
  explicit SetBuilder(const Expected&);
  // What building and then joining so many sets takes: the dictionary, and after it an index.
  static std::uint64_t bytes_for(const Expected&);

  using Slot = TokenDictionary::Slot;
  // Appends to `out`. False when there are more different tokens than expected: begin again with a larger builder.
  // Threads: may run concurrently, also with add().
  bool encode(unsigned side, std::span<const std::uint64_t> tokens, std::vector<Slot>& out) {
    return dictionary_->encode(side, tokens, out);
  }
  // `full_size` counts also tokens that were not encoded because no other set shares them. Sets are distinct within a
  // side.
  void add(unsigned side, std::uint32_t number, std::uint32_t full_size, std::span<const Slot> slots);

  [[nodiscard]] OrderedSets finish(const Context&);

 private:
  void rank_tokens(const Context&);

  unsigned sides_;
  bool may_repeat_;
  std::optional<TokenDictionary> dictionary_;
  OrderedSets::Ranks tokens_;  // slots of all sets; later those of a set that have a rank come first, as ranks
  std::vector<OrderedSets::Member> sets_;
  Rank universe_ = 0;
};

}  // namespace neardup::joins
