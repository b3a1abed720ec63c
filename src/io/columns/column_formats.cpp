// Parquet and Arrow: a row is a record. The plugin decodes columns, module arrow makes documents of them.
#include <fmt/format.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "io/columns/column_file.h"
#include "io/columns/partitions.h"
#include "io/documents_parser.h"
#include "io/formats/formats.h"
#include "neardup/error.h"

namespace neardup::io {
namespace {

// Rows from the first to the last. A damaged group is one bad record, which says what is wrong with it.
class ColumnReader final : public BatchReader {
 public:
  ColumnReader(const Source& source, const ReadOptions& options, FileSystem& files)
      : source_(source), options_(options), files_(files) {}

  bool next(RecordBatch& out) override {
    out.source = &source_;
    out.shared.reset();
    out.documents.reset();
    out.bytes.clear();
    out.records.clear();
    out.companions.clear();
    out.problem_texts.reset();
    out.input_bytes = 0;
    if (ended_) return false;
    if (file_ == nullptr) open();
    try {
      out.documents = reader_->next();
    } catch (const Error& error) {
      if (error.code() != ErrorCode::input) throw;
      pass_damage(error, out);
      return true;
    }
    if (out.documents == nullptr) {
      ended_ = true;
      out.input_bytes = source_.file_bytes - counted_;
      return out.input_bytes != 0;
    }
    const auto size = static_cast<std::uint32_t>(out.documents->size());
    out.records.resize(size);
    for (std::uint32_t place = 0; place < size; ++place) out.records[place] = {.begin = place, .number = ++row_};
    count_bytes(out);
    return true;
  }

 private:
  void open() {
    file_ = std::make_unique<ColumnFile>(source_, files_);
    for (std::int64_t group = 0; group < file_->groups(); ++group) rows_ += file_->group_rows(group);
    documents_ = column_documents(*file_, options_, first_group_);
    reader_ = documents_->open(options_.extra_fields);
  }

  // For progress: a row counts for its share of the file.
  void count_bytes(RecordBatch& out) {
    const double share = rows_ == 0 ? 0 : static_cast<double>(row_) / static_cast<double>(rows_);
    const auto until =
        std::min(source_.file_bytes, static_cast<std::uint64_t>(share * static_cast<double>(source_.file_bytes)));
    out.input_bytes = until > counted_ ? until - counted_ : 0;
    counted_ += out.input_bytes;
  }

  void pass_damage(const Error& error, RecordBatch& out) {
    file_->rethrow_read_error();
    const std::int64_t group = file_->failed_group();
    if (group < 0) throw Error(error.code(), fmt::format("{}: {}", source_.path, error.what()));
    const auto text = std::make_shared<const std::string>(
        fmt::format("{}; {}", without_prefix(error.what()),
                    file_->can_skip_groups() ? "the rest of it is not read" : "what follows is not read"));
    out.records.push_back({.number = row_ + 1, .problem = text->c_str()});
    out.problem_texts = text;
    reader_.reset();
    first_group_ = group + 1;
    row_ = 0;
    for (std::int64_t before = 0; before < first_group_; ++before)
      row_ += static_cast<std::uint64_t>(file_->group_rows(before));
    ended_ = !file_->can_skip_groups();
    if (!ended_) reader_ = documents_->open(options_.extra_fields);
  }

  static std::string_view without_prefix(std::string_view message) {
    constexpr std::string_view kPrefix = "the Arrow stream failed: ";
    return message.starts_with(kPrefix) ? message.substr(kPrefix.size()) : message;
  }

  const Source& source_;
  ReadOptions options_;
  FileSystem& files_;
  std::int64_t first_group_ = 0;
  std::unique_ptr<ColumnFile> file_;
  std::shared_ptr<const DocumentSource> documents_;
  std::unique_ptr<DocumentReader> reader_;
  std::int64_t rows_ = 0;
  std::uint64_t row_ = 0, counted_ = 0;
  bool ended_ = false;
};

// What a file does not have as a column, the folders above it may say.
class ColumnParser final : public RecordParser {
 public:
  explicit ColumnParser(const ReadOptions& options)
      : documents_(options.max_record_bytes), names_(options.extra_fields) {}

  const char* parse(const RecordBatch& batch, std::size_t place, DocumentView& out) override {
    if (const char* problem = documents_.parse(batch, place, out)) return problem;
    if (names_.empty()) return nullptr;
    if (batch.source != source_) {
      source_ = batch.source;
      partitions_ = partition_values(source_->path, names_);
    }
    if (partitions_.empty()) return nullptr;
    fields_.assign(out.fields.begin(), out.fields.end());
    fields_.resize(names_.size());
    for (std::size_t i = 0; i < names_.size(); ++i) {
      if (!fields_[i] && partitions_[i]) fields_[i] = *partitions_[i];
    }
    out.fields = fields_;
    return nullptr;
  }
  [[nodiscard]] Decoding decoding() const noexcept override { return documents_.decoding(); }

 private:
  DocumentsParser documents_;
  std::vector<std::string> names_;
  const Source* source_ = nullptr;
  std::vector<std::optional<std::string>> partitions_;  // one for each name; none at all where there are none
  std::vector<std::optional<std::string_view>> fields_;
};

template <NeardupKind kind>
Fit sniff(std::string_view first_bytes, std::string_view extension, const Format& self) {
  if (ColumnFile::kind_of(first_bytes) == kind) return Fit::name_alone_can_tell;
  return self.has_extension(extension) ? Fit::name : Fit::no;
}

Format column_format() {
  return {.name = {},
          .summary = {},
          .extensions = {},
          .sniff = nullptr,
          .cutter = nullptr,
          .parser = [](const ReadOptions& options) -> std::unique_ptr<RecordParser> {
            return std::make_unique<ColumnParser>(options);
          },
          .open = [](const Source& source, const ReadOptions& options, FileSystem& files, std::size_t)
              -> std::unique_ptr<BatchReader> { return std::make_unique<ColumnReader>(source, options, files); },
          .framing = Format::Framing::columns};
}

}  // namespace

Format parquet_format() {
  Format format = column_format();
  format.name = "parquet";
  format.summary = "a row of a Parquet file";
  format.extensions = {".parquet", ".parq", ".pq"};
  format.sniff = sniff<NEARDUP_PARQUET>;
  return format;
}

Format arrow_format() {
  Format format = column_format();
  format.name = "arrow";
  format.summary = "a row of an Arrow file (Feather)";
  format.extensions = {".arrow", ".feather"};
  format.sniff = sniff<NEARDUP_ARROW_FILE>;
  return format;
}

Format arrow_stream_format() {
  Format format = column_format();
  format.name = "arrows";
  format.summary = "a row of an Arrow stream";
  format.extensions = {".arrows"};
  format.sniff = sniff<NEARDUP_ARROW_STREAM>;
  return format;
}

}  // namespace neardup::io
