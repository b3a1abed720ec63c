// What can be said of pieces of JSON by looking at their text?
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace neardup::io {

enum class JsonKind { missing, string, number, boolean, null, object, array };
const char* with_article(JsonKind);

// A number, a boolean or null; nothing when it is not valid.
std::optional<JsonKind> token_kind(std::string_view token);

// Half of a surrogate pair without the other has no meaning; the escape of U+FFFD takes its place. True when there was
// one.
bool replace_lone_surrogates(std::string& json);

}  // namespace neardup::io
