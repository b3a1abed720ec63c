// Formats without records in them. `text` and `html`: a file is a document. `lines`: a line is one.
#include <fmt/format.h>

#include "base/json.h"
#include "base/utf8.h"
#include "io/collection.h"
#include "io/formats/fields.h"
#include "io/formats/formats.h"
#include "io/formats/page_text.h"
#include "neardup/error.h"

namespace neardup::io {
namespace {

class FileParser final : public BuildingParser {
 public:
  FileParser(const ReadOptions& options, Body::Kind kind)
      : BuildingParser(options.extra_fields.size()), fields_(options), bodies_(options), kind_(kind) {}
  [[nodiscard]] Decoding decoding() const noexcept override { return decoding_; }

 private:
  const char* build(const RecordBatch& batch, std::size_t place, Document& out) override {
    decoding_ = bodies_.read({.bytes = batch.raw(place), .kind = kind_}, out);
    fields_.set_of_page(bodies_.page(), out);
    return nullptr;
  }

  NamedFields fields_;
  BodyReader bodies_;
  Body::Kind kind_;
  Decoding decoding_;
};

class LineParser final : public RecordParser {
 public:
  const char* parse(const RecordBatch& batch, std::size_t place, DocumentView& out) override {
    const std::string_view line = batch.raw(place);
    out = base::repaired_utf8(line, repaired_line_);
    out.is_valid_utf8 = true;
    repaired_ = out.text.data() != line.data();
    return nullptr;
  }
  [[nodiscard]] Decoding decoding() const noexcept override { return {.repaired = repaired_}; }

 private:
  std::string repaired_line_;
  bool repaired_ = false;
};

// Bytes that are not UTF-8 have no form in JSON, and kept records are never changed.
std::string_view valid_text(const RecordBatch& batch, std::size_t place) {
  const std::string_view text = batch.raw(place);
  if (!base::is_valid_utf8(text)) {
    throw Error(ErrorCode::usage,
                fmt::format("{}: invalid UTF-8 cannot be written as JSON (write the input's own format instead)",
                            record_name(*batch.source, batch.number(place), "")));
  }
  return text;
}

std::unique_ptr<Cutter> make_file_cutter(const Source&, const ReadOptions&) {
  return std::make_unique<WholeFileCutter>();
}

void append_file_json(std::string& out, const RecordBatch& batch, std::size_t place) {
  out += "{\"id\":";
  std::string name;
  base::assign_valid_utf8(name, record_name(*batch.source, batch.number(place), ""));
  base::append_json_string(out, name);
  out += ",\"text\":";
  std::string_view text = valid_text(batch, place);
  if (text.starts_with(base::kUtf8Mark)) text.remove_prefix(base::kUtf8Mark.size());
  base::append_json_string(out, text);
  out += '}';
}

}  // namespace

Format text_format() {
  return {.name = "text",
          .summary = "the whole file",
          .extensions = {".txt"},
          .sniff = [](std::string_view, std::string_view, const Format&) { return Fit::fallback; },
          .cutter = make_file_cutter,
          .parser = [](const ReadOptions& options) -> std::unique_ptr<RecordParser> {
            return std::make_unique<FileParser>(options, Body::Kind::text);
          },
          .is_guessed = true,
          .decodes_itself = true,
          .whole_file = true,
          .append_json = append_file_json};
}

Format html_format() {
  return {.name = "html",
          .summary = "a page (the whole file), without its tags",
          .extensions = {".html", ".htm", ".xhtml"},
          .sniff =
              [](std::string_view first_bytes, std::string_view extension, const Format& self) {
                if (self.has_extension(extension)) return Fit::name_alone_can_tell;
                return extension != ".txt" && looks_like_html(first_bytes) ? Fit::content : Fit::no;
              },
          .cutter = make_file_cutter,
          .parser = [](const ReadOptions& options) -> std::unique_ptr<RecordParser> {
            return std::make_unique<FileParser>(options, Body::Kind::html);
          },
          .decodes_itself = true,
          .named_fields = true,
          .whole_file = true,
          .append_json = append_file_json};
}

Format lines_format() {
  return {.name = "lines",
          .summary = "a line; never detected, use `format=lines`",
          .extensions = {},
          .sniff = [](std::string_view, std::string_view, const Format&) { return Fit::no; },
          .cutter = [](const Source&, const ReadOptions&) -> std::unique_ptr<Cutter> {
            return std::make_unique<LineCutter>();
          },
          .parser = [](const ReadOptions&) -> std::unique_ptr<RecordParser> { return std::make_unique<LineParser>(); },
          .append_json =
              [](std::string& out, const RecordBatch& batch, std::size_t place) {
                out += "{\"text\":";
                base::append_json_string(out, valid_text(batch, place));
                out += '}';
              }};
}

}  // namespace neardup::io
