#include "arrow/scalars.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <iterator>
#include <string_view>

namespace neardup::arrow {
namespace {

constexpr std::int64_t kSecondsPerDay = 86'400;

// Of IEEE 754 in 16 bits.
float half_float(std::uint16_t bits) {
  constexpr int kFractionBits = 10, kBias = 15, kMostExponent = 31;
  const int exponent = bits >> kFractionBits & kMostExponent;
  const int fraction = bits & ((1 << kFractionBits) - 1);
  if (exponent == kMostExponent) return NAN;  // not a number, or infinite: neither is written
  const float size =
      exponent == 0 ? std::ldexp(static_cast<float>(fraction), 1 - kBias - kFractionBits)
                    : std::ldexp(static_cast<float>(fraction + (1 << kFractionBits)), exponent - kBias - kFractionBits);
  return (bits & 0x8000) != 0 ? -size : size;
}

template <class Real>
bool append_real(Real value, std::string& out) {
  if (!std::isfinite(value)) return false;
  const std::size_t before = out.size();
  fmt::format_to(std::back_inserter(out), "{}", value);
  // 1.0, as JSON writers have it: a float shows that it is one.
  if (std::string_view(out).substr(before).find_first_of(".e") == std::string_view::npos) out += ".0";
  return true;
}

bool append_real(const Cell& cell, std::string& out) {
  switch (cell.cells->type->width) {
    case 2:
      return append_real(half_float(load<std::uint16_t>(cell.cells->data, cell.at)), out);
    case 4:
      return append_real(load<float>(cell.cells->data, cell.at), out);
    default:
      return append_real(load<double>(cell.cells->data, cell.at), out);
  }
}

// Two's complement of up to 256 bits as decimal digits: nine at a time by long division.
std::string decimal_digits(const char* bytes, std::int64_t width, bool& negative) {
  constexpr std::uint32_t kChunk = 1'000'000'000;
  std::array<std::uint32_t, 8> words{};
  std::memcpy(words.data(), bytes, static_cast<std::size_t>(width));
  const auto used = static_cast<std::size_t>(width) / sizeof(std::uint32_t);
  negative = (words[used - 1] >> 31) != 0;
  if (negative) {
    std::uint64_t carry = 1;
    for (std::size_t i = 0; i < used; ++i) {
      carry += static_cast<std::uint32_t>(~words[i]);
      words[i] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
  }
  std::string digits;  // the last one first
  while (std::ranges::any_of(words, [](std::uint32_t word) { return word != 0; })) {
    std::uint64_t rest = 0;
    for (std::size_t i = used; i-- > 0;) {
      rest = rest << 32 | words[i];
      words[i] = static_cast<std::uint32_t>(rest / kChunk);
      rest %= kChunk;
    }
    for (int i = 0; i < 9; ++i, rest /= 10) digits += static_cast<char>('0' + rest % 10);
  }
  while (digits.ends_with('0')) digits.pop_back();
  if (digits.empty()) digits = "0";
  std::ranges::reverse(digits);
  return digits;
}

void append_decimal(const Cell& cell, std::string& out) {
  const Type& type = *cell.cells->type;
  bool negative = false;
  std::string digits = decimal_digits(cell.cells->data + cell.at * type.width, type.width, negative);
  if (negative) out += '-';
  if (type.scale <= 0) {
    out += digits;
    if (digits != "0") out.append(static_cast<std::size_t>(-type.scale), '0');
    return;
  }
  const auto behind = static_cast<std::size_t>(type.scale);
  if (digits.size() <= behind) digits.insert(0, behind + 1 - digits.size(), '0');
  out.append(digits, 0, digits.size() - behind).append(1, '.').append(digits, digits.size() - behind);
}

constexpr std::int64_t floor_divide(std::int64_t value, std::int64_t by) {
  return value / by - (value % by < 0 ? 1 : 0);
}
constexpr std::int64_t floor_rest(std::int64_t value, std::int64_t by) {
  return value % by + (value % by < 0 ? by : 0);
}

// Days since 1970 as year, month and day of the Gregorian calendar, also before it was made and after the year 9999,
// which std::chrono does not reach. Years begin in March here, so that the leap day is the last one of its year.
void append_date(std::int64_t days, std::string& out) {
  constexpr std::int64_t kDaysPerEra = 146'097;  // 400 years
  constexpr std::int64_t kDaysBefore = 719'468;  // from 0000-03-01 to 1970-01-01
  days += kDaysBefore;
  const std::int64_t era = floor_divide(days, kDaysPerEra), of_era = floor_rest(days, kDaysPerEra);
  const std::int64_t year_of_era = (of_era - of_era / 1460 + of_era / 36'524 - of_era / 146'096) / 365;
  const std::int64_t of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const std::int64_t from_march = (5 * of_year + 2) / 153;
  const std::int64_t day = of_year - (153 * from_march + 2) / 5 + 1;
  const std::int64_t month = from_march < 10 ? from_march + 3 : from_march - 9;
  const std::int64_t year = year_of_era + era * 400 + (month <= 2 ? 1 : 0);
  fmt::format_to(std::back_inserter(out), "{}{:04}-{:02}-{:02}", year < 0 ? "-" : "", std::abs(year), month, day);
}

struct Unit {
  std::int64_t per_second;
  int digits;
};
Unit unit_of(char unit) {
  switch (unit) {
    case 'm':
      return {1'000, 3};
    case 'u':
      return {1'000'000, 6};
    case 'n':
      return {1'000'000'000, 9};
    default:
      return {1, 0};
  }
}

void append_time(std::int64_t seconds, std::int64_t fraction, int digits, std::string& out) {
  fmt::format_to(std::back_inserter(out), "{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
  if (fraction != 0) fmt::format_to(std::back_inserter(out), ".{:0{}}", fraction, digits);
}

// False for times that no day has.
bool append_moment(const Type& type, std::int64_t value, std::string& out) {
  const Unit unit = unit_of(type.unit);
  const std::int64_t seconds = floor_divide(value, unit.per_second);
  const std::int64_t days = floor_divide(seconds, kSecondsPerDay);
  const std::int64_t fraction = floor_rest(value, unit.per_second), of_day = floor_rest(seconds, kSecondsPerDay);
  if (type.kind == Kind::time) {
    if (days != 0) return false;
    append_time(of_day, fraction, unit.digits, out);
    return true;
  }
  append_date(days, out);
  out += 'T';
  append_time(of_day, fraction, unit.digits, out);
  if (type.has_zone) out += 'Z';
  return true;
}

}  // namespace

bool is_scalar(Kind kind) {
  return kind == Kind::boolean || kind == Kind::integer || kind == Kind::real || kind == Kind::decimal ||
         kind == Kind::date || kind == Kind::time || kind == Kind::timestamp;
}

bool append_scalar(const Cell& cell, std::string& out) {
  const Type& type = *cell.cells->type;
  switch (type.kind) {
    case Kind::boolean: {
      const auto bits = static_cast<unsigned char>(cell.cells->data[cell.at >> 3]);
      out += (bits >> (cell.at & 7) & 1) != 0 ? "true" : "false";
      return true;
    }
    case Kind::integer: {
      const std::int64_t value = integer_of(cell);
      const fmt::format_int text =
          type.is_signed ? fmt::format_int(value) : fmt::format_int(static_cast<std::uint64_t>(value));
      out.append(text.data(), text.size());
      return true;
    }
    case Kind::real:
      return append_real(cell, out);
    case Kind::decimal:
      append_decimal(cell, out);
      return true;
    case Kind::date: {
      constexpr std::int64_t kMillisecondsPerDay = kSecondsPerDay * 1000;
      const std::int64_t value = integer_of(cell);
      append_date(type.width == 4 ? value : floor_divide(value, kMillisecondsPerDay), out);
      return true;
    }
    case Kind::time:
    case Kind::timestamp:
      return append_moment(type, integer_of(cell), out);
    default:
      return false;
  }
}

}  // namespace neardup::arrow
