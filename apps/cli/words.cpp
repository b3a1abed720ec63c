#include "words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "columns.h"
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

// The longest run of pieces from `first` on that fits, and where it ends.
std::size_t fitting_end(const std::vector<std::string>& pieces, std::size_t first, std::size_t width) {
  std::size_t end = first;
  for (std::size_t used = 0; end < pieces.size(); ++end) {
    used += display_columns(pieces[end]);
    if (used > width) break;
  }
  return end;
}

// Where to begin so that at most `width` columns come before piece `at`; at a word when one begins there.
std::size_t fitting_begin(const std::vector<std::string>& pieces, std::size_t at, std::size_t width) {
  std::size_t begin = at;
  for (std::size_t used = 0; begin > 0; --begin) {
    used += display_columns(pieces[begin - 1]);
    if (used > width) break;
  }
  for (std::size_t word = begin; begin > 0 && word < at; ++word) {
    if (pieces[word] == " ") return word + 1;
  }
  return begin;
}

std::string window(const std::vector<std::string>& pieces, std::size_t begin, std::size_t width) {
  std::string out = begin > 0 && begin < pieces.size() && pieces[begin] != "…" ? "…" : "";
  const std::size_t room = out.empty() ? width : width - 1;
  std::size_t end = fitting_end(pieces, begin, room);
  const bool is_cut = end < pieces.size();
  if (is_cut) end = fitting_end(pieces, begin, room - 1);
  for (std::size_t i = begin; i < end; ++i) out += pieces[i];
  return is_cut ? out + "…" : out;
}

}  // namespace

void usage(const std::string& message) { throw Error(ErrorCode::usage, message); }

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

std::string excerpt(std::string_view text, std::size_t width) {
  const std::vector<std::string> pieces = squeezed(text);
  return window(pieces, 0, width);
}

std::array<std::string, 2> excerpts(const std::array<FocusedText, 2>& passages, std::size_t width) {
  std::array<std::vector<std::string>, 2> pieces;
  std::array<std::size_t, 2> at{};
  std::size_t longer = 0;  // of what follows the place
  for (std::size_t i = 0; i < 2; ++i) {
    pieces[i] = squeezed(passages[i].text);
    at[i] = std::min(squeezed(passages[i].text.substr(0, passages[i].at)).size(), pieces[i].size());
    std::size_t follows = 0;
    for (std::size_t at_piece = at[i]; at_piece < pieces[i].size(); ++at_piece)
      follows += display_columns(pieces[i][at_piece]);
    longer = std::max(longer, follows);
  }
  // A third of the room is enough to recognise the place.
  const std::size_t lead = std::max(width / 3, width - std::min(width, longer + 1));
  std::array<std::string, 2> out;
  for (std::size_t i = 0; i < 2; ++i) out[i] = window(pieces[i], fitting_begin(pieces[i], at[i], lead), width);
  return out;
}

std::string shell_word(std::string_view word) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:=+@%,-";
  if (!word.empty() && word.find_first_not_of(kPlain) == word.npos) return std::string(word);
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

}  // namespace neardup::cli
