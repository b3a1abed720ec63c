// How many pairs lie just below the threshold?
//
// A search does not look there, so the answer is an estimate from a sample that costs no further reading. Two sets with
// Jaccard similarity J have the same smallest feature hash with probability J. Documents are drawn by that hash: all
// documents with the same one are in the sample, or none. The share of hashes that is drawn shrinks until the sample
// fits its limits. So a pair is seen with probability J times that share, and counts for as many pairs as the inverse.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/state.h"
#include "corpus/column.h"
#include "neardup/definition.h"
#include "neardup/memory.h"

namespace neardup::report {

// A pair of the sample that does not meet the threshold.
struct NearMiss {
  Unit left, right;
  double score = 0;
  double weight = 1;        // how many pairs it represents
  std::uint64_t group = 0;  // pairs of one group were drawn together
};

struct NearMisses {
  double from = 0;              // the lowest score that was looked for; 0: there is no sample
  std::uint64_t documents = 0;  // that were drawn
  std::vector<NearMiss> pairs;  // the most similar first

  void save(base::StateWriter&) const;
  void load(base::StateReader&, std::size_t units);
};

// About how many pairs have at least this score: with a 95% interval.
struct PairEstimate {
  double value = 0, low = 0, high = 0;
};
PairEstimate estimate_pairs(std::span<const NearMiss>, double at_least);

struct NearMissLimits {
  std::size_t documents = 10'000, features = std::size_t{1} << 20;
  std::size_t compared = 50;  // documents of one group that are compared with each other
  std::size_t pairs = 20'000;
};

using DrawnRows = std::vector<std::pair<Row, std::vector<Feature>>>;

// Draws the sample while a collection is read. The sample does not depend on threads.
class NearMissColumn final : public corpus::ColumnOf<DrawnRows> {
 public:
  // Whether near misses can be estimated: for ratios of sets that are not sketches themselves.
  static bool applies(const Definition&);

  NearMissColumn(const Definition&, std::uint64_t seed, Reservation memory, const NearMissLimits& = {});

  // After the collection was read. `from` is a fifth below the threshold, or the lowest score that is worth estimating.
  [[nodiscard]] NearMisses find() const;

 private:
  struct Drawn {
    Unit unit;
    std::vector<Feature> set;
  };
  [[nodiscard]] std::uint64_t lot(std::span<const Feature> set) const;
  void look(const corpus::CensusRecord&, const std::vector<std::string>&, DrawnRows&) override;
  void take_part(DrawnRows&, const corpus::FiledBatch&) override;
  void shrink();
  void compare(const std::vector<Drawn>& group, std::uint64_t number, double share, double from, NearMisses&) const;

  Definition definition_;
  std::uint64_t seed_;
  NearMissLimits limits_;
  Reservation memory_;
  std::atomic<std::uint64_t> limit_{~std::uint64_t{0}};  // lots from here on are not drawn
  std::map<std::uint64_t, std::vector<Drawn>> groups_;   // by lot
  std::size_t documents_ = 0, features_ = 0;
};

}  // namespace neardup::report
