// Do these two documents meet the definition, and with which score?
//
//   const neardup::Verifier verifier({.measure = Measure::jaccard, .threshold = {4, 5}});
//   if (const auto score = verifier.verify(a, b)) ...     // both sets as Sketcher::set() gives them
//
// Decisions are made in integers, so a pair exactly at the threshold is accepted on every machine.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "neardup/definition.h"
#include "neardup/features.h"

struct neardup_kernels;  // the library's inner loops as this machine runs them

namespace neardup {

// Applies a definition to pairs: every search uses it before it reports a pair.
//
// There are three kinds of things to compare: feature sets (ascending, each feature once), the strings of
// Measure::edit (UTF-8; Sketcher::string() makes them) and the 64-bit codes of Measure::hamming. Each call takes what
// the definition's measure compares; anything else is Error{usage}. Definition::length_ratio is not checked: it needs
// the texts (Definition::lengths_agree).
//
// Threads: const members may run concurrently. A copy costs nothing.
class Verifier {
 public:
  // Throws Error{usage} when the definition is not valid.
  explicit Verifier(const Definition&);

  // The exact score when the pair meets the definition. An empty set or string has no partner.
  // Sets cost one merge at most, which stops as soon as the threshold is out of reach.
  [[nodiscard]] std::optional<double> verify(std::span<const Feature> a, std::span<const Feature> b) const;
  // Costs about n (1 + T / 64) steps for strings of n code points and a threshold T, and a few words of memory per code
  // point; unrelated strings take only a few steps.
  [[nodiscard]] std::optional<double> verify(std::string_view a, std::string_view b) const;
  [[nodiscard]] std::optional<double> verify(std::uint64_t a, std::uint64_t b) const;

  // The score whatever the threshold. Empty sets share nothing and score 0; the distance to an empty string is the
  // other's length. Strings cost about n (1 + d / 16) steps, where d is their distance.
  [[nodiscard]] double score(std::span<const Feature> a, std::span<const Feature> b) const;
  [[nodiscard]] double score(std::string_view a, std::string_view b) const;
  [[nodiscard]] double score(std::uint64_t a, std::uint64_t b) const;

  // The score of two equal documents when it meets the definition: with `overlap` small sets do not even match their
  // own copies. For distances the argument does not matter unless it is 0, a document without features.
  [[nodiscard]] std::optional<double> identity_score(std::uint64_t set_size) const;

  // Bounds that follow from sizes alone; only for set measures. docs/algorithms/measures.md derives all of them.
  //
  // How many features sets of these sizes must share; more than the smaller one has when they cannot be partners.
  [[nodiscard]] std::uint64_t min_overlap(std::uint64_t x, std::uint64_t y) const;
  [[nodiscard]] bool sizes_can_match(std::uint64_t x, std::uint64_t y) const;
  // How many features a set of this size must share with any partner at all.
  [[nodiscard]] std::uint64_t min_overlap_any(std::uint64_t x) const;
  // The sizes that a partner can have. UINT64_MAX: no upper limit.
  [[nodiscard]] std::uint64_t min_size(std::uint64_t x) const;
  [[nodiscard]] std::uint64_t max_size(std::uint64_t x) const;
  // When all sets are sorted by the same order, for example rarest feature first, partners share a feature among their
  // first prefix_size() features. The length applies to both sides, whichever set is larger. 0: no set is a partner.
  [[nodiscard]] std::uint64_t prefix_size(std::uint64_t x) const;

 private:
  Measure measure_;
  bool compares_sets_;
  Threshold threshold_;
  const neardup_kernels* kernels_;
};

}  // namespace neardup
