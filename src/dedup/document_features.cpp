#include "dedup/document_features.h"

#include "io/collection.h"
#include "io/formats.h"
#include "neardup/error.h"

namespace neardup::dedup {

FeatureSpec features_for(const Collection& collection, const FeatureSpec& spec, bool named_by_user) {
  bool has_sets = false, has_text = false;
  for (const io::Source& source : collection.impl().sources) {
    (source.format->name == "sets" ? has_sets : has_text) = true;
  }
  if (!has_sets) return spec;
  if (has_text) throw Error(ErrorCode::usage, "`sets` inputs and texts have no features in common; give one kind only");
  if (named_by_user)
    throw Error(ErrorCode::usage, "--features does not apply to `sets` inputs: their integers are the features");
  return {.kind = FeatureKind::tokens, .length = 1, .bag = spec.bag};
}

void check_has_strings(const Definition& definition) {
  if (definition.measure == Measure::edit && definition.features.kind == FeatureKind::tokens) {
    throw Error(ErrorCode::usage, "`sets` inputs are no strings: --measure edit does not apply to them");
  }
}

DocumentFeatures::DocumentFeatures(const Definition& definition)
    : spec_(definition.features), hash_seed_(definition.hash_seed), as_is_(definition.as_is) {
  if (spec_.kind != FeatureKind::tokens) extractor_.emplace(spec_, hash_seed_);
}

std::span<const Feature> DocumentFeatures::set(const Document& document) {
  if (spec_.kind == FeatureKind::tokens) {
    token_set(document.tokens, spec_, hash_seed_, features_);
  } else {
    extractor_->set(document.text, features_);
  }
  if (spec_.minwise != 0 && features_.size() > spec_.minwise) features_.resize(spec_.minwise);  // they are ascending
  return features_;
}

std::span<const Feature> DocumentFeatures::occurrences(const Document& document) {
  if (spec_.minwise != 0) return set(document);
  if (spec_.kind != FeatureKind::tokens) {
    extractor_->occurrences(document.text, features_);
  } else {
    token_occurrences(document.tokens, spec_, hash_seed_, features_);
  }
  return features_;
}

std::optional<Fingerprint> DocumentFeatures::simhash(const Document& document, Weights weights, Projection projection,
                                                     Volatility* volatility) {
  const std::span<const Feature> features = weights == Weights::binary ? set(document) : occurrences(document);
  if (features.empty()) return std::nullopt;
  const SimhashSums sums = simhash_sums(features, projection);
  if (volatility != nullptr) *volatility = neardup::volatility(sums, features, projection, scratch_);
  return neardup::simhash(sums);
}

std::string DocumentFeatures::string(const Document& document) const {
  return as_is_ ? document.text : folded_text(document.text);
}

}  // namespace neardup::dedup
