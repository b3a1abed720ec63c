// Who receives the pairs that a run finds, or is given?
#pragma once

#include <span>

#include "cluster/cluster.h"
#include "search/pair_store.h"
#include "corpus/units.h"
#include "neardup/pair.h"

namespace neardup::search {

// Takes the pairs of an exact search.
class LinkingSink final : public PairSink {
 public:
  LinkingSink(cluster::UnionFind& links, PairStore* pairs) : links_(links), pairs_(pairs) {}
  bool accept(std::span<const Pair> pairs) override {
    for (const Pair& pair : pairs) links_.unite(static_cast<Unit>(pair.left), static_cast<Unit>(pair.right));
    if (pairs_ != nullptr) pairs_->accept(pairs);
    return true;
  }

 private:
  cluster::UnionFind& links_;
  PairStore* pairs_;
};

// Renames rows to their units.
class RowsToUnits final : public PairSink {
 public:
  RowsToUnits(const corpus::UnitTable& table, PairSink& sink) : table_(table), sink_(sink) {}
  bool accept(std::span<const Pair> pairs) override {
    for (const Pair& pair : pairs) {
      const Pair renamed{table_.unit_of_row[pair.left], table_.unit_of_row[pair.right], pair.score};
      if (!sink_.accept({&renamed, 1})) return false;
    }
    return true;
  }

 private:
  const corpus::UnitTable& table_;
  PairSink& sink_;
};

}  // namespace neardup::search
