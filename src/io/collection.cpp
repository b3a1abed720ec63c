#include "io/collection.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "base/choices.h"
#include "base/document_text.h"
#include "base/random.h"
#include "base/system.h"
#include "io/archives/archives.h"
#include "io/codecs/codecs.h"
#include "io/formats/formats.h"
#include "io/inputs.h"
#include "io/read_as.h"
#include "io/splitter.h"
#include "neardup/error.h"
#include "text/encoding.h"

namespace neardup::io {
namespace {

constexpr std::size_t kSniffBytes = 4096;

// Which records `limit` and `sample` leave. A record is in the sample when a hash of the seed and its number among all
// records lies below the share; `limit` counts what the sample left.
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
  SourcesReader(const CollectionImpl& collection, const ReadOptions& reading, const Context& context,
                std::size_t batch_bytes)
      : collection_(collection), reading_(reading), context_(context), batch_bytes_(batch_bytes), selection_(reading) {}

  bool next(RecordBatch& out) override {
    while (!selection_.full()) {
      base::check_stop(context_);
      if (reader_ == nullptr) {
        if (source_ == collection_.sources.size()) break;
        const Source& source = collection_.sources[source_++];
        reader_ = source.format->open(source, reading_, *collection_.files, batch_bytes_);
      }
      if (reader_->next(out)) {
        selection_.apply(out.records);
        out.first_row = rows_;
        rows_ += out.records.size();
        return true;
      }
      reader_.reset();
    }
    return false;
  }

 private:
  const CollectionImpl& collection_;
  const ReadOptions reading_;
  const Context& context_;
  std::size_t batch_bytes_;
  Selection selection_;
  std::unique_ptr<BatchReader> reader_;
  std::size_t source_ = 0;
  DocId rows_ = 0;
};

struct SourcesImpl final : CollectionImpl {
  std::size_t batch_bytes = kBatchBytes;
  std::shared_ptr<base::TempFolder> spool;

  [[nodiscard]] std::unique_ptr<BatchReader> batches(const ReadOptions& reading,
                                                     const Context& context) const override {
    return std::make_unique<SourcesReader>(*this, reading, context, batch_bytes);
  }
  [[nodiscard]] std::unique_ptr<RecordParser> parser(const ReadOptions& reading) const override {
    return make_any_parser(reading);
  }
};

class CopyingReader final : public Collection::Reader {
 public:
  CopyingReader(Collection collection, const Context& context)
      : collection_(std::move(collection)),
        context_(context),
        batches_(impl_of(collection_).batches(impl_of(collection_).options, context_)),
        parser_(impl_of(collection_).parser(impl_of(collection_).options)) {}

  bool next(Document& out) override {
    for (;;) {
      while (at_ == batch_.size()) {
        if (!batches_->next(batch_)) return false;
        at_ = 0;
      }
      const std::size_t place = at_++;
      DocumentView document;
      if (parser_->parse(batch_, place, document) != nullptr) continue;
      base::copy_document(document, out);
      out.id = batch_.first_row + place;
      return true;
    }
  }

