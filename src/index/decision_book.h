// What have people decided about documents, by key?
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "index/ledger.h"
#include "neardup/index.h"

namespace neardup::indexing {

// Threads: one at a time.
class DecisionBook {
 public:
  // All that a store has.
  void load(const StoreView&);
  void add(const Decision&);
  void remove(const Decision&);

  // Whether a decision separates this document from another one: it is then a unit of its own.
  [[nodiscard]] bool is_solo(std::string_view key) const { return separated_.find(key) != separated_.end(); }
  [[nodiscard]] bool is_chosen(std::string_view key) const { return chosen_.find(key) != chosen_.end(); }
  // Whether the pair of two units counts.
  [[nodiscard]] bool allows(const LedgerView&, UnitId a, UnitId b) const;

 private:
  // Several decisions may say the same.
  using Keys = std::multiset<std::string, std::less<>>;
  std::map<std::string, Keys, std::less<>> separated_;
  Keys chosen_;
};

std::vector<Decision> all_decisions(const StoreView&);

}  // namespace neardup::indexing
