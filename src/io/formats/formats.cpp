#include "io/formats/formats.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "io/codecs/codecs.h"
#include "neardup/error.h"

namespace neardup::io {
namespace {

// To add a format, add a row here and its file. Order is that of help texts, and breaks ties in sniffing.
const std::array<Format, 15>& table() {
  static const std::array<Format, 15> formats{text_format(),    lines_format(), html_format(),        jsonl_format(),
                                              json_format(),    csv_format(),   tsv_format(),         sets_format(),
                                              eml_format(),     mbox_format(),  warc_format(),        arc_format(),
                                              parquet_format(), arrow_format(), arrow_stream_format()};
  return formats;
}

}  // namespace

bool Format::has_extension(std::string_view extension) const {
  return std::any_of(extensions.begin(), extensions.end(),
                     [&](std::string_view own) { return own.size() == extension.size() && ends_in(extension, own); });
}

const Format& format_named(std::string_view name) {
  for (const Format& format : table()) {
    if (format.name == name) return format;
  }
  throw Error(
      ErrorCode::usage,
      fmt::format("`format` {}: unknown format; expected one of: auto, {}", name, fmt::join(format_names(), ", ")),
      "format");
}

std::string_view format_extension(std::string_view file_name) {
  const auto slash = file_name.rfind('/');
  if (slash != std::string_view::npos) file_name.remove_prefix(slash + 1);
  file_name.remove_suffix(codec_of_name(file_name).extension.size());
  const auto dot = file_name.rfind('.');
  return dot == std::string_view::npos || dot == 0 ? std::string_view{} : file_name.substr(dot);
}

const Format& sniff_format(std::string_view first_bytes, std::string_view file_name) {
  const std::string_view extension = format_extension(file_name);
  const Format* best = nullptr;
  Fit best_fit = Fit::no;
  for (const Format& format : table()) {
    const Fit fit = format.sniff(first_bytes, extension, format);
    if (fit > best_fit) {
      best = &format;
      best_fit = fit;
    }
  }
  return *best;  // `text` fits everything
}

const Format* format_of_extension(std::string_view extension) {
  for (const Format& format : table()) {
    if (format.has_extension(extension)) return &format;
  }
  return nullptr;
}

std::uint32_t terminator_size(std::string_view unit) {
  if (!unit.ends_with('\n')) return 0;
  return unit.ends_with("\r\n") ? 2 : 1;
}

std::size_t LineCutter::scan(std::string_view bytes) {
  const void* newline = std::memchr(bytes.data(), '\n', bytes.size());
  return newline == nullptr ? kOpen : static_cast<std::size_t>(static_cast<const char*>(newline) - bytes.data()) + 1;
}

bool LineCutter::take(std::string_view unit, RawRecord& out) {
  out.terminator = terminator_size(unit);
  out.size = static_cast<std::uint32_t>(unit.size()) - out.terminator;
  return true;
}

bool LineCutter::take_last(std::string_view unit, RawRecord& out) { return !unit.empty() && take(unit, out); }

}  // namespace neardup::io

namespace neardup {

std::vector<std::string> format_names() {
  std::vector<std::string> names;
  for (const io::Format& format : io::table()) names.emplace_back(format.name);
  return names;
}

std::vector<FormatChoice> format_choices() {
  std::vector<FormatChoice> out;
  for (const io::Format& format : io::table()) {
    out.push_back(
        {std::string(format.name), std::string(format.summary), {format.extensions.begin(), format.extensions.end()}});
  }
  return out;
}

}  // namespace neardup
