#include "advise/templates.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "base/utf8.h"
#include "neardup/features.h"
#include "text/word_places.h"

namespace neardup::advising {
namespace {

constexpr unsigned kRun = 5;  // words of a feature
constexpr double kTemplateShare = 0.05;
constexpr std::size_t kLeastTexts = 5, kMostPassages = 3, kLongestShown = 300;

struct Passage {
  std::size_t text, first, last;  // features [first, last)
  std::uint32_t texts;            // that have all of it, at most
  [[nodiscard]] double weight() const { return static_cast<double>(last - first + kRun - 1) * texts; }
};

}  // namespace

std::vector<TemplateText> common_passages(std::span<const std::string> texts) {
  FeatureExtractor extractor({.kind = FeatureKind::words, .length = kRun}, 0);
  std::vector<std::vector<Feature>> occurrences(texts.size());
  std::unordered_map<Feature, std::uint32_t> counts;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    extractor.occurrences(texts[i], occurrences[i]);
    const std::unordered_set<Feature> once(occurrences[i].begin(), occurrences[i].end());
    for (const Feature feature : once) ++counts[feature];
  }
  const auto least =
      static_cast<std::uint32_t>(std::max<double>(kLeastTexts, kTemplateShare * static_cast<double>(texts.size())));
  std::vector<Passage> passages;
  for (std::size_t text = 0; text < texts.size(); ++text) {
    const auto& row = occurrences[text];
    for (std::size_t first = 0; first < row.size();) {
      std::uint32_t fewest = counts[row[first]];
      std::size_t last = first;
      // A run ends where a passage becomes much rarer: there another one begins.
      for (; last < row.size() && counts[row[last]] >= std::max(least, fewest / 2); ++last)
        fewest = std::min(fewest, counts[row[last]]);
      if (last > first) passages.push_back({text, first, last, fewest});
      first = std::max(last, first + 1);
    }
  }
  std::ranges::stable_sort(passages, [](const Passage& a, const Passage& b) { return a.weight() > b.weight(); });
  std::vector<TemplateText> out;
  std::unordered_set<Feature> shown;
  for (const Passage& passage : passages) {
    if (out.size() == kMostPassages) break;
    const auto& row = occurrences[passage.text];
    const std::span<const Feature> features = std::span(row).subspan(passage.first, passage.last - passage.first);
    if (std::ranges::any_of(features, [&](Feature f) { return shown.contains(f); })) continue;
    shown.insert(features.begin(), features.end());
    const std::string& text = texts[passage.text];
    const auto places = text::word_places(text);
    const std::size_t last_word = passage.last + kRun - 1;
    if (places.size() < last_word) continue;  // a text with fewer words than a run
    const std::size_t begin = places[passage.first].start;
    const std::size_t end = last_word < places.size() ? places[last_word].start : text.size();
    out.push_back(
        {std::string(base::cut_to_code_point(std::string_view(text).substr(begin, end - begin), kLongestShown)),
         static_cast<double>(passage.texts) / static_cast<double>(texts.size())});
  }
  return out;
}

}  // namespace neardup::advising
