#include <algorithm>
#include <string>
#include <utility>

#include "base/document_text.h"
#include "base/utf8.h"
#include "fingerprint/weighted.h"
#include "neardup/error.h"
#include "neardup/sketch.h"

namespace neardup {
namespace {

// Strings are compared as `chars` would cut them.
FeatureSpec spec_of(const Definition& definition) {
  if (definition.measure == Measure::edit) return {.kind = FeatureKind::chars, .length = 1};
  return definition.features;
}

void require(bool holds, const char* message) {
  if (!holds) throw Error(ErrorCode::usage, message);
}

}  // namespace

struct Sketcher::State {
  State(const Definition&, std::shared_ptr<const FeatureFrequencies>, const SketchOptions&);

  std::string_view valid(const DocumentView&, std::string_view text);
  std::string_view whole(const DocumentView&);
  template <typename Visit>
  void for_each_field(const DocumentView&, const Visit&);
  void cut_set(const DocumentView&, std::string_view text);
  void cut_occurrences(const DocumentView&, std::string_view text);
  void weigh(const DocumentView&);
  // Whether features weigh more than they occur.
  [[nodiscard]] bool has_weights() const { return !field_weights.empty() || weights == Weights::tfidf; }

  FeatureSpec spec;
  std::uint64_t hash_seed;
  bool as_is;
  Weights weights;
  std::vector<unsigned> field_weights;
  std::shared_ptr<const FeatureFrequencies> frequencies;
  Projection projection;
  std::optional<FeatureExtractor> extractor;  // none for tokens
  std::optional<MinHasher> min_hasher;
  std::vector<Feature> features, scratch, all_fields;
  std::vector<WeightedFeature> weighted;
  std::vector<std::uint32_t> min_hashes;
  std::string joined, repaired;
};

Sketcher::State::State(const Definition& definition, std::shared_ptr<const FeatureFrequencies> given_frequencies,
                       const SketchOptions& options)
    : spec(spec_of(definition)),
      hash_seed(definition.hash_seed),
      as_is(definition.as_is),
      weights(definition.weights),
      field_weights(definition.field_weights),
      frequencies(std::move(given_frequencies)),
      projection(options.projection),
      min_hashes(options.minhash_size) {
  require(spec.length != 0, "a feature of no words or characters: the length is at least 1");
  if (spec.kind != FeatureKind::tokens) extractor.emplace(spec, hash_seed, definition.text);
  if (options.minhash_size != 0) min_hasher.emplace(options.minhash_size, options.minhash_seed);
}

std::string_view Sketcher::State::valid(const DocumentView& document, std::string_view text) {
  return document.is_valid_utf8 ? text : base::repaired_utf8(text, repaired);
}

// The text in which all fields are one.
std::string_view Sketcher::State::whole(const DocumentView& document) {
  return valid(document, base::whole_text(document, joined));
}

// Calls `visit` with the text and the weight of each field that is cut apart.
template <typename Visit>
void Sketcher::State::for_each_field(const DocumentView& document, const Visit& visit) {
  if (field_weights.empty()) return visit(whole(document), 1u);
  const std::size_t fields = std::max<std::size_t>({1, document.texts.size(), document.text_ends.size()});
  if (fields != field_weights.size()) {
    throw Error(ErrorCode::usage, "a document with " + std::to_string(fields) + " text fields, but " +
                                      std::to_string(field_weights.size()) + " have a weight");
  }
  if (!document.texts.empty()) {
    for (std::size_t i = 0; i < fields; ++i) visit(valid(document, document.texts[i]), field_weights[i]);
    return;
  }
  if (document.text_ends.empty()) return visit(valid(document, document.text), field_weights.front());
  std::size_t begin = 0;
  for (std::size_t i = 0; i < fields; ++i) {
    const std::size_t end = document.text_ends[i];
    require(begin <= end && end <= document.text.size(), "the ends of text fields ascend and lie within the text");
    visit(valid(document, document.text.substr(begin, end - begin)), field_weights[i]);
    begin = end + 1;  // behind the newline that joins fields
  }
}

void Sketcher::State::cut_set(const DocumentView& document, std::string_view text) {
  if (spec.kind == FeatureKind::tokens) {
    token_set(document.tokens, spec, hash_seed, features);
  } else {
    extractor->set(text, features);
  }
  if (spec.minwise != 0 && features.size() > spec.minwise) features.resize(spec.minwise);  // they are ascending
}

void Sketcher::State::cut_occurrences(const DocumentView& document, std::string_view text) {
  if (spec.minwise != 0) return cut_set(document, text);
  if (spec.kind != FeatureKind::tokens) {
    extractor->occurrences(text, features);
  } else {
    token_occurrences(document.tokens, spec, hash_seed, features);
  }
}

void Sketcher::State::weigh(const DocumentView& document) {
  weighted.clear();
  for_each_field(document, [&](std::string_view text, std::uint64_t weight) {
    if (weights == Weights::binary) {
      cut_set(document, text);
    } else {
      cut_occurrences(document, text);
      std::sort(features.begin(), features.end());
    }
    for (auto at = features.begin(); at != features.end();) {
      const auto end = std::find_if(at, features.end(), [&](Feature f) { return f != *at; });
      const auto times = static_cast<std::uint64_t>(end - at);
      weighted.push_back({*at, times * weight * (weights == Weights::tfidf ? frequencies->weight(*at) : 1)});
      at = end;
    }
  });
  settle(weighted);
}

Sketcher::Sketcher(const Definition& definition, std::shared_ptr<const FeatureFrequencies> frequencies,
                   const SketchOptions& options)
    : state_(std::make_unique<State>(definition, std::move(frequencies), options)) {}
Sketcher::~Sketcher() = default;
Sketcher::Sketcher(Sketcher&&) noexcept = default;
Sketcher& Sketcher::operator=(Sketcher&&) noexcept = default;

std::span<const Feature> Sketcher::set(const DocumentView& document) {
  state_->cut_set(document, state_->whole(document));
  return state_->features;
}

std::span<const Feature> Sketcher::occurrences(const DocumentView& document) {
  state_->cut_occurrences(document, state_->whole(document));
  return state_->features;
}

std::span<const std::uint64_t> Sketcher::elements(const DocumentView& document) {
  require(state_->extractor.has_value(), "a set of integers has no sequence of words");
  state_->extractor->elements(state_->whole(document), state_->all_fields);
  return state_->all_fields;
}

std::span<const Feature> Sketcher::weighed(const DocumentView& document) {
  State& state = *state_;
  if (state.field_weights.empty()) return set(document);
  state.all_fields.clear();
  state.for_each_field(document, [&](std::string_view text, unsigned) {
    state.cut_set(document, text);
    state.all_fields.insert(state.all_fields.end(), state.features.begin(), state.features.end());
  });
  state.features.swap(state.all_fields);
  sort_unique(state.features, state.scratch);
  return state.features;
}

std::optional<SimhashSums> Sketcher::sums(const DocumentView& document) {
  State& state = *state_;
  if (state.has_weights()) {
    require(state.weights != Weights::tfidf || state.frequencies != nullptr,
            "weights by tfidf need the frequencies of a collection's features");
    state.weigh(document);
    if (state.weighted.empty()) return std::nullopt;
    return simhash_sums(state.weighted, state.projection);
  }
  const std::span<const Feature> features = state.weights == Weights::binary ? set(document) : occurrences(document);
  if (features.empty()) return std::nullopt;
  return simhash_sums(features, state.projection);
}

std::optional<Fingerprint> Sketcher::simhash(const DocumentView& document, Volatility* volatility) {
  State& state = *state_;
  const std::optional<SimhashSums> sums = this->sums(document);
  if (!sums) return std::nullopt;
  if (volatility != nullptr) {
    *volatility = state.has_weights() ? neardup::volatility(*sums, state.weighted, state.projection)
                                      : neardup::volatility(*sums, state.features, state.projection, state.scratch);
  }
  return neardup::simhash(*sums);
}

std::span<const std::uint32_t> Sketcher::minhash(const DocumentView& document) {
  require(state_->min_hasher.has_value(), "a min-wise sketch of no places: SketchOptions::minhash_size says how many");
  const std::span<const Feature> features = set(document);
  if (features.empty()) return {};
  state_->min_hasher->sketch(features, state_->min_hashes);
  return state_->min_hashes;
}

std::string Sketcher::string(const DocumentView& document) {
  require(state_->spec.kind == FeatureKind::chars, "only edit and features of characters make a string of a document");
  const std::string_view text = state_->whole(document);
  return state_->as_is ? std::string(text) : state_->extractor->string(text);
}

std::uint64_t Sketcher::length(const DocumentView& document) { return base::code_points(state_->whole(document)); }

}  // namespace neardup
