// Which documents are the same whatever their texts say, and which pairs count only under further conditions?
// docs/clean-up.md has the exact meanings.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "neardup/definition.h"

namespace neardup {

// Documents with an equal key are the same; one without a key is the same as none.
struct SameKey {
  enum class Kind { url, field, text, bytes };
  Kind kind = Kind::url;
  std::string field{};  // for url and field
};
// "url", "url:FIELD", "text", "bytes", "field:FIELD"; anything else is a field. Throws Error{usage}.
SameKey parse_same_key(std::string_view);
std::string to_string(const SameKey&);

// A condition on a field of both documents of a pair. A document without the field is in no pair.
struct FieldCondition {
  std::string field{};
  std::optional<Definition> near{};  // absent: the values are equal
};
// "lang", "title:jaccard:0.8", "title:edit:2", "title:dice:0.7:chars:3"; features are words unless given. Throws
// Error{usage}.
FieldCondition parse_condition(std::string_view);
std::string to_string(const FieldCondition&);

}  // namespace neardup
