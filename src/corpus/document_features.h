// What are the features of one document of a collection, whatever kind of collection it is?
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fingerprint/weighted.h"
#include "neardup/definition.h"
#include "neardup/document.h"
#include "neardup/features.h"
#include "neardup/fingerprint.h"

namespace neardup::features {
class DocumentFrequencies;
}

namespace neardup::corpus {

// `spec`, or the integers themselves when the collection holds `sets`. Error{usage} when `spec` was named by the user
// and the collection has features of its own, or when it mixes sets with text.
FeatureSpec features_for(const Collection&, const FeatureSpec& spec, bool named_by_user);

// Throws Error{usage} when strings are to be compared, or words to be left out, and the records are sets of integers.
void check_has_strings(const Definition&);
// Throws Error{usage} when more or fewer fields have a weight than are read.
void check_field_weights(const Collection&, const Definition&);

// Buffers are kept between calls; results are valid until the next call. One per thread.
class DocumentFeatures {
 public:
  // `frequencies`: for Weights::tfidf.
  explicit DocumentFeatures(const Definition&, const features::DocumentFrequencies* frequencies = nullptr);
  std::span<const Feature> set(const Document&);
  // Every feature as often as it occurs, in any order: cheaper than set().
  std::span<const Feature> occurrences(const Document&);
  // The features that have a weight in a simhash, each once: the set, or that of the fields when they are cut apart.
  std::span<const Feature> weighed(const Document&);
  // What a simhash is made of; nothing when there are no features.
  std::optional<SimhashSums> sums(const Document&, Weights, Projection = Projection::signs);
  // Fills `volatility` unless it is null or there are no features.
  std::optional<Fingerprint> simhash(const Document&, Weights, Projection = Projection::signs,
                                     Volatility* volatility = nullptr);
  // What `edit` compares: the text as `chars` cuts it, or as it stands.
  [[nodiscard]] std::string string(const Document&);

 private:
  void cut_set(const Document&, std::string_view text);
  void cut_occurrences(const Document&, std::string_view text);
  template <typename Visit>
  void for_each_field(const Document&, const Visit&) const;
  void weigh(const Document&, Weights);
  [[nodiscard]] bool has_weights() const;

  FeatureSpec spec_;
  std::uint64_t hash_seed_;
  bool as_is_;
  std::vector<unsigned> field_weights_;
  const features::DocumentFrequencies* frequencies_;
  std::optional<FeatureExtractor> extractor_;  // none for tokens
  std::vector<Feature> features_, scratch_;
  std::vector<WeightedFeature> weighted_;
};

}  // namespace neardup::corpus
