// The two formats without structure. `text`: a file is a document. `lines`: a line is one.
#include <fmt/format.h>

#include "base/json.h"
#include "io/collection.h"
#include "io/formats.h"
#include "io/utf8.h"
#include "neardup/error.h"

namespace neardup::io {
namespace {

class FileCutter final : public Cutter {
 public:
  std::size_t scan(std::string_view) override { return kOpen; }
  bool take(std::string_view, RawRecord&) override { return false; }
  bool take_last(std::string_view unit, RawRecord& out) override {
    out.size = static_cast<std::uint32_t>(unit.size());
    return true;
  }
  [[nodiscard]] std::uint64_t number() const override { return 0; }
  void next_unit() override {}
};

class TextParser final : public RecordParser {
 public:
  const char* parse(const RecordBatch& batch, const RawRecord& record, Document& out) override {
    repaired_ = assign_valid_utf8(out.text, batch.raw(record));
    return nullptr;
  }
  [[nodiscard]] bool repaired() const noexcept override { return repaired_; }

 private:
  bool repaired_ = false;
};

std::unique_ptr<RecordParser> make_parser(const ReadOptions&) { return std::make_unique<TextParser>(); }

// Bytes that are not UTF-8 have no form in JSON, and kept records are never changed.
std::string_view valid_text(const RecordBatch& batch, const RawRecord& record) {
  const std::string_view text = batch.raw(record);
  if (!is_valid_utf8(text)) {
    throw Error(ErrorCode::usage,
                fmt::format("{}: invalid UTF-8 cannot be written as JSON (write the input's own format instead)",
                            record_name(*batch.source, record, "")));
  }
  return text;
}

}  // namespace

Format text_format() {
  return {.name = "text",
          .extensions = {".txt"},
          .sniff = [](std::string_view, std::string_view, const Format&) { return Fit::fallback; },
          .cutter = [](const Source&, const ReadOptions&) -> std::unique_ptr<Cutter> {
            return std::make_unique<FileCutter>();
          },
          .parser = make_parser,
          .whole_file = true,
          .append_json =
              [](std::string& out, const RecordBatch& batch, const RawRecord& record) {
                out += "{\"id\":";
                std::string name;
                assign_valid_utf8(name, record_name(*batch.source, record, ""));
                base::append_json_string(out, name);
                out += ",\"text\":";
                base::append_json_string(out, valid_text(batch, record));
                out += '}';
              }};
}

Format lines_format() {
  return {.name = "lines",
          .extensions = {},
          .sniff = [](std::string_view, std::string_view, const Format&) { return Fit::no; },
          .cutter = [](const Source&, const ReadOptions&) -> std::unique_ptr<Cutter> {
            return std::make_unique<LineCutter>();
          },
          .parser = make_parser,
          .append_json =
              [](std::string& out, const RecordBatch& batch, const RawRecord& record) {
                out += "{\"text\":";
                base::append_json_string(out, valid_text(batch, record));
                out += '}';
              }};
}

}  // namespace neardup::io
