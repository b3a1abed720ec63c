#include "compare/features.h"

#include <algorithm>
#include <limits>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "base/utf8.h"

namespace neardup::comparison {
namespace {

constexpr std::size_t kCandidates = 4096;     // of each kind, among which those shown are chosen
constexpr std::size_t kMostShownBytes = 240;  // of one feature
constexpr std::size_t kNowhere = std::numeric_limits<std::size_t>::max();

struct Candidate {
  Feature feature = 0;
  std::uint32_t a_count = 0, b_count = 0;
  std::uint64_t weight = 0;
  std::size_t place = kNowhere;  // among the occurrences in the text
};

// Keeps the heaviest, among equals those with the smallest hashes, which are as good as drawn at random.
class Heaviest {
 public:
  void add(const Candidate& candidate) {
    candidates_.push_back(candidate);
    if (candidates_.size() >= 2 * kCandidates) shrink();
  }
  std::vector<Candidate> take() {
    if (candidates_.size() > kCandidates) shrink();
    return std::move(candidates_);
  }

 private:
  void shrink() {
    std::nth_element(candidates_.begin(), candidates_.begin() + kCandidates, candidates_.end(),
                     [](const Candidate& x, const Candidate& y) {
                       return x.weight != y.weight ? x.weight > y.weight : x.feature < y.feature;
                     });
    candidates_.resize(kCandidates);
  }

  std::vector<Candidate> candidates_;
};

void find_places(const std::vector<Feature>& in_order, std::vector<Candidate>& candidates) {
  std::unordered_map<Feature, std::size_t*> wanted;
  for (Candidate& candidate : candidates) wanted.emplace(candidate.feature, &candidate.place);
  std::size_t missing = wanted.size();
  for (std::size_t place = 0; missing > 0 && place < in_order.size(); ++place) {
    const auto found = wanted.find(in_order[place]);
    if (found == wanted.end() || *found->second != kNowhere) continue;
    *found->second = place;
    --missing;
  }
}

std::vector<Candidate> chosen(std::vector<Candidate> all, std::size_t count, std::size_t length) {
  std::sort(all.begin(), all.end(), [](const Candidate& x, const Candidate& y) {
    return x.weight != y.weight ? x.weight > y.weight : x.place < y.place;
  });
  if (all.size() <= count) return all;
  // Runs that overlap say the same thing again; they come in only to fill the list.
  const std::uint64_t least = all[count - 1].weight;
  std::vector<Candidate> out, overlapping;
  for (const Candidate& candidate : all) {
    if (out.size() == count || candidate.weight < least) break;
    const bool overlaps = candidate.weight == least && !out.empty() && out.back().weight == least &&
                          candidate.place < out.back().place + length;
    (overlaps ? overlapping : out).push_back(candidate);
  }
  for (const Candidate& candidate : overlapping) {
    if (out.size() == count) break;
    out.push_back(candidate);
  }
  return out;
}

std::string cut(std::string_view text) {
  if (text.size() <= kMostShownBytes) return std::string(text);
  return std::string(base::cut_to_code_point(text, kMostShownBytes)) + "…";
}

// Cuts a text into what its features are made of, and reads out single ones.
class FeatureReader {
 public:
  FeatureReader(const NamedDocument& named, const Definition& definition)
      : spec_(definition.features), tokens_(named.document.tokens) {
    if (spec_.kind == FeatureKind::tokens) return;
    text_ = FeatureExtractor(spec_, definition.hash_seed, definition.text).string(named.document.text);
    const bool chars = spec_.kind == FeatureKind::chars;
    for (std::size_t i = 0; i < text_.size(); ++i) {
      if (chars ? !base::is_continuation(text_[i]) : i == 0 || text_[i - 1] == ' ')
        begins_.push_back(static_cast<std::uint32_t>(i));
    }
    begins_.push_back(static_cast<std::uint32_t>(text_.size()));
  }

  [[nodiscard]] std::string at(std::size_t place) const {
    if (spec_.kind == FeatureKind::tokens) return place < tokens_.size() ? std::to_string(tokens_[place]) : "";
    if (begins_.empty() || place + 1 >= begins_.size()) return "";
    const std::size_t last = std::min(place + spec_.length, begins_.size() - 1);
    std::string_view run = std::string_view(text_).substr(begins_[place], begins_[last] - begins_[place]);
    if (spec_.kind != FeatureKind::chars && run.ends_with(' ')) run.remove_suffix(1);
    return cut(run);
  }

