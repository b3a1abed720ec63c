#include "neardup/advise.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "advise/clusters.h"
#include "advise/costs.h"
#include "advise/matching.h"
#include "advise/sample.h"
#include "advise/scores.h"
#include "advise/spectrum.h"
#include "advise/templates.h"
#include "advise/valley.h"
#include "advise/warnings.h"
#include "base/guard.h"
#include "corpus/definition_for.h"
#include "corpus/volume.h"
#include "io/read_as.h"
#include "neardup/error.h"
#include "neardup/features.h"
#include "neardup/text_rules.h"
#include "text/language.h"

namespace neardup {
namespace advising {
namespace {

// Features by the length of the first texts. Runs of many words suit long texts; one changed word of a short text
// changes most of its runs.
void choose_features(const Collection& collection, bool matches, const AdviseOptions& options, Advice& advice,
                     const Context& context) {
  FeatureSpec& features = advice.definition.features;
  if (options.features || io::holds_tokens(io::impl_of(collection).sources.front())) {
    features = corpus::features_for(collection, options.features.value_or(FeatureSpec{}));
    advice.features_reason = options.features ? "as given" : "the records are sets";
    return;
  }
  constexpr std::size_t kPeeked = 500, kPeekedBytes = 4u << 20, kLong = 60, kShort = 20;
  std::vector<std::size_t> lengths;
  const auto reader = collection.read(context);
  Document document;
  for (std::size_t bytes = 0; lengths.size() < kPeeked && bytes < kPeekedBytes && reader->next(document);) {
    bytes += document.text.size();
    if (const std::size_t count = words(document.text.substr(0, 64u << 10)).size(); count > 0) lengths.push_back(count);
  }
  std::ranges::sort(lengths);
  const std::size_t median = lengths.empty() ? kLong : lengths[lengths.size() / 2];
  features = median >= kLong && !matches ? FeatureSpec{.kind = FeatureKind::words, .length = 5}
             : median >= kShort          ? FeatureSpec{.kind = FeatureKind::words, .length = matches ? 1u : 3u}
                                         : FeatureSpec{.kind = FeatureKind::chars, .length = 3};
  advice.features_reason =
      lengths.empty() ? "there are no words to choose by" : fmt::format("texts have a median of {} words", median);
}

// A collection of which no more is read than the options allow.
struct Part {
  Collection collection;
  double share;  // of the documents, expected
};
Part bounded(const Collection& collection, const AdviseOptions& options) {
  const auto input = static_cast<double>(io::impl_of(collection).input_bytes());
  const double read = std::min(1.0, static_cast<double>(options.read_bytes) / std::max(1.0, input));
  const double text = static_cast<double>(corpus::expected_bytes(collection)) * read;
  const double examined = std::min(1.0, static_cast<double>(options.text_bytes) / std::max(1.0, text));
  if (read >= 1 && examined >= 1) return {collection, 1};
  return {io::read_part(collection, {.input_bytes = options.read_bytes, .share = examined}), read * examined};
}

Sample sample_of(const Collection& collection, const AdviseOptions& options, Advice& advice, const Context& context) {
  const Part part = bounded(collection, options);
  const std::uint64_t most = std::min<std::uint64_t>(options.max_features, base::memory_bytes(context) / 64);
  Sample sample = draw_sample(part.collection, advice.definition, {.features = most, .seed = options.seed},
                              options.on_bad_record, context);
  sample.share *= part.share;
  if (sample.share > 0.999999) sample.share = 1;
  return sample;
}

Estimate exactly(double value) { return {value, value, value}; }

void describe_documents(const Sample& sample, Advice& advice) {
  static_cast<ReadFacts&>(advice) = sample.facts;
  advice.examined_share = sample.share;
  advice.is_complete = sample.share >= 1 && sample.feature_sampling == 1;
  advice.feature_sampling = sample.feature_sampling;
  const double growth = 1 / sample.share, seen = static_cast<double>(sample.documents) * growth;
  const double error = sample.share >= 1 ? 0 : 1.96 * growth * std::sqrt(static_cast<double>(sample.documents) + 1);
  advice.all_documents = {seen, std::max(0.0, seen - error), seen + error};
  advice.all_text_bytes = static_cast<double>(sample.sampled_text_bytes) * growth;
}

std::vector<NamedShare> shares(const std::map<std::string, std::size_t>& counts, std::size_t all) {
  std::vector<NamedShare> out;
  for (const auto& [name, count] : counts) out.push_back({name, static_cast<double>(count) / static_cast<double>(all)});
  std::ranges::stable_sort(out, [](const NamedShare& a, const NamedShare& b) { return a.share > b.share; });
  return out;
}

void describe_texts(const Sample& sample, Advice& advice) {
  std::vector<std::uint64_t> lengths;
  std::map<std::string, std::size_t> scripts, languages;
  for (const std::string& text : sample.texts) {
    lengths.push_back(words(text).size());
    const text::LanguageGuess guess = text::guess_language(text);
    ++scripts[guess.script.empty() ? "none" : guess.script];
    ++languages[guess.language.empty() ? "unknown" : guess.language];
  }
  if (lengths.empty()) return;
  std::ranges::sort(lengths);
  const auto at = [&](double share) {
    return lengths[static_cast<std::size_t>(share * static_cast<double>(lengths.size() - 1))];
  };
  advice.words = {.p10 = at(0.1), .median = at(0.5), .p90 = at(0.9), .longest = lengths.back()};
  advice.scripts = shares(scripts, lengths.size());
  advice.languages = shares(languages, lengths.size());
}

void describe_copies(const Sample& sample, std::uint64_t seed, Advice& advice) {
  advice.exact_copies = estimate_clusters(sample.text_groups, sample.share, seed).removed;
  std::vector<std::uint32_t> groups;
  for (const SampledUnit& unit : sample.units) groups.push_back(unit.documents);
  advice.feature_copies = estimate_clusters(groups, sample.share, seed).removed;
}

// `targets`: units of the whole that each probe stands for a share of.
void describe_scores(const Scores& scores, double whole_pairs_per_pair, Advice& advice) {
  constexpr std::size_t kBins = 16;
  std::vector<float> nearest(scores.probes.size());
  for (std::size_t i = 0; i < kBins; ++i)
    advice.scores.push_back({.from = kLowestScore + kScoreBinWidth * static_cast<double>(i)});
  const auto bin = [](double score) {
    return std::min(kBins - 1, static_cast<std::size_t>(std::max(0.0, (score - kLowestScore) / kScoreBinWidth + 1e-6)));
  };
  for (const ScoredPair& pair : scores.pairs) {
    advice.scores[bin(pair.score)].pairs += whole_pairs_per_pair;
    nearest[pair.probe] = std::max(nearest[pair.probe], pair.score);
  }
  for (const float score : nearest) {
    if (score >= kLowestScore) advice.scores[bin(score)].nearest += 1.0 / static_cast<double>(nearest.size());
  }
}

void advise_simhash(const Scores& scores, Advice& advice) {
  const double threshold = value_of(advice.definition.threshold) - 1e-6;
  std::array<double, kMostDistance + 1> good{}, all{};
  for (const ScoredPair& pair : scores.pairs) {
    const bool is_true = pair.score >= threshold;
    advice.simhash.pairs += is_true ? 1 : 0;
    if (pair.distance > kMostDistance) continue;
    good[pair.distance] += is_true ? 1 : 0;
    all[pair.distance] += 1;
  }
  double found = 0, offered = 0;
  for (unsigned distance = 0; distance <= kMostDistance && advice.simhash.pairs > 0; ++distance) {
    found += good[distance];
    offered += all[distance] + static_cast<double>(scores.low_by_distance[distance]);
    const double recall = found / static_cast<double>(advice.simhash.pairs);
    advice.simhash.points.push_back({distance, recall, offered > 0 ? found / offered : 1});
    if (recall >= 0.95 && !advice.simhash.distance) advice.simhash.distance = distance;
  }
}

double template_share(const Scores& scores, double threshold) {
  double all = 0, bare = 0;
  for (const ScoredPair& pair : scores.pairs) {
    if (pair.score < threshold - 1e-6) continue;
    all += 1;
    bare += pair.bare_score < threshold / 2 ? 1 : 0;
  }
  return all > 0 ? bare / all : 0;
}

// .9, .8, .7 and the suggested one, descending.
std::vector<Threshold> thresholds_for(const Threshold& suggested) {
  std::vector<Threshold> out{{9, 10}, {4, 5}, {7, 10}};
  if (std::ranges::find(out, suggested) == out.end()) out.push_back(suggested);
  std::ranges::sort(out, std::greater(), value_of);
  return out;
}

void forecast_outcomes(const Sample& sample, const AdviseOptions& options, Advice& advice, const Context& context) {
  const std::vector<Threshold> thresholds = thresholds_for(advice.definition.threshold);
  MeasuredWork work{.reading_cpu = sample.cpu_seconds,
                    .documents = static_cast<double>(sample.documents),
                    .units = static_cast<double>(sample.units.size()),
                    .features = static_cast<double>(sample.features),
                    .text_bytes = static_cast<double>(sample.sampled_text_bytes),
                    .input_bytes = static_cast<double>(sample.facts.bytes),
                    .share = sample.share,
                    .feature_sampling = static_cast<double>(sample.feature_sampling)};
  for (const SampleClusters& found : cluster_sample(sample, thresholds, context)) {
    ClusterEstimate estimate = estimate_clusters(found.sizes, sample.share, options.seed);
    if (sample.feature_sampling > 1) {  // pairs near the threshold may be on the wrong side
      const double error = 1.96 * std::sqrt(estimate.removed.value + 1);
      estimate.removed.low = std::max(0.0, std::min(estimate.removed.low, estimate.removed.value - error));
      estimate.removed.high = std::max(estimate.removed.high, estimate.removed.value + error);
    }
    const std::uint32_t largest = found.sizes.empty() ? 0 : *std::ranges::max_element(found.sizes);
    advice.outcomes.push_back(
        {.threshold = found.threshold,
         .clusters = estimate.clusters,
         .removed = estimate.removed,
         .largest_share = static_cast<double>(largest) / std::max(1.0, static_cast<double>(sample.documents))});
    if (found.threshold == advice.definition.threshold) work.joining_cpu = found.cpu_seconds;
  }
  std::ranges::reverse(advice.outcomes);
  if (advice.simhash.distance) {
    work.simhash_distance = *advice.simhash.distance;
    work.simhash_recall = advice.simhash.points[*advice.simhash.distance].recall;
  } else if (advice.simhash.points.size() > work.simhash_distance) {
    work.simhash_recall = advice.simhash.points[work.simhash_distance].recall;
  }
  advice.work = {.reading_cpu_seconds = work.reading_cpu,
                 .joining_cpu_seconds = work.joining_cpu,
                 .documents = sample.documents,
                 .distinct = sample.units.size(),
                 .features = sample.features};
  advice.finders = forecast_costs(work, advice.definition, context);
}

void advise_within(const Collection& collection, const AdviseOptions& options, Advice& advice, const Context& context) {
  const Sample sample = sample_of(collection, options, advice, context);
  describe_documents(sample, advice);
  describe_texts(sample, advice);
  describe_copies(sample, options.seed, advice);
  advice.templates = common_passages(sample.texts);
  constexpr std::size_t kProbes = 2000;
  const Scores scores = score_some(sample.units, sample.units, options.seed, kProbes, FarPairs::counted, context);
  const double units = static_cast<double>(sample.units.size()), probes = static_cast<double>(scores.probes.size());
  const double pairs_per_pair = probes > 0 ? units / probes / 2 / (sample.share * sample.share) : 0;
  describe_scores(scores, pairs_per_pair, advice);
  advice.threshold = suggest_threshold(scores, Threshold{4, 5}, options.seed);
  if (options.threshold) {
    advice.threshold.suggested = *options.threshold;
    advice.threshold.given = true;
  }
  advice.definition.threshold = advice.threshold.suggested;
  advise_simhash(scores, advice);
  advice.template_pairs_share = template_share(scores, value_of(advice.definition.threshold));
  forecast_outcomes(sample, options, advice, context);
}

void advise_match(const Collection& collection, const Collection& other, const AdviseOptions& options, Advice& advice,
                  const Context& context) {
  const Sample left = sample_of(collection, options, advice, context);
  const Sample right = sample_of(other, options, advice, context);
  describe_documents(left, advice);
  describe_texts(left, advice);
  describe_copies(left, options.seed, advice);
  advice.templates = common_passages(left.texts);
  if (right.share < 1 || right.feature_sampling > 1) advice.is_complete = false;
  constexpr std::size_t kProbes = 100'000;
  const Scores scores = score_some(left.units, right.units, options.seed, kProbes, FarPairs::ignored, context);
  const double probes = std::max<double>(1, static_cast<double>(scores.probes.size()));
  const double growth = static_cast<double>(left.units.size()) / probes / (left.share * right.share);
  describe_scores(scores, growth, advice);
  const Matching matching = match_one_to_one(scores, right.units.size());
  const auto point_at = [&](double threshold) {
    const auto found = std::ranges::find_if(matching.points,
                                            [&](const MatchCurvePoint& p) { return p.threshold >= threshold - 1e-6; });
    return found == matching.points.end() ? matching.points.back() : *found;
  };
  const MatchCurvePoint& best = matching.points[matching.best];
  ThresholdAdvice& threshold = advice.threshold;
  threshold.given = options.threshold.has_value();
  threshold.suggested = options.threshold.value_or(parse_threshold(fmt::format("{:.2f}", best.threshold)));
  threshold.confidence = best.f1 >= 0.9 && best.matched >= 50 ? Confidence::high
                         : best.f1 >= 0.7                     ? Confidence::medium
                                                              : Confidence::low;
  threshold.reason = best.matched == 0 ? "no pair is similar" : "the highest expected F1 of a one-to-one matching";
  if (best.matched == 0 && !options.threshold) threshold.suggested = {1, 2};
  advice.definition.threshold = threshold.suggested;
  const MatchCurvePoint chosen = point_at(value_of(threshold.suggested));
  advice.matching = MatchAdvice{.matches = chosen.matched * growth,
                                .expected_precision = chosen.matched > 0 ? 1 - chosen.accidents / chosen.matched : 1,
                                .expected_f1 = chosen.f1};
  for (const Threshold& at : thresholds_for(threshold.suggested)) {
    const MatchCurvePoint point = point_at(value_of(at));
    advice.outcomes.push_back(
        {.threshold = at, .clusters = exactly(point.matched * growth), .removed = exactly(point.partnered * growth)});
  }
  std::ranges::reverse(advice.outcomes);
  advice.template_pairs_share = template_share(scores, value_of(threshold.suggested));
}

}  // namespace
}  // namespace advising

void AdviseOptions::validate() const {
  if (on_bad_record == OnBadRecord::quarantine)
    throw Error(ErrorCode::usage, "`on_bad_record`: advise writes nothing, so it cannot set records aside",
                "on_bad_record");
  if (threshold && (threshold->num == 0 || threshold->num > threshold->den))
    throw Error(ErrorCode::usage,
                fmt::format("`threshold` {}: expected a similarity above 0 and up to 1", to_string(*threshold)),
                "threshold");
  if (features && features->minwise != 0)
    throw Error(ErrorCode::usage, "`features`: advise compares whole feature sets, not minwise samples", "features");
  check_rules(text);
}

Advice advise(const Collection& collection, const Collection* other, const AdviseOptions& options,
              const Context& context) {
  return base::guarded(context, [&](const Context& call) {
    options.validate();
    const base::Stopwatch watch;
    Advice advice;
    advice.definition.text = options.text;
    advising::choose_features(collection, other != nullptr, options, advice, call);
    if (other == nullptr) {
      advising::advise_within(collection, options, advice, call);
    } else {
      advising::advise_match(collection, *other, options, advice, call);
    }
    advising::add_warnings(options, advice);
    advice.seconds = watch.seconds();
    return advice;
  });
}

}  // namespace neardup
