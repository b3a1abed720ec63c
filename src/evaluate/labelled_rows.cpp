#include "evaluate/labelled_rows.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <simdjson.h>

#include <algorithm>

#include "base/system.h"
#include "base/tsv.h"
#include "io/formats/formats.h"
#include "neardup/collection.h"
#include "neardup/error.h"

namespace neardup::evaluation {
namespace {

enum class Header { first_row, none };

std::optional<std::string> unless_empty(std::string text) {
  return text.empty() ? std::nullopt : std::optional(std::move(text));
}

// Lines of any text file.
class LineReader {
 public:
  LineReader(const std::string& path, const Context& context)
      : reader_(Collection::open({path}, {.format = "lines"}, context).read(context)) {}
  bool next() {
    if (!reader_->next(line_)) return false;
    ++number_;
    return true;
  }
  [[nodiscard]] std::string_view text() const { return line_.text; }
  [[nodiscard]] std::uint64_t number() const { return number_; }

 private:
  std::unique_ptr<Collection::Reader> reader_;
  Document line_;
  std::uint64_t number_ = 0;
};

// Our own TSV, whose escapes are not those of spreadsheets.
class TsvRows final : public LabelledRows {
 public:
  TsvRows(const std::string& path, Header header, const Context& context) : lines_(path, context) {
    if (header == Header::first_row && lines_.next()) names_ = split();
  }
  bool next() override {
    if (!lines_.next()) return false;
    values_ = split();
    return true;
  }
  [[nodiscard]] std::optional<std::string> get(std::string_view column) const override {
    const auto at = std::ranges::find(names_, column);
    auto place = static_cast<std::size_t>(at - names_.begin());
    if (names_.empty()) place = base::parse_whole(column).value_or(0) - 1;  // "1", "2", ...
    return place < values_.size() ? unless_empty(values_[place]) : std::nullopt;
  }
  [[nodiscard]] std::optional<std::vector<std::string>> list(std::string_view) const override { return std::nullopt; }
  [[nodiscard]] std::uint64_t number() const override { return lines_.number(); }
  [[nodiscard]] bool has_column(std::string_view column) const override {
    return std::ranges::find(names_, column) != names_.end();
  }

 private:
  [[nodiscard]] std::vector<std::string> split() const {
    std::vector<std::string> out;
    for (std::string_view rest = lines_.text(); !rest.empty();)
      out.push_back(base::unescape_tsv(base::take_column(rest)));
    return out;
  }
  LineReader lines_;
  std::vector<std::string> names_, values_;
};

class JsonRows final : public LabelledRows {
 public:
  JsonRows(const std::string& path, const Context& context) : path_(path), lines_(path, context) {}
  bool next() override {
    if (!lines_.next()) return false;
    const std::string_view text = lines_.text();
    if (parser_.parse(text.data(), text.size()).get(row_) != simdjson::SUCCESS)
      throw Error(ErrorCode::input, fmt::format("{}:{}: not valid JSON", path_, lines_.number()));
    return true;
  }
  [[nodiscard]] std::optional<std::string> get(std::string_view column) const override {
    const std::optional<simdjson::dom::element> value = find(column);
    return value ? text_of(*value) : std::nullopt;
  }
  [[nodiscard]] std::optional<std::vector<std::string>> list(std::string_view column) const override {
    const std::optional<simdjson::dom::element> value = column.empty() ? row_ : find(column);
    simdjson::dom::array items;
    if (!value || value->get(items) != simdjson::SUCCESS) return std::nullopt;
    std::vector<std::string> out;
    for (const simdjson::dom::element item : items)
      if (auto text = text_of(item)) out.push_back(std::move(*text));
    return out;
  }
  [[nodiscard]] std::uint64_t number() const override { return lines_.number(); }

 private:
  // `a.b` is a member b of a member a.
  [[nodiscard]] std::optional<simdjson::dom::element> find(std::string_view column) const {
    simdjson::dom::element at = row_;
    while (true) {
      const std::size_t dot = column.find('.');
      simdjson::dom::object object;
      if (at.get(object) != simdjson::SUCCESS) return std::nullopt;
      if (object[column.substr(0, dot)].get(at) != simdjson::SUCCESS) return std::nullopt;
      if (dot == column.npos) return at;
      column.remove_prefix(dot + 1);
    }
  }
  // Numbers as they are written; nothing for null, and for objects and lists.
  static std::optional<std::string> text_of(const simdjson::dom::element& value) {
    std::string_view text;
    if (value.get(text) == simdjson::SUCCESS) return unless_empty(std::string(text));
    if (value.is_null() || value.is_object() || value.is_array()) return std::nullopt;
    return std::string(simdjson::minify(value));
  }

