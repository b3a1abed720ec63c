// How do the fingerprints of a collection get into a file, and several files into one?
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "neardup/collection.h"
#include "neardup/context.h"
#include "neardup/definition.h"
#include "neardup/report.h"
#include "neardup/sketch.h"

namespace neardup {

// How fingerprints stand in a file: as the documents came, or ascending (then as they came).
enum class FingerprintOrder { input, fingerprint };

struct FingerprintOptions {
  FeatureSpec features{};
  TextRules text{};
  Weights weights = Weights::occurrences;
  std::vector<unsigned> field_weights{};  // as in Definition
  std::uint64_t hash_seed = 0;
  Projection projection = Projection::signs;
  bool volatility = true;  // kept in .fps files
  FingerprintOrder order = FingerprintOrder::input;
  std::string output{};  // .fps, or text: .hex, .hex.gz, ..., "-" for standard output
  Overwrite overwrite = Overwrite::refuse;
  OnBadRecord on_bad_record = OnBadRecord::skip;
};

struct FingerprintReport : ReadFacts, RunFacts {
  FeatureSpec features{};  // as they were applied: `sets` inputs bring their own
};

// Writes the simhash of every document: 16 hex digits, TAB, id, a line each.
FingerprintReport fingerprint(const Collection&, const FingerprintOptions&, const Context&);

// Several files of fingerprints as one, ascending. They must have been made in the same way: Error{usage} says what
// differs.
FingerprintReport merge_fingerprints(std::span<const std::string> files, const FingerprintOptions&, const Context&);

// The report as one JSON object.
std::string to_json(const FingerprintReport&);

}  // namespace neardup
