#include "corpus/document_features.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <utility>

#include "features/document_frequencies.h"
#include "io/collection.h"
#include "io/formats/formats.h"
#include "neardup/error.h"
#include "neardup/text_rules.h"

namespace neardup::corpus {

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
  if (definition.features.kind != FeatureKind::tokens) return;
  if (definition.measure == Measure::edit)
    throw Error(ErrorCode::usage, "`sets` inputs are no strings: --measure edit does not apply to them");
  if (has_rules(definition.text)) {
    throw Error(ErrorCode::usage,
                "`sets` inputs have no words: leave out --strip, --numbers, --min-word, --stop-words and --stem");
  }
}

void check_field_weights(const Collection& collection, const Definition& definition) {
  const std::size_t fields = collection.impl().options.text_fields.size();
  if (!definition.field_weights.empty() && definition.field_weights.size() != fields) {
    throw Error(ErrorCode::usage, fmt::format("{} text fields are read, but {} have a weight (--fields)", fields,
                                              definition.field_weights.size()));
  }
}

namespace {

// Strings are compared as `chars` would cut them.
FeatureSpec spec_of(const Definition& definition) {
  if (definition.measure == Measure::edit) return {.kind = FeatureKind::chars, .length = 1};
  return definition.features;
}

}  // namespace

DocumentFeatures::DocumentFeatures(const Definition& definition, const features::DocumentFrequencies* frequencies)
    : spec_(spec_of(definition)),
      hash_seed_(definition.hash_seed),
      as_is_(definition.as_is),
      field_weights_(definition.field_weights),
      frequencies_(frequencies) {
  if (spec_.kind != FeatureKind::tokens) extractor_.emplace(spec_, hash_seed_, definition.text);
}

void DocumentFeatures::cut_set(const Document& document, std::string_view text) {
  if (spec_.kind == FeatureKind::tokens) {
    token_set(document.tokens, spec_, hash_seed_, features_);
  } else {
    extractor_->set(text, features_);
  }
  if (spec_.minwise != 0 && features_.size() > spec_.minwise) features_.resize(spec_.minwise);  // they are ascending
}

void DocumentFeatures::cut_occurrences(const Document& document, std::string_view text) {
  if (spec_.minwise != 0) return cut_set(document, text);
  if (spec_.kind != FeatureKind::tokens) {
    extractor_->occurrences(text, features_);
  } else {
    token_occurrences(document.tokens, spec_, hash_seed_, features_);
  }
}

std::span<const Feature> DocumentFeatures::set(const Document& document) {
  cut_set(document, document.text);
  return features_;
}

std::span<const Feature> DocumentFeatures::occurrences(const Document& document) {
  cut_occurrences(document, document.text);
  return features_;
}

// Calls `visit` with the text and the weight of each field that is cut apart.
template <typename Visit>
void DocumentFeatures::for_each_field(const Document& document, const Visit& visit) const {
  const std::string_view text = document.text;
  if (field_weights_.empty() || document.text_ends.empty()) {
    return visit(text, field_weights_.empty() ? 1u : field_weights_.front());
  }
  std::size_t begin = 0;
  for (std::size_t i = 0; i < std::min(field_weights_.size(), document.text_ends.size()); ++i) {
    const std::size_t end = document.text_ends[i];
    visit(text.substr(begin, end - begin), field_weights_[i]);
    begin = end + 1;  // behind the newline that joins fields
  }
}

std::span<const Feature> DocumentFeatures::weighed(const Document& document) {
  if (field_weights_.empty()) return set(document);
  std::vector<Feature> all;
  for_each_field(document, [&](std::string_view text, unsigned) {
    cut_set(document, text);
    all.insert(all.end(), features_.begin(), features_.end());
  });
  features_ = std::move(all);
  sort_unique(features_, scratch_);
  return features_;
}

void DocumentFeatures::weigh(const Document& document, Weights weights) {
  weighted_.clear();
  for_each_field(document, [&](std::string_view text, std::uint64_t weight) {
    if (weights == Weights::binary) {
      cut_set(document, text);
    } else {
      cut_occurrences(document, text);
      std::sort(features_.begin(), features_.end());
    }
    for (auto at = features_.begin(); at != features_.end();) {
      const auto end = std::find_if(at, features_.end(), [&](Feature f) { return f != *at; });
      const auto times = static_cast<std::uint64_t>(end - at);
      weighted_.push_back({*at, times * weight * (frequencies_ != nullptr ? frequencies_->weight(*at) : 1)});
      at = end;
    }
  });
  settle(weighted_);
}

bool DocumentFeatures::has_weights() const { return !field_weights_.empty() || frequencies_ != nullptr; }

std::optional<SimhashSums> DocumentFeatures::sums(const Document& document, Weights weights, Projection projection) {
  assert((weights == Weights::tfidf) == (frequencies_ != nullptr));
  if (has_weights()) {
    weigh(document, weights);
    if (weighted_.empty()) return std::nullopt;
    return simhash_sums(weighted_, projection);
  }
  const std::span<const Feature> features = weights == Weights::binary ? set(document) : occurrences(document);
  if (features.empty()) return std::nullopt;
  return simhash_sums(features, projection);
}

std::optional<Fingerprint> DocumentFeatures::simhash(const Document& document, Weights weights, Projection projection,
                                                     Volatility* volatility) {
  const std::optional<SimhashSums> sums = this->sums(document, weights, projection);
  if (!sums) return std::nullopt;
  if (volatility != nullptr) {
    *volatility = has_weights() ? neardup::volatility(*sums, weighted_, projection)
                                : neardup::volatility(*sums, features_, projection, scratch_);
  }
  return neardup::simhash(*sums);
}

std::string DocumentFeatures::string(const Document& document) {
  return as_is_ ? document.text : extractor_->string(document.text);
}

}  // namespace neardup::corpus
