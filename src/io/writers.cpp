// Records on their way out: unchanged, as JSON, or as rows of a CSV or TSV file.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "base/utf8.h"
#include "io/annotations.h"
#include "io/archive_writer.h"
#include "io/codecs/codecs.h"
#include "io/columns/column_writer.h"
#include "io/columns/json_rows.h"
#include "io/formats/csv.h"
#include "io/formats/formats.h"
#include "io/output.h"
#include "io/splitter.h"
#include "io/transcoding.h"
#include "neardup/error.h"

namespace neardup::io {
namespace {

using Framing = Format::Framing;

bool is_json(const Format& format) {
  return format.framing == Framing::json_lines || format.framing == Framing::json_array;
}

// A file of lines is plain text as well.
bool same_bytes(const Format& from, const Format& to) {
  return &from == &to || (from.framing == Framing::raw && !from.whole_file && to.whole_file);
}

bool is_columns(const Format& format) { return format.framing == Framing::columns; }

bool convertible(const Format& from, const Format& to) {
  if (same_bytes(from, to)) return true;
  if (is_json(to)) return from.append_json != nullptr || is_columns(from);
  // Arrow files become streams and streams files; Parquet is another matter.
  if (is_columns(from) && is_columns(to)) return from.name != "parquet" && to.name != "parquet";
  return from.framing == Framing::delimited && to.framing == Framing::delimited;
}

class Writer : public RecordWriter {
 public:
  explicit Writer(std::unique_ptr<ByteSink> sink) : sink_(std::move(sink)) {}
  void write(const RecordBatch& batch, std::span<const std::uint8_t> chosen) override {
    for (std::size_t place = 0; place < batch.size(); ++place) {
      if (chosen[place] != 0) put(batch, place, nullptr);
    }
  }
  void write_annotated(const RecordBatch& batch, std::span<const std::uint8_t> chosen,
                       std::span<const Annotation> annotations) override {
    for (std::size_t place = 0; place < batch.size(); ++place) {
      if (chosen[place] != 0) put(batch, place, &annotations[place]);
    }
  }
  void close() override { sink_->close(); }

 protected:
  virtual void put(const RecordBatch&, std::size_t place, const Annotation*) = 0;

  // Writes a line with the end it had. The last line of a file may have had none, and gets one only if others follow.
  void put_line(std::string_view line, std::string_view terminator) {
    if (began_ && !ended_line_) sink_->write("\n");
    sink_->write(line);
    sink_->write(terminator);
    ended_line_ = !terminator.empty();
    began_ = true;
  }

  // The same for a source in the output's own format, whose byte-order mark is written back too.
  void put_own_line(const RecordBatch& batch, std::size_t place, std::string_view line) {
    put_mark(*batch.source);
    put_line(line, batch.terminator(place));
  }

  void put_mark(const Source& source) {
    if (!began_ && source.mark_size != 0) sink_->write(base::kUtf8Mark);
  }

  std::unique_ptr<ByteSink> sink_;
  bool began_ = false, ended_line_ = true;
  std::string line_;
};

class RawWriter final : public Writer {
 public:
  using Writer::Writer;

 private:
  void put(const RecordBatch& batch, std::size_t place, const Annotation*) override {
    put_own_line(batch, place, batch.raw(place));
  }
};

class JsonWriter final : public Writer {
 public:
  JsonWriter(Collection collection, std::unique_ptr<ByteSink> sink, const Format& to, const AddedFields& added)
      : Writer(std::move(sink)),
        to_(to),
        added_(added),
        rows_(std::move(collection), added, [this](auto&&... row) { put_row(row...); }) {}

  void write(const RecordBatch& batch, std::span<const std::uint8_t> chosen) override {
    write_annotated(batch, chosen, {});
  }
  void write_annotated(const RecordBatch& batch, std::span<const std::uint8_t> chosen,
                       std::span<const Annotation> annotations) override {
    if (is_columns(*batch.source->format)) return rows_.add(batch, chosen, annotations);
    rows_.flush();
    if (annotations.empty()) return Writer::write(batch, chosen);
    Writer::write_annotated(batch, chosen, annotations);
  }

