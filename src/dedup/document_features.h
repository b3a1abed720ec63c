// What are the features of one document of a collection, whatever kind of collection it is?
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "neardup/definition.h"
#include "neardup/document.h"
#include "neardup/features.h"
#include "neardup/fingerprint.h"

namespace neardup::dedup {

// `spec`, or the integers themselves when the collection holds `sets`. Error{usage} when `spec` was named by the user
// and the collection has features of its own, or when it mixes sets with text.
FeatureSpec features_for(const Collection&, const FeatureSpec& spec, bool named_by_user);

// Throws Error{usage} when strings are to be compared and the records are sets of integers.
void check_has_strings(const Definition&);

// Buffers are kept between calls; results are valid until the next call. One per thread.
class DocumentFeatures {
 public:
  explicit DocumentFeatures(const Definition&);
  std::span<const Feature> set(const Document&);
  // Every feature as often as it occurs, in any order: cheaper than set().
  std::span<const Feature> occurrences(const Document&);
  // Fills `volatility` unless it is null or there are no features.
  std::optional<Fingerprint> simhash(const Document&, Weights, Projection = Projection::signs,
                                     Volatility* volatility = nullptr);
  // What `edit` compares: the text as `chars` cuts it, or as it stands.
  [[nodiscard]] std::string string(const Document&) const;

 private:
  FeatureSpec spec_;
  std::uint64_t hash_seed_;
  bool as_is_;
  std::optional<FeatureExtractor> extractor_;  // none for tokens
  std::vector<Feature> features_, scratch_;
};

}  // namespace neardup::dedup
