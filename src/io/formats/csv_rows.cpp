// Rows of CSV and TSV files, cut into fields and put together.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

#include "base/ascii.h"
#include "base/choices.h"
#include "io/formats/csv.h"
#include "neardup/collection.h"
#include "neardup/error.h"

namespace neardup::io {

const char* split_csv_row(std::string_view row, CsvDialect dialect, std::size_t most, std::vector<std::string>& out) {
  const auto [separator, mark] = dialect;
  std::size_t count = 0, at = 0;
  for (;;) {
    if (count == most) return "the row has more fields than the header";
    if (count == out.size()) out.emplace_back();
    std::string& field = out[count++];
    field.clear();
    if (mark != '\0' && at < row.size() && row[at] == mark) {
      ++at;
      for (;;) {
        const std::size_t quote = row.find(mark, at);
        if (quote == std::string_view::npos) return "a quoted field is not closed";
        field.append(row, at, quote - at);
        at = quote + 1;
        if (at == row.size() || row[at] != mark) break;
        field += mark;
        ++at;
      }
      if (at != row.size() && row[at] != separator) return "something follows the closing quote of a field";
    } else {
      const std::size_t end = std::min(row.find(separator, at), row.size());
      field.assign(row, at, end - at);
      at = end;
    }
    if (at == row.size()) break;
    ++at;
  }
  out.resize(count);
  return nullptr;
}

void append_csv_field(std::string& out, std::string_view field, CsvDialect dialect) {
  const auto [separator, mark] = dialect;
  const char special[] = {separator, '\n', '\r', mark};
  const std::size_t signs = mark == '\0' ? 3 : 4;
  if (field.find_first_of({special, signs}) == std::string_view::npos) {
    out += field;
    return;
  }
  if (mark == '\0') {
    throw Error(ErrorCode::usage,
                fmt::format("\"{}\" cannot be written without quotes (choose .jsonl)", field.substr(0, 40)), "quote");
  }
  out += mark;
  for (const char c : field) {
    if (c == mark) out += mark;
    out += c;
  }
  out += mark;
}

}  // namespace neardup::io

namespace neardup {
namespace {

constexpr std::array kQuotes{
    Choice<Quote>{"\"", Quote::double_quote, "double quotes"},
    Choice<Quote>{"'", Quote::single_quote, "single quotes"},
    Choice<Quote>{"none", Quote::none, "quotes are signs like any other"},
};

}  // namespace

Quote parse_quote(std::string_view text) { return base::parse_choice<Quote>("quote", text, kQuotes); }
std::string to_string(Quote quote) { return base::choice_name<Quote>(quote, kQuotes); }
std::span<const Choice<Quote>> quote_choices() { return kQuotes; }

char parse_delimiter(std::string_view text) {
  if (text == "tab" || text == "\\t" || text == "\t") return '\t';
  const bool is_sign = text.size() == 1 && static_cast<unsigned char>(text[0]) >= 0x20 && base::is_ascii(text[0]);
  if (is_sign && text != "\"" && text != "'") return text[0];
  throw Error(ErrorCode::usage,
              fmt::format("`delimiter` {}: expected one ASCII character other than a quote, or tab", text),
              "delimiter");
}

}  // namespace neardup
