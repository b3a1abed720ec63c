#include "io/collection.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "base/random.h"
#include "base/system.h"
#include "io/codecs.h"
#include "io/formats.h"
#include "io/inputs.h"
#include "io/splitter.h"
#include "io/utf8.h"
#include "neardup/error.h"

namespace neardup::io {
namespace {

constexpr std::size_t kSniffBytes = 4096;
constexpr std::uint64_t kMostRecordBytes = 2u << 30;  // positions within a batch have 32 bits

// Which records --limit and --sample leave. A record is in the sample when a hash of the seed and its number among all
// records lies below the share; --limit counts what the sample left.
class Selection {
 public:
  explicit Selection(const ReadOptions& options)
      : seed_(base::mix64(options.seed + 1)),
        all_(options.sample >= 1.0),
        bound_(all_ ? 0 : static_cast<std::uint64_t>(std::ldexp(options.sample, 64))),
        left_(options.limit == 0 ? ~std::uint64_t{0} : options.limit) {}

  [[nodiscard]] bool full() const { return left_ == 0; }

  void apply(std::vector<RawRecord>& records) {
    if (!all_) std::erase_if(records, [&](const RawRecord&) { return base::mix64(seed_ ^ ordinal_++) >= bound_; });
    if (records.size() > left_) records.resize(left_);
    left_ -= records.size();
  }

 private:
  std::uint64_t seed_;
  bool all_;
  std::uint64_t bound_;
  std::uint64_t left_;
  std::uint64_t ordinal_ = 0;
};

class SourcesReader final : public BatchReader {
 public:
  SourcesReader(const Collection::Impl& collection, Context& context, std::size_t batch_bytes)
      : collection_(collection), context_(context), batch_bytes_(batch_bytes), selection_(collection.options) {}

  bool next(RecordBatch& out) override {
    while (!selection_.full()) {
      base::check_stop(context_);
      if (splitter_ == nullptr) {
        if (source_ == collection_.sources.size()) break;
        splitter_ = std::make_unique<Splitter>(collection_.sources[source_++], collection_.options, *collection_.files,
                                               batch_bytes_);
      }
      if (splitter_->next(out)) {
        selection_.apply(out.records);
        out.first_row = rows_;
        rows_ += out.records.size();
        return true;
      }
      splitter_.reset();
    }
    return false;
  }

 private:
  const Collection::Impl& collection_;
  Context& context_;
  std::size_t batch_bytes_;
  Selection selection_;
  std::unique_ptr<Splitter> splitter_;
  std::size_t source_ = 0;
  DocId rows_ = 0;
};

// Hands each record to the parser of its source's format.
class AnyParser final : public RecordParser {
 public:
  explicit AnyParser(const ReadOptions& options) : options_(options) {}

  const char* parse(const RecordBatch& batch, const RawRecord& record, Document& out) override {
    repaired_ = false;
    if (record.problem != nullptr) return record.problem;
    out.key.clear();
    out.text.clear();
    out.tokens.clear();
    out.fields.assign(options_.extra_fields.size(), std::nullopt);
    auto& parser = parsers_[batch.source->format];
    if (parser == nullptr) parser = batch.source->format->parser(options_);
    const char* problem = parser->parse(batch, record, out);
    repaired_ = problem == nullptr && parser->repaired();
    return problem;
  }

  [[nodiscard]] bool repaired() const noexcept override { return repaired_; }

 private:
  ReadOptions options_;
  std::map<const Format*, std::unique_ptr<RecordParser>> parsers_;
  bool repaired_ = false;
};

struct FilesImpl final : Collection::Impl {
  std::size_t batch_bytes = kBatchBytes;
  std::shared_ptr<base::TempFolder> spool;

  [[nodiscard]] std::unique_ptr<BatchReader> batches(Context& context) const override {
    return std::make_unique<SourcesReader>(*this, context, batch_bytes);
  }
  [[nodiscard]] std::unique_ptr<RecordParser> parser(const ReadOptions& reading) const override {
    return std::make_unique<AnyParser>(reading);
  }
  [[nodiscard]] std::uint64_t input_bytes() const override {
    std::uint64_t sum = 0;
    for (const Source& source : sources) sum += source.file_bytes;
    return sum;
  }
};

// Documents that are in memory already. Batches copy their texts, which keeps one kind of batch for everybody.
struct TextsImpl final : Collection::Impl {
  std::vector<std::string> texts;

