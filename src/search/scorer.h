// Do two units meet the definition, and with which score?
#pragma once

#include <optional>
#include <vector>

#include "corpus/units.h"
#include "neardup/definition.h"
#include "neardup/similarity.h"
#include "search/containing.h"
#include "search/set_store.h"

namespace neardup::search {

// The score of a unit's copies with each other; nothing when they do not reach the threshold. Documents whose original
// sets are equal are copies also when none of their features counts.
inline std::optional<double> score_of_copies(const Verifier& verifier, const Definition& definition,
                                             const corpus::Units& units, Unit unit) {
  if (units.size[unit] == 0 && !units.whole_size.empty() && definition.measure != Measure::overlap) return 1.0;
  return verifier.identity_score(units.size[unit]);
}

// Answers from the real feature sets.
// Threads: const members may run concurrently.
class Scorer {
 public:
  // `store` may be null when only copies will be asked about.
  Scorer(const Definition& definition, const corpus::Units& units, const SetStore* store)
      : definition_(definition), units_(&units), store_(store), verifier_(definition) {}

  // Precondition: both sets are loaded.
  [[nodiscard]] std::optional<double> score(Unit a, Unit b) const {
    return verifier_.verify(store_->get(a), store_->get(b));
  }

  // The same for any two units, for the few that are asked about after all blocks went by.
  [[nodiscard]] std::optional<double> score_anywhere(Unit a, Unit b) const {
    std::vector<Feature> buffer_a, buffer_b;
    return verifier_.verify(store_->fetch(a, buffer_a), store_->fetch(b, buffer_b));
  }

  // The score of a unit's copies with each other; nothing when they do not reach the threshold.
  [[nodiscard]] std::optional<double> copy_score(Unit unit) const {
    return score_of_copies(verifier_, definition_, *units_, unit);
  }

  // Whether a unit may be removed in favour of another one, of which it is a pair with this score.
  [[nodiscard]] bool may_represent(Unit kept, Unit removed, double score) const {
    return represents(definition_, contained_unit(*units_, kept), contained_unit(*units_, removed), score);
  }

 private:
  Definition definition_;
  const corpus::Units* units_;
  const SetStore* store_;
  Verifier verifier_;
};

}  // namespace neardup::search