  void close() override {
    rows_.flush();
    if (is_array()) sink_->write(began_ ? "\n]\n" : "[]\n");
    Writer::close();
  }

 private:
  [[nodiscard]] bool is_array() const { return to_.framing == Framing::json_array; }

  void put(const RecordBatch& batch, std::size_t place, const Annotation* annotation) override {
    const Format& from = *batch.source->format;
    line_.clear();
    if (&from == &to_) {
      line_ = batch.raw(place);
    } else {
      const auto [decoded, decoded_place] = records_.decode(batch, place);
      from.append_json(line_, decoded, decoded_place);
    }
    if (annotation != nullptr) {
      if (const AddedField* field = added_field_in(line_, added_))
        refuse_added(record_name(*batch.source, batch.number(place), ""), *field);
      append_annotation(line_, added_, *annotation);
    }
    if (&from == &to_ && !is_array()) {
      put_own_line(batch, place, line_);
    } else {
      put_object();
    }
  }

  // A row of a file of columns.
  void put_row(std::string_view object, const Annotation* annotation) {
    line_ = object;
    if (annotation != nullptr) append_annotation(line_, added_, *annotation);
    put_object();
  }

  void put_object() {
    if (!is_array()) return put_line(line_, "\n");
    sink_->write(began_ ? ",\n" : "[\n");
    sink_->write(line_);
    began_ = true;
  }

  const Format& to_;
  AddedFields added_;
  DecodedRecords records_;
  JsonRows rows_;
};

class RowWriter final : public Writer {
 public:
  RowWriter(Collection collection, const Source& first, std::unique_ptr<ByteSink> sink, const Format& to,
            const AddedFields& added)
      : Writer(std::move(sink)),
        collection_(std::move(collection)),
        first_(first),
        to_(to),
        added_(added),
        dialect_{.separator = to.separator} {}

  // Without a single row there is still a header.
  void close() override {
    if (header_ == nullptr && first_.format->framing == Framing::delimited) {
      const CollectionImpl& impl = impl_of(collection_);
      RecordBatch batch;
      const auto reader = first_.format->open(first_, impl.options, *impl.files, kBatchBytes);
      while (batch.shared == nullptr && reader->next(batch)) {
      }
      if (batch.shared != nullptr) take_header(batch);
    }
    Writer::close();
  }

 private:
  void put(const RecordBatch& batch, std::size_t place, const Annotation* annotation) override {
    if (batch.shared != header_) take_header(batch);
    set_row(batch, batch.raw(place));
    if (annotation != nullptr)
      for (const std::string& value : *annotation) append_column(value);
    put_own_line(batch, place, line_);
  }

  void take_header(const RecordBatch& batch) {
    const CsvHeader& header = csv_header(batch);
    if (is_own(batch)) dialect_ = header.dialect;
    refuse_added_columns(batch.source->path, header.names, added_);
    if (header_ == nullptr) {
      names_ = header.names;
      const std::string_view raw = header.raw;
      const std::size_t size = raw.size() - terminator_size(raw);
      put_mark(*batch.source);
      if (!raw.empty()) {
        set_row(batch, raw.substr(0, size));
        for (const AddedField& field : added_) append_column(field.name);
        put_line(line_, raw.substr(size));
      }
    } else if (header.names != names_) {
      throw Error(ErrorCode::usage, fmt::format("{}: its columns differ from those of the files before it (write to a "
                                                "folder, or as .jsonl)",
                                                batch.source->path));
    }
    header_ = batch.shared;
  }

  [[nodiscard]] bool is_own(const RecordBatch& batch) const { return batch.source->format == &to_; }