  class Reader final : public BatchReader {
   public:
    explicit Reader(const TextsImpl& collection) : collection_(collection) {}
    bool next(RecordBatch& out) override {
      if (row_ == collection_.texts.size()) return false;
      out.source = collection_.sources.data();
      out.first_row = row_;
      out.bytes.clear();
      out.records.clear();
      while (row_ < collection_.texts.size() && (out.records.empty() || out.bytes.size() < kBatchBytes)) {
        const std::string& text = collection_.texts[row_++];
        RawRecord record;
        record.begin = static_cast<std::uint32_t>(out.bytes.size());
        record.number = row_;
        if (text.size() > kMostRecordBytes) {
          record.problem = "record is longer than 2 GiB";
        } else {
          record.size = static_cast<std::uint32_t>(text.size());
          out.bytes += text;
        }
        out.records.push_back(record);
      }
      out.input_bytes = out.bytes.size();
      out.bytes.reserve(out.bytes.size() + kPadding);
      return true;
    }

   private:
    const TextsImpl& collection_;
    std::size_t row_ = 0;
  };

  class Parser final : public RecordParser {
   public:
    const char* parse(const RecordBatch& batch, const RawRecord& record, Document& out) override {
      out.fields.clear();
      out.tokens.clear();
      if (record.problem != nullptr) return record.problem;
      out.key = std::to_string(record.number - 1);
      repaired_ = assign_valid_utf8(out.text, batch.raw(record));
      return nullptr;
    }
    [[nodiscard]] bool repaired() const noexcept override { return repaired_; }

   private:
    bool repaired_ = false;
  };

  [[nodiscard]] std::unique_ptr<BatchReader> batches(Context&) const override {
    return std::make_unique<Reader>(*this);
  }
  [[nodiscard]] std::unique_ptr<RecordParser> parser(const ReadOptions&) const override {
    return std::make_unique<Parser>();
  }
  [[nodiscard]] std::uint64_t input_bytes() const override { return sources.front().file_bytes; }
};

class DocumentReader final : public Collection::Reader {
 public:
  DocumentReader(Collection collection, Context& context)
      : collection_(std::move(collection)),
        batches_(collection_.impl().batches(context)),
        parser_(collection_.impl().parser()) {}

  bool next(Document& out) override {
    for (;;) {
      while (at_ == batch_.records.size()) {
        if (!batches_->next(batch_)) return false;
        at_ = 0;
      }
      const RawRecord& record = batch_.records[at_++];
      if (parser_->parse(batch_, record, out) != nullptr) continue;
      out.id = batch_.first_row + at_ - 1;
      return true;
    }
  }

