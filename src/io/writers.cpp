// Records on their way out: unchanged, as JSON, or as rows of a CSV or TSV file.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <memory>
#include <utility>

#include "base/json.h"
#include "base/utf8.h"
#include "io/archive_writer.h"
#include "io/codecs/codecs.h"
#include "io/formats/csv.h"
#include "io/formats/formats.h"
#include "io/formats/json_record.h"
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

bool convertible(const Format& from, const Format& to) {
  if (same_bytes(from, to)) return true;
  if (is_json(to)) return from.append_json != nullptr;
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

constexpr std::array<std::string_view, 3> kAnnotationFields{"neardup_cluster", "neardup_kept", "neardup_score"};

bool is_annotation_field(std::string_view name) {
  return std::find(kAnnotationFields.begin(), kAnnotationFields.end(), name) != kAnnotationFields.end();
}

[[noreturn]] void refuse_annotated(const std::string& where, std::string_view field) {
  throw Error(ErrorCode::usage,
              fmt::format("{}: there is a field {} already, and `annotate` would add a second one "
                          "(rename it, or leave out `annotate`)",
                          where, field),
              "annotate");
}

// A name without its escapes. Only ASCII matters here: our own names have nothing else, so that whatever else is
// escaped may become anything but one of them.
std::string unescape_ascii(std::string_view name) {
  std::string out;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] != '\\') {
      out += name[i];
      continue;
    }
    unsigned code = 0;
    const std::string_view digits = name.substr(std::min(i + 2, name.size()), 4);
    const bool is_code = name.substr(i, 2) == "\\u" && digits.size() == 4 &&
                         std::from_chars(digits.data(), digits.data() + 4, code, 16).ptr == digits.data() + 4;
    out += is_code && code < 0x80 ? static_cast<char>(code) : '\\';
    i += is_code ? 5 : 1;
  }
  return out;
}

// The field of our own that `object` has already; empty when there is none.
std::string_view annotation_field_in(std::string_view object) {
  if (object.find("\"neardup_") == std::string_view::npos && object.find("\\u") == std::string_view::npos) return {};
  int depth = 0;
  for (std::size_t i = 0; i < object.size(); ++i) {
    const char c = object[i];
    if (c == '{' || c == '[') ++depth;
    if (c == '}' || c == ']') --depth;
    if (c != '"') continue;
    const std::size_t begin = i + 1;
    for (++i; i < object.size() && object[i] != '"'; ++i) {
      if (object[i] == '\\') ++i;
    }
    if (i >= object.size()) return {};
    const std::string_view name = object.substr(begin, i - begin);
    const std::size_t next = skip_json_space(object, i + 1);
    const bool is_name = depth == 1 && next != std::string_view::npos && object[next] == ':';
    if (!is_name) continue;
    const std::string plain = unescape_ascii(name);
    const auto own = std::find(kAnnotationFields.begin(), kAnnotationFields.end(), plain);
    if (own != kAnnotationFields.end()) return *own;
  }
  return {};
}

class RawWriter final : public Writer {
 public:
  using Writer::Writer;

 private:
  void put(const RecordBatch& batch, std::size_t place, const Annotation*) override {
    put_own_line(batch, place, batch.raw(place));
  }
};

void append_annotation(std::string& object, const Annotation& annotation) {
  const std::size_t brace = object.rfind('}');
  if (brace == std::string::npos || brace == 0) return;  // not an object: a bad record that the caller keeps
  const std::size_t last = object.find_last_not_of(" \t\r\n", brace - 1);
  std::string fields = last != std::string::npos && object[last] == '{' ? "" : ",";
  fields += "\"neardup_cluster\":";
  if (annotation.cluster.empty()) {
    fields += "null";
  } else {
    base::append_json_string(fields, annotation.cluster);
  }
  fields += fmt::format(",\"neardup_kept\":{},\"neardup_score\":{}", annotation.kept,
                        annotation.score.empty() ? "null" : annotation.score);
  object.insert(brace, fields);
}

class JsonWriter final : public Writer {
 public:
  JsonWriter(std::unique_ptr<ByteSink> sink, const Format& to) : Writer(std::move(sink)), to_(to) {}

