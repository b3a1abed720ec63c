#include "neardup/definition.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <numeric>
#include <optional>

#include "base/choices.h"
#include "neardup/error.h"

namespace neardup {
namespace {

constexpr unsigned kMaxFeatureLength = 1000;
constexpr unsigned kMaxMinwise = 100'000;
constexpr FeatureSpec kMinwiseBase{.kind = FeatureKind::chars, .length = 4};  // what the paper draws its shingles from
constexpr unsigned kMaxFieldWeight = 1000;
constexpr std::size_t kMaxDecimals = 18;
constexpr std::uint64_t kMaxThresholdPart = 1'000'000'000'000'000'000;  // 10^18: the bounds are exact up to there

constexpr std::array kMeasures{
    Choice<Measure>{"jaccard", Measure::jaccard,
                    "o / (x + y - o): the share of all features that both have; threshold above 0, up to 1"},
    Choice<Measure>{"cosine", Measure::cosine, "o / sqrt(x y); threshold above 0, up to 1"},
    Choice<Measure>{"dice", Measure::dice, "2 o / (x + y); threshold above 0, up to 1"},
    Choice<Measure>{"overlap", Measure::overlap, "o, the number of shared features; threshold 1 or more"},
    Choice<Measure>{"containment", Measure::containment,
                    "o / min(x, y): the share of the smaller one that is in the larger; threshold above 0, up to 1"},
    Choice<Measure>{"contained", Measure::contained,
                    "o / x: the share of the left document that is in the right one, for pairs of two collections; "
                    "threshold above 0, up to 1"},
    Choice<Measure>{"edit", Measure::edit,
                    "single-character edits between the texts; threshold: the maximum distance, 0 or more"},
    Choice<Measure>{"hamming", Measure::hamming,
                    "differing bits of the 64-bit simhashes; threshold: the maximum distance, 0 to 64"},
};
constexpr std::array kWeights{
    Choice<Weights>{"occurrences", Weights::occurrences, "how often the feature occurs in the document"},
    Choice<Weights>{"binary", Weights::binary, "1"},
    Choice<Weights>{"tfidf", Weights::tfidf, "occurrences times rarity in the collection; reads it once more"},
};

[[noreturn]] void refuse(const std::string& message, const char* option) {
  throw Error{ErrorCode::usage, message, option};
}

// Digits only: no sign, no blanks, no exponent. Nothing when there are none or the value exceeds `most`.
std::optional<std::uint64_t> parse_digits(std::string_view digits, std::uint64_t most) {
  if (digits.empty() || digits.find_first_not_of("0123456789") != digits.npos) return std::nullopt;
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc{} || value > most) return std::nullopt;
  return value;
}

Threshold reduced(std::uint64_t num, std::uint64_t den) {
  const std::uint64_t divisor = std::gcd(num, den);
  return {num / divisor, den / divisor};
}

std::optional<Threshold> parse_fraction(std::string_view num_text, std::string_view den_text) {
  const auto num = parse_digits(num_text, kMaxThresholdPart), den = parse_digits(den_text, kMaxThresholdPart);
  if (!num || !den || *den == 0) return std::nullopt;
  return reduced(*num, *den);
}

std::optional<Threshold> parse_decimals(std::string_view whole_text, std::string_view decimals) {
  if (decimals.empty() || decimals.find_first_not_of("0123456789") != decimals.npos) return std::nullopt;
  decimals = decimals.substr(0, decimals.find_last_not_of('0') + 1);
  if (decimals.size() > kMaxDecimals) return std::nullopt;
  const auto whole = whole_text.empty() ? 0 : parse_digits(whole_text, kMaxThresholdPart);
  if (!whole) return std::nullopt;
  std::uint64_t num = *whole, den = 1;
  for (const char digit : decimals) {
    const auto value = static_cast<std::uint64_t>(digit - '0');
    if (num > (kMaxThresholdPart - value) / 10) return std::nullopt;
    num = num * 10 + value;
    den *= 10;
  }
  return reduced(num, den);
}

unsigned parse_length(std::string_view spec, std::string_view digits) {
  const auto length = parse_digits(digits, kMaxFeatureLength);
  if (!length || *length == 0)
    refuse(fmt::format("\"{}\": a feature is 1 to {} words or characters long, as in words:5", spec, kMaxFeatureLength),
           "features");
  return static_cast<unsigned>(*length);
}

void validate_threshold(Measure measure, const Threshold& t) {
  if (t.den == 0 || t.num > kMaxThresholdPart || t.den > kMaxThresholdPart)
    refuse(fmt::format("threshold {}/{}: the denominator is at least 1 and both parts are at most 10^18", t.num, t.den),
           "threshold");
  if (const Threshold lowest = reduced(t.num, t.den); t != lowest)
    refuse(fmt::format("threshold {}/{} is not in lowest terms: give {}/{}", t.num, t.den, lowest.num, lowest.den),
           "threshold");
  const auto require = [&](bool in_range, std::string_view range) {
    if (!in_range)
      refuse(fmt::format("threshold {} is out of range: {} takes {}", to_string(t), to_string(measure), range),
             "threshold");
  };
  switch (measure) {
    case Measure::jaccard:
    case Measure::cosine:
    case Measure::dice:
    case Measure::containment:
    case Measure::contained:
      return require(t.num > 0 && t.num <= t.den, "a fraction above 0 and at most 1");
    case Measure::overlap:
      return require(t.den == 1 && t.num >= 1, "a whole number of shared features, at least 1");
    case Measure::edit:
      return require(t.den == 1, "a whole number of edits");
    case Measure::hamming:
      return require(t.den == 1 && t.num <= 64, "a whole number of differing bits, 0 to 64");
  }
}

void validate_weights(const Definition& definition) {
  const auto require_hamming = [&](std::string_view setting, const char* option) {
    if (definition.measure != Measure::hamming) {
      refuse(fmt::format("`{}` sets weights in a simhash: it applies to `measure=hamming`, not to {}", setting,
                         to_string(definition.measure)),
             option);
    }
  };
  if (definition.weights == Weights::tfidf) require_hamming("weights=tfidf", "weights");
  if (definition.field_weights.empty()) return;
  require_hamming("field_weights", "field_weights");
  if (definition.features.kind == FeatureKind::tokens) refuse("`sets` inputs have no fields to weigh", "field_weights");
  for (const unsigned weight : definition.field_weights) {
    if (weight == 0 || weight > kMaxFieldWeight)
      refuse(fmt::format("a field weight must be 1 to {}, not {}", kMaxFieldWeight, weight), "field_weights");
  }
}

}  // namespace