 private:
  Collection collection_;
  std::unique_ptr<BatchReader> batches_;
  std::unique_ptr<RecordParser> parser_;
  RecordBatch batch_;
  std::size_t at_ = 0;
};

void validate(const ReadOptions& options) {
  if (!(options.sample > 0.0 && options.sample <= 1.0)) {
    throw Error(ErrorCode::usage, fmt::format("--sample {}: expected a share above 0 and up to 1", options.sample));
  }
  if (options.max_record_bytes == 0 || options.max_record_bytes > kMostRecordBytes) {
    throw Error(ErrorCode::usage, fmt::format("--max-record {}: expected 1 byte to 2 GiB", options.max_record_bytes));
  }
  if (options.text_fields.empty()) throw Error(ErrorCode::usage, "--text: expected at least one field");
}

std::string read_start(ByteSource& source, std::size_t most) {
  std::string start(most, '\0');
  std::size_t filled = 0;
  while (filled < most) {
    const std::size_t got = source.read(std::span(start).subspan(filled));
    if (got == 0) break;
    filled += got;
  }
  start.resize(filled);
  return start;
}

void refuse_wide_encodings(std::string_view start, const std::string& path) {
  for (const std::string_view mark :
       {std::string_view("\xFF\xFE", 2), std::string_view("\xFE\xFF", 2), std::string_view("\x00\x00\xFE\xFF", 4)}) {
    if (!start.starts_with(mark)) continue;
    const bool wide = mark.size() == 4 || start.starts_with(std::string_view("\xFF\xFE\x00\x00", 4));
    throw Error(ErrorCode::input,
                fmt::format("{}: {} is not read yet; convert it to UTF-8", path, wide ? "UTF-32" : "UTF-16"));
  }
}

// Looks at the first bytes: codec, byte-order mark, format.
void look_inside(Source& source, const Format* forced, FileSystem& files) {
  auto file = files.open(source.file);
  source.file_bytes = file->size();
  std::array<char, kMagicBytes> magic{};
  const std::size_t magic_size = std::min<std::size_t>(magic.size(), source.file_bytes);
  file->read_at(0, std::span(magic).first(magic_size));
  source.codec = &sniff_codec({magic.data(), magic_size}, source.path);

  const auto decoder = source.codec->decoder(std::move(file));
  const std::string start = read_start(*decoder, kSniffBytes);
  std::string_view text = start;
  refuse_wide_encodings(text, source.path);
  source.has_mark = text.starts_with(kUtf8Mark);
  if (source.has_mark) text.remove_prefix(kUtf8Mark.size());
  source.format = forced != nullptr ? forced : &sniff_format(text, source.path);
}

// A field was named, and no input has fields: something is not what the user takes it for.
void refuse_fields_of_none(const std::vector<Source>& sources, const ReadOptions& options) {
  if (!options.text_named && !options.id_required) return;
  const auto has_fields = [](const Source& source) { return source.format->framing != Format::Framing::raw; };
  if (std::any_of(sources.begin(), sources.end(), has_fields)) return;
  throw Error(ErrorCode::usage,
              fmt::format("{} names a field, but {} looks like {}, whose records have none (--format says what it is)",
                          options.text_named ? "--text" : "--id", sources.front().path, sources.front().format->name));
}

}  // namespace

std::string record_name(const Source& source, const RawRecord& record, const std::string& key) {
  if (!key.empty()) return key;
  return record.number == 0 ? source.path : fmt::format("{}:{}", source.path, record.number);
}

Collection open_collection(const std::vector<std::string>& inputs, const ReadOptions& options, Context& context,
                           std::size_t batch_bytes) {
  validate(options);
  const Format* forced = options.format == "auto" ? nullptr : &format_named(options.format);
  Inputs found = find_inputs(inputs, context);
  auto impl = std::make_shared<FilesImpl>();
  impl->options = options;
  impl->files = &base::files(context);
  impl->sources = std::move(found.sources);
  impl->folders = std::move(found.folders);
  impl->single_input = found.single;
  impl->spool = std::move(found.spool);
  impl->batch_bytes = batch_bytes;
  for (Source& source : impl->sources) {
    base::check_stop(context);
    look_inside(source, forced, *impl->files);
  }
  refuse_fields_of_none(impl->sources, options);
  return Collection(std::move(impl));
}

}  // namespace neardup::io

namespace neardup {

Collection Collection::open(const std::vector<std::string>& inputs, const ReadOptions& options, Context& context) {
  return io::open_collection(inputs, options, context, io::kBatchBytes);
}

Collection Collection::from_texts(std::vector<std::string> texts) {
  auto impl = std::make_shared<io::TextsImpl>();
  impl->texts = std::move(texts);
  io::Source source;
  source.path = source.relative = "memory";
  source.format = &io::format_named("text");
  source.codec = &io::plain_codec();
  for (const std::string& text : impl->texts) source.file_bytes += text.size();
  impl->sources.push_back(std::move(source));
  return Collection(std::move(impl));
}

std::unique_ptr<Collection::Reader> Collection::read(Context& context) const {
  return std::make_unique<io::DocumentReader>(*this, context);
}

}  // namespace neardup
