#include "neardup/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/guard.h"
#include "base/system.h"
#include "base/utf8.h"
#include "compare/containment.h"
#include "compare/edit.h"
#include "compare/features.h"
#include "corpus/definition_for.h"
#include "neardup/error.h"
#include "neardup/similarity.h"
#include "search/ignore.h"
#include "similarity/measures.h"
#include "similarity/word_diff.h"

namespace neardup {
namespace {

using namespace comparison;

constexpr std::uint32_t kDecimals = 1'000'000;  // thresholds are shown with six

// What the measures need of one document.
struct Sketch {
  std::vector<Feature> set;
  std::optional<SimhashSums> sums;
};

Sketch sketch(const NamedDocument& named, const Definition& definition, const features::IgnoredFeatures& ignored,
              ComparedText& facts) {
  Sketcher features(definition);
  Sketch out;
  out.sums = features.sums(named.document);
  if (out.sums) facts.simhash = simhash(*out.sums);
  const std::span<const Feature> set = features.set(named.document);
  out.set.assign(set.begin(), set.end());
  ignored.remove_from(out.set, 0);
  facts.features = out.set.size();
  return out;
}

std::uint64_t count_words(const NamedDocument& named, const Definition& definition) {
  if (named.is_set) return named.document.tokens.size();
  std::vector<Feature> words;
  FeatureExtractor({.kind = FeatureKind::words, .length = 1}, 0, definition.text)
      .occurrences(named.document.text, words);
  return words.size();
}

Threshold in_lowest_terms(std::uint64_t num, std::uint64_t den) {
  const std::uint64_t common = std::gcd(num, den);
  return {num / common, den / common};
}

// The largest threshold of six decimals that the overlap reaches.
template <class M>
std::optional<Threshold> largest_decimal(std::uint64_t shared, std::uint64_t x, std::uint64_t y) {
  const auto decimals = std::views::iota(1u, kDecimals + 1);
  const auto reached = [&](std::uint64_t num) {
    return M::min_overlap(x, y, in_lowest_terms(num, kDecimals)) <= shared;
  };
  const auto most = static_cast<std::uint64_t>(std::ranges::partition_point(decimals, reached) - decimals.begin());
  if (most == 0) return std::nullopt;
  return in_lowest_terms(most, kDecimals);
}

std::string exact_score(Measure measure, std::uint64_t shared, std::uint64_t x, std::uint64_t y) {
  switch (measure) {
    case Measure::jaccard:
      return fmt::format("{}/{}", shared, x + y - shared);
    case Measure::dice:
      return fmt::format("{}/{}", 2 * shared, x + y);
    case Measure::cosine:
      return fmt::format("{}/sqrt({}*{})", shared, x, y);
    case Measure::containment:
      return fmt::format("{}/{}", shared, std::min(x, y));
    case Measure::contained:
      return fmt::format("{}/{}", shared, x);
    case Measure::overlap:
    case Measure::edit:
    case Measure::hamming:
      break;
  }
  return std::to_string(shared);
}

// What a measure takes for the overlap: containment also finds a short document in a longer one.
std::uint64_t overlap_for(Measure measure, const Comparison& comparison) {
  const MutualContainment& mutual = comparison.containment;
  if (measure == Measure::contained) return mutual.a_in_b;
  if (measure == Measure::containment) return std::max(mutual.a_in_b, mutual.b_in_a);
  return comparison.shared;
}

MeasureScore set_score(Measure measure, std::uint64_t shared, std::uint64_t x, std::uint64_t y) {
  MeasureScore out{.measure = measure, .exact = exact_score(measure, shared, x, y)};
  similarity::with_measure(measure, [&]<class M>() {
    out.score = M::score(shared, x, y);
    if (measure != Measure::overlap) out.passes = largest_decimal<M>(shared, x, y);
  });
  if (measure == Measure::overlap && shared > 0) out.passes = Threshold{shared, 1};
  return out;
}

MeasureScore distance_score(Measure measure, std::uint64_t distance) {
  return {.measure = measure,
          .score = static_cast<double>(distance),
          .exact = std::to_string(distance),
          .passes = Threshold{distance, 1}};
}

MeasureScore edit_score(const NamedDocument& a, const NamedDocument& b, const Definition& definition,
                        std::uint64_t max_steps, const Context& context) {
  if (a.is_set) return {.measure = Measure::edit, .why_not = "sets are not strings"};
  Sketcher features({.text = definition.text, .measure = Measure::edit, .as_is = definition.as_is});
  const BoundedDistance found =
      edit_distance_bounded(features.string(a.document), features.string(b.document), max_steps, context);
  if (found.distance) return distance_score(Measure::edit, *found.distance);
  return {.measure = Measure::edit,
          .more_than = found.more_than,
          .why_not = "the texts are too long and too far apart for an exact distance"};
}

const MeasureScore& score_of(const Comparison& comparison, Measure measure) {
  return *std::find_if(comparison.scores.begin(), comparison.scores.end(),
                       [&](const MeasureScore& score) { return score.measure == measure; });
}

Verdict judge(const Comparison& comparison) {
  using Answer = Verdict::Answer;
  const Definition& definition = comparison.definition;
  const std::uint64_t x = comparison.a.features, y = comparison.b.features;
  Verdict verdict{.answer = Answer::different};
  if (x == 0 || y == 0) return verdict;
  if (compares_sets(definition.measure)) {
    verdict.shared_needed = Verifier(definition).min_overlap(x, y);
    if (overlap_for(definition.measure, comparison) >= verdict.shared_needed) verdict.answer = Answer::near_duplicates;
    return verdict;
  }
  if (definition.measure == Measure::hamming)
    verdict.lengths_agree = definition.lengths_agree(comparison.a.code_points, comparison.b.code_points);
  const MeasureScore& score = score_of(comparison, definition.measure);
  if (score.passes) {
    if (score.passes->num <= definition.threshold.num && verdict.lengths_agree)
      verdict.answer = Answer::near_duplicates;
  } else if (!score.more_than || *score.more_than < definition.threshold.num) {
    verdict.answer = Answer::unknown;
  }
  return verdict;
}

std::string shown_text(NamedDocument& named) {
  if (!named.is_set) return std::move(named.document.text);
  return fmt::format("{}", fmt::join(named.document.tokens, " "));
}

// The definition by which other texts have the features of these two.
Definition as_sets(Definition definition) {
  if (!compares_sets(definition.measure)) definition.measure = Measure::overlap;
  definition.threshold = {1, 1};
  definition.field_weights.clear();
  definition.as_is = false;
  return definition;
}

void check(const NamedDocument& a, const NamedDocument& b, const Definition& definition,
           const CompareOptions& options) {
  if (a.is_set != b.is_set)
    throw Error(ErrorCode::usage, "a record of a `sets` input and a text have no features in common");
  if (definition.weights == Weights::tfidf)
    throw Error(ErrorCode::usage, "`weights=tfidf` needs a whole collection; compare knows two documents only",
                "weights");
  if (options.judge) {
    definition.validate();
    corpus::check_has_strings(definition);
  }
}

Comparison compare_documents(NamedDocument& a, NamedDocument& b, const Definition& definition,
                             const CompareOptions& options, const Context& context) {
  Comparison out;
  out.definition = definition;
  if (a.is_set && b.is_set) out.definition.features = corpus::features_of_sets(definition.features);
  out.judged = options.judge;
  check(a, b, out.definition, options);
  if (context.observer != nullptr) context.observer->stage("comparing", 0, "");

  for (const auto& [named, facts] : {std::pair{&a, &out.a}, std::pair{&b, &out.b}}) {
    facts->name = named->name;
    facts->code_points = base::code_points(named->document.text);
    facts->words = count_words(*named, out.definition);
  }
  const features::IgnoredFeatures ignored =
      options.ignore ? features::IgnoredFeatures(search::features_of(*options.ignore, as_sets(out.definition), context))
                     : features::IgnoredFeatures();
  {
    Definition by_features = out.definition;  // also where strings decide
    if (by_features.measure == Measure::edit) by_features.measure = Measure::jaccard;
    const Sketch left = sketch(a, by_features, ignored, out.a), right = sketch(b, by_features, ignored, out.b);
    const Verifier overlap({.measure = Measure::overlap, .threshold = {1, 1}});
    out.shared = static_cast<std::uint64_t>(overlap.score(left.set, right.set));
    if (left.sums && right.sums) {
      const std::uint64_t differing = out.a.simhash->bits ^ out.b.simhash->bits;
      for (unsigned bit = 0; bit < 64; ++bit) {
        if ((differing >> bit & 1) != 0) out.bits.push_back({bit, (*left.sums)[bit], (*right.sums)[bit]});
      }
    }
  }
  base::check_stop(context);
  out.containment = find_containment(a, b, ignored, out);
  const std::uint64_t x = out.a.features, y = out.b.features;
  for (const Measure measure : {Measure::jaccard, Measure::cosine, Measure::dice, Measure::overlap,
                                Measure::containment, Measure::contained, Measure::edit, Measure::hamming}) {
    if (x == 0 || y == 0) {
      out.scores.push_back({.measure = measure, .why_not = "a document without features is in no pair"});
    } else if (compares_sets(measure)) {
      out.scores.push_back(set_score(measure, overlap_for(measure, out), x, y));
    } else if (measure == Measure::hamming) {
      out.scores.push_back(distance_score(measure, out.bits.size()));
    } else {
      out.scores.push_back(edit_score(a, b, out.definition, options.edit_steps, context));
    }
  }
  if (options.judge) out.verdict = judge(out);
  base::check_stop(context);
  list_heaviest_features(a, b, ignored, options.features_shown, out);
  out.a.text = shown_text(a);
  out.b.text = shown_text(b);
  if (options.diff) out.diff = similarity::diff_words(out.a.text, out.b.text, options.diff_steps, context);
  return out;
}

}  // namespace

Comparison compare(NamedDocument a, NamedDocument b, const Definition& definition, const CompareOptions& options,
                   const Context& context) {
  return base::guarded([&] { return compare_documents(a, b, definition, options, context); });
}

}  // namespace neardup
