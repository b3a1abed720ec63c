#include "corpus/definition_for.h"

#include <fmt/format.h>

#include <cstddef>

#include "io/collection.h"
#include "io/formats/formats.h"
#include "neardup/error.h"
#include "neardup/text_rules.h"

namespace neardup::corpus {

FeatureSpec features_for(const Collection& collection, const FeatureSpec& spec, bool named_by_user) {
  bool has_sets = false, has_text = false;
  for (const io::Source& source : collection.impl().sources) {
    (source.format->name == "sets" ? has_sets : has_text) = true;
  }
  if (!has_sets) return spec;
  if (has_text) throw Error(ErrorCode::usage, "`sets` inputs and texts have no features in common; give one kind only");
  if (named_by_user)
    throw Error(ErrorCode::usage, "--features does not apply to `sets` inputs: their integers are the features");
  return {.kind = FeatureKind::tokens, .length = 1, .bag = spec.bag};
}

void check_has_strings(const Definition& definition) {
  if (definition.features.kind != FeatureKind::tokens) return;
  if (definition.measure == Measure::edit)
    throw Error(ErrorCode::usage, "`sets` inputs are no strings: --measure edit does not apply to them");
  if (has_rules(definition.text)) {
    throw Error(ErrorCode::usage,
                "`sets` inputs have no words: leave out --strip, --numbers, --min-word, --stop-words and --stem");
  }
}

void check_field_weights(const Collection& collection, const Definition& definition) {
  const std::size_t fields = collection.impl().options.text_fields.size();
  if (!definition.field_weights.empty() && definition.field_weights.size() != fields) {
    throw Error(ErrorCode::usage, fmt::format("{} text fields are read, but {} have a weight (--fields)", fields,
                                              definition.field_weights.size()));
  }
}

}  // namespace neardup::corpus
