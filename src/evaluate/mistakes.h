// Where do a result and the truth disagree most?
#pragma once

#include <cstdint>
#include <vector>

#include "evaluate/documents.h"
#include "evaluate/partition.h"

namespace neardup::evaluation {

// A result beside the truth, for the documents that are evaluated.
struct Compared {
  Compared(const NumberedGrouping& of_truth, const NumberedGrouping& of_result, const NameNumbers& of_documents);

  const NumberedGrouping& truth;
  const NumberedGrouping& found;
  const NameNumbers& names;
  std::vector<bool> is_in;               // by document: it is evaluated
  std::vector<std::uint32_t> documents;  // those, ascending
  Contingency table;                     // its documents are places in `documents`

  [[nodiscard]] bool has_both(const DocumentPair& pair) const { return is_in[pair.first] && is_in[pair.second]; }
  // Whether each side says that the two belong together.
  [[nodiscard]] bool is_found(const DocumentPair&) const;
  [[nodiscard]] bool is_true(const DocumentPair&) const;
  [[nodiscard]] std::uint32_t first_of(const Cell& cell) const { return documents[cell.first]; }
};

struct MistakeList {
  std::vector<Mistake> shown{};  // the worst first
  std::uint64_t in_all = 0;
};
MistakeList false_merges(const Compared&, std::size_t shown);
MistakeList misses(const Compared&, std::size_t shown);

}  // namespace neardup::evaluation
