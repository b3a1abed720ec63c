#define XXH_INLINE_ALL
#include "features/extractor.h"

#include <xxhash.h>

#include <algorithm>
#include <array>
#include <bit>

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

  void add(std::span<const std::uint64_t> elements) {
    std::size_t i = 0;
    for (; i < elements.size() && ring_.size() < length_; ++i) add(elements[i]);
    const std::size_t before = out_.size();
    out_.resize(before + elements.size() - i);
    Feature* to = out_.data() + before;
    std::uint64_t* const ring = ring_.data();
    std::uint64_t run = run_;
    std::size_t oldest = oldest_;
    for (; i < elements.size(); ++i) {
      run = run * kBase + (elements[i] - ring[oldest] * outgoing_);
      ring[oldest] = elements[i];
      oldest = oldest + 1 == length_ ? 0 : oldest + 1;
      *to++ = mix(run);
    }
    run_ = run;
    oldest_ = oldest;
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

// Hashes the words between edges, some hundred at a time. How a word is hashed depends on its length, which nobody can
// foresee; so words of similar length are hashed together.
class WordHashes {
 public:
  WordHashes(std::string_view folded, std::uint64_t seed) : folded_(folded), seed_(seed) {}

  // Words begin and end where bits of `edges` are set, for the 64 bytes from `base` on. True when hash() is due.
  bool add(std::uint64_t edges, std::size_t base) {
    const auto count = static_cast<std::size_t>(std::popcount(edges));
    // Eight at a time: the number of steps can be foreseen, that of edges cannot.
    for (std::size_t i = 0; i < count; i += 8) {
      for (std::size_t k = 0; k < 8; ++k) {
        edges_[count_ + i + k] = base + static_cast<std::size_t>(std::countr_zero(edges));
        edges &= edges - 1;
      }
    }
    count_ += count;
    return count_ > kMostEdges - 72;
  }
  void add_end() { edges_[count_++] = folded_.size(); }

  // The hashes of all words that have ended, in order. Valid until the next call.
  std::span<const std::uint64_t> hash() {
    const std::size_t words = count_ / 2;
    std::array<std::array<std::uint16_t, kMostEdges / 2>, 4> places;
    std::array<std::size_t, 4> counts{};
    std::size_t upto3 = 0, upto8 = 0, upto16 = 0, longer = 0;
    for (std::size_t word = 0; word < words; ++word) {
      const std::size_t size = edges_[2 * word + 1] - edges_[2 * word];
      const auto place = static_cast<std::uint16_t>(word);
      places[0][upto3] = places[1][upto8] = places[2][upto16] = places[3][longer] = place;
      upto3 += size <= 3 ? 1 : 0;
      upto8 += size > 3 && size <= 8 ? 1 : 0;
      upto16 += size > 8 && size <= 16 ? 1 : 0;
      longer += size > 16 ? 1 : 0;
    }
    counts = {upto3, upto8, upto16, longer};
    for (std::size_t kind = 0; kind < places.size(); ++kind) {
      for (std::size_t i = 0; i < counts[kind]; ++i) {
        const std::size_t word = places[kind][i], first = edges_[2 * word], size = edges_[2 * word + 1] - first;
        hashes_[word] = XXH3_64bits_withSeed(folded_.data() + first, size, seed_);
      }
    }
    if (count_ % 2 != 0) edges_[0] = edges_[count_ - 1];  // of a word that goes on
    count_ %= 2;
    return {hashes_.data(), words};
  }

 private:
  static constexpr std::size_t kMostEdges = 2048;
  std::string_view folded_;
  std::uint64_t seed_;
  std::size_t count_ = 0;
  std::array<std::size_t, kMostEdges + 8> edges_;
  std::array<std::uint64_t, kMostEdges / 2> hashes_;
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

template <class Take>
void Extractor::cut_words(std::string_view folded, Take&& take) {
  masks_.resize((folded.size() + 63) / 64);
  kernels_.word_masks(folded.data(), folded.size(), masks_.data());
  WordHashes words(folded, seed_);
  std::uint64_t before = 0;  // 1: a word goes on
  for (std::size_t block = 0; block < masks_.size(); ++block) {
    const std::uint64_t mask = masks_[block];
    if (words.add(mask ^ (mask << 1 | before), block * 64)) take(words.hash());
    before = mask >> 63;
  }
  if (before != 0) words.add_end();
  take(words.hash());
}

// The separators of the folded text, collapsed and trimmed: a space counts only between two other code points.
template <class Take>
void Extractor::cut_code_points(std::string_view folded, Take&& take) {
  const std::uint64_t space = integer_hash(' ', seed_);
  bool pending_space = false, has_begun = false;
  for (const char *at = folded.data(), *end = at + folded.size(); at != end;) {
    const char32_t c = base::decode(at, end);
    if (c == ' ') {
      pending_space = has_begun;
      continue;
    }
    if (pending_space) take(space);
    pending_space = false;
    has_begun = true;
    take(integer_hash(c, seed_));
  }
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
  Runs runs{spec_.length, outgoing_, ring_, out};
  const auto add = [&](const auto& element) { runs.add(element); };
  if (spec_.kind != FeatureKind::chars) {
    cut_words(folded, add);
  } else {
    cut_code_points(folded, add);
  }
  runs.finish();
  if (spec_.bag) number_repeats(out);
  shrink();
}

void Extractor::set(std::string_view text, std::vector<Feature>& out) {
  occurrences(text, out);
  sort_unique(out, scratch_);
  shrink_vector(scratch_);
}

void Extractor::elements(std::string_view text, std::vector<std::uint64_t>& out) {
  out.clear();
  const std::string_view folded = fold(text);
  if (spec_.kind != FeatureKind::chars) {
    cut_words(folded, [&](std::span<const std::uint64_t> words) { out.insert(out.end(), words.begin(), words.end()); });
  } else {
    cut_code_points(folded, [&](std::uint64_t code_point) { out.push_back(code_point); });
  }
  shrink();
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

namespace neardup {

void run_features(std::span<const std::uint64_t> elements, std::size_t length, std::vector<Feature>& out) {
  out.clear();
  if (length == 0 || elements.size() < length) return;
  const std::uint64_t outgoing = features::power_of_base(static_cast<unsigned>(length));
  out.resize(elements.size() - length + 1);
  std::uint64_t run = 0;
  for (std::size_t i = 0; i < length; ++i) run = run * features::kBase + elements[i];
  out[0] = features::mix(run);
  for (std::size_t i = length; i < elements.size(); ++i) {
    run = run * features::kBase + (elements[i] - elements[i - length] * outgoing);
    out[i - length + 1] = features::mix(run);
  }
}

}  // namespace neardup
