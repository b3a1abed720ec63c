// What are the fingerprints of a collection, and how are they written to a file?
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
  bool volatility = false;  // fingerprints() returns it too, 64 bytes per row; files have their own option
  OnBadRecord on_bad_record = OnBadRecord::skip;
};

struct FingerprintReport : ReadFacts, RunFacts {
  FeatureSpec features{};  // as applied: `sets` inputs have features of their own
};

// A view of fingerprints by row.
struct FingerprintsView {
  std::span<const std::uint64_t> bits{};
  std::span<const RowStatus> status{};       // one per row, or empty: every row has a fingerprint
  std::span<const Volatility> volatility{};  // one per row, or empty

  // Only documents have one. Precondition: row < bits.size().
  [[nodiscard]] bool has(DocId row) const { return status.empty() || status[row] == RowStatus::document; }
};

// 9 bytes per row, and 64 more for volatility.
struct FingerprintResult {
  FingerprintReport report;
  std::vector<std::uint64_t> bits;     // by row; 0 where there is none
  std::vector<RowStatus> status;       // by row
  std::vector<Volatility> volatility;  // by row; empty unless FingerprintOptions::volatility

  [[nodiscard]] FingerprintsView view() const { return {bits, status, volatility}; }
};

// The simhash of every document. Writes no file. For single documents see Sketcher::simhash.
FingerprintResult fingerprints(const Collection&, const FingerprintOptions&, const Context&);

// Order of fingerprints in a file: as in the input, or ascending (ties as in the input).
enum class FingerprintOrder { input, fingerprint };

struct FingerprintFileOptions {
  std::string output{};  // .fps, or text: .hex, .hex.gz, ..., "-" for standard output
  FingerprintOrder order = FingerprintOrder::input;
  bool volatility = true;  // stored in .fps files
  Overwrite overwrite = Overwrite::refuse;
};

// The same into a file: text lines of 16 hex digits, TAB, id, or the .fps format.
FingerprintReport write_fingerprints(const Collection&, const FingerprintOptions&, const FingerprintFileOptions&,
                                     const Context&);

// Merges fingerprint files into one, in ascending order. They must have been made with the same options; Error{usage}
// says what differs.
FingerprintReport merge_fingerprints(std::span<const std::string> files, const FingerprintFileOptions&, const Context&);

// The report as one JSON object.
std::string to_json(const FingerprintReport&);

}  // namespace neardup
