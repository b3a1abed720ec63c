#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "corpus/definition_for.h"
#include "io/collection.h"
#include "neardup/error.h"
#include "neardup/hamming.h"
#include "neardup/sketch.h"
#include "neardup/text_rules.h"
#include "pairs/search.h"

namespace neardup {
namespace pairs {
namespace {

// The paper's section 7.5: a kind of features with an algorithm, under one name.
struct Combination {
  std::string_view name;
  FeatureSpec features;
  std::string_view algorithm;
};
constexpr FeatureSpec kFourGrams{.kind = FeatureKind::chars, .length = 4};
constexpr std::array<Combination, 3> kCombinations{{
    {"qp", kFourGrams, "ppjoin+"},
    {"qa", kFourGrams, "all-pairs"},
    {"sp", {.kind = FeatureKind::chars, .length = 4, .minwise = 32}, "ppjoin+"},
}};

const Combination* combination(const std::string& algorithm) {
  const auto found = std::ranges::find(kCombinations, algorithm, &Combination::name);
  return found == kCombinations.end() ? nullptr : &*found;
}

void check_same_kind(std::span<const Collection* const> collections) {
  const auto has_sets = [](const Collection* collection) {
    return io::holds_tokens(io::impl_of(*collection).sources.front());
  };
  if (has_sets(collections.front()) != has_sets(collections.back())) {
    throw Error(ErrorCode::usage, "`sets` inputs and texts have no features in common; give one kind only");
  }
}

// The features and the algorithm of a combination.
void combine(const Combination& combined, Applied& applied) {
  applied.algorithm = combined.algorithm;
  FeatureSpec& features = applied.definition.features;
  const bool bag = features.bag;
  if (!features.kind) {
    features = combined.features;
  } else if (combined.features.minwise == 0 || features.minwise == 0) {
    throw Error(
        ErrorCode::usage,
        fmt::format("`algorithm` {} is {} on {}: leave `features` out{}", combined.name, combined.algorithm,
                    to_string(combined.features), combined.features.minwise == 0 ? "" : ", or give another minwise:K"),
        "features");
  }
  features.bag = bag;
}

}  // namespace

Applied choose_definition(const PairsOptions& options, std::span<const Collection* const> collections) {
  const Combination* combined = combination(options.algorithm);
  Applied applied{.definition = options.definition, .algorithm = options.algorithm, .is_combined = combined != nullptr};
  if (combined != nullptr) combine(*combined, applied);
  // Texts have features unless they are compared as strings; sets bring their own.
  Definition& definition = applied.definition;
  FeatureSpec spec = definition.features;
  for (const Collection* collection : collections) spec = corpus::features_for(*collection, definition.features);
  check_same_kind(collections);
  definition.features = spec;
  if (definition.measure == Measure::contained && collections.size() == 1) {
    throw Error(
        ErrorCode::usage,
        "`measure=contained` asks how much of a left document is in a right one: it needs `against`; within one "
        "collection use containment",
        "measure");
  }
  if (definition.measure == Measure::edit && options.definition.features.kind) {
    throw Error(ErrorCode::usage, "`measure=edit` compares strings, not features: leave `features` out", "features");
  }
  corpus::check_has_strings(definition);
  if (!options.ignore.within.empty()) {
    const std::array field{options.ignore.within};
    for (const Collection* collection : collections) io::check_fields(*collection, field, "within");
  }
  for (const Collection* collection : collections) corpus::check_field_weights(*collection, definition);
  return applied;
}

}  // namespace pairs

std::vector<std::string> pair_algorithms(Measure measure) {
  if (measure == Measure::hamming) {
    std::vector<std::string> exact{"auto"};
    for (const HammingKind& kind : hamming_kinds()) {
      if (kind.exact) exact.emplace_back(kind.name);
    }
    return exact;
  }
  std::vector<std::string> names = join_algorithms(measure);
  if (compares_sets(measure)) {
    for (const pairs::Combination& combined : pairs::kCombinations) names.emplace_back(combined.name);
  }
  return names;
}

void PairsOptions::validate() const {
  definition.validate();
  ignore.validate(definition);
  check_rules(definition.text);
  const std::vector<std::string> names = pair_algorithms(definition.measure);
  if (std::ranges::find(names, algorithm) == names.end()) {
    throw Error(ErrorCode::usage,
                fmt::format("unknown algorithm \"{}\" for {}; there are: {}", algorithm, to_string(definition.measure),
                            fmt::join(names, ", ")),
                "algorithm");
  }
  if (on_bad_record == OnBadRecord::quarantine) {
    throw Error(ErrorCode::usage, "`on_bad_record=quarantine` is for dedup; here it is skip or fail", "on_bad_record");
  }
}

}  // namespace neardup
