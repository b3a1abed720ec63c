// The documents of a result and of a truth by number, and the groups that both make of them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "neardup/evaluate.h"

namespace neardup::evaluation {

using DocumentPair = std::pair<std::uint32_t, std::uint32_t>;  // the smaller number first

// A pair with its strength: larger is stronger; of a repeated pair the strongest counts.
struct ScoredPair {
  DocumentPair pair;
  std::optional<double> strength;
};

// Numbers names in alphabetical order. Sorted, not hashed: hostile names cost no more than others.
class NameNumbers {
 public:
  NameNumbers(const Grouping& first, const Grouping& second);  // both must outlive this
  [[nodiscard]] std::size_t size() const { return names_.size(); }
  [[nodiscard]] std::uint32_t operator[](std::string_view name) const;  // which must be there
  [[nodiscard]] std::optional<std::uint32_t> find(std::string_view name) const;
  [[nodiscard]] std::string_view name(std::uint32_t number) const { return names_[number]; }

 private:
  std::vector<std::string_view> names_;
};

// One side, by number.
struct NumberedGrouping {
  Grouping::Kind kind;
  std::vector<std::uint32_t> group;  // by document, from 0; documents that are not named are alone
  std::vector<bool> is_named;
  std::vector<ScoredPair> pairs;         // of Kind::pairs, those that belong together: each once, ascending
  std::vector<DocumentPair> different;   // those that do not
  std::vector<std::string_view> labels;  // of groups, for Kind::clusters; empty: none
  bool scores_are_distances = false;
  std::uint64_t repeated = 0;        // documents that were in several clusters
  std::uint64_t contradictions = 0;  // pairs that belong together and do not: in neither list

  NumberedGrouping(const Grouping&, const NameNumbers&);
  [[nodiscard]] bool judges_only_listed() const { return !different.empty(); }

 private:
  void take_clusters(const Grouping&, const NameNumbers&);
  void take_pairs(const Grouping&, const NameNumbers&);
};

}  // namespace neardup::evaluation
