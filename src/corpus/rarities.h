// What does each feature weigh by how rare it is? Needs a pass of its own before any document can be weighed.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>

#include "corpus/corpus.h"
#include "neardup/collection.h"
#include "neardup/context.h"
#include "neardup/definition.h"
#include "neardup/features.h"
#include "neardup/memory.h"

namespace neardup::corpus {

// Threads: const members may run concurrently.
class Rarities {
 public:
  // Reads all collections as one.
  Rarities(std::span<const Collection* const>, const Definition&, const Context&);

  [[nodiscard]] std::shared_ptr<const FeatureFrequencies> table() const { return table_; }
  // "tfidf:" and 16 hex digits that identify the counts: fingerprints with other weights are not comparable.
  [[nodiscard]] std::string name() const;
  // Throws when a later pass over a collection met other records than the counting.
  void check_unchanged(const Collection&, const ContentHash&) const;

 private:
  Reservation memory_;
  std::shared_ptr<FeatureFrequencies> table_;
  std::map<const io::CollectionImpl*, ContentHash> content_;
};

// Nothing when the definition does not weigh by rarity.
std::unique_ptr<const Rarities> count_features(std::span<const Collection* const>, const Definition&, const Context&);

}  // namespace neardup::corpus