  // Sets line_ to the row in the output's separator.
  void set_row(const RecordBatch& batch, std::string_view raw) {
    line_.clear();
    if (is_own(batch)) {
      line_ = raw;
      return;
    }
    if (const char* problem = split_csv_row(raw, csv_header(batch).dialect, std::string_view::npos, row_)) {
      throw Error(ErrorCode::usage,
                  fmt::format("{}: a row cannot be written as {}: {}", batch.source->path, to_.name, problem));
    }
    for (std::size_t i = 0; i < row_.size(); ++i) {
      if (i != 0) line_ += dialect_.separator;
      append_csv_field(line_, row_[i], dialect_);
    }
    if (line_.empty()) line_ = "\"\"";  // a blank line would be no row
  }

  void append_column(std::string_view field) {
    line_ += dialect_.separator;
    append_csv_field(line_, field, dialect_);
  }

  Collection collection_;
  const Source& first_;  // whose header is written when no row comes
  const Format& to_;
  AddedFields added_;
  CsvDialect dialect_;  // that of the input, where its own format is written
  std::shared_ptr<const void> header_;
  std::vector<std::string> names_, row_;
};

// Whether kept records are written back in an encoding that what we add would not be in.
bool has_foreign_bytes(const Source& source) {
  return source.encoding != nullptr && source.encoding != &text::utf8() && !is_transcoded(source);
}

void check_annotatable(const Source& source, const Format& format, const std::string& prefix, const char* option) {
  if (&format == source.format && has_foreign_bytes(source)) {
    throw Error(ErrorCode::usage,
                fmt::format("{}: `{}` would add UTF-8 to {} (convert the input first)", source.path, option,
                            source.encoding->name),
                option);
  }
  if (format.framing != Framing::raw && format.framing != Framing::archive) return;
  throw Error(ErrorCode::usage,
              fmt::format("{}`{}` needs fields, and {} has none (write JSON lines: annotated.jsonl)", prefix, option,
                          format.name),
              option);
}

}  // namespace

void check_writable(const Collection& collection, const Format* to, const AddedFields& added) {
  const auto& sources = impl_of(collection).sources;
  const Source& first = impl_of(collection).first_readable();
  const Format& target = to != nullptr ? *to : *first.format;
  for (const Source& source : sources) {
    if (!source.problem.empty()) continue;
    if (!added.empty()) check_annotatable(source, target, "", added.front().option);
    if (source.format == &target && source.encoding != first.encoding) {
      throw Error(ErrorCode::usage,
                  fmt::format("{} and {} are in different encodings and do not fit into one file (name "
                              "a folder)",
                              first.path, source.path));
    }
    if (!convertible(*source.format, target)) {
      throw Error(ErrorCode::usage,
                  fmt::format("{}: {} cannot be written as {} without loss (choose an output name that "
                              "ends like the input's, or a folder)",
                              source.path, source.format->name, target.name));
    }
    if (target.whole_file && source.format->whole_file && sources.size() > 1) {
      throw Error(ErrorCode::usage,
                  "several text documents do not fit into one text file or stream (name a folder, or write "
                  "JSON lines: kept.jsonl)",
                  "output");
    }
  }
}

void check_writable_apart(const Collection& collection, const AddedFields& added) {
  if (added.empty()) return;
  for (const Source& source : impl_of(collection).sources) {
    if (!source.problem.empty()) continue;
    check_annotatable(source, *source.format, source.path + ": ", added.front().option);
  }
}

std::unique_ptr<RecordWriter> make_writer(const Collection& collection, std::unique_ptr<ByteSink> sink,
                                          const Format* to, const AddedFields& added, const Source* only) {
  const Source& first = only != nullptr ? *only : impl_of(collection).first_readable();
  const Format& target = to != nullptr ? *to : *first.format;
  if (&target == first.format && is_transcoded(first)) sink = transcoded(std::move(sink), *first.encoding);
  if (is_json(target)) return std::make_unique<JsonWriter>(collection, std::move(sink), target, added);
  if (target.framing == Framing::delimited) {
    return std::make_unique<RowWriter>(collection, first, std::move(sink), target, added);
  }
  if (target.framing == Framing::archive) return make_archive_writer(std::move(sink));
  if (is_columns(target)) return make_column_writer(collection, std::move(sink), target, first, added);
  return std::make_unique<RawWriter>(std::move(sink));
}

}  // namespace neardup::io
