// How does a document become a few numbers that preserve similarity?
//
//   neardup::Sketcher sketcher({.measure = Measure::hamming, .threshold = {3, 1}});
//   neardup::Volatility volatility;
//   const std::optional<neardup::Fingerprint> code = sketcher.simhash("some text", &volatility);
//
// Everything here is a function of the document and the definition (and, for tfidf, of the frequencies): the same on
// every machine and in every thread, so that sketches can be stored and exchanged. How letters fold follows ICU's
// version of Unicode.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/definition.h"
#include "neardup/document.h"
#include "neardup/features.h"

namespace neardup {

struct Fingerprint {
  std::uint64_t bits = 0;
  friend bool operator==(const Fingerprint&, const Fingerprint&) = default;
};

// What a feature adds to the sums: a sign in each bit, or a normally distributed value (Sood & Loguinov 2011, equation
// 4). Both are functions of the feature's hash alone.
enum class Projection { signs, gaussian };
Projection parse_projection(std::string_view);
std::string to_string(Projection);
std::span<const Choice<Projection>> projection_choices();

// The signed sums behind a simhash: bit i is set where sums[i] >= 0; the larger |sums[i]|, the more stable the bit. The
// contribution of a feature has a mean square of 1 with signs and of kGaussianUnit^2 with gaussian.
using SimhashSums = std::array<std::int64_t, 64>;
inline constexpr std::int64_t kGaussianUnit = 4096;

// How stable each bit of a simhash is: level[i] = min(255, floor(64 |sums[i]| / norm)), where norm is the root of
// the features' squared weights (in units of the projection). The smaller the level, the more likely the bit flips when
// the document changes.
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

// How sketches are cut into bands: sets that agree in a band are candidates.
//
// Two sets with Jaccard similarity s agree in all rows of one band with probability s^rows, and in at least one band
// with probability 1 - (1 - s^rows)^bands.
struct Bands {
  std::size_t bands = 1, rows = 1;

  [[nodiscard]] std::size_t hashes() const { return bands * rows; }  // the size of a sketch: MinHasher(hashes(), seed)
  // A hash of a band's number and rows. Precondition: sketch.size() >= hashes(), band < bands.
  [[nodiscard]] std::uint64_t key(std::span<const std::uint32_t> sketch, std::size_t band) const;
  // The keys of all bands. Different bands share keys only by chance, so one shuffle by key serves all of them.
  void keys(std::span<const std::uint32_t> sketch, std::vector<std::uint64_t>& out) const;
  friend bool operator==(const Bands&, const Bands&) = default;
};

// The bands with which the finder minhash finds a pair at the threshold with this probability. Throws Error{usage} for
// measures other than jaccard, dice and cosine, and for a threshold that is too low.
Bands choose_bands(const Definition&, double target_recall);

// What a Sketcher computes in addition to what the definition says.
struct SketchOptions {
  Projection projection = Projection::signs;  // of a simhash
  std::size_t minhash_size = 0;               // places of a min-wise sketch: Bands::hashes()
  std::uint64_t minhash_seed = 42;
};

// Computes what a definition makes of a document: its feature set, its fingerprint with volatility, its min-wise
// sketch, the string that `edit` compares. This is all that the calls of the library see of a document.
//
// Texts need not be valid UTF-8: invalid bytes are read as U+FFFD, as in files. Fields are joined with a newline,
// unless Definition::field_weights applies to each. Throws Error{usage} when there are more or fewer fields than
// weights, and when the definition does not produce what is requested.
//
// Costs about as much as reading the text once; buffers are kept between calls, and results are valid until the next
// call. Threads: one Sketcher per thread.
class Sketcher {
 public:
  // sums() and simhash() with Weights::tfidf need finished `frequencies`. The definition's threshold is ignored. Throws
  // Error{usage} for invalid text rules.
  explicit Sketcher(const Definition&, std::shared_ptr<const FeatureFrequencies> frequencies = nullptr,
                    const SketchOptions& = {});
  ~Sketcher();
  Sketcher(Sketcher&&) noexcept;
  Sketcher& operator=(Sketcher&&) noexcept;

  // The feature set: ascending, each feature once. Empty when there is nothing to compare.
  std::span<const Feature> set(const DocumentView&);
  // Every occurrence of every feature, in any order: cheaper than set().
  std::span<const Feature> occurrences(const DocumentView&);
  // The words or code points whose runs are the features, in order, as FeatureExtractor::elements() gives them. Not for
  // FeatureKind::tokens.
  std::span<const std::uint64_t> elements(const DocumentView&);
  // The features that have a weight in a simhash, each once: what FeatureFrequencies counts.
  std::span<const Feature> weighed(const DocumentView&);

  // The sums that a simhash is computed from; nothing when there are no features.
  std::optional<SimhashSums> sums(const DocumentView&);
  // Fills `volatility` unless it is null or there are no features.
  std::optional<Fingerprint> simhash(const DocumentView&, Volatility* volatility = nullptr);

  // SketchOptions::minhash_size min-wise hashes of the feature set; none when it is empty.
  std::span<const std::uint32_t> minhash(const DocumentView&);

  // What `edit` compares: the text as `chars` sees it, or unchanged. Only for Measure::edit and FeatureKind::chars.
  [[nodiscard]] std::string string(const DocumentView&);
  // In code points, for Definition::lengths_agree.
  [[nodiscard]] std::uint64_t length(const DocumentView&);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace neardup
