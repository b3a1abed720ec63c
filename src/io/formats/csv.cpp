#include "io/formats/csv.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <ranges>
#include <string>

#include "base/choices.h"
#include "base/json.h"
#include "base/likely_text.h"
#include "base/utf8.h"
#include "io/collection.h"
#include "io/formats/formats.h"
#include "io/read_options.h"
#include "neardup/error.h"
#include "text/encoding.h"

namespace neardup::io {
namespace {

constexpr const char* kOpenQuote = "a quote is not closed (`quote=none` treats quotes as ordinary characters)";
constexpr std::size_t kMostColumns = 100'000;  // bounds the memory a hostile header can claim

std::optional<std::size_t> column(const CsvHeader& header, const std::string& name) {
  const auto found = std::find(header.names.begin(), header.names.end(), name);
  if (found == header.names.end()) return std::nullopt;
  return static_cast<std::size_t>(found - header.names.begin());
}

CsvDialect dialect_of(char separator, const RowOptions& rows) {
  const char quote = rows.quote == Quote::double_quote ? '"' : rows.quote == Quote::single_quote ? '\'' : '\0';
  return {.separator = rows.delimiter.value_or(separator), .quote = quote};
}

class RowCutter final : public Cutter {
 public:
  RowCutter(const Source& source, const ReadOptions& options, char separator)
      : path_(source.path),
        encoding_(source.encoding),
        options_(options),
        dialect_(dialect_of(separator, options.rows)) {}

  std::size_t scan(std::string_view bytes) override {
    if (dialect_.quote == '\0') {
      const std::size_t end = bytes.find('\n');
      lines_ += end == std::string_view::npos ? 0 : 1;
      return end == std::string_view::npos ? kOpen : end + 1;
    }
    std::size_t i = 0;
    while (i < bytes.size()) {
      const char c = bytes[i];
      if (state_ == State::quoted) {
        const std::size_t quote = bytes.find(dialect_.quote, i);
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
      } else if (c == dialect_.separator) {
        state_ = State::field_start;
      } else if (c == dialect_.quote && (state_ == State::field_start || state_ == State::quote)) {
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
    return !options_.rows.has_header;
  }

  bool take_last(std::string_view unit, RawRecord& out) override {
    if (unit.empty() || !take(unit, out)) return false;
    if (state_ == State::quoted) out.problem = kOpenQuote;
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
    header->dialect = dialect_;
    if (split_csv_row(row, dialect_, kMostColumns, header->names) != nullptr) {
      const bool is_long = header->names.size() >= kMostColumns;
      const std::string problem = is_long ? fmt::format("it has more than {} columns", kMostColumns) : kOpenQuote;
      throw Error(ErrorCode::input, fmt::format("{}: the {} is not valid: {}", path_,
                                                options_.rows.has_header ? "header line" : "first row", problem));
    }
    if (options_.rows.has_header) {
      header->raw = unit;
      for (std::string& name : header->names) name = in_utf8(name);
    } else {
      for (std::size_t i = 0; i < header->names.size(); ++i) header->names[i] = std::to_string(i + 1);
    }
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
    if (!options_.rows.has_header) {
      throw Error(ErrorCode::input,
                  fmt::format("{}: no column \"{}\"; without a header, columns are called 1 to {}", path_, name,
                              header.names.size()),
                  option);
    }
    throw Error(ErrorCode::input,
                fmt::format("{}: no column \"{}\"; it has: {}{}", path_, name, fmt::join(header.names, ", "),
                            suggestion(header, name, option)),
                option);
  }

  // What the user may have meant: another separator, or another column.
  [[nodiscard]] std::string suggestion(const CsvHeader& header, const std::string& name,
                                       std::string_view option) const {
    if (const char guess = likely_separator(header, name); guess != '\0') {
      const std::string shown = guess == '\t' ? "tab" : fmt::format("'{}'", guess);
      return fmt::format("; fields seem to be separated by {0} (`delimiter={0}`)", shown);
    }
    if (std::string near = base::did_you_mean(name, header.names); !near.empty() || option != "text_fields")
      return near;
    const auto likely = std::ranges::min_element(header.names, {}, base::text_name_rank);
    if (base::text_name_rank(*likely) == base::kNoTextName) return {};
    return fmt::format("; did you mean `text_fields={}`?", *likely);
  }

  // The sign that cuts a header of one column, or of columns that are none, into several, the wanted one among them if
  // any does; NUL when there is none.
  [[nodiscard]] char likely_separator(const CsvHeader& header, const std::string& name) const {
    const std::string_view raw =
        std::string_view(header.raw).substr(0, header.raw.size() - terminator_size(header.raw));
    char best = '\0';
    std::size_t most = 1;
    for (const char sign : std::string_view("\t;|,%#>~^:")) {
      std::vector<std::string> names;
      if (sign == dialect_.separator || split_csv_row(raw, {sign, dialect_.quote}, kMostColumns, names) != nullptr)
        continue;
      if (std::ranges::find(names, name) != names.end() && names.size() > 1) return sign;
      if (header.names.size() == 1 && names.size() > most) {
        best = sign;
        most = names.size();
      }
    }
    return best;
  }

  std::string path_;
  const text::Encoding* encoding_;
  const ReadOptions& options_;
  CsvDialect dialect_;
  State state_ = State::field_start;
  std::uint64_t number_ = 1, lines_ = 0;  // line of the current row, lines in it so far
  std::shared_ptr<const CsvHeader> header_;
};

class RowParser final : public RecordParser {
 public:
  explicit RowParser(const ReadOptions& options) : options_(options), fields_(options.extra_fields.size()) {}

  const char* parse(const RecordBatch& batch, std::size_t place, DocumentView& out) override {
    repaired_ = false;
    if (batch.shared != header_) find_columns(batch);
    if (const char* problem = split_csv_row(batch.raw(place), csv_header(batch).dialect, columns_, row_))
      return problem;
    if (row_.size() != columns_) {
      reason_ = fmt::format("the row has {} {}, the {} {}", row_.size(), row_.size() == 1 ? "field" : "fields",
                            csv_header(batch).raw.empty() ? "first row" : "header", columns_);
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
            return std::make_unique<RowParser>(options);
          },
          .is_guessed = true,
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
                const char* problem = split_csv_row(batch.raw(place), header.dialect, header.names.size(), row);
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

Format csv_format() { return delimited_format<','>("csv", ".csv"); }
Format tsv_format() { return delimited_format<'\t'>("tsv", ".tsv"); }

}  // namespace neardup::io
