#define XXH_INLINE_ALL
#include "features/extractor.h"

#include <xxhash.h>

#include <algorithm>

#include "base/utf8.h"
#include "features/hashing.h"
#include "neardup/text_rules.h"

namespace neardup::features {
namespace {

// Buffers beyond this are not kept for the next text.
constexpr std::size_t kKeepBytes = 8u << 20;

void shrink_vector(std::vector<std::uint64_t>& v) {
  if (v.capacity() * sizeof(std::uint64_t) > kKeepBytes) std::vector<std::uint64_t>{}.swap(v);
}

std::uint64_t power_of_base(unsigned exponent) {
  std::uint64_t result = 1;
  for (std::uint64_t square = kBase; exponent != 0; exponent >>= 1, square *= square) {
    if ((exponent & 1) != 0) result *= square;
  }
  return result;
}

// Turns elements into the features of their runs, keeping one run of elements only.
class Runs {
 public:
  Runs(std::size_t length, std::uint64_t outgoing, std::vector<std::uint64_t>& ring, std::vector<Feature>& out)
      : length_(length), outgoing_(outgoing), ring_(ring), out_(out) {
    ring_.clear();
    out_.clear();
  }

  [[nodiscard]] bool empty() const { return ring_.empty(); }

  void add(std::uint64_t element) {
    if (ring_.size() < length_) {
      ring_.push_back(element);
      run_ = run_ * kBase + element;
      if (ring_.size() == length_) out_.push_back(mix(run_));
      return;
    }
    run_ = run_ * kBase + (element - ring_[oldest_] * outgoing_);
    ring_[oldest_] = element;
    oldest_ = oldest_ + 1 == length_ ? 0 : oldest_ + 1;
    out_.push_back(mix(run_));
  }

  // Fewer elements than a run: the whole is the one feature.
  void finish() {
    if (out_.empty() && !ring_.empty()) out_.push_back(mix(run_));
  }

 private:
  std::size_t length_;
  std::uint64_t outgoing_;
  std::vector<std::uint64_t>& ring_;
  std::vector<Feature>& out_;
  std::uint64_t run_ = 0;
  std::size_t oldest_ = 0;
};

}  // namespace

Extractor::Extractor(const FeatureSpec& spec, std::uint64_t hash_seed, const neardup_kernels& kernels,
                     const TextRules& rules)
    : spec_(spec),
      seed_(hash_seed),
      kernels_(kernels),
      outgoing_(power_of_base(spec.length)),
      folder_(spec.kind == FeatureKind::chars ? text::Spacing::plain : text::Spacing::words, kernels),
      rules_(has_rules(rules) ? std::make_unique<text::WordRules>(rules) : nullptr) {}

std::string_view Extractor::fold(std::string_view text) {
  return rules_ == nullptr ? folder_.fold(text) : rules_->apply(folder_.fold(rules_->strip(text)));
}

void Extractor::append_words(std::string_view folded, std::vector<Feature>& out) {
  masks_.resize((folded.size() + 63) / 64);
  kernels_.word_masks(folded.data(), folded.size(), masks_.data());
  Runs runs{spec_.length, outgoing_, ring_, out};
  for_each_word(masks_, folded.size(), [&](std::size_t first, std::size_t last) {
    runs.add(XXH3_64bits_withSeed(folded.data() + first, last - first, seed_));
  });
  runs.finish();
}

// The separators of the folded text, collapsed and trimmed: a space counts only between two other code points.
void Extractor::append_code_points(std::string_view folded, std::vector<Feature>& out) {
  const std::uint64_t space = integer_hash(' ', seed_);
  Runs runs{spec_.length, outgoing_, ring_, out};
  bool pending_space = false;
  for (const char *at = folded.data(), *end = at + folded.size(); at != end;) {
    const char32_t c = base::decode(at, end);
    if (c == ' ') {
      pending_space = !runs.empty();
      continue;
    }
    if (pending_space) runs.add(space);
    pending_space = false;
    runs.add(integer_hash(c, seed_));
  }
  runs.finish();
}

void Extractor::shrink() {
  folder_.shrink(kKeepBytes);
  if (rules_ != nullptr) rules_->shrink(kKeepBytes);
  shrink_vector(masks_);
  shrink_vector(ring_);
  shrink_vector(scratch_);
}

void Extractor::occurrences(std::string_view text, std::vector<Feature>& out) {
  const std::string_view folded = fold(text);
  if (spec_.kind != FeatureKind::chars) {
    append_words(folded, out);
  } else {
    append_code_points(folded, out);
  }
  if (spec_.bag) number_repeats(out);
  shrink();
}

void Extractor::set(std::string_view text, std::vector<Feature>& out) {
  occurrences(text, out);
  sort_unique(out, scratch_);
  shrink_vector(scratch_);
}

std::string Extractor::string(std::string_view text) {
  std::string out = single_spaced(fold(text));
  shrink();
  return out;
}

std::string single_spaced(std::string_view folded) {
  std::string out;
  bool pending_space = false;
  for (const char byte : folded) {
    if (byte == ' ') {
      pending_space = !out.empty();
      continue;
    }
    if (pending_space) out += ' ';
    pending_space = false;
    out += byte;
  }
  return out;
}

void number_repeats(std::vector<Feature>& features) {
  struct Place {
    Feature feature;
    std::size_t index;
    bool operator<(const Place& other) const {
      return feature != other.feature ? feature < other.feature : index < other.index;
    }
  };
  std::vector<Place> places(features.size());
  for (std::size_t i = 0; i < places.size(); ++i) places[i] = {features[i], i};
  std::sort(places.begin(), places.end());
  std::uint64_t repeats = 0;
  for (std::size_t i = 1; i < places.size(); ++i) {
    repeats = places[i].feature == places[i - 1].feature ? repeats + 1 : 0;
    if (repeats != 0) features[places[i].index] = repeat_feature(places[i].feature, repeats);
  }
}

}  // namespace neardup::features