  std::string path_;
  LineReader lines_;
  simdjson::dom::parser parser_;
  simdjson::dom::element row_;
};

// CSV, Parquet, Arrow, JSON arrays: columns have to be named before reading.
class FieldRows final : public LabelledRows {
 public:
  FieldRows(const std::string& path, const FileShape& shape, Header header, std::uint64_t limit, const Context& context)
      : first_(shape.first) {
    for (const std::string_view column : {shape.second, shape.also, shape.score})
      if (!column.empty() && std::ranges::find(others_, column) == others_.end()) others_.emplace_back(column);
    for (const std::string_view column : verdict_columns())
      if (std::ranges::find(others_, column) == others_.end()) others_.emplace_back(column);
    ReadOptions options{.text_fields = {{first_}}, .id_field = first_, .extra_fields = others_, .limit = limit};
    options.rows.has_header = header == Header::first_row;
    reader_ = Collection::open({path}, options, context).read(context);
  }
  bool next() override {
    if (!reader_->next(row_)) return false;
    ++number_;
    return true;
  }
  [[nodiscard]] std::optional<std::string> get(std::string_view column) const override {
    if (column == first_) return unless_empty(row_.key);
    const auto at = std::ranges::find(others_, column);
    if (at == others_.end()) return std::nullopt;
    const auto& value = row_.fields[static_cast<std::size_t>(at - others_.begin())];
    return value ? unless_empty(*value) : std::nullopt;
  }
  [[nodiscard]] std::optional<std::vector<std::string>> list(std::string_view) const override { return std::nullopt; }
  [[nodiscard]] std::uint64_t number() const override { return number_; }

 private:
  std::string first_;
  std::vector<std::string> others_;
  std::unique_ptr<Collection::Reader> reader_;
  Document row_;
  std::uint64_t number_ = 0;
};

bool has_header(const FileShape& shape) { return shape.first != "1"; }

bool fits(const LabelledRows& row, const FileShape& shape) {
  if (shape.form == FileShape::Form::partners)
    return row.list(shape.second).has_value() && (shape.first.empty() || row.get(shape.first));
  // A cluster may be empty in the first row; that the column is there shows in `also` where it matters.
  return row.get(shape.first) && row.get(shape.second) && (shape.also.empty() || row.get(shape.also));
}

bool names_all(const LabelledRows& rows, const FileShape& shape) {
  return rows.has_column(shape.first) && rows.has_column(shape.second) &&
         (shape.also.empty() || rows.has_column(shape.also));
}

enum class RowsKind { tsv, jsonl, fields };

std::unique_ptr<LabelledRows> open_rows(const std::string& path, RowsKind kind, const FileShape& shape,
                                        std::uint64_t limit, const Context& context) {
  const Header header = has_header(shape) ? Header::first_row : Header::none;
  if (kind == RowsKind::tsv) return std::make_unique<TsvRows>(path, header, context);
  if (kind == RowsKind::jsonl) return std::make_unique<JsonRows>(path, context);
  return std::make_unique<FieldRows>(path, shape, header, limit, context);
}

// The first row says what a file is. In JSONL and TSV a later row may have to, where the first one has no cluster.
const FileShape* shape_of(const std::string& path, RowsKind kind, std::string_view format, const Context& context) {
  constexpr std::uint64_t kRowsExamined = 1000;
  const auto is_wanted = [&](const FileShape& shape) {
    return format == "auto" ? has_header(shape) : shape.format == format;
  };
  for (const FileShape& shape : file_shapes()) {
    if (!is_wanted(shape) || (kind == RowsKind::jsonl && !has_header(shape))) continue;
    if (kind != RowsKind::jsonl && shape.form == FileShape::Form::partners) continue;
    try {
      const auto rows = open_rows(path, kind, shape, kRowsExamined, context);
      std::uint64_t row = 0;
      for (; row < kRowsExamined && rows->next(); ++row)
        if (fits(*rows, shape)) return &shape;
      if (row == 0 && names_all(*rows, shape)) return &shape;  // a list of nothing
    } catch (const Error& error) {
      // A column that is not there.
      const bool is_other = error.code() != ErrorCode::input && error.code() != ErrorCode::usage;
      if (is_other || kind != RowsKind::fields) throw;
    }
  }
  return nullptr;
}

RowsKind kind_of(const std::string& path) {
  const std::string_view ending = io::format_extension(path);
  if (ending == ".tsv") return RowsKind::tsv;
  if (ending == ".jsonl" || ending == ".ndjson") return RowsKind::jsonl;
  return RowsKind::fields;
}

}  // namespace

RecognisedRows recognise(const std::string& path, std::string_view format, const Context& context) {
  FileSystem& files = base::files(context);
  const FileInfo info = path == "-" ? FileInfo() : files.info(path);
  if (path == "-" || info.kind == FileKind::stream)
    throw Error(ErrorCode::input, path + " can be read only once, but has to be read twice: write it to a file");
  if (info.kind == FileKind::file && info.size == 0) return {nullptr, nullptr};
  const RowsKind kind = kind_of(path);
  if (const FileShape* shape = shape_of(path, kind, format, context))
    return {open_rows(path, kind, *shape, 0, context), shape};
  throw Error(
      ErrorCode::input,
      fmt::format("{}: {}. A list of pairs has columns such as left and right, id1 and id2, or unique_id_l and "
                  "unique_id_r; clusters have id and cluster or label (docs/algorithms/evaluate.md); the format "
                  "pairs or labels reads two columns without a header",
                  path, format == "auto" ? "no known columns" : fmt::format("not in the format {}", format)));
}

}  // namespace neardup::evaluation