void Definition::validate() const {
  if (features.kind != FeatureKind::tokens && (features.length == 0 || features.length > kMaxFeatureLength))
    refuse(
        fmt::format("a feature of {} words or characters: the length is 1 to {}", features.length, kMaxFeatureLength),
        "features");
  validate_threshold(measure, threshold);
  if (asks_for_containment(measure) && features.minwise != 0)
    refuse(fmt::format("{} needs whole feature sets: the smallest hashes of a long document say little about what it "
                       "contains (leave minwise out of `features`)",
                       to_string(measure)),
           "features");
  if (length_ratio.num > length_ratio.den) refuse("a length ratio is a share from 0 to 1", "length_ratio");
  if (length_ratio.num != 0 && measure != Measure::hamming) {
    refuse(fmt::format("`length_ratio` is a second condition for `measure=hamming`; {} does not need it",
                       to_string(measure)),
           "length_ratio");
  }
  validate_weights(*this);
  const TextRules plain{.stop_words_source = text.stop_words_source};
  if (as_is && text != plain)
    refuse("`as_is` compares the texts unchanged: omit `strip`, `numbers`, `min_word`, `stop_words` and `stem`",
           "as_is");
}

bool Definition::lengths_agree(std::uint64_t a, std::uint64_t b) const {
  __extension__ using Product = unsigned __int128;
  return Product{std::min(a, b)} * length_ratio.den >= Product{std::max(a, b)} * length_ratio.num;
}

