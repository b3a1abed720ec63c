// How are numbers, sizes and texts written for people, and read from them?
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace neardup::cli {

std::string with_commas(std::uint64_t);     // 383,585
std::string human_bytes(double bytes);      // 978 MB (powers of 1000)
std::string human_seconds(double seconds);  // 0.4 s, 11.2 s, 3 min 05 s, 2 h 10 min
std::string counted(std::uint64_t n, std::string_view one, std::string_view many);  // "1 document", "2,000 documents"

[[noreturn]] void usage(const std::string& message);  // throws Error{usage}

// Each throws Error{usage} that names `flag` and says what is allowed.
std::uint64_t parse_count(std::string_view flag, std::string_view text);  // 0, 1, 2, ...
std::uint64_t parse_bytes(std::string_view flag,
                          std::string_view text);  // 1048576, 384M, 1.5GB, 2GiB: K, M, G, T are powers of 1024
std::uint64_t parse_positive(std::string_view flag, std::string_view text);  // 1, 2, ...
double parse_number(std::string_view flag, std::string_view text);           // any finite one: 0.5, 1e-12
double parse_share(std::string_view flag, std::string_view text);            // 0 < p <= 1, plain decimals

// Safe to show: control characters and bytes that are not UTF-8 become `?`, so that a text from an input cannot control
// the terminal.
std::string printable(std::string_view);

// The code point at the front, or one byte that is not UTF-8. Precondition: the text is not empty.
std::string_view first_character(std::string_view);

// How many columns a text takes, counting one for each code point.
std::size_t columns(std::string_view);

// As much of the beginning of a text as fits into `width` columns; "…" marks what is left out. Blanks are squeezed.
std::string excerpt(std::string_view text, std::size_t width);

// The same for two texts that differ from the byte `at` on: that place is shown, and what comes before it as far as
// there is room.
struct FocusedText {
  std::string_view text;
  std::size_t at = 0;
};
std::array<std::string, 2> excerpts(const std::array<FocusedText, 2>&, std::size_t width);

// A word of a command line, in quotes where a shell needs them.
std::string shell_word(std::string_view);

}  // namespace neardup::cli
