// WARC 1.0 and 1.1 (ISO 28500), and what is made of them: WET and WAT. Documents are what was fetched or derived from
// it: response, resource, conversion and revisit records.
#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>

#include "base/ascii.h"
#include "io/collection.h"
#include "io/formats/fields.h"
#include "io/formats/header_lines.h"
#include "io/formats/page_of_record.h"
#include "io/formats/web_archive.h"

namespace neardup::io {
namespace {

constexpr std::string_view kWarcMagic = "WARC/";
constexpr std::size_t kWarcVersion = 2;  // a digit and a dot
constexpr std::string_view kWarcRecordEnd = "\r\n\r\n";

bool is_version(std::string_view bytes) { return bytes[0] >= '0' && bytes[0] <= '9' && bytes[1] == '.'; }

bool starts_as_warc(std::string_view bytes) {
  return bytes.size() >= kWarcMagic.size() + kWarcVersion && bytes.starts_with(kWarcMagic) &&
         is_version(bytes.substr(kWarcMagic.size(), kWarcVersion));
}

std::string_view without_brackets(std::string_view uri) {
  if (uri.size() >= 2 && uri.front() == '<' && uri.back() == '>') uri = uri.substr(1, uri.size() - 2);
  return uri;
}

class WarcCutter final : public WebArchiveCutter {
 public:
  explicit WarcCutter(const ReadOptions& options) : WebArchiveCutter(options, kWarcRecordEnd) {}

 private:
  Match starts_record(std::string_view bytes) const override {
    if (starts_as_warc(bytes)) return Match::yes;
    const std::size_t shown = std::min(bytes.size(), kWarcMagic.size());
    const bool may =
        bytes.size() < kWarcMagic.size() + kWarcVersion && bytes.substr(0, shown) == kWarcMagic.substr(0, shown);
    return may ? Match::more : Match::no;
  }

  std::size_t end_of_header(std::string_view bytes, std::size_t from) const override { return header_end(bytes, from); }

  Header read_header(std::string_view header) const override {
    Header out{.problem = "the record has no Content-Length"};
    for (HeaderLines line(header); line.next();) {
      if (line.is("content-length")) {
        const std::string_view digits = line.value();
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), out.length);
        const bool is_number = !digits.empty() && error == std::errc() && end == digits.data() + digits.size();
        out.problem =
            is_number && out.length <= kMostLength ? nullptr : "the Content-Length of the record is not a number";
      } else if (line.is("warc-type")) {
        const auto is = [&](std::string_view type) { return base::equals_any_case(line.value(), type); };
        out.is_document = is("response") || is("resource") || is("conversion") || is("revisit");
        out.describes_archive = is("warcinfo");
        out.record.is_request = is("request");
      } else if (line.is("warc-record-id")) {
        out.record.id = without_brackets(line.value());
      } else if (line.is("warc-target-uri")) {
        out.record.uri = without_brackets(line.value());
      } else if (line.is("warc-concurrent-to") || line.is("warc-refers-to")) {
        out.record.relations.emplace_back(without_brackets(line.value()));
      }
    }
    if (out.problem != nullptr) out.is_document = true;
    return out;
  }

  std::size_t find_start(std::string_view bytes, std::size_t& shown_again) const override {
    constexpr std::string_view kStart = "\nWARC/";
    shown_again = std::min(bytes.size(), kStart.size() + kWarcVersion - 1);
    for (std::size_t at = 0;;) {
      const void* found = memmem(bytes.data() + at, bytes.size() - at, kStart.data(), kStart.size());
      if (found == nullptr) return std::string_view::npos;
      at = static_cast<std::size_t>(static_cast<const char*>(found) - bytes.data()) + 1;
      if (starts_as_warc(bytes.substr(at))) return at;
    }
  }

  static constexpr std::uint64_t kMostLength = std::uint64_t{1} << 60;
};

class WarcParser final : public BuildingParser {
 public:
  explicit WarcParser(const ReadOptions& options)
      : BuildingParser(options.extra_fields.size()), fields_(options), pages_(options) {}

  [[nodiscard]] Decoding decoding() const noexcept override { return pages_.decoding(); }

 private:
  const char* build(const RecordBatch& batch, std::size_t place, Document& out) override {
    const std::string_view raw = batch.raw(place);
    const std::size_t end = std::min(header_end(raw), raw.size());
    std::string_view type, content_type, uri, id, date;
    for (HeaderLines line(raw.substr(0, end)); line.next();) {
      if (line.is("warc-type")) type = line.value();
      if (line.is("content-type")) content_type = line.value();
      if (line.is("warc-target-uri")) uri = without_brackets(line.value());
      if (line.is("warc-record-id")) id = without_brackets(line.value());
      if (line.is("warc-date")) date = line.value();
      if (fields_.any() && base::starts_with_any_case(line.name(), "warc-"))
        set_valid_field(fields_, base::lowered(line.name()), line.value(), out);
    }
    ArchivedPage page{.uri = uri.empty() ? id : uri, .date = date, .content_type = content_type};
    page.is_http = base::starts_with_any_case(content_type, "application/http");
    page.block = raw.substr(end);
    page.has_text = !base::equals_any_case(type, "revisit");  // at most headers; what they belong to is elsewhere
    return pages_.read(page, fields_, out);
  }

  NamedFields fields_;
  PageOfRecord pages_;
};

}  // namespace

Format warc_format() {
  Format format = archive_format<WarcCutter, WarcParser>(kWarcRecordEnd);
  format.name = "warc";
  format.summary = "a page of a web archive (WARC 1.0, 1.1), or a text of WET";
  format.extensions = {".warc", ".wet", ".wat"};
  format.sniff = [](std::string_view first_bytes, std::string_view extension, const Format& self) {
    if (starts_as_warc(first_bytes)) return Fit::content;
    return self.has_extension(extension) ? Fit::name : Fit::no;
  };
  return format;
}

}  // namespace neardup::io
