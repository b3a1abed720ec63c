// A search by sketches: bring back the sets of the documents that may have a partner, and verify every candidate.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "corpus/bottom_sample.h"
#include "corpus/corpus.h"
#include "corpus/kept_sets.h"
#include "search/finder.h"
#include "search/found.h"

namespace neardup::search {

// Which units have documents on either side of a border.
struct TwoSides {
  PerUnit<bool> left, right;
  explicit TwoSides(std::size_t units) : left(units), right(units) {}
  [[nodiscard]] bool face(Unit a, Unit b) const { return (left[a] && right[b]) || (left[b] && right[a]); }
};

struct SketchedRequest {
  const corpus::Corpus& corpus;
  corpus::KeptSets kept;                            // its sets, where the census kept them
  Finder& finder;                                   // was given a sketch of every unit
  std::vector<corpus::BottomSample::Drawn> sample;  // empty: recall is not measured
  Wanted wanted = Wanted::all_pairs;
  std::uint64_t seed = 42;
  const TwoSides* sides = nullptr;  // not null: only pairs across the border are asked for
};

Found find_by_sketches(SketchedRequest, const Context&);

// For measuring its recall.
corpus::BottomSample recall_sample(std::uint64_t seed, const Context&);

}  // namespace neardup::search
