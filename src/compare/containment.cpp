#include "compare/containment.h"

#include <algorithm>
#include <functional>
#include <unordered_set>
#include <vector>

#include "neardup/features.h"
#include "neardup/text_rules.h"
#include "text/word_places.h"

namespace neardup::comparison {
namespace {

using Elements = std::vector<std::uint64_t>;

bool has_run(const Elements& outer, const Elements& inner, const features::IgnoredFeatures& ignored) {
  std::vector<Feature> whole, runs;
  run_features(inner, inner.size(), whole);
  run_features(outer, inner.size(), runs);
  return !whole.empty() && !ignored.contains(whole.front(), 0) && std::ranges::find(runs, whole.front()) != runs.end();
}

// The features of the one that the other has. A document shorter than a feature is in another one when its whole
// sequence is; nothing but its own sequence is in it.
std::uint64_t overlap_in(const Elements& inner, const Elements& outer, std::size_t length, std::uint64_t shared,
                         const features::IgnoredFeatures& ignored) {
  if (inner.size() < length) return has_run(outer, inner, ignored) ? 1 : 0;
  return outer.size() < length ? 0 : shared;
}

// Passages of the outer text in which every run of `length` words is one of the inner text, longest first.
std::vector<SharedPassage> passages_of(const Elements& inner, const Elements& outer, std::size_t length,
                                       const features::IgnoredFeatures& ignored, std::string_view text) {
  constexpr std::size_t kMost = 3;
  length = std::min(length, inner.size());
  std::vector<Feature> runs;
  run_features(inner, length, runs);
  ignored.remove_from(runs, 0);
  const std::unordered_set<Feature> wanted(runs.begin(), runs.end());
  run_features(outer, length, runs);
  const std::vector<text::WordPlace> words = text::word_places(text);
  if (words.size() != outer.size()) return {};
  std::vector<SharedPassage> found;
  for (std::size_t first = 0; first < runs.size(); ++first) {
    if (!wanted.contains(runs[first])) continue;
    std::size_t last = first;
    while (last + 1 < runs.size() && wanted.contains(runs[last + 1])) ++last;
    const std::size_t end = last + length;  // the word behind the passage
    found.push_back({.begin = words[first].start,
                     .end = end < words.size() ? words[end].start : text.size(),
                     .words = end - first});
    first = last;
  }
  std::ranges::stable_sort(found, std::greater<>{}, &SharedPassage::words);
  if (found.size() > kMost) found.resize(kMost);
  std::ranges::sort(found, {}, &SharedPassage::begin);
  return found;
}

}  // namespace

MutualContainment find_containment(const NamedDocument& a, const NamedDocument& b,
                                   const features::IgnoredFeatures& ignored, const Comparison& comparison) {
  const Definition& definition = comparison.definition;
  const FeatureSpec& spec = definition.features;
  MutualContainment out{.a_in_b = comparison.shared, .b_in_a = comparison.shared};
  if (spec.kind == FeatureKind::tokens || spec.minwise != 0) return out;
  FeatureExtractor extractor(spec, definition.hash_seed, definition.text);
  Elements of_a, of_b;
  extractor.elements(a.document.text, of_a);
  extractor.elements(b.document.text, of_b);
  out.a_in_b = overlap_in(of_a, of_b, spec.length, comparison.shared, ignored);
  out.b_in_a = overlap_in(of_b, of_a, spec.length, comparison.shared, ignored);
  out.a_is_inner = of_a.size() < spec.length || of_b.size() < spec.length
                       ? of_a.size() <= of_b.size()
                       : comparison.a.features <= comparison.b.features;
  if (spec.kind == FeatureKind::chars || has_rules(definition.text)) return out;
  if ((out.a_is_inner ? out.a_in_b : out.b_in_a) == 0) return out;
  out.passages = out.a_is_inner ? passages_of(of_a, of_b, spec.length, ignored, b.document.text)
                                : passages_of(of_b, of_a, spec.length, ignored, a.document.text);
  return out;
}

}  // namespace neardup::comparison