 private:
  FeatureSpec spec_;
  const std::vector<std::uint64_t>& tokens_;
  std::string text_;                   // words with a space between them, or code points
  std::vector<std::uint32_t> begins_;  // of each word or code point in text_, and its end
};

std::vector<ShownFeature> shown(const std::vector<Candidate>& candidates, const FeatureReader& reader) {
  std::vector<ShownFeature> out;
  for (const Candidate& candidate : candidates)
    out.push_back({reader.at(candidate.place), candidate.a_count, candidate.b_count});
  return out;
}

// Different features, ascending, and how often each occurs.
struct CountedFeatures {
  std::vector<Feature> features;
  std::vector<std::uint32_t> counts;
  CountedFeatures() = default;
  explicit CountedFeatures(std::vector<Feature> occurrences) {  // in any order
    std::sort(occurrences.begin(), occurrences.end());
    for (std::size_t i = 0; i < occurrences.size();) {
      std::size_t next = i + 1;
      while (next < occurrences.size() && occurrences[next] == occurrences[i]) ++next;
      features.push_back(occurrences[i]);
      counts.push_back(static_cast<std::uint32_t>(next - i));
      i = next;
    }
  }
};

// Features as they follow each other in the text, repeats not numbered, whatever the definition says.
std::vector<Feature> features_in_order(const NamedDocument& named, const Definition& definition) {
  FeatureSpec spec = definition.features;
  spec.bag = false;
  std::vector<Feature> out;
  if (spec.kind == FeatureKind::tokens) {
    token_occurrences(named.document.tokens, spec, definition.hash_seed, out);
  } else {
    FeatureExtractor(spec, definition.hash_seed, definition.text).occurrences(named.document.text, out);
  }
  return out;
}

}  // namespace

void list_heaviest_features(const NamedDocument& a, const NamedDocument& b, const features::IgnoredFeatures& ignored,
                            std::size_t count, Comparison& out) {
  const Definition& definition = out.definition;
  std::vector<Feature> in_order = features_in_order(a, definition);
  CountedFeatures of_a(in_order), of_b(features_in_order(b, definition));
  if (const std::size_t smallest = definition.features.minwise; smallest != 0) {
    for (CountedFeatures* side : {&of_a, &of_b}) {
      side->features.resize(std::min(side->features.size(), smallest));
      side->counts.assign(side->features.size(), 1);
    }
  }
  const bool bag = definition.features.bag;
  Heaviest both, a_alone, b_alone;
  for (std::size_t i = 0, j = 0; i < of_a.features.size() || j < of_b.features.size();) {
    const bool has_a = i < of_a.features.size() && (j == of_b.features.size() || of_a.features[i] <= of_b.features[j]);
    const bool has_b = j < of_b.features.size() && (i == of_a.features.size() || of_b.features[j] <= of_a.features[i]);
    Candidate candidate{.feature = has_a ? of_a.features[i] : of_b.features[j],
                        .a_count = has_a ? of_a.counts[i] : 0,
                        .b_count = has_b ? of_b.counts[j] : 0};
    i += has_a ? 1 : 0;
    j += has_b ? 1 : 0;
    if (ignored.contains(candidate.feature, 0)) continue;
    const auto add = [&](Heaviest& list, std::uint32_t weight) {
      candidate.weight = weight;
      list.add(candidate);
    };
    if (has_a && has_b) add(both, std::min(candidate.a_count, candidate.b_count));
    if (has_a && (!has_b || (bag && candidate.a_count > candidate.b_count)))
      add(a_alone, candidate.a_count - candidate.b_count);
    if (has_b && (!has_a || (bag && candidate.b_count > candidate.a_count)))
      add(b_alone, candidate.b_count - candidate.a_count);
  }
  of_a = {};
  of_b = {};

  std::vector<Candidate> shared = both.take(), only_a = a_alone.take(), only_b = b_alone.take();
  find_places(in_order, shared);
  find_places(in_order, only_a);
  in_order = features_in_order(b, definition);
  find_places(in_order, only_b);
  std::vector<Feature>().swap(in_order);

  const std::size_t length = definition.features.length;
  {
    const FeatureReader reader(a, definition);
    out.shared_features = shown(chosen(std::move(shared), count, length), reader);
    out.only_a = shown(chosen(std::move(only_a), count, length), reader);
  }
  out.only_b = shown(chosen(std::move(only_b), count, length), FeatureReader(b, definition));
}

}  // namespace neardup::comparison
