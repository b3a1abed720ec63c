// What of a document is compared with others, and how is it stored?
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "index/bytes.h"
#include "neardup/definition.h"
#include "neardup/features.h"
#include "neardup/similarity.h"

namespace neardup::indexing {

// Documents with equal contents form a unit.
struct Content {
  std::vector<Feature> set{};  // of set measures: ascending, each once
  std::uint64_t bits = 0;      // of hamming
  std::uint64_t length = 0;    // of hamming where lengths matter: code points of the text
  friend bool operator==(const Content&, const Content&) = default;
};

// Applies the definition of an index to contents. Threads: const members may run concurrently.
class ContentRules {
 public:
  explicit ContentRules(const Definition& definition) : definition_(definition), verifier_(definition) {}

  [[nodiscard]] const Definition& definition() const { return definition_; }
  [[nodiscard]] const Verifier& verifier() const { return verifier_; }
  [[nodiscard]] bool compares_sets() const { return neardup::compares_sets(definition_.measure); }

  // The score when the two are near-duplicates.
  [[nodiscard]] std::optional<double> score(const Content& a, const Content& b) const;
  // Whether such a set matches its own copies; if not, it matches nothing.
  [[nodiscard]] bool can_match(const Content& content) const {
    return !compares_sets() || verifier_.identity_score(content.set.size()).has_value();
  }
  [[nodiscard]] bool is_better(double a, double b) const { return is_distance(definition_.measure) ? a < b : a > b; }

  void append(std::string& out, const Content&) const;
  [[nodiscard]] Content read(RowReader&) const;

 private:
  Definition definition_;
  Verifier verifier_;
};

// A feature set in about 64 - log2(n) + 2 bits per feature: Elias-Fano coding, the low bits packed, the high bits in
// unary. docs/index.md describes the bytes.
void append_set(std::string& out, std::span<const Feature> ascending);
void read_set(RowReader&, std::vector<Feature>& out);
// Only how many there are, without reading them.
std::uint64_t set_size(std::string_view row);

}  // namespace neardup::indexing
