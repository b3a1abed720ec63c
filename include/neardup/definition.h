// What counts as a near-duplicate?
//
// A definition is features + measure + threshold. It does not depend on how pairs are found.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/choice.h"

namespace neardup {

enum class FeatureKind { words, chars, tokens };  // tokens: the integers of a `sets` input, unchanged

struct FeatureSpec {
  std::optional<FeatureKind> kind{};  // absent: the tokens of a `sets` input, the words of any other
  unsigned length = 5;                // words or code points in one feature
  bool bag = false;                   // number the repeats: multiset measures
  // Keep only this many features, those with the smallest hashes; 0: all. Scores are then estimates.
  unsigned minwise = 0;
  friend bool operator==(const FeatureSpec&, const FeatureSpec&) = default;
};

// containment asks whether the smaller set is in the larger one, contained whether the left set is in the right one.
enum class Measure { jaccard, cosine, dice, overlap, containment, contained, edit, hamming };

// An exact fraction: 0.8 is 4/5. Comparisons against it are made in integers. Always in lowest terms.
struct Threshold {
  std::uint64_t num = 4, den = 5;
  friend bool operator==(const Threshold&, const Threshold&) = default;
};

// Weight of a feature in a simhash: its occurrences, 1, or its occurrences times its rarity in the collection.
enum class Weights { occurrences, binary, tfidf };

enum class Numbers { keep, fold, drop };  // words of digits only: unchanged, replaced with "0", removed

// How a text and its words are preprocessed before they become features. By default nothing is done;
// docs/algorithms/text.md says what each rule does and in which order.
struct TextRules {
  std::vector<std::string> strip{};  // RE2 expressions; every match in the original text becomes a space
  unsigned min_word = 0;             // drop words with fewer code points, except in scripts without spaces
  Numbers numbers = Numbers::keep;
  std::vector<std::string> stop_words{};  // dropped
  std::string stop_words_source{};        // where they came from, for run.json
  std::string stem{};                     // a language of libstemmer; empty: no stemming
  friend bool operator==(const TextRules&, const TextRules&) = default;
};

struct Definition {
  FeatureSpec features{};
  TextRules text{};
  Measure measure = Measure::jaccard;
  Threshold threshold{};
  Weights weights = Weights::occurrences;  // only for Measure::hamming
  std::vector<unsigned> field_weights{};   // only for Measure::hamming: one per text field
  Threshold length_ratio{0, 1};            // only for Measure::hamming: minimum ratio of the shorter text to the longer
  bool as_is = false;                      // only for Measure::edit: compare texts unchanged, not folded
  std::uint64_t hash_seed = 0;             // seeds the 64-bit hash that identifies a feature

  // Whether documents of these lengths, in code points of their decoded texts, can be near-duplicates.
  [[nodiscard]] bool lengths_agree(std::uint64_t a, std::uint64_t b) const;

  // Throws Error{usage} when the threshold is outside the measure's range or a length is zero.
  void validate() const;
};

// The names that users type. Each parse_ function throws Error{usage} and says what is allowed.
FeatureSpec parse_features(std::string_view);  // "words", "words:5", "chars:3", "minwise:32", "minwise:32/words:5"
Measure parse_measure(std::string_view);
Threshold parse_threshold(std::string_view);  // "0.8", "4/5", "3"; "1e-1" and anything else that is not plain decimals
                                              // or a fraction is refused
Weights parse_weights(std::string_view);
std::string to_string(const FeatureSpec&);
std::string to_string(Measure);
std::string to_string(const Threshold&);  // decimals when they are exact ("0.8", "3"), else "1/3"
std::string to_string(Weights);
std::span<const Choice<Measure>> measure_choices();
std::span<const Choice<Weights>> weights_choices();

// True for jaccard, cosine, dice, overlap, containment and contained, which compare sets of features.
bool compares_sets(Measure);
// True for containment and contained, which ask how much of one document is in another. A document with fewer words
// (characters) than a feature is in another one when its whole sequence is; docs/algorithms/measures.md has the rules.
bool asks_for_containment(Measure);
// True for edit and hamming: the smaller the score, the more similar.
bool is_distance(Measure);
// True for overlap, edit and hamming, whose scores are printed as integers; the others have six decimals.
bool has_integer_scores(Measure);
std::string format_score(Measure, double score);

}  // namespace neardup
