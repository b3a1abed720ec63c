// ARC, versions 1 and 2: what the Internet Archive wrote before WARC. A header is one line of fields between blanks:
// URL, IP, date, content type, length; version 2 has five more before the length.
#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "base/ascii.h"
#include "io/collection.h"
#include "io/formats/fields.h"
#include "io/formats/page_of_record.h"
#include "io/formats/web_archive.h"

namespace neardup::io {
namespace {

constexpr std::string_view kArcMagic = "filedesc://";
constexpr std::string_view kArcRecordEnd = "\n";
constexpr std::size_t kMostHeaderLine = 16u << 10;

struct ArcLine {
  std::string_view uri, date, content_type;
  std::uint64_t length = 0;
};

bool is_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// Fields are counted from the end, since URLs may hold blanks.
std::optional<ArcLine> parse_line(std::string_view line) {
  constexpr std::size_t kMostFields = 9;  // behind the URL, of version 2
  if (line.size() > kMostHeaderLine) return std::nullopt;
  line = base::trimmed(line);
  std::array<std::string_view, kMostFields> fields;  // the last comes first
  std::string_view rest = line;
  for (std::size_t i = 0; i < kMostFields; ++i) {
    const std::size_t blank = rest.rfind(' ');
    if (blank == std::string_view::npos || blank == 0) break;
    fields[i] = rest.substr(blank + 1);
    rest = rest.substr(0, blank);
    constexpr std::size_t kAddress1 = 3, kAddress2 = 8;  // places of the IP address, behind which the date stands
    if (i != kAddress1 && i != kAddress2) continue;
    const std::string_view date = fields[i - 1];
    if ((date.size() != 14 && date.size() != 12) || !is_digits(date)) continue;
    ArcLine out{.uri = rest, .date = date, .content_type = fields[i - 2]};
    const std::string_view length = fields[0];
    if (!is_digits(length) || length.size() > 18) return std::nullopt;
    std::from_chars(length.data(), length.data() + length.size(), out.length);
    return out;
  }
  return std::nullopt;
}

class ArcCutter final : public WebArchiveCutter {
 public:
  explicit ArcCutter(const ReadOptions& options) : WebArchiveCutter(options, kArcRecordEnd) {}

 private:
  // A scheme and a colon: "http:", "dns:", "filedesc:".
  Match starts_record(std::string_view bytes) const override {
    bytes = bytes.substr(0, kPeek);
    const std::size_t end =
        static_cast<std::size_t>(std::find_if_not(bytes.begin(), bytes.end(),
                                                  [](char c) {
                                                    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                                                           (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.';
                                                  }) -
                                 bytes.begin());
    if (end == bytes.size()) return end < kPeek ? Match::more : Match::no;
    return end > 1 && bytes[end] == ':' ? Match::yes : Match::no;
  }

  std::size_t end_of_header(std::string_view bytes, std::size_t from) const override {
    const std::size_t newline = bytes.find('\n', from);
    return newline == std::string_view::npos ? newline : newline + 1;
  }

  Header read_header(std::string_view header) const override {
    const auto line = parse_line(header);
    if (!line) return {.is_document = true, .problem = "not a valid ARC record header"};
    const bool describes = header.starts_with(kArcMagic);
    return {.length = line->length, .is_document = !describes, .describes_archive = describes};
  }

  std::size_t find_start(std::string_view bytes, std::size_t& shown_again) const override {
    std::size_t newline = bytes.find('\n');
    while (newline != std::string_view::npos) {
      const std::size_t begin = newline + 1;
      newline = bytes.find('\n', begin);
      if (newline == std::string_view::npos) {
        shown_again = std::min(bytes.size() - begin + 1, kMostHeaderLine);
        return newline;
      }
      const std::string_view line = bytes.substr(begin, newline - begin);
      if (starts_record(line) == Match::yes && parse_line(line)) return begin;
    }
    shown_again = 0;
    return newline;
  }
};

class ArcParser final : public BuildingParser {
 public:
  explicit ArcParser(const ReadOptions& options)
      : BuildingParser(options.extra_fields.size()), fields_(options), pages_(options) {}

  [[nodiscard]] Decoding decoding() const noexcept override { return pages_.decoding(); }

 private:
  const char* build(const RecordBatch& batch, std::size_t place, Document& out) override {
    const std::string_view raw = batch.raw(place);
    const std::size_t end = std::min(raw.find('\n'), raw.size() - 1) + 1;
    const auto line = parse_line(raw.substr(0, end));
    if (!line) return "not a valid ARC record header";
    ArchivedPage page{.uri = line->uri, .date = line->date, .content_type = line->content_type};
    page.block = raw.substr(end);
    page.is_http = page.block.starts_with("HTTP/");
    return pages_.read(page, fields_, out);
  }

  NamedFields fields_;
  PageOfRecord pages_;
};

}  // namespace

Format arc_format() {
  Format format = archive_format<ArcCutter, ArcParser>(kArcRecordEnd);
  format.name = "arc";
  format.summary = "a page of an ARC file, the predecessor of WARC";
  format.extensions = {".arc"};
  format.sniff = [](std::string_view first_bytes, std::string_view extension, const Format& self) {
    if (first_bytes.starts_with(kArcMagic)) return Fit::content;
    return self.has_extension(extension) ? Fit::name : Fit::no;
  };
  return format;
}

}  // namespace neardup::io
