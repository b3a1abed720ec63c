// Which documents of a collection are examined, when it may be of any size?
//
// One reading, in which every row has a lot drawn from the seed. As long as everything fits, all documents are taken.
// When the features in memory reach their limit, either the documents with the higher half of the lots are dropped, or,
// where documents are long, every second feature: the same one in all documents, so that similarities stay unbiased.
// Memory does not depend on the size of the collection, and the sample depends on nothing but input, seed and limits.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "neardup/collection.h"
#include "neardup/context.h"
#include "neardup/definition.h"
#include "neardup/features.h"
#include "neardup/memory.h"
#include "neardup/report.h"

namespace neardup::advising {

// A distinct feature set.
struct SampledUnit {
  std::vector<Feature> set;  // ascending; one feature in Sample::feature_sampling
  std::uint32_t full_size = 0;
  std::uint64_t simhash = 0;    // of the whole set, as the finder simhash has it
  std::uint32_t documents = 0;  // that have it, in the sample
};

struct Sample {
  ReadFacts facts;   // of what was read
  double share = 1;  // of the documents that were read
  unsigned feature_sampling = 1;
  std::vector<SampledUnit> units;  // by first document
  std::uint64_t documents = 0;     // sampled, with and without features
  std::uint64_t without_features = 0;
  std::vector<std::uint32_t> text_groups;  // how many sampled documents have the same text, for each distinct text
  std::vector<std::string> texts;          // the beginnings of some texts, in input order
  std::uint64_t features = 0;              // of all units, before feature sampling
  std::uint64_t sampled_text_bytes = 0;
  double cpu_seconds = 0;  // that the reading took, of all threads
  Reservation memory;
};

struct SampleLimits {
  std::uint64_t features = 32u << 20;
  std::uint64_t documents = 4u << 20;
  std::uint64_t texts = 2000;
  std::uint64_t seed = 42;
};

Sample draw_sample(const Collection&, const Definition&, const SampleLimits&, OnBadRecord, const Context&);

// Processor time of this process so far.
double cpu_seconds();

}  // namespace neardup::advising
