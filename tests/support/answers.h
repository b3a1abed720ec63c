// What a run says of its rows.
#pragma once

#include <cmath>
#include <sstream>
#include <string>

#include "neardup/dedup.h"

namespace neardup::test {

// Everything that a result says of rows, as text: two of them are equal or show where they differ.
inline std::string answer(const DedupResult& result) {
  std::ostringstream out;
  for (std::size_t row = 0; row < result.clusters.rows(); ++row) {
    out << row << ": " << static_cast<int>(result.clusters.status(row)) << " for "
        << result.clusters.representative(row);
    if (!result.scores.empty() && !std::isnan(result.scores[row])) out << " at " << result.scores[row];
    out << '\n';
  }
  for (const AgainstMatch& match : result.against)
    out << match.row << " near " << match.other << " " << match.score << '\n';
  if (result.for_each_pair) {
    result.for_each_pair(
        [&](const neardup::Pair& pair) { out << pair.left << "-" << pair.right << " " << pair.score << '\n'; });
  }
  const DedupReport& report = result.report;
  out << report.records << " " << report.text_bytes << " " << report.without_features << " " << report.repaired_texts
      << " " << report.repeated_ids << " " << report.bad.count << " " << report.kept << " " << report.copies << " "
      << report.against.removed << " " << report.finder.name << '\n';
  for (const Example& example : report.examples)
    out << example.removed_key << " " << example.removed_text << " / " << example.kept_key << " " << example.kept_text
        << '\n';
  return out.str();
}

}  // namespace neardup::test
