// How does a document become a few bytes that still say what it resembles?
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "neardup/context.h"
#include "neardup/definition.h"
#include "neardup/document.h"
#include "neardup/features.h"
#include "neardup/report.h"

namespace neardup {

struct Fingerprint {
  std::uint64_t bits = 0;
  friend bool operator==(const Fingerprint&, const Fingerprint&) = default;
};

// What a feature adds to the sums: a sign in each bit, or a value of a normal distribution (Sood & Loguinov 2011,
// equation 4). Both are functions of the feature's hash alone.
enum class Projection { signs, gaussian };
Projection parse_projection(std::string_view);
std::string to_string(Projection);

// The signed sums behind a simhash: bit i is set where sums[i] >= 0, and |sums[i]| says how firmly. What one feature
// adds has a mean square of 1 with signs and of kGaussianUnit^2 with gaussian.
using SimhashSums = std::array<std::int64_t, 64>;
inline constexpr std::int64_t kGaussianUnit = 4096;

// How firmly each bit of a simhash stands: level[i] = min(255, floor(64 |sums[i]| / norm)), where norm is the root of
// the features' squared weights (in units of the projection). The smaller, the likelier the bit flips when the document
// changes.
struct Volatility {
  std::array<std::uint8_t, 64> level{};
  friend bool operator==(const Volatility&, const Volatility&) = default;
};

SimhashSums simhash_sums(std::span<const Feature> occurrences, Projection = Projection::signs);
// `occurrences` are the features behind the sums; how often one occurs is its weight. In integers, so the same on every
// machine. `scratch` is overwritten.
Volatility volatility(const SimhashSums&, std::span<const Feature> occurrences, Projection,
                      std::vector<Feature>& scratch);
Fingerprint simhash(const SimhashSums&);
// The simhash of a document; nothing when it has no features. Overwrites `features`. Not for Weights::tfidf, which
// needs a collection.
std::optional<Fingerprint> simhash(std::string_view text, FeatureExtractor&, Weights, std::vector<Feature>& features);

// 16 hex digits, or "-" for a document without features.
std::string to_hex(const std::optional<Fingerprint>&);

// Min-wise hashes of a feature set: two sets agree in each place with probability equal to their Jaccard similarity.
// The scheme is in docs/algorithms/minhash.md. Threads: const members may run concurrently.
class MinHasher {
 public:
  MinHasher(std::size_t size, std::uint64_t seed);
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  // Fills `out` (size() places) from a non-empty set.
  void sketch(std::span<const Feature> set, std::span<std::uint32_t> out) const;

 private:
  std::size_t size_;
  std::vector<std::uint32_t> multipliers_;  // padded to whole vectors
};

// How fingerprints stand in a file: as the documents came, or ascending (then as they came).
enum class Order { input, fingerprint };

struct FingerprintOptions {
  FeatureSpec features{};
  bool features_named = false;  // as in DedupOptions
  TextRules text{};
  Weights weights = Weights::occurrences;
  std::vector<unsigned> field_weights{};  // as in Definition
  std::uint64_t hash_seed = 0;
  Projection projection = Projection::signs;
  bool volatility = true;  // kept in .fps files
  Order order = Order::input;
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
