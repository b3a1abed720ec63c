#include "dedup/shared_text.h"

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "neardup/features.h"

namespace neardup::dedup {
namespace {

constexpr unsigned kRun = 5;
constexpr double kMost = 0.5;
constexpr std::size_t kShownWords = 14;

}  // namespace

std::optional<SharedText> shared_text(std::span<const std::string_view> documents) {
  if (documents.size() < 2) return std::nullopt;
  FeatureExtractor extractor({.kind = FeatureKind::words, .length = kRun}, 0);
  std::vector<Feature> runs, set;
  extractor.occurrences(documents.front(), runs);
  const std::vector<std::string> words = neardup::words(documents.front());
  if (words.size() < kRun || runs.size() != words.size() - kRun + 1) return std::nullopt;

  std::unordered_map<Feature, std::size_t> holders;
  for (const Feature run : runs) holders.emplace(run, 0);
  for (const std::string_view document : documents) {
    extractor.set(document, set);
    for (const Feature feature : set) {
      if (const auto at = holders.find(feature); at != holders.end()) ++at->second;
    }
  }
  const auto enough = static_cast<std::size_t>(kMost * static_cast<double>(documents.size())) + 1;
  std::size_t best_begin = 0, best_length = 0;
  for (std::size_t begin = 0, end = 0; begin < runs.size(); begin = end + 1) {
    for (end = begin; end < runs.size() && holders[runs[end]] >= enough;) ++end;
    if (end - begin > best_length) {
      best_begin = begin;
      best_length = end - begin;
    }
  }
  if (best_length == 0) return std::nullopt;

  SharedText shared;
  std::size_t fewest = documents.size();
  for (std::size_t i = best_begin; i < best_begin + best_length; ++i) fewest = std::min(fewest, holders[runs[i]]);
  shared.share = static_cast<double>(fewest) / static_cast<double>(documents.size());
  const std::size_t length = best_length + kRun - 1;
  for (std::size_t i = 0; i < std::min(length, kShownWords); ++i)
    shared.text += (i == 0 ? "" : " ") + words[best_begin + i];
  if (length > kShownWords) shared.text += " ...";
  return shared;
}

}  // namespace neardup::dedup
