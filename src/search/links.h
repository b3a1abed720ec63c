// Who receives the pairs that a run finds, or is given?
#pragma once

#include <span>

#include "base/row.h"
#include "cluster/cluster.h"
#include "neardup/pair.h"
#include "search/pair_store.h"

namespace neardup::search {

// Links the units of pairs, and keeps the pairs where a store is given.
class LinkingSink final : public PairSink {
 public:
  LinkingSink(cluster::UnionFind& links, PairStore* pairs) : links_(links), pairs_(pairs) {}
  bool accept(std::span<const Pair> pairs) override {
    for (const Pair& pair : pairs)
      links_.unite(static_cast<std::uint32_t>(pair.left), static_cast<std::uint32_t>(pair.right));
    return pairs_ == nullptr || pairs_->accept(pairs);
  }

 private:
  cluster::UnionFind& links_;
  PairStore* pairs_;
};

}  // namespace neardup::search
