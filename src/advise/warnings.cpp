#include "advise/warnings.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/counted.h"
#include "text/language.h"
#include "text/stop_words.h"

namespace neardup::advising {
namespace {

constexpr double kMostTexts = 0.5;

const ThresholdOutcome* outcome_at(const Advice& advice, const Threshold& threshold) {
  const auto found = std::ranges::find(advice.outcomes, threshold, &ThresholdOutcome::threshold);
  return found == advice.outcomes.end() ? nullptr : &*found;
}

// The ISO code of a list or stemmer that the user named; empty: not one of ours.
std::string code_of(const std::string& name) {
  for (const text::StopWordList& list : text::stop_word_lists()) {
    if (name == list.code || name == list.name) return std::string(list.code);
  }
  return {};
}

void warn_of_language(const char* option, const std::string& name, Advice& advice) {
  const std::string code = code_of(name);
  if (code.empty() || advice.languages.empty()) return;
  const NamedShare& main = advice.languages.front();
  if (main.name == code || main.name == "unknown" || main.share < kMostTexts) return;
  advice.warnings.push_back(fmt::format("`{}` is for {}, but most texts ({:.0f}%) are in {}", option,
                                        text::language_name(code), 100 * main.share, text::language_name(main.name)));
}

void warn_of_short_texts(Advice& advice) {
  const FeatureSpec& features = advice.definition.features;
  if (features.kind != FeatureKind::words || features.length < 2 || advice.words.longest == 0) return;
  if (advice.words.median < features.length) {
    advice.warnings.push_back(fmt::format(
        "most texts have fewer than {} words, which `features={}` takes as one feature: only equal texts match",
        features.length, to_string(features)));
  } else if (advice.words.p10 < features.length) {
    advice.warnings.push_back(
        fmt::format("at least one text in ten has fewer than {} words: it matches only equal texts", features.length));
  }
}

void warn_of_clusters(Advice& advice) {
  constexpr double kGiant = 0.05, kLeastDocuments = 20;
  const ThresholdOutcome* const outcome = outcome_at(advice, advice.definition.threshold);
  if (outcome == nullptr) return;
  if (outcome->largest_share >= kGiant && outcome->largest_share * advice.all_documents.value >= kLeastDocuments) {
    advice.warnings.push_back(
        fmt::format("one cluster has {:.0f}% of the documents at {}: look at it before you remove anything, or use "
                    "`clusters=star`",
                    100 * outcome->largest_share, to_string(outcome->threshold)));
  }
  constexpr double kTemplateDriven = 0.1;
  if (advice.template_pairs_share >= kTemplateDriven) {
    advice.warnings.push_back(
        fmt::format("{:.0f}% of the similar pairs are similar only through passages that many documents share; "
                    "`strip` can cut them out",
                    100 * advice.template_pairs_share));
  }
}

}  // namespace

void add_warnings(const AdviseOptions& options, Advice& advice) {
  const std::uint64_t documents = advice.documents();
  if (documents == 0) {
    advice.warnings.emplace_back("there are no documents");
    return;
  }
  if (advice.without_features * 5 >= documents) {
    advice.warnings.push_back(fmt::format("no words in {} of {}", base::with_commas(advice.without_features),
                                          base::counted(documents, "document", "documents")));
  }
  if (advice.examined_share < 1) {
    advice.warnings.push_back(
        fmt::format("only {:.2g}% of the documents were examined; small clusters are estimated "
                    "from what the sample shows of them",
                    100 * advice.examined_share));
  }
  warn_of_short_texts(advice);
  if (!options.text.stop_words_source.empty()) warn_of_language("stop_words", options.text.stop_words_source, advice);
  if (!options.text.stem.empty()) warn_of_language("stem", options.text.stem, advice);
  warn_of_clusters(advice);
}

}  // namespace neardup::advising
