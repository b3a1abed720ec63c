// Do these two documents meet the definition, and with which score?
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "neardup/definition.h"
#include "neardup/features.h"
#include "simd/kernels.h"
#include "similarity/measures.h"

namespace neardup::similarity {

// The definition at work: every finder asks it before it reports a pair.
// Costs one merge of the two sets at most, and stops as soon as the threshold is out of reach.
// Threads: const members may run concurrently.
class Verifier {
 public:
  // Throws Error{usage} when the definition is not valid.
  explicit Verifier(const Definition&);

  // The exact score when the pair meets the definition. Sets are ascending and without repeats; an empty one has no
  // partner. Precondition: a set measure.
  [[nodiscard]] std::optional<double> verify(std::span<const Feature> a, std::span<const Feature> b) const;

  // The same for two simhashes, given as their bits. Precondition: the measure is hamming.
  [[nodiscard]] std::optional<double> verify(std::uint64_t a, std::uint64_t b) const;

  // The score of two equal documents when it meets the definition: with `overlap` small sets do not even match their
  // own copies. For distances the argument does not matter unless it is 0, a document without features.
  [[nodiscard]] std::optional<double> identity_score(Size set_size) const;

  // Bounds of the set measures; see measures.h. Precondition: a set measure.
  [[nodiscard]] bool sizes_can_match(Size x, Size y) const;
  [[nodiscard]] Size min_overlap(Size x, Size y) const;
  [[nodiscard]] Size min_overlap_any(Size x) const;
  [[nodiscard]] Size min_size(Size x) const;
  [[nodiscard]] Size max_size(Size x) const;

 private:
  Measure measure_;
  Threshold threshold_;
  const neardup_kernels* kernels_;
};

}  // namespace neardup::similarity
