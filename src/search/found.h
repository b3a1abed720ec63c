// What a search leaves behind.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/state.h"
#include "cluster/cluster.h"
#include "neardup/dedup.h"
#include "search/pair_store.h"
#include "search/set_store.h"

namespace neardup::search {

// What the rest of the run needs from the search.
enum class Wanted {
  connections,  // only who is connected with whom: candidates between connected units are not verified
  all_pairs,
};

struct Found {
  // Nothing found so far, with room for pairs where they are wanted.
  Found(std::size_t units, Wanted, const Context&);

  std::unique_ptr<SetStore> sets;    // of those who may have a partner; null after an exact search
  std::unique_ptr<PairStore> pairs;  // of units; null when only connections were wanted
  std::unique_ptr<cluster::UnionFind> links;
  Reservation memory;  // for the links
  std::uint64_t candidates = 0;
  std::string parameters;  // of the finder, or the algorithm
  std::optional<Recall> recall;

  void save(base::StateWriter&) const;  // all but the sets
  void load(base::StateReader&);        // into one of the same size that was given nothing yet
};

void save_recall(base::StateWriter&, const std::optional<Recall>&);
std::optional<Recall> load_recall(base::StateReader&);

}  // namespace neardup::search
