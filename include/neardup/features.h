// Which features represent a document?
//
// Text is folded (Unicode NFKC with case folding), cut into words or code points, and runs of them become features. A
// feature is its 64-bit hash; there is no dictionary. docs/algorithms/text.md defines the hash to the last bit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/context.h"
#include "neardup/definition.h"

namespace neardup {

using Feature = std::uint64_t;

// Turns text into features. Costs about as much as reading the text once; buffers are kept between calls.
// Threads: one extractor per thread.
class FeatureExtractor {
 public:
  // Throws Error{usage} for invalid rules.
  FeatureExtractor(const FeatureSpec&, std::uint64_t hash_seed, const TextRules& = {});
  ~FeatureExtractor();
  FeatureExtractor(FeatureExtractor&&) noexcept;
  FeatureExtractor& operator=(FeatureExtractor&&) noexcept;

  // Every occurrence of every feature, in text order (with `bag` repeats are numbered, so all differ).
  // `text` is valid UTF-8.
  void occurrences(std::string_view text, std::vector<Feature>& out);

  // The document's feature set: ascending, each once.
  void set(std::string_view text, std::vector<Feature>& out);

  // The string that features are cut from: folded code points for `chars`, otherwise words separated by spaces.
  [[nodiscard]] std::string string(std::string_view text);
  // The words or code points whose runs are the features, in order, each as a hash. See run_features().
  void elements(std::string_view text, std::vector<std::uint64_t>& out);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// The features of all runs of this many elements, in order; none when there are fewer. With the length of a
// FeatureSpec these are its occurrences, unless it numbers repeats.
void run_features(std::span<const std::uint64_t> elements, std::size_t length, std::vector<Feature>& out);

// How many documents of a collection contain each feature, and the resulting weight: Weights::tfidf.
//
//   FeatureFrequencies frequencies;
//   for (...) frequencies.add(sketcher.weighed(document));
//   frequencies.finish();
//
// Counts exactly; the result depends neither on the order of documents nor on threads. Memory: 18 to 36 bytes per
// distinct feature. Threads: add() may run concurrently; so may the const members after finish().
class FeatureFrequencies {
 public:
  explicit FeatureFrequencies(std::size_t max_bytes = SIZE_MAX);
  ~FeatureFrequencies();
  FeatureFrequencies(FeatureFrequencies&&) noexcept;
  FeatureFrequencies& operator=(FeatureFrequencies&&) noexcept;

  // The features of one document, each once. A document without features does not count.
  // Throws Error{limit} when the table would outgrow max_bytes.
  void add(std::span<const Feature> set);
  // The same for several documents that have features, one set after another: takes fewer locks.
  void add_sets(std::span<const Feature> sets, std::uint64_t documents);
  // Every document has been added. The members below may be called from now on.
  void finish(const Context& = {});

  [[nodiscard]] std::uint64_t documents() const;
  [[nodiscard]] std::uint64_t features() const;    // distinct ones
  [[nodiscard]] std::size_t memory_bytes() const;  // may be called while others add
  // Rarer features weigh more: docs/algorithms/text.md. A feature that no document has weighs the most.
  [[nodiscard]] std::uint32_t weight(Feature) const;
  // A hash of the number of documents and all frequencies. Simhashes with different frequencies are not comparable.
  [[nodiscard]] std::uint64_t hash() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

// The feature set of a record that is a list of integers: each token is hashed; with `spec.bag` repeats are numbered.
void token_set(std::span<const std::uint64_t> tokens, const FeatureSpec& spec, std::uint64_t hash_seed,
               std::vector<Feature>& out);

// The same before sorting: every occurrence of every token, in order.
void token_occurrences(std::span<const std::uint64_t> tokens, const FeatureSpec& spec, std::uint64_t hash_seed,
                       std::vector<Feature>& out);

// Sorts and removes repeats; fast because hashes are uniform. `scratch` is overwritten.
void sort_unique(std::vector<Feature>& features, std::vector<Feature>& scratch);

// The folded text in which every run of separators is one space and the ends are trimmed: the string that `chars` cuts.
std::string folded_text(std::string_view text);

// The words of a text, folded, in order.
std::vector<std::string> words(std::string_view text);

}  // namespace neardup
