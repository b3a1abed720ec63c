// JSON Lines: an object a line. Blank lines are not records.
#include "io/formats/formats.h"
#include "io/formats/json_record.h"

namespace neardup::io {
namespace {

class JsonLineCutter final : public LineCutter {
 public:
  bool take(std::string_view unit, RawRecord& out) override {
    return skip_json_space(unit) != std::string_view::npos && LineCutter::take(unit, out);
  }
};

// The first line opens an object with a key, or an empty one; prose or code that starts with a brace rarely does.
Fit sniff_jsonl(std::string_view first_bytes, std::string_view extension, const Format& self) {
  const std::size_t brace = skip_json_space(first_bytes);
  if (brace != std::string_view::npos && first_bytes[brace] == '{') {
    const std::size_t next = skip_json_space(first_bytes, brace + 1);
    if (next != std::string_view::npos && (first_bytes[next] == '"' || first_bytes[next] == '}')) return Fit::content;
  }
  return self.has_extension(extension) ? Fit::name : Fit::no;
}

}  // namespace

Format jsonl_format() {
  return {.name = "jsonl",
          .summary = "a JSON object per line",
          .extensions = {".jsonl", ".ndjson"},
          .sniff = sniff_jsonl,
          .cutter = [](const Source&, const ReadOptions&) -> std::unique_ptr<Cutter> {
            return std::make_unique<JsonLineCutter>();
          },
          .parser = make_json_parser,
          .framing = Format::Framing::json_lines,
          .append_json = append_json_on_one_line};
}

}  // namespace neardup::io
