// What people decided about documents (DedupOptions::decisions), and what follows for units, pairs and keep order.
//
// The file has a JSON object per line, as the page of an index exports them: "kind", "a" and, for separate and same,
// "b". Of several decisions about the same two documents the last one counts.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dedup/find.h"
#include "dedup/plan.h"
#include "dedup/read.h"
#include "report/run_frame.h"

namespace neardup::dedup {

struct NamedDecisions {
  using Names = std::pair<std::string, std::string>;  // in ascending order
  std::vector<Names> separate, same;
  std::vector<std::string> keep;
};
// `path` is used in messages. Throws Error{input} that names the line.
NamedDecisions parse_decisions(std::string_view lines, const std::string& path);
// Of DedupOptions::decisions; none where that is empty.
NamedDecisions read_decisions(const DedupOptions&, const Context&);

// Applies decisions to what was read and found, before anything is clustered: a document that is separated from another
// or joined with it becomes a unit of its own; pairs that are separated are left out, pairs that are joined get the
// score NaN unless they meet the definition; chosen documents are preferred. Returns the number of pairs with NaN.
std::uint64_t apply_decisions(const NamedDecisions&, const Plan&, Reading&, FindResult&, report::RunFrame&,
                              const Context&);

}  // namespace neardup::dedup
