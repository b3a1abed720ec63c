#include <bit>

#include "base/ascii.h"
#include "base/tsv.h"
#include "cluster/keep_rules.h"

namespace neardup::cluster {

// The bits of a double are ordered like the number itself once negative ones are mirrored. Infinities and NaN, whose
// images would include 0 and the largest value, are not numbers here.
std::optional<double> parse_number(std::string_view text) {
  text = base::trimmed(text);
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  return base::parse_number(text);
}

std::uint64_t encode_number(double value) {
  if (value == 0) value = 0;  // -0 equals 0
  constexpr std::uint64_t kSign = std::uint64_t{1} << 63;
  const auto bits = std::bit_cast<std::uint64_t>(value);
  return bits & kSign ? ~bits : bits | kSign;
}

std::optional<std::uint64_t> encode_number(std::string_view text) {
  const std::optional<double> value = parse_number(text);
  return value ? std::optional(encode_number(*value)) : std::nullopt;
}

}  // namespace neardup::cluster
