// How do features that were ignored read?
//
// A feature is a hash, so a document that has it is cut again. Neighbouring features that were ignored too make one
// passage.
#include <algorithm>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

#include "base/document_text.h"
#include "base/utf8.h"
#include "corpus/reread.h"
#include "search/ignore.h"

namespace neardup::search {
namespace {

constexpr std::size_t kTexts = 5, kCandidates = 256, kMostBytes = 160;

struct FoundPassage {
  Feature feature;  // that was looked for
  std::string text;
  std::vector<Feature> all;  // the features of the passage
};

std::string shown(std::string_view text) {
  if (text.size() <= kMostBytes) return std::string(text);
  return std::string(base::cut_to_code_point(text, kMostBytes)) + "…";
}

// Reads passages out of documents. One a thread.
class PassageReader {
 public:
  PassageReader(const corpus::Corpus& corpus, const features::IgnoredFeatures& ignored)
      : spec_(corpus.definition.features), hash_seed_(corpus.definition.hash_seed), ignored_(ignored) {
    if (spec_.kind != FeatureKind::tokens) extractor_.emplace(spec_, hash_seed_, corpus.definition.text);
  }

  void read(const DocumentView& document, features::Group group, const std::vector<Feature>& wanted,
            std::vector<FoundPassage>& out) {
    if (!extractor_) return read_tokens(document, wanted, out);
    const std::string_view text = base::repaired_utf8(base::whole_text(document, joined_), repaired_);
    extractor_->elements(text, elements_);
    const std::size_t length = std::min<std::size_t>(spec_.length, elements_.size());
    run_features(elements_, length, runs_);
    find_begins(text);
    if (begins_.size() != elements_.size() + 1) return;
    for (const Feature feature : wanted) {
      const auto at = std::ranges::find(runs_, feature);
      if (at == runs_.end()) continue;  // a numbered repeat
      std::size_t first = static_cast<std::size_t>(at - runs_.begin()), last = first;
      while (first > 0 && ignored_.contains(runs_[first - 1], group)) --first;
      while (last + 1 < runs_.size() && ignored_.contains(runs_[last + 1], group)) ++last;
      const std::size_t begin = begins_[first], end = begins_[last + length];
      std::string_view passage = std::string_view(string_).substr(begin, end - begin);
      while (passage.ends_with(' ')) passage.remove_suffix(1);
      out.push_back({feature,
                     shown(passage),
                     {runs_.begin() + static_cast<std::ptrdiff_t>(first),
                      runs_.begin() + static_cast<std::ptrdiff_t>(last) + 1}});
    }
  }

 private:
  void read_tokens(const DocumentView& document, const std::vector<Feature>& wanted, std::vector<FoundPassage>& out) {
    for (const std::uint64_t token : document.tokens) {
      token_set({&token, 1}, spec_, hash_seed_, runs_);
      if (std::ranges::find(wanted, runs_.front()) != wanted.end())
        out.push_back({runs_.front(), std::to_string(token), {runs_.front()}});
    }
  }

  // Where each element begins in the string that features are cut from, then where it ends.
  void find_begins(std::string_view text) {
    string_ = extractor_->string(text);
    begins_.clear();
    const bool chars = spec_.kind == FeatureKind::chars;
    for (std::size_t i = 0; i < string_.size(); ++i)
      if (chars ? !base::is_continuation(string_[i]) : i == 0 || string_[i - 1] == ' ') begins_.push_back(i);
    begins_.push_back(string_.size());
  }

  FeatureSpec spec_;
  std::uint64_t hash_seed_;
  const features::IgnoredFeatures& ignored_;
  std::optional<FeatureExtractor> extractor_;
  std::string joined_, repaired_, string_;
  std::vector<std::uint64_t> elements_;
  std::vector<Feature> runs_;
  std::vector<std::size_t> begins_;
};

}  // namespace

std::vector<IgnoredText> find_ignored_texts(std::span<const corpus::Corpus> sides, std::vector<IgnoredPlace> places,
                                            const features::IgnoredFeatures& ignored, const Context& context) {
  std::ranges::sort(places, [](const IgnoredPlace& a, const IgnoredPlace& b) {
    return a.sets != b.sets ? a.sets > b.sets
                            : std::tuple(a.side, a.unit, a.feature) < std::tuple(b.side, b.unit, b.feature);
  });
  if (places.size() > kCandidates) places.resize(kCandidates);
  std::unordered_map<Feature, FoundPassage> found;
  for (std::uint32_t side = 0; side < sides.size(); ++side) {
    std::unordered_map<std::uint32_t, std::vector<Feature>> wanted;  // by unit
    for (const IgnoredPlace& place : places)
      if (place.side == side) wanted[index(place.unit)].push_back(place.feature);
    if (wanted.empty()) continue;
    using Passages = std::vector<FoundPassage>;
    corpus::reread_units<Passages>(
        sides[side], [&](Unit unit) { return wanted.contains(index(unit)); },
        [&] {
          return [&, reader = PassageReader(sides[side], ignored)](const corpus::RereadRecord& record, Unit unit,
                                                                   Passages& out) mutable {
            reader.read(record.document, sides[side].units.group_of(unit), wanted.at(index(unit)), out);
          };
        },
        [&](Passages& passages) {
          for (FoundPassage& passage : passages) found.emplace(passage.feature, std::move(passage));
        },
        context, "looking up ignored texts");
  }
  std::vector<IgnoredText> texts;
  std::unordered_set<Feature> covered;
  for (const IgnoredPlace& place : places) {
    const auto at = found.find(place.feature);
    if (texts.size() == kTexts || at == found.end() || covered.contains(place.feature)) continue;
    covered.insert(at->second.all.begin(), at->second.all.end());
    texts.push_back({at->second.text, place.sets});
  }
  return texts;
}

}  // namespace neardup::search
