// Which features are not evidence of similarity?
//
// A menu, a licence header or the given part of an exercise makes documents look alike that are not. The features of
// such texts can be left out: those that many documents have, and those of given texts. Sets become smaller before any
// measure is taken. docs/algorithms/ignore.md has the rules.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/collection.h"
#include "neardup/definition.h"

namespace neardup {

// How many documents, or which share of them, may have a feature that still counts.
struct CommonLimit {
  bool is_share = false;
  Threshold most{1, 1};  // a whole number of documents, or a share above 0, up to 1

  // Whether a feature is common that `count` of `documents` distinct feature sets have. One that a single set has never
  // is. In integers.
  [[nodiscard]] bool exceeded(std::uint64_t count, std::uint64_t documents) const;
  friend bool operator==(const CommonLimit&, const CommonLimit&) = default;
};
// "100" is a number of documents; "0.05", "5%" and "1/20" are shares. Throws Error{usage}.
CommonLimit parse_common_limit(std::string_view);
std::string to_string(const CommonLimit&);

struct IgnoreOptions {
  std::optional<CommonLimit> common{};  // features in more documents than this do not count
  std::optional<Collection> texts{};    // features of these documents do not count
  // Count documents per value of this field, and ignore in each document what is common among those of its value. A
  // distinct feature set has the value of its first document; those without the field are counted together.
  std::string within{};

  [[nodiscard]] bool any() const { return common || texts; }
  // Throws Error{usage} when they contradict each other or do not fit the definition, which must compare sets.
  void validate(const Definition&) const;
};

// A passage all of whose features were ignored.
struct IgnoredText {
  std::string text;             // "…" marks omitted text
  std::uint64_t documents = 0;  // distinct feature sets that have its most frequent feature
};

struct IgnoreReport {
  std::uint64_t features = 0;               // distinct ones that were left out of at least one document
  std::uint64_t documents = 0;              // that lost features
  std::uint64_t left_without_features = 0;  // of these; they are similar to nothing but their copies
  std::vector<IgnoredText> texts;           // ignored in most documents first
};

}  // namespace neardup
