// How long will each finder take on the whole collection, and how much memory?
//
// The sample has been read, cut into features and joined on this machine: those times are the calibration. The model
// scales them to the whole, and adds what finders do besides. docs/algorithms/advise.md has its terms.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "neardup/advise.h"
#include "neardup/context.h"

namespace neardup::advising {

struct MeasuredWork {
  double reading_cpu = 0;                                         // of the sample
  double joining_cpu = 0;                                         // at the suggested threshold
  double documents = 0, units = 0, features = 0, text_bytes = 0;  // of the sample; features of units, each once
  double input_bytes = 0;
  double share = 1;  // of the whole that the sample is
  double feature_sampling = 1;
  std::optional<double> simhash_recall{};
  unsigned simhash_distance = 3;
};

// For every finder of the definition.
std::vector<FinderCost> forecast_costs(const MeasuredWork&, const Definition&, const Context&);

}  // namespace neardup::advising