FeatureSpec parse_features(std::string_view text) {
  const auto colon = text.find(':');
  const std::string_view kind = text.substr(0, colon);
  if (kind == "minwise") {
    const auto slash = text.find('/');
    const auto digits = colon == text.npos ? std::string_view{} : text.substr(colon + 1, slash - colon - 1);
    const auto kept = parse_digits(digits, kMaxMinwise);
    if (!kept || *kept == 0)
      refuse(fmt::format("\"{}\": minwise keeps 1 to {} features, as in minwise:32", text, kMaxMinwise), "features");
    FeatureSpec spec = slash == text.npos ? kMinwiseBase : parse_features(text.substr(slash + 1));
    if (spec.minwise != 0) refuse(fmt::format("\"{}\": minwise is given twice", text), "features");
    spec.minwise = static_cast<unsigned>(*kept);
    return spec;
  }
  if (kind == "words") {
    const unsigned length = colon == text.npos ? 1 : parse_length(text, text.substr(colon + 1));
    return {.kind = FeatureKind::words, .length = length};
  }
  if (kind == "chars" && colon != text.npos)
    return {.kind = FeatureKind::chars, .length = parse_length(text, text.substr(colon + 1))};
  refuse(fmt::format("\"{}\" is not a kind of feature: use words, words:N, chars:N or minwise:K, as in words:5", text),
         "features");
}

Measure parse_measure(std::string_view text) { return base::parse_choice<Measure>("measure", text, kMeasures); }

Threshold parse_threshold(std::string_view text) {
  std::optional<Threshold> threshold;
  if (const auto slash = text.find('/'); slash != text.npos) {
    threshold = parse_fraction(text.substr(0, slash), text.substr(slash + 1));
  } else if (const auto point = text.find('.'); point != text.npos) {
    threshold = parse_decimals(text.substr(0, point), text.substr(point + 1));
  } else {
    threshold = parse_fraction(text, "1");
  }
  if (!threshold)
    refuse(
        fmt::format("\"{}\" is not a threshold: give plain decimals such as 0.8 (at most {} places), a fraction such "
                    "as 4/5 or a whole number",
                    text, kMaxDecimals),
        "threshold");
  return *threshold;
}

Weights parse_weights(std::string_view text) { return base::parse_choice<Weights>("weights", text, kWeights); }

std::string to_string(const FeatureSpec& spec) {
  if (spec.minwise != 0) {
    FeatureSpec base = spec;
    base.minwise = 0;
    base.bag = false;
    return fmt::format("minwise:{}{}", spec.minwise, base == kMinwiseBase ? "" : "/" + to_string(base));
  }
  if (spec.kind == FeatureKind::tokens) return "tokens";
  if (spec.kind == FeatureKind::chars) return fmt::format("chars:{}", spec.length);
  return spec.length == 1 ? "words" : fmt::format("words:{}", spec.length);
}

std::string to_string(Measure measure) { return base::choice_name<Measure>(measure, kMeasures); }

std::string to_string(const Threshold& t) {
  if (t.den == 1) return fmt::format("{}", t.num);
  std::uint64_t power = 1;
  for (std::size_t places = 1; t.den != 0 && places <= kMaxDecimals; ++places) {
    power *= 10;
    if (power % t.den != 0) continue;
    const std::uint64_t rest = t.num % t.den * (power / t.den);  // below `power`
    return fmt::format("{}.{:0{}}", t.num / t.den, rest, places);
  }
  return fmt::format("{}/{}", t.num, t.den);
}

std::string to_string(Weights weights) { return base::choice_name<Weights>(weights, kWeights); }

std::span<const Choice<Measure>> measure_choices() { return kMeasures; }
std::span<const Choice<Weights>> weights_choices() { return kWeights; }

bool compares_sets(Measure measure) { return !is_distance(measure); }

bool asks_for_containment(Measure measure) { return measure == Measure::containment || measure == Measure::contained; }

bool is_distance(Measure measure) { return measure == Measure::edit || measure == Measure::hamming; }

bool has_integer_scores(Measure measure) { return measure == Measure::overlap || is_distance(measure); }

std::string format_score(Measure measure, double score) {
  return has_integer_scores(measure) ? fmt::format("{:.0f}", score) : fmt::format("{:.6f}", score);
}

}  // namespace neardup
