#include "neardup/features.h"

#include <cassert>

#include "features/extractor.h"
#include "features/hashing.h"
#include "simd/dispatch.h"

namespace neardup {

struct FeatureExtractor::State : features::Extractor {
  using Extractor::Extractor;
};

FeatureExtractor::FeatureExtractor(const FeatureSpec& spec, std::uint64_t hash_seed, const TextRules& rules)
    : state_(std::make_unique<State>(spec, hash_seed, simd::kernels(), rules)) {
  assert(spec.kind != FeatureKind::tokens && spec.length >= 1);
}
FeatureExtractor::~FeatureExtractor() = default;
FeatureExtractor::FeatureExtractor(FeatureExtractor&&) noexcept = default;
FeatureExtractor& FeatureExtractor::operator=(FeatureExtractor&&) noexcept = default;

void FeatureExtractor::occurrences(std::string_view text, std::vector<Feature>& out) { state_->occurrences(text, out); }
void FeatureExtractor::set(std::string_view text, std::vector<Feature>& out) { state_->set(text, out); }

std::string FeatureExtractor::string(std::string_view text) { return state_->string(text); }
void FeatureExtractor::elements(std::string_view text, std::vector<std::uint64_t>& out) { state_->elements(text, out); }

void token_occurrences(std::span<const std::uint64_t> tokens, const FeatureSpec& spec, std::uint64_t hash_seed,
                       std::vector<Feature>& out) {
  out.clear();
  out.reserve(tokens.size());
  for (const std::uint64_t token : tokens) out.push_back(features::integer_hash(token, hash_seed));
  if (spec.bag) features::number_repeats(out);
}

void token_set(std::span<const std::uint64_t> tokens, const FeatureSpec& spec, std::uint64_t hash_seed,
               std::vector<Feature>& out) {
  token_occurrences(tokens, spec, hash_seed, out);
  std::vector<Feature> scratch;
  sort_unique(out, scratch);
}

std::string folded_text(std::string_view text) {
  text::Folder folder{text::Spacing::plain, simd::kernels()};
  return features::single_spaced(folder.fold(text));
}

std::vector<std::string> words(std::string_view text) {
  text::Folder folder{text::Spacing::words, simd::kernels()};
  const std::string_view folded = folder.fold(text);
  std::vector<std::uint64_t> masks((folded.size() + 63) / 64);
  simd::kernels().word_masks(folded.data(), folded.size(), masks.data());
  std::vector<std::string> out;
  features::for_each_word(masks, folded.size(), [&](std::size_t first, std::size_t last) {
    out.emplace_back(folded.substr(first, last - first));
  });
  return out;
}

}  // namespace neardup
