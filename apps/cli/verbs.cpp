#include "verbs.h"

#include <array>

namespace neardup::cli {
namespace {

// To add a verb, write its file and add it here; help, manual and completions follow.
constexpr std::array kVerbs{&kDedup,  &kPairs,   &kWhy,   &kReport, &kCompare,       &kFingerprint,
                            &kMatch,  &kExtract, &kClean, &kTrim,   &kDecontaminate, &kEvaluate,
                            &kAdvise, &kIndex,   &kServe, &kHelp,   &kMan,           &kCompletions};
constexpr std::size_t kTelling = 3;

}  // namespace

std::span<const Verb* const> verbs() { return kVerbs; }

std::span<const Verb* const> working_verbs() { return verbs().first(kVerbs.size() - kTelling); }

const Verb* verb_named(std::string_view name) {
  for (const Verb* verb : kVerbs) {
    if (name == verb->text.name) return verb;
  }
  return nullptr;
}

Words verb_names() {
  Words names;
  for (const Verb* verb : kVerbs) names.emplace_back(verb->text.name);
  return names;
}

}  // namespace neardup::cli
