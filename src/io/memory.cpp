// Collections of documents that the caller holds.
#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <limits>
#include <utility>

#include "io/codecs/codecs.h"
#include "io/collection.h"
#include "io/documents_parser.h"
#include "io/formats/formats.h"
#include "io/splitter.h"
#include "neardup/error.h"

namespace neardup::io {
namespace {

// Shows the batches of a source as they are.
class MemoryReader final : public BatchReader {
 public:
  MemoryReader(const Source& source, const ReadOptions& options)
      : source_(source), reader_(source.documents->open(options.extra_fields)) {}

  bool next(RecordBatch& out) override {
    out.documents = reader_->next();
    if (out.documents == nullptr) return false;
    const std::size_t size = out.documents->size();
    if (size > std::numeric_limits<std::uint32_t>::max()) {
      throw Error(ErrorCode::limit, fmt::format("{}: a batch of {} documents; make smaller ones", source_.path, size));
    }
    out.source = &source_;
    out.shared.reset();
    out.companions.clear();
    out.records.resize(size);
    for (std::uint32_t place = 0; place < size; ++place) out.records[place] = {.begin = place, .number = ++number_};
    out.input_bytes = out.documents->bytes();
    return true;
  }

 private:
  const Source& source_;
  std::unique_ptr<DocumentReader> reader_;
  std::uint64_t number_ = 0;
};

// A document without a key is called by its number.
class MemoryParser final : public DocumentsParser {
 public:
  const char* parse(const RecordBatch& batch, std::size_t place, DocumentView& out) override {
    if (const char* problem = DocumentsParser::parse(batch, place, out)) return problem;
    if (out.key.empty()) {
      const fmt::format_int name(batch.number(place) - 1);
      out.key = number_.assign(name.data(), name.size());
    }
    return nullptr;
  }

 private:
  std::string number_;
};

// Options that say what the source says by itself.
void check_applicable(const ReadOptions& options) {
  const auto refuse = [](const char* option) {
    throw Error(ErrorCode::usage,
                fmt::format("`{}` does not apply to documents in memory: their source says what they are", option),
                option);
  };
  if (options.format != "auto") refuse("format");
  if (options.text_fields) refuse("text_fields");
  if (options.id_field) refuse("id_field");
  if (!options.encoding.empty()) refuse("encoding");
}

// Texts that the collection holds, in batches of about the same size.
class Texts final : public DocumentSource {
 public:
  explicit Texts(std::vector<std::string> texts)
      : texts_(std::make_shared<const std::vector<std::string>>(std::move(texts))) {}

  [[nodiscard]] std::unique_ptr<DocumentReader> open(std::span<const std::string>) const override {
    return std::make_unique<Reading>(texts_);
  }
  [[nodiscard]] std::uint64_t bytes() const override { return bytes_of(*texts_); }
  [[nodiscard]] bool may_have_field(std::string_view) const override { return false; }

 private:
  using Held = std::shared_ptr<const std::vector<std::string>>;

  static std::uint64_t bytes_of(std::span<const std::string> texts) {
    std::uint64_t sum = 0;
    for (const std::string& text : texts) sum += text.size();
    return sum;
  }

  class Batch final : public DocumentBatch {
   public:
    Batch(Held all, std::span<const std::string> texts) : all_(std::move(all)), texts_(texts) {}
    [[nodiscard]] std::size_t size() const override { return texts_.size(); }
    [[nodiscard]] std::uint64_t bytes() const override { return bytes_of(texts_); }
    const char* get(std::size_t place, DocumentView& out) const override {
      out.text = texts_[place];
      return nullptr;
    }

   private:
    Held all_;
    std::span<const std::string> texts_;
  };

  class Reading final : public DocumentReader {
   public:
    explicit Reading(Held texts) : texts_(std::move(texts)) {}
    std::shared_ptr<const DocumentBatch> next() override {
      const std::span<const std::string> left = std::span(*texts_).subspan(at_);
      if (left.empty()) return nullptr;
      std::size_t size = 0;
      for (std::uint64_t bytes = 0; size < left.size() && bytes < kBatchBytes; ++size)
        bytes += left[size].size() + sizeof(std::string);
      at_ += size;
      return std::make_shared<Batch>(texts_, left.first(size));
    }

   private:
    Held texts_;
    std::size_t at_ = 0;
  };

  Held texts_;
};

}  // namespace

const Format& memory_format() {
  static const Format format{
      .name = "memory",
      .summary = "a document that the caller holds",
      .extensions = {},
      .sniff = nullptr,
      .cutter = nullptr,
      .parser = [](const ReadOptions&) -> std::unique_ptr<RecordParser> { return std::make_unique<MemoryParser>(); },
      .open = [](const Source& source, const ReadOptions& options, FileSystem&, std::size_t)
          -> std::unique_ptr<BatchReader> { return std::make_unique<MemoryReader>(source, options); },
      .framing = Format::Framing::none};
  return format;
}

}  // namespace neardup::io

namespace neardup {

Collection Collection::from(std::shared_ptr<const DocumentSource> documents, std::string name,
                            const ReadOptions& options) {
  assert(documents != nullptr);
  io::check_applicable(options);
  io::Source source;
  source.path = std::move(name);
  source.relative = source.path;
  source.format = &io::memory_format();
  source.codec = &io::plain_codec();
  source.file_bytes = documents->bytes();
  source.documents = std::move(documents);
  const Collection collection = io::memory_collection(std::move(source), options);
  io::check_fields(collection, options.extra_fields, "extra_fields");
  return collection;
}

Collection Collection::from_texts(std::vector<std::string> texts) {
  return from(std::make_shared<io::Texts>(std::move(texts)));
}

}  // namespace neardup
