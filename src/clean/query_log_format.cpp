#include "clean/query_log_format.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>

#include "base/ascii.h"
#include "base/choices.h"
#include "base/tsv.h"
#include "io/collection.h"
#include "io/formats/csv.h"
#include "io/formats/formats.h"
#include "neardup/error.h"

namespace neardup::clean {
namespace {

std::vector<std::string_view> columns_of(std::string_view line) {
  std::vector<std::string_view> out;
  while (line.find('\t') != line.npos) out.push_back(base::take_column(line));
  out.push_back(line);
  return out;
}

LoggedLine bad_line(std::string reason) { return {.kind = LoggedLine::Kind::bad, .reason = std::move(reason)}; }

bool are_names(const std::vector<std::string_view>& columns, std::string_view first, std::string_view second) {
  return columns.size() >= 2 && base::equals_any_case(base::trimmed(columns[0]), first) &&
         base::equals_any_case(base::trimmed(columns[1]), second);
}

LoggedLine read_line(std::string_view line, std::uint64_t) { return {.query = line}; }

bool is_counts_header(std::string_view line) {
  const auto columns = columns_of(line);
  return columns.size() == 2 && are_names(columns, "query", "count");
}

LoggedLine read_counted(std::string_view line, std::uint64_t number) {
  if (number == 1 && is_counts_header(line)) return {.kind = LoggedLine::Kind::header};
  if (base::trimmed(line).empty()) return {};
  const auto tab = line.rfind('\t');
  if (tab == line.npos) return bad_line("expected query TAB count, but there is no tab");
  return with_count(line.substr(0, tab), line.substr(tab + 1));
}

bool is_aol_header(std::string_view line) { return are_names(columns_of(line), "anonid", "query"); }

// User, query and time, and perhaps which result was opened.
LoggedLine read_aol(std::string_view line, std::uint64_t number) {
  if (number == 1 && is_aol_header(line)) return {.kind = LoggedLine::Kind::header};
  if (base::trimmed(line).empty()) return {};
  const auto columns = columns_of(line);
  if (columns.size() < 3) {
    return bad_line(fmt::format("expected user, query and time with tabs between them, but there {}",
                                columns.size() == 1 ? "is no tab" : "are two columns"));
  }
  return {.query = columns[1]};
}

// ID TAB query, as TREC topics and MS MARCO queries are written.
LoggedLine read_topic(std::string_view line, std::uint64_t) {
  if (base::trimmed(line).empty()) return {};
  const auto tab = line.find('\t');
  if (tab == line.npos) return bad_line("expected ID TAB query, but there is no tab");
  return {.query = line.substr(tab + 1), .id = base::trimmed(line.substr(0, tab))};
}

// To add a format, add a row here; one without fields has a reader.
constexpr std::array<LogFormat, 7> kFormats{{{"lines", read_line},
                                             {"counts", read_counted},
                                             {"topics", read_topic},
                                             {"tsv", nullptr},
                                             {"csv", nullptr},
                                             {"jsonl", nullptr},
                                             {"aol", read_aol}}};

const LogFormat& format_called(std::string_view name) {
  const auto found = std::ranges::find(kFormats, name, &LogFormat::name);
  if (found != kFormats.end()) return *found;
  const std::vector<std::string> names = query_log_formats();
  throw Error(ErrorCode::usage,
              fmt::format("`queries_format` {}: unknown format; expected one of: auto, {}{}", name,
                          fmt::join(names, ", "), base::did_you_mean(name, names)),
              "queries_format");
}

// The first lines that are not blank.
std::vector<std::string> first_lines(const Collection& lines, const Context& context) {
  constexpr std::size_t kLooked = 20, kMostRecords = 1000;
  std::vector<std::string> out;
  const auto reader = lines.read(context);
  Document line;
  for (std::size_t i = 0; i < kMostRecords && out.size() < kLooked && reader->next(line); ++i) {
    if (!base::trimmed(line.text).empty()) out.push_back(line.text);
  }
  return out;
}

bool is_counted(std::string_view line) {
  const auto columns = columns_of(line);
  return columns.size() == 2 && base::parse_whole(base::trimmed(columns[1])).has_value();
}

// An id, which is one word with a digit, and a query.
bool is_topic(std::string_view line) {
  const auto columns = columns_of(line);
  if (columns.size() != 2 || base::trimmed(columns[1]).empty() || is_counted(line)) return false;
  const std::string_view id = base::trimmed(columns[0]);
  return !id.empty() && id.find(' ') == id.npos && id.find_first_of("0123456789") != id.npos;
}

// 2006-03-01 07:17:12
bool is_time(std::string_view text) {
  constexpr std::string_view kPattern = "0000-00-00";
  return text.size() >= kPattern.size() &&
         std::equal(kPattern.begin(), kPattern.end(), text.begin(),
                    [](char p, char c) { return p == '0' ? c >= '0' && c <= '9' : c == p; });
}

bool is_aol(std::string_view line) {
  const auto columns = columns_of(line);
  return columns.size() >= 3 && columns.size() <= 5 && base::parse_whole(columns[0]).has_value() && is_time(columns[2]);
}

// The names of a header line; nothing when it is none.
std::vector<std::string> header_names(std::string_view line, char separator) {
  constexpr std::size_t kMostColumns = 1000;
  std::vector<std::string> names;
  if (io::split_csv_row(line, {.separator = separator}, kMostColumns, names) != nullptr) names.clear();
  return names;
}

std::string_view look(const std::vector<std::string>& lines, const QueryLogOptions& options, std::string_view path) {
  if (lines.empty()) return "lines";
  const std::string& first = lines.front();
  const LogFields fields(options);
  // Not by the name: prose in a file called .jsonl is prose.
  if (io::format_named("jsonl").sniff(first, {}, io::format_named("jsonl")) == io::Fit::content) return "jsonl";
  const bool names_fields = !options.query_field.empty() || !options.count_field.empty() || !options.id_field.empty();
  if (names_fields) return first.find('\t') != first.npos ? "tsv" : "csv";
  if (is_aol_header(first) || is_aol(first)) return "aol";
  if (is_counts_header(first)) return "counts";
  if (const auto names = header_names(first, '\t'); names.size() > 1 && std::ranges::count(names, fields.query) > 0)
    return "tsv";
  if (base::equals_any_case(io::format_extension(path), ".csv")) return "csv";
  if (const auto names = header_names(first, ','); names.size() > 1 && std::ranges::count(names, fields.query) > 0)
    return "csv";
  const auto are_most = [&](bool (*is_so)(std::string_view)) {
    return 2 * static_cast<std::size_t>(std::count_if(lines.begin(), lines.end(), is_so)) > lines.size();
  };
  if (is_counted(first) || are_most(is_counted)) return "counts";
  return are_most(is_topic) ? "topics" : "lines";
}

void require(const std::vector<std::string>& names, const char* option, const std::string& field, bool named,
             std::string_view path) {
  if (std::ranges::count(names, field) > 0) return;
  const std::string found = fmt::format("{} has no column \"{}\"; it has: {}{}", path, field, fmt::join(names, ", "),
                                        base::did_you_mean(field, names));
  throw Error(ErrorCode::usage, named ? fmt::format("`{}` {}: {}", option, field, found) : found, option);
}

void check_fields(const LogFormat& format, const QueryLogOptions& options, const std::vector<std::string>& lines,
                  std::string_view path) {
  if (format.read != nullptr) {
    for (const auto& [option, field] :
         {std::pair("query_field", options.query_field), std::pair("count_field", options.count_field),
          std::pair("query_id_field", options.id_field)}) {
      if (field.empty()) continue;
      throw Error(ErrorCode::usage,
                  fmt::format("`{}` {}: {} is read as {}, which has no fields", option, field, path, format.name),
                  "queries_format");
    }
    return;
  }
  if (format.name == "jsonl" || lines.empty()) return;
  const auto names = header_names(lines.front(), format.name == "tsv" ? '\t' : ',');
  if (names.empty()) return;  // the reader will say why
  const LogFields fields(options);
  require(names, "query_field", fields.query, !options.query_field.empty(), path);
  if (!options.count_field.empty()) require(names, "count_field", fields.count, true, path);
  if (!options.id_field.empty()) require(names, "query_id_field", fields.id, true, path);
}

std::string or_else(const std::string& named, const char* usual) { return named.empty() ? usual : named; }

}  // namespace

LogFields::LogFields(const QueryLogOptions& options)
    : query(or_else(options.query_field, "query")),
      count(or_else(options.count_field, "count")),
      id(or_else(options.id_field, "id")) {}

LoggedLine with_count(std::string_view query, std::string_view text) {
  const std::optional<std::uint64_t> count = base::parse_whole(base::trimmed(text));
  if (!count) return bad_line(fmt::format("the count {} is not a whole number", base::quoted_column(text)));
  if (*count == 0) return bad_line("the count is 0");
  return {.query = query, .count = *count};
}

const LogFormat& log_format(const QueryLogOptions& options, const Collection& lines, const Context& context) {
  const LogFormat* named = options.format == "auto" ? nullptr : &format_called(options.format);
  const std::vector<std::string> first = first_lines(lines, context);
  const std::string& path = io::impl_of(lines).sources.front().path;
  const LogFormat& format = named != nullptr ? *named : format_called(look(first, options, path));
  check_fields(format, options, first, path);
  return format;
}

}  // namespace neardup::clean

namespace neardup {

std::vector<std::string> query_log_formats() {
  std::vector<std::string> names;
  for (const clean::LogFormat& format : clean::kFormats) names.emplace_back(format.name);
  return names;
}

}  // namespace neardup
