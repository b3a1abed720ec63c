// Where exactly is a text cut, when these of its items are to go?
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "neardup/trim.h"
#include "passages/scanner.h"
#include "passages/units.h"

namespace neardup::passages {

ItemKind kind_of(const TrimUnit&);

struct CutRange {
  std::uint32_t from = 0, to = 0;  // bytes of the text
  std::uint32_t items = 0;
  std::uint32_t piece = 0;   // of those given
  std::uint32_t begins = 0;  // where in the text the passage of that piece begins
};

// Cuts become smaller where a border would lie within a character (a mark or joiner included) or within a tag, and with
// CutAt::sentence or line; never larger. Neighbouring pieces share a border. Time is linear in the text.
std::vector<CutRange> cut_ranges(std::string_view text, const TrimUnit&, CutAt, const std::vector<CutPiece>&);

// Leaves out runs of neighbouring pieces that together have more items than this.
void drop_long_runs(std::vector<CutPiece>&, std::uint64_t most_items);

}  // namespace neardup::passages