  void close() override {
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
      if (const std::string_view field = annotation_field_in(line_); !field.empty()) {
        refuse_annotated(record_name(*batch.source, batch.number(place), ""), field);
      }
      append_annotation(line_, *annotation);
    }
    if (is_array()) {
      sink_->write(began_ ? ",\n" : "[\n");
      sink_->write(line_);
      began_ = true;
    } else if (&from == &to_) {
      put_own_line(batch, place, line_);
    } else {
      put_line(line_, "\n");
    }
  }

  const Format& to_;
  DecodedRecords records_;
};

class RowWriter final : public Writer {
 public:
  RowWriter(Collection collection, const Source& first, std::unique_ptr<ByteSink> sink, const Format& to, bool annotate)
      : Writer(std::move(sink)),
        collection_(std::move(collection)),
        first_(first),
        to_(to),
        annotate_(annotate),
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
    if (annotation != nullptr) {
      append_columns(
          std::array<std::string_view, 3>{annotation->cluster, annotation->kept ? "true" : "false", annotation->score});
    }
    put_own_line(batch, place, line_);
  }

  void take_header(const RecordBatch& batch) {
    const CsvHeader& header = csv_header(batch);
    if (is_own(batch)) dialect_ = header.dialect;
    if (annotate_) {
      const auto taken = std::find_if(header.names.begin(), header.names.end(), is_annotation_field);
      if (taken != header.names.end()) refuse_annotated(batch.source->path, *taken);
    }
    if (header_ == nullptr) {
      names_ = header.names;
      const std::string_view raw = header.raw;
      const std::size_t size = raw.size() - terminator_size(raw);
      put_mark(*batch.source);
      if (!raw.empty()) {
        set_row(batch, raw.substr(0, size));
        if (annotate_) append_columns(kAnnotationFields);
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

  void append_columns(const std::array<std::string_view, 3>& fields) {
    for (const std::string_view field : fields) {
      line_ += dialect_.separator;
      append_csv_field(line_, field, dialect_);
    }
  }

  Collection collection_;
  const Source& first_;  // whose header is written when no row comes
  const Format& to_;
  bool annotate_;
  CsvDialect dialect_;  // that of the input, where its own format is written
  std::shared_ptr<const void> header_;
  std::vector<std::string> names_, row_;
};

// Whether kept records are written back in an encoding that what we add would not be in.
bool has_foreign_bytes(const Source& source) {
  return source.encoding != nullptr && source.encoding != &text::utf8() && !is_transcoded(source);
}

void check_annotatable(const Source& source, const Format& format, const std::string& prefix) {
  if (&format == source.format && has_foreign_bytes(source)) {
    throw Error(ErrorCode::usage,
                fmt::format("{}: `annotate` would add UTF-8 to {} (convert the input first)", source.path,
                            source.encoding->name),
                "annotate");
  }
  if (format.framing != Framing::raw && format.framing != Framing::archive) return;
  throw Error(ErrorCode::usage,
              fmt::format("{}`annotate` needs fields, and {} has none (write JSON lines: annotated.jsonl)", prefix,
                          format.name),
              "annotate");
}

}  // namespace

void check_writable(const Collection& collection, const Format* to, bool annotate) {
  const auto& sources = impl_of(collection).sources;
  const Source& first = impl_of(collection).first_readable();
  const Format& target = to != nullptr ? *to : *first.format;
  for (const Source& source : sources) {
    if (!source.problem.empty()) continue;
    if (annotate) check_annotatable(source, target, "");
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

void check_writable_apart(const Collection& collection, bool annotate) {
  if (!annotate) return;
  for (const Source& source : impl_of(collection).sources) {
    if (source.problem.empty()) check_annotatable(source, *source.format, source.path + ": ");
  }
}

std::unique_ptr<RecordWriter> make_writer(const Collection& collection, std::unique_ptr<ByteSink> sink,
                                          const Format* to, bool annotate, const Source* only) {
  const Source& first = only != nullptr ? *only : impl_of(collection).first_readable();
  const Format& target = to != nullptr ? *to : *first.format;
  if (&target == first.format && is_transcoded(first)) sink = transcoded(std::move(sink), *first.encoding);
  if (is_json(target)) return std::make_unique<JsonWriter>(std::move(sink), target);
  if (target.framing == Framing::delimited) {
    return std::make_unique<RowWriter>(collection, first, std::move(sink), target, annotate);
  }
  if (target.framing == Framing::archive) return make_archive_writer(std::move(sink));
  return std::make_unique<RawWriter>(std::move(sink));
}

}  // namespace neardup::io
