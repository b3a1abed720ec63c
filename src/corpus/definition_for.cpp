#include "corpus/definition_for.h"

#include <fmt/format.h>

#include <cstddef>

#include "io/collection.h"
#include "io/formats/formats.h"
#include "io/read_options.h"
#include "neardup/error.h"
#include "neardup/text_rules.h"

namespace neardup::corpus {

FeatureSpec features_of_sets(const FeatureSpec& spec) {
  if (spec.kind && spec.kind != FeatureKind::tokens) {
    throw Error(ErrorCode::usage, "`features` does not apply to `sets` inputs: their integers are the features",
                "features");
  }
  return {.kind = FeatureKind::tokens, .length = 1, .bag = spec.bag};
}

FeatureSpec features_for(const Collection& collection, const FeatureSpec& spec) {
  bool has_sets = false, has_text = false;
  for (const io::Source& source : io::impl_of(collection).sources) {
    (io::holds_tokens(source) ? has_sets : has_text) = true;
  }
  if (!has_sets) {
    FeatureSpec of_texts = spec;
    of_texts.kind = spec.kind.value_or(FeatureKind::words);
    return of_texts;
  }
  if (has_text) throw Error(ErrorCode::usage, "`sets` inputs and texts have no features in common; give one kind only");
  return features_of_sets(spec);
}

void check_has_strings(const Definition& definition) {
  if (definition.features.kind != FeatureKind::tokens) return;
  if (definition.measure == Measure::edit)
    throw Error(ErrorCode::usage, "`sets` records are not strings: `measure=edit` does not apply to them", "measure");
  if (has_rules(definition.text)) {
    throw Error(ErrorCode::usage,
                "`sets` records have no words: omit `strip`, `numbers`, `min_word`, `stop_words` and `stem`");
  }
}

void check_field_weights(const Collection& collection, const Definition& definition) {
  const io::CollectionImpl& impl = io::impl_of(collection);
  if (impl.is_held()) return;  // only its documents can tell, and are asked one by one
  const std::size_t fields = io::text_fields(impl.options).size();
  if (!definition.field_weights.empty() && definition.field_weights.size() != fields) {
    throw Error(ErrorCode::usage,
                fmt::format("{} text fields are read, but {} have a weight", fields, definition.field_weights.size()),
                "field_weights");
  }
}

bool keeps_short_lengths(const Definition& definition) {
  return asks_for_containment(definition.measure) && definition.features.kind != FeatureKind::tokens &&
         definition.features.length > 1;
}

}  // namespace neardup::corpus
