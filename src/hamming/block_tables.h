// What do tables of permuted fingerprints have in common, whether compressed or not?
//
// Idea: cut the bits into blocks. Two fingerprints that differ in at most k bits agree in all but k blocks at most. So
// each table moves some blocks to the front and is sorted: fingerprints that agree with a query there are adjacent.
// Every choice of blocks has its table, and one of them has every match in such a run. (Manku, Jain, Das Sarma 2007,
// section 3.1.)
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/system.h"
#include "hamming/limits.h"
#include "hamming/plan.h"
#include "hamming/sorted_codes.h"
#include "neardup/hamming.h"

namespace neardup::hamming {

// Moves bits to other places, block by block.
template <class Code>
class Permutation {
 public:
  Permutation() = default;
  // Bit from[i] goes to bit to[i]. Both name every bit once.
  Permutation(std::span<const unsigned> from, std::span<const unsigned> to) {
    for (std::size_t i = 0; i < from.size(); ++i) {
      const unsigned turn = (to[i] + kCodeBits<Code> - from[i]) % kCodeBits<Code>;
      const auto move = std::ranges::find(moves_, turn, &Move::turn);
      Move& mine = move != moves_.end() ? *move : moves_.emplace_back(Move{.mask = 0, .turn = turn});
      mine.mask |= Code{1} << from[i];
    }
  }

  Code operator()(Code code) const {
    Code result = 0;
    for (const Move& move : moves_) {
      const Code part = code & move.mask;
      result |= move.turn == 0 ? part : part << move.turn | part >> (kCodeBits<Code> - move.turn);
    }
    return result;
  }

 private:
  struct Move {  // what goes equally far to the left, around the end
    Code mask;
    unsigned turn;
  };
  std::vector<Move> moves_;
};

// How one table sees fingerprints.
template <class Code>
struct TableView {
  Permutation<Code> permute, restore;
  Code leading_bits = 0;  // which bits of a plain fingerprint lead here
  Code after = 0;         // which bits of a permuted one come after the leading ones

  // Bits that the order does not name come last: tables for narrower fingerprints are right for wider ones, too.
  explicit TableView(const TablePlan::Table& table) {
    std::vector<unsigned> from = table.order, to;
    for (unsigned bit = kCodeBits<Code>; bit-- > 0;) {
      if (std::ranges::find(table.order, bit) == table.order.end()) from.push_back(bit);
      to.push_back(bit);
    }
    permute = Permutation<Code>(from, to);
    restore = Permutation<Code>(to, from);
    for (unsigned i = 0; i < table.leading; ++i) leading_bits |= Code{1} << table.order[i];
    after = table.leading == 0 ? ~Code{0} : static_cast<Code>(~permute(leading_bits));
  }
};

template <class Code>
std::vector<TableView<Code>> table_views(const TablePlan& plan) {
  return {plan.tables.begin(), plan.tables.end()};
}

// A match is sent by the lowest table that can see it. Precondition: table `number` can.
template <class Code>
bool owns(std::span<const TableView<Code>> views, std::size_t number, Code difference) {
  return std::none_of(views.begin(), views.begin() + static_cast<std::ptrdiff_t>(number),
                      [&](const TableView<Code>& view) { return (difference & view.leading_bits) == 0; });
}

// The plan that the options ask for. `sorted` are the different fingerprints, ascending. Blocks are cut from the bits
// in use: fingerprints of 32 bits get tables for 32 bits. Throws Error{usage} and Error{limit}.
template <class Code>
TablePlan plan_for(std::string_view kind, std::span<const Code> sorted, const HammingOptions& options,
                   const TableSizes& sizes, const Context& context) {
  unsigned width = kCodeBits<Code>;
  if (!sorted.empty()) {
    constexpr unsigned kLeastWidth = 32;  // room for any sensible number of blocks
    while (width > kLeastWidth && sorted.back() >> (width - 8) == 0) width -= 8;
  }
  if (options.design == "plan") {
    const std::uint64_t allowed = options.memory_bytes != 0 ? options.memory_bytes : base::memory_bytes(context);
    return choose_plan(kind, sorted.size(), width, options.distance, allowed, sizes).plan;
  }
  TablePlan plan = design_by_name(options.design, width, options.distance);
  check_memory(kind, sizes.of(plan.tables.size()), options.memory_bytes);
  return plan;
}

// The only table of a plan without any: what everything is compared with.
template <class Code>
TablePlan::Table plain_table() {
  TablePlan::Table table;
  for (unsigned bit = kCodeBits<Code>; bit-- > 0;) table.order.push_back(bit);
  return table;
}

// Why a search compares everything; empty when it need not.
std::string why_compare_all(const TablePlan& plan, unsigned made_for, unsigned distance);

// The design, for people.
std::string describe_plan(const TablePlan&);

}  // namespace neardup::hamming
