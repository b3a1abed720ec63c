#include "io/formats/csv.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "base/choices.h"
#include "base/json.h"
#include "base/utf8.h"
#include "io/collection.h"
#include "io/formats/formats.h"
#include "io/read_options.h"
#include "neardup/error.h"
#include "text/encoding.h"

namespace neardup::io {
namespace {

constexpr std::size_t kMostColumns = 100'000;  // bounds the memory a hostile header can claim

std::optional<std::size_t> column(const CsvHeader& header, const std::string& name) {
  const auto found = std::find(header.names.begin(), header.names.end(), name);
  if (found == header.names.end()) return std::nullopt;
  return static_cast<std::size_t>(found - header.names.begin());
}

class RowCutter final : public Cutter {
 public:
  RowCutter(const Source& source, const ReadOptions& options, char separator)
      : path_(source.path), encoding_(source.encoding), options_(options), separator_(separator) {}

  std::size_t scan(std::string_view bytes) override {
    std::size_t i = 0;
    while (i < bytes.size()) {
      const char c = bytes[i];
      if (state_ == State::quoted) {
        const std::size_t quote = bytes.find('"', i);
        const std::size_t end = std::min(quote, bytes.size());
        lines_ += static_cast<std::uint64_t>(std::count(bytes.begin() + static_cast<std::ptrdiff_t>(i),
                                                        bytes.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
        if (quote == std::string_view::npos) return kOpen;
        i = quote;
        state_ = State::quote;
      } else if (c == '\n') {
        ++lines_;
        state_ = State::field_start;
        return i + 1;
      } else if (c == separator_) {
        state_ = State::field_start;
      } else if (c == '"' && (state_ == State::field_start || state_ == State::quote)) {
        state_ = State::quoted;
      } else {
        state_ = State::plain;
      }
      ++i;
    }
    return kOpen;
  }

  bool take(std::string_view unit, RawRecord& out) override {
    out.terminator = terminator_size(unit);
    out.size = static_cast<std::uint32_t>(unit.size()) - out.terminator;
    const std::string_view row = unit.substr(0, out.size);
    if (row.empty()) return false;
    if (header_ != nullptr) return true;
    read_header(row, unit);
    return false;
  }

  bool take_last(std::string_view unit, RawRecord& out) override {
    if (unit.empty() || !take(unit, out)) return false;
    if (state_ == State::quoted) out.problem = "a quoted field is not closed before the end of the file";
    return true;
  }

  [[nodiscard]] std::uint64_t number() const override { return number_; }

  void next_unit() override {
    number_ += lines_;
    lines_ = 0;
  }

  [[nodiscard]] std::shared_ptr<const void> shared() const override { return header_; }

 private:
  enum class State { field_start, plain, quoted, quote };

  void read_header(std::string_view row, std::string_view unit) {
    auto header = std::make_shared<CsvHeader>();
    header->raw = unit;
    if (split_csv_row(row, separator_, kMostColumns, header->names) != nullptr) {
      throw Error(
          ErrorCode::input,
          fmt::format("{}: the header line is not valid (a quote is not closed, or there are more than {} columns)",
                      path_, kMostColumns));
    }
    for (std::string& name : header->names) name = in_utf8(name);
    std::vector<std::string_view> sorted(header->names.begin(), header->names.end());
    std::sort(sorted.begin(), sorted.end());
    if (const auto twice = std::adjacent_find(sorted.begin(), sorted.end()); twice != sorted.end()) {
      header->repeated = std::string(*twice);
    }
    for (const std::string& name : text_fields(options_)) require(*header, name, "text_fields");
    if (options_.id_field) require(*header, *options_.id_field, "id_field");
    header_ = std::move(header);
  }

  // Headers are read before anything is decoded.
  [[nodiscard]] std::string in_utf8(const std::string& name) const {
    std::string out;
    if (encoding_ == nullptr || encoding_->wide) {
      base::assign_valid_utf8(out, name);
    } else {
      text::Decoder().append(out, name, *encoding_);
    }
    return out;
  }

  void require(const CsvHeader& header, const std::string& name, const char* option) const {
    if (column(header, name)) return;
    throw Error(ErrorCode::input,
                fmt::format("{}: no column \"{}\"; it has: {}{}", path_, name, fmt::join(header.names, ", "),
                            base::did_you_mean(name, header.names)),
                option);
  }

  std::string path_;
  const text::Encoding* encoding_;
  const ReadOptions& options_;
  char separator_;
  State state_ = State::field_start;
  std::uint64_t number_ = 1, lines_ = 0;  // line of the current row, lines in it so far
  std::shared_ptr<const CsvHeader> header_;
};

class RowParser final : public RecordParser {
 public:
  RowParser(const ReadOptions& options, char separator)
      : options_(options), separator_(separator), fields_(options.extra_fields.size()) {}

  const char* parse(const RecordBatch& batch, std::size_t place, DocumentView& out) override {
    repaired_ = false;
    if (batch.shared != header_) find_columns(batch);
    if (const char* problem = split_csv_row(batch.raw(place), separator_, columns_, row_)) return problem;
    if (row_.size() != columns_) {
      reason_ = fmt::format("the row has {} fields, the header {}", row_.size(), columns_);
      return reason_.c_str();
    }
    out = {};
    out.is_valid_utf8 = true;
    texts_.clear();
    for (const std::size_t column : text_columns_) texts_.push_back(valid(column));
    out.texts = texts_;
    if (id_) out.key = valid(*id_);
    if (out.key.empty() && options_.id_field) {
      reason_ = fmt::format("\"{}\" is empty", *options_.id_field);
      return reason_.c_str();
    }
    for (std::size_t i = 0; i < extras_.size(); ++i) {
      if (extras_[i]) fields_[i] = valid(*extras_[i]);
    }
    out.fields = fields_;
    return nullptr;
  }

  [[nodiscard]] Decoding decoding() const noexcept override { return {.repaired = repaired_}; }

 private:
  void find_columns(const RecordBatch& batch) {
    const CsvHeader& header = csv_header(batch);
    header_ = batch.shared;
    columns_ = header.names.size();
    text_columns_.clear();
    extras_.clear();
    fields_.assign(fields_.size(), std::nullopt);
    for (const std::string& name : text_fields(options_)) text_columns_.push_back(column(header, name).value());
    for (const std::string& name : options_.extra_fields) extras_.push_back(column(header, name));
    id_ = column(header, id_field(options_));
  }

  // The value of a column, which is repaired in its place.
  std::string_view valid(std::size_t column) {
    std::string& value = row_[column];
    if (base::is_valid_utf8(value)) return value;
    repaired_ = true;
    buffer_.clear();
    base::append_repaired_utf8(buffer_, value);
    value.swap(buffer_);
    return value;
  }

  ReadOptions options_;
  char separator_;
  std::shared_ptr<const void> header_;  // what the columns below were found in
  std::size_t columns_ = 0;
  std::vector<std::size_t> text_columns_;
  std::optional<std::size_t> id_;
  std::vector<std::optional<std::size_t>> extras_;
  std::vector<std::string> row_;
  std::vector<std::string_view> texts_;                  // of the last record
  std::vector<std::optional<std::string_view>> fields_;  // likewise
  std::string reason_, buffer_;
  bool repaired_ = false;
};

template <char kSeparator>
Format delimited_format(std::string_view name, std::string_view extension) {
  return {.name = name,
          .summary = kSeparator == ',' ? "a row below the header; quoted fields may hold line ends"
                                       : "the same with tabs between fields",
          .extensions = {extension},
          .sniff = [](std::string_view, std::string_view found,
                      const Format& self) { return self.has_extension(found) ? Fit::name_alone_can_tell : Fit::no; },
          .cutter = [](const Source& source, const ReadOptions& options) -> std::unique_ptr<Cutter> {
            return std::make_unique<RowCutter>(source, options, kSeparator);
          },
          .parser = [](const ReadOptions& options) -> std::unique_ptr<RecordParser> {
            return std::make_unique<RowParser>(options, kSeparator);
          },
          .framing = Format::Framing::delimited,
          .separator = kSeparator,
          .append_json =
              [](std::string& out, const RecordBatch& batch, std::size_t place) {
                const CsvHeader& header = csv_header(batch);
                if (header.repeated) {
                  throw Error(ErrorCode::usage,
                              fmt::format("{}: two columns are called \"{}\", which JSON cannot say (choose an output "
                                          "that ends like the input)",
                                          batch.source->path, *header.repeated));
                }
                std::vector<std::string> row;
                const char* problem = split_csv_row(batch.raw(place), kSeparator, header.names.size(), row);
                if (problem == nullptr && row.size() < header.names.size())
                  problem = "it has fewer fields than the header";
                if (problem == nullptr && !base::is_valid_utf8(batch.raw(place))) problem = "invalid UTF-8";
                if (problem != nullptr) {
                  throw Error(ErrorCode::usage,
                              fmt::format("{}: the row cannot be written as JSON: {}",
                                          record_name(*batch.source, batch.number(place), ""), problem));
                }
                for (std::size_t i = 0; i < row.size(); ++i) {
                  out += i == 0 ? '{' : ',';
                  base::append_json_string(out, header.names[i]);
                  out += ':';
                  base::append_json_string(out, row[i]);
                }
                out += '}';
              }};
}

}  // namespace

const char* split_csv_row(std::string_view row, char separator, std::size_t most, std::vector<std::string>& out) {
  std::size_t count = 0, at = 0;
  for (;;) {
    if (count == most) return "the row has more fields than the header";
    if (count == out.size()) out.emplace_back();
    std::string& field = out[count++];
    field.clear();
    if (at < row.size() && row[at] == '"') {
      ++at;
      for (;;) {
        const std::size_t quote = row.find('"', at);
        if (quote == std::string_view::npos) return "a quoted field is not closed";
        field.append(row, at, quote - at);
        at = quote + 1;
        if (at == row.size() || row[at] != '"') break;
        field += '"';
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

void append_csv_field(std::string& out, std::string_view field, char separator) {
  const char special[] = {separator, '"', '\n', '\r'};
  if (field.find_first_of({special, sizeof special}) == std::string_view::npos) {
    out += field;
    return;
  }
  out += '"';
  for (const char c : field) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

Format csv_format() { return delimited_format<','>("csv", ".csv"); }
Format tsv_format() { return delimited_format<'\t'>("tsv", ".tsv"); }

}  // namespace neardup::io