 private:
  Collection collection_;
  Context context_;  // the caller's may be gone
  std::unique_ptr<BatchReader> batches_;
  std::unique_ptr<RecordParser> parser_;
  RecordBatch batch_;
  std::size_t at_ = 0;
};

void validate(const ReadOptions& options) {
  if (!(options.sample > 0.0 && options.sample <= 1.0)) {
    throw Error(ErrorCode::usage, fmt::format("`sample` {}: expected a share above 0 and up to 1", options.sample),
                "sample");
  }
  if (options.max_record_bytes == 0 || options.max_record_bytes > kMostRecordBytes) {
    throw Error(ErrorCode::usage,
                fmt::format("`max_record_bytes` {}: expected 1 byte to 2 GiB", options.max_record_bytes),
                "max_record_bytes");
  }
  if (options.text_fields && options.text_fields->empty())
    throw Error(ErrorCode::usage, "`text_fields`: expected at least one field", "text_fields");
}

const text::Encoding* forced_encoding(const ReadOptions& options) {
  if (options.encoding.empty()) return nullptr;
  const text::Encoding* encoding = text::encoding_named(options.encoding);
  if (encoding == nullptr) {
    throw Error(ErrorCode::usage,
                fmt::format("`encoding` {}: there is no such encoding; for example utf-8, latin1, "
                            "windows-1251, shift_jis, gb18030, big5, euc-kr, utf-16le",
                            options.encoding),
                "encoding");
  }
  return encoding;
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

// Looks at the first bytes: codec, byte-order mark, format. Whether they begin an archive is said, too.
Container look_inside(Source& source, const Format* forced, const text::Encoding* encoding_forced, FileSystem& files) {
  auto file = open_source(source, files);
  source.file_bytes = file->size();
  std::array<char, kMagicBytes> magic{};
  const std::size_t magic_size = std::min<std::size_t>(magic.size(), source.file_bytes);
  file->read_at(0, std::span(magic).first(magic_size));
  source.codec = &sniff_codec({magic.data(), magic_size}, source.path);

  const auto decoder = source.codec->decoder(std::move(file));
  const std::string start = read_start(*decoder, kSniffBytes);
  if (const Container container = container_of(start, source.path); container != Container::none) return container;
  const text::Mark mark = text::byte_order_mark(start);
  const text::Encoding* encoding = encoding_forced != nullptr ? encoding_forced : mark.encoding;
  std::string text = start.substr(mark.size);
  if (encoding != nullptr && encoding->wide) {
    std::string decoded;
    text::StreamDecoder(*encoding).append(decoded, text, false);
    text = std::move(decoded);
  }
  source.format = forced != nullptr ? forced : &sniff_format(text, source.path);
  if (!source.format->decodes_itself) {
    source.encoding = encoding;
    source.mark_size = mark.size;
  }
  return Container::none;
}

// Makes sources of inputs: themselves, or the members of those that are archives.
class Opener {
 public:
  Opener(const ReadOptions& options, Inputs& found, const Context& context)
      : forced_(options.format == "auto" ? nullptr : &format_named(options.format)),
        encoding_(forced_encoding(options)),
        found_(found),
        context_(context) {}

  void open() {
    for (Source& source : std::exchange(found_.sources, {})) add(std::move(source), nullptr, 0);
    if (!entered_) return;
    if (found_.sources.empty()) {
      throw Error(ErrorCode::input, fmt::format("there are no files in {}", found_.folders.back().string()));
    }
    found_.single = false;
    give_places(found_.sources);
  }

 private:
  void add(Source source, UnpackBudget* budget, int depth) {
    base::check_stop(context_);
    const Container container =
        source.problem.empty() ? look_inside(source, forced_, encoding_, base::files(context_)) : Container::none;
    if (container == Container::foreign) {
      source = bad_source(source,
                          fmt::format("{} files are not read; save it as text or HTML", format_extension(source.path)));
    } else if (container == Container::archive && depth == kDeepestArchive) {
      source = bad_source(source, fmt::format("archives are entered {} levels deep", kDeepestArchive));
    } else if (container == Container::archive) {
      UnpackBudget own{.path = source.path, .archive_bytes = source.file_bytes};
      if (budget == nullptr) budget = &own;
      if (depth == 0) found_.folders.emplace_back(source.path);
      entered_ = true;
      for (Source& member : unpack(source, *budget, found_.spool, context_)) add(std::move(member), budget, depth + 1);
      return;
    }
    found_.sources.push_back(std::move(source));
  }

  const Format* forced_;
  const text::Encoding* encoding_;
  Inputs& found_;
  const Context& context_;
  bool entered_ = false;
};

// A field was named, and no input has fields: something is not what the user takes it for.
void refuse_fields_of_none(const std::vector<Source>& sources, const ReadOptions& options) {
  if (!options.text_fields && !options.id_field) return;
  const auto has_fields = [](const Source& source) { return source.format->has_fields(); };
  if (std::any_of(sources.begin(), sources.end(), has_fields)) return;
  const char* option = options.text_fields ? "text_fields" : "id_field";
  throw Error(ErrorCode::usage,
              fmt::format("`{}` names a field, but {} looks like {}, whose records have none", option,
                          sources.front().path, sources.front().format->name),
              "format");
}

}  // namespace

std::string record_name(const Source& source, std::uint64_t number, std::string_view key) {
  if (!key.empty()) return std::string(key);
  return number == 0 ? source.path : fmt::format("{}:{}", source.path, number);
}

bool holds_tokens(const Source& source) {
  return source.documents != nullptr ? source.documents->has_tokens() : source.format->name == "sets";
}

void check_fields(const Collection& collection, std::span<const std::string> fields, const char* option) {
  const std::vector<Source>& sources = impl_of(collection).sources;
  for (const std::string& field : fields) {
    const auto may_have = [&](const Source& source) {
      return source.documents != nullptr ? source.documents->may_have_field(field) : source.format->has_fields();
    };
    if (std::ranges::any_of(sources, may_have)) continue;
    throw Error(
        ErrorCode::usage,
        fmt::format("`{}` asks for the field \"{}\", but {} records have no {}", option, field,
                    sources.front().format->name, sources.front().documents != nullptr ? "such field" : "fields"),
        option);
  }
}

std::uint64_t CollectionImpl::input_bytes() const {
  std::uint64_t sum = 0;
  for (const Source& source : sources) sum += source.file_bytes;
  return sum;
}

const CollectionImpl& impl_of(const Collection& collection) { return *collection.impl_; }
Collection collection_of(std::shared_ptr<const CollectionImpl> impl) { return Collection(std::move(impl)); }

Collection memory_collection(Source source, const ReadOptions& options) {
  validate(options);
  auto impl = std::make_shared<SourcesImpl>();
  impl->options = options;
  impl->sources.push_back(std::move(source));
  return collection_of(std::move(impl));
}

Collection open_collection(const std::vector<std::string>& inputs, const ReadOptions& options, const Context& context,
                           std::size_t batch_bytes) {
  validate(options);
  if (options.format != "auto") format_named(options.format);  // a wrong name is said before inputs are looked for
  Inputs found = find_inputs(inputs, context);
  Opener(options, found, context).open();
  auto impl = std::make_shared<SourcesImpl>();
  impl->options = options;
  impl->files = &base::files(context);
  impl->sources = std::move(found.sources);
  impl->folders = std::move(found.folders);
  impl->single_input = found.single;
  impl->spool = std::move(found.spool);
  impl->batch_bytes = batch_bytes;
  refuse_fields_of_none(impl->sources, options);
  return collection_of(std::move(impl));
}

Collection read_as(const Collection& collection, const ReadOptions& options) {
  validate(options);
  auto impl = std::make_shared<SourcesImpl>(dynamic_cast<const SourcesImpl&>(impl_of(collection)));
  impl->options = options;
  for (Source& source : impl->sources) source.format = &format_named(options.format);
  return collection_of(std::move(impl));
}

}  // namespace neardup::io

namespace neardup {

namespace {

constexpr std::array kHtml{
    Choice<Html>{"auto", Html::automatic, "of HTML files, and of what a mail or a web archive declares to be HTML"},
    Choice<Html>{"strip", Html::strip, "of every text"},
    Choice<Html>{"off", Html::off, "of none"},
};

}  // namespace

Html parse_html(std::string_view text) { return base::parse_choice<Html>("html", text, kHtml); }
std::string to_string(Html html) { return base::choice_name<Html>(html, kHtml); }
std::span<const Choice<Html>> html_choices() { return kHtml; }

Collection Collection::open(const std::vector<std::string>& inputs, const ReadOptions& options,
                            const Context& context) {
  return io::open_collection(inputs, options, context, io::kBatchBytes);
}

std::unique_ptr<Collection::Reader> Collection::read(const Context& context) const {
  return std::make_unique<io::CopyingReader>(*this, context);
}

}  // namespace neardup
