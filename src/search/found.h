// What a search leaves behind.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "base/state.h"
#include "cluster/cluster.h"
#include "neardup/dedup.h"
#include "neardup/pair.h"
#include "search/pair_store.h"
#include "search/set_store.h"

namespace neardup::search {

// What the rest of the run needs from the search.
enum class Wanted {
  connections,  // only which units are connected: candidates between connected units are not verified
  all_pairs,
};

struct Found {
  // Nothing found so far, with room for pairs where they are wanted.
  Found(std::size_t units, Wanted, const Context&);

  std::unique_ptr<SetStore> sets;    // of units that may have a partner; null after an exact search
  std::unique_ptr<PairStore> pairs;  // of units; null when only connections were wanted
  std::unique_ptr<cluster::UnionFind> links;
  Reservation memory;  // for the links
  std::uint64_t candidates = 0;
  std::string parameters;  // of the finder, or the algorithm
  std::optional<Recall> recall;

  void save(base::StateWriter&) const;  // all but the sets
  void load(base::StateReader&);        // into one of the same size that was given nothing yet
};

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

// Whether all of them are.
bool are_connected(cluster::UnionFind& links, std::span<const DocId> units);

void save_recall(base::StateWriter&, const std::optional<Recall>&);
std::optional<Recall> load_recall(base::StateReader&);

}  // namespace neardup::search
