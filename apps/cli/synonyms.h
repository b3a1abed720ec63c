// What do other programs, and earlier versions, call our flags?
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace neardup::cli {

enum class Synonymy {
  same,     // accepted in place of the flag, though the help does not mention it
  similar,  // takes other values: only suggests the flag
};

// Names have no dashes in front.
struct Synonym {
  std::string_view word, flag;
  Synonymy kind;
};
std::span<const Synonym> synonyms();

// A name with `-` where Python programs write `_`.
std::string with_hyphens(std::string_view name);

}  // namespace neardup::cli
