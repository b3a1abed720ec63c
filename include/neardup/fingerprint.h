// What are the fingerprints of a collection, and how do they get into a file?
//
//   auto pages = neardup::Collection::open({"pages.jsonl"}, {}, context);
//   auto result = neardup::fingerprints(pages, {}, context);
//   std::cout << result.bits[0] << '\n';
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "neardup/cluster.h"
#include "neardup/collection.h"
#include "neardup/context.h"
#include "neardup/definition.h"
#include "neardup/report.h"
#include "neardup/sketch.h"

namespace neardup {

struct FingerprintOptions {
  FeatureSpec features{};
  TextRules text{};
  Weights weights = Weights::occurrences;
  std::vector<unsigned> field_weights{};  // as in Definition
  std::uint64_t hash_seed = 0;
  Projection projection = Projection::signs;
  bool volatility = false;  // fingerprints() returns it too, 64 bytes a row; files have their own option
  OnBadRecord on_bad_record = OnBadRecord::skip;
};

struct FingerprintReport : ReadFacts, RunFacts {
  FeatureSpec features{};  // as they were applied: `sets` inputs bring their own
};

// Fingerprints by row, held by somebody else.
struct FingerprintsView {
  std::span<const std::uint64_t> bits{};
  std::span<const RowStatus> status{};       // as many, or none: every row has a fingerprint
  std::span<const Volatility> volatility{};  // as many, or none

  // Only documents have one. Precondition: row < bits.size().
  [[nodiscard]] bool has(DocId row) const { return status.empty() || status[row] == RowStatus::document; }
};

// 9 bytes a row, and 64 more for volatility.
struct FingerprintResult {
  FingerprintReport report;
  std::vector<std::uint64_t> bits;     // by row; 0 where there is none
  std::vector<RowStatus> status;       // by row
  std::vector<Volatility> volatility;  // by row; empty unless FingerprintOptions::volatility

  [[nodiscard]] FingerprintsView view() const { return {bits, status, volatility}; }
};

// The simhash of every document. Writes no file. Single documents: Sketcher::simhash.
FingerprintResult fingerprints(const Collection&, const FingerprintOptions&, const Context&);

// How fingerprints stand in a file: as the documents came, or ascending (then as they came).
enum class FingerprintOrder { input, fingerprint };

struct FingerprintFileOptions {
  std::string output{};  // .fps, or text: .hex, .hex.gz, ..., "-" for standard output
  FingerprintOrder order = FingerprintOrder::input;
  bool volatility = true;  // kept in .fps files
  Overwrite overwrite = Overwrite::refuse;
};

// The same into a file: 16 hex digits, TAB, id, a line each, or the format of .fps files.
FingerprintReport write_fingerprints(const Collection&, const FingerprintOptions&, const FingerprintFileOptions&,
                                     const Context&);

// Several files of fingerprints as one, ascending. They must have been made in the same way: Error{usage} says what
// differs.
FingerprintReport merge_fingerprints(std::span<const std::string> files, const FingerprintFileOptions&, const Context&);

// The report as one JSON object.
std::string to_json(const FingerprintReport&);

}  // namespace neardup
