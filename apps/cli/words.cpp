#include "words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "neardup/error.h"

namespace neardup::cli {
namespace {

bool is_decimal(std::string_view text) {
  const bool plain = std::all_of(text.begin(), text.end(), [](char c) { return (c >= '0' && c <= '9') || c == '.'; });
  return plain && !text.empty() && text.front() != '.' && text.back() != '.' &&
         std::count(text.begin(), text.end(), '.') <= 1;
}

double decimal(std::string_view text) {
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

// How many bytes the code point at `at` takes; 0 when there is no valid UTF-8.
std::size_t code_point_bytes(std::string_view text, std::size_t at) {
  const auto lead = static_cast<unsigned char>(text[at]);
  const std::size_t bytes = lead < 0x80 ? 1 : lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0;
  if (bytes == 0 || at + bytes > text.size()) return 0;
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((static_cast<unsigned char>(text[at + i]) & 0xC0) != 0x80) return 0;
  }
  return bytes;
}

// One element per code point, fit to be shown, runs of blanks as one space.
std::vector<std::string> squeezed(std::string_view text) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view piece = first_character(text.substr(at));
    at += piece.size();
    const bool blank = piece == " " || piece == "\n" || piece == "\t" || piece == "\r";
    if (!blank) {
      out.push_back(printable(piece));
    } else if (!out.empty() && out.back() != " ") {
      out.emplace_back(" ");
    }
  }
  if (!out.empty() && out.back() == " ") out.pop_back();
  return out;
}

std::string window(const std::vector<std::string>& text, std::size_t start, std::size_t width) {
  std::string out = start > 0 ? "…" : "";
  const std::size_t room = start > 0 ? width - 1 : width;
  const bool cut = text.size() > start + room;
  const std::size_t end = cut ? start + room - 1 : text.size();
  for (std::size_t i = start; i < end; ++i) out += text[i];
  return cut ? out + "…" : out;
}

}  // namespace

std::string with_commas(std::uint64_t value) {
  const std::string digits = std::to_string(value);
  std::string out;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) out += ',';
    out += digits[i];
  }
  return out;
}

std::string human_bytes(double bytes) {
  constexpr std::array kUnits{"bytes", "kB", "MB", "GB", "TB", "PB"};
  std::size_t unit = 0;
  while (bytes >= 999.5 && unit + 1 < kUnits.size()) {
    bytes /= 1000;
    ++unit;
  }
  if (unit == 0 && bytes == 1) return "1 byte";
  return fmt::format("{:.{}f} {}", bytes, unit > 0 && bytes < 9.95 ? 1 : 0, kUnits.at(unit));
}

std::string human_seconds(double seconds) {
  if (seconds < 99.95) return fmt::format("{:.{}f} s", seconds, seconds < 0.095 ? 2 : 1);
  const auto whole = static_cast<std::uint64_t>(std::llround(seconds));
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
}

std::string counted(std::uint64_t n, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", with_commas(n), n == 1 ? one : many);
}

std::uint64_t parse_count(std::string_view flag, std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size()) {
    throw Error(ErrorCode::usage, fmt::format("{} {}: expected a whole number such as 8", flag, text));
  }
  return value;
}

std::uint64_t parse_bytes(std::string_view flag, std::string_view text) {
  std::string_view number = text;
  double factor = 1;
  const auto drop = [&](std::string_view suffix) {
    const bool there = number.ends_with(suffix);
    if (there) number.remove_suffix(suffix.size());
    return there;
  };
  if (!drop("iB")) drop("B");
  constexpr std::array<std::pair<std::string_view, double>, 8> kUnits{{{"K", 0x1p10},
                                                                       {"k", 0x1p10},
                                                                       {"M", 0x1p20},
                                                                       {"m", 0x1p20},
                                                                       {"G", 0x1p30},
                                                                       {"g", 0x1p30},
                                                                       {"T", 0x1p40},
                                                                       {"t", 0x1p40}}};
  for (const auto& [name, value] : kUnits) {
    if (drop(name)) {
      factor = value;
      break;
    }
  }
  const double bytes = is_decimal(number) ? std::floor(decimal(number) * factor) : 0;
  if (bytes < 1 || bytes >= 0x1p63) {
    throw Error(ErrorCode::usage,
                fmt::format("{} {}: expected a size such as 384M, 1.5G or 1048576 (bytes)", flag, text));
  }
  return static_cast<std::uint64_t>(bytes);
}

std::uint64_t parse_positive(std::string_view flag, std::string_view text) {
  const std::uint64_t count = parse_count(flag, text);
  if (count == 0) throw Error(ErrorCode::usage, fmt::format("{} 0: expected 1 or more; leave it out for all", flag));
  return count;
}

double parse_number(std::string_view flag, std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
    throw Error(ErrorCode::usage, fmt::format("{} {}: expected a number", flag, text));
  return value;
}

double parse_share(std::string_view flag, std::string_view text) {
  const double value = is_decimal(text) ? decimal(text) : 0;
  if (!(value > 0 && value <= 1)) {
    throw Error(ErrorCode::usage, fmt::format("{} {}: expected a share above 0 and up to 1, such as 0.1", flag, text));
  }
  return value;
}

std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t bytes = code_point_bytes(text, at);
    const auto lead = static_cast<unsigned char>(text[at]);
    const bool control = bytes == 0 || (bytes == 1 && (lead < 0x20 || lead == 0x7F)) ||
                         (lead == 0xC2 && static_cast<unsigned char>(text[at + 1]) < 0xA0);
    if (control) {
      out += '?';
    } else {
      out.append(text, at, bytes);
    }
    at += std::max<std::size_t>(1, bytes);
  }
  return out;
}

std::string_view first_character(std::string_view text) {
  return text.substr(0, std::max<std::size_t>(1, code_point_bytes(text, 0)));
}

std::size_t columns(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

Excerpts excerpts(std::string_view left, std::string_view right, std::size_t width) {
  const auto a = squeezed(left);
  const auto b = squeezed(right);
  const auto [x, y] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  const auto differs = static_cast<std::size_t>(x - a.begin());
  const bool same = x == a.end() && y == b.end();
  std::size_t start = same || differs + width / 3 <= width ? 0 : differs - width / 2;
  // What both have before the difference may as well begin with a whole word.
  for (std::size_t at = start; start > 0 && at < differs; ++at) {
    if (a[at] != " ") continue;
    start = at + 1;
    break;
  }
  return {window(a, start, width), window(b, start, width), same};
}

}  // namespace neardup::cli
