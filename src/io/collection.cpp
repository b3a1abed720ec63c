#include "io/collection.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <utility>

#include "base/choices.h"
#include "base/document_text.h"
#include "base/random.h"
#include "base/system.h"
#include "io/formats/formats.h"
#include "io/inputs.h"
#include "io/opening.h"
#include "io/read_as.h"
#include "io/splitter.h"
#include "neardup/error.h"

namespace neardup::io {
namespace {

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

// Where a folder holds several kinds of files, the user may have meant one of them.
std::string mixed_kinds(const std::vector<Source>& sources) {
  std::set<std::string_view> kinds;
  bool is_found = false;
  for (const Source& source : sources) {
    if (source.problem.empty()) kinds.insert(source.format->name);
    is_found |= !source.is_named;
  }
  if (!is_found || kinds.size() < 2) return {};
  return fmt::format("; the inputs are of several kinds ({}): `include` and `exclude` can select among them",
                     fmt::join(kinds, ", "));
}

class SourcesReader final : public BatchReader {
 public:
  SourcesReader(const CollectionImpl& collection, const ReadOptions& reading, const Context& context,
                std::size_t batch_bytes, double share_of_sources)
      : collection_(collection),
        reading_(reading),
        context_(context),
        batch_bytes_(batch_bytes),
        share_of_sources_(share_of_sources),
        selection_(reading) {}

  bool next(RecordBatch& out) override {
    while (!selection_.full()) {
      base::check_stop(context_);
      if (reader_ == nullptr) {
        if (source_ == collection_.sources.size()) break;
        const Source& source = collection_.sources[source_++];
        left_ = share_of_sources_ >= 1
                    ? ~std::uint64_t{0}
                    : static_cast<std::uint64_t>(share_of_sources_ * static_cast<double>(source.file_bytes));
        reader_ = source.format->open(source, reading_, *collection_.files, batch_bytes_);
      }
      if (read_batch(out)) {
        if (out.input_bytes >= left_) reader_.reset();
        left_ -= std::min(left_, out.input_bytes);
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
  bool read_batch(RecordBatch& out) {
    try {
      return reader_->next(out);
    } catch (const Error& error) {
      if (error.option() != "text_fields" && error.option() != "id_field") throw;
      const std::string side = collection_.named_by.empty() ? "" : collection_.named_by + "_";
      std::string message = error.what();
      constexpr std::string_view kDelimiter = "(`delimiter=";  // a hint to set it for this side
      if (const std::size_t at = message.find(kDelimiter); at != message.npos) message.insert(at + 2, side);
      throw Error(error.code(), message + mixed_kinds(collection_.sources), side + error.option());
    }
  }

  const CollectionImpl& collection_;
  const ReadOptions reading_;
  const Context& context_;
  std::size_t batch_bytes_;
  double share_of_sources_;
  std::uint64_t left_ = 0;  // bytes of the source that are still to be read
  Selection selection_;
  std::unique_ptr<BatchReader> reader_;
  std::size_t source_ = 0;
  DocId rows_ = 0;
};

struct SourcesImpl final : CollectionImpl {
  std::size_t batch_bytes = kBatchBytes;
  double share_of_sources = 1;  // each is read from its beginning up to this share of its bytes
  std::shared_ptr<base::TempFolder> spool;

  [[nodiscard]] std::unique_ptr<BatchReader> batches(const ReadOptions& reading,
                                                     const Context& context) const override {
    return std::make_unique<SourcesReader>(*this, reading, context, batch_bytes, share_of_sources);
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
        at_ = 0;
        if (batches_ != nullptr && batches_->next(batch_)) continue;
        batches_.reset();  // a reader is not asked again after its end
        batch_ = {};
        return false;
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
  Context context_;                       // the caller's may be gone
  std::unique_ptr<BatchReader> batches_;  // null: all documents were read
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

// The same for what says how rows are written.
void refuse_rows_of_none(const std::vector<Source>& sources, const RowOptions& rows) {
  const auto has_rows = [](const Source& source) { return source.format->framing == Format::Framing::delimited; };
  if (rows == RowOptions{} || std::ranges::any_of(sources, has_rows)) return;
  const char* option = rows.delimiter ? "delimiter" : rows.has_header ? "quote" : "has_header";
  throw Error(ErrorCode::usage,
              fmt::format("`{}` is for CSV and TSV, but {} looks like {}", option, sources.front().path,
                          sources.front().format->name),
              "format");
}

}  // namespace

std::string record_name(const Source& source, std::uint64_t number, std::string_view key) {
  if (!key.empty()) return std::string(key);
  return number == 0 ? source.path : fmt::format("{}:{}", source.path, number);
}

bool holds_tokens(const Source& source) {
  if (source.documents != nullptr) return source.documents->has_tokens();
  return source.has_sets || source.format->name == "sets";
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

Collection open_collection(const InputFiles& files, const ReadOptions& options, const Context& context,
                           std::size_t batch_bytes) {
  validate(options);
  if (options.format != "auto") format_named(options.format);  // a wrong name is said before inputs are looked for
  Inputs found = find_inputs(files, context);
  auto impl = std::make_shared<SourcesImpl>();
  impl->binary_files = look_inside(found, options, context);
  impl->named_by = files.named_by;
  impl->options = options;
  impl->files = &base::files(context);
  impl->sources = std::move(found.sources);
  impl->folders = std::move(found.folders);
  impl->datasets = std::move(found.datasets);
  impl->single_input = found.single;
  impl->spool = std::move(found.spool);
  impl->batch_bytes = batch_bytes;
  refuse_fields_of_none(impl->sources, options);
  // What is said of the rows of a first collection is passed on to a second one, which may have none.
  if (files.named_by.empty()) refuse_rows_of_none(impl->sources, options.rows);
  return collection_of(std::move(impl));
}

Collection read_as(const Collection& collection, const ReadOptions& options) {
  validate(options);
  auto impl = std::make_shared<SourcesImpl>(dynamic_cast<const SourcesImpl&>(impl_of(collection)));
  impl->options = options;
  for (Source& source : impl->sources) source.format = &format_named(options.format);
  return collection_of(std::move(impl));
}

Collection read_part(const Collection& collection, const ReadPart& part) {
  auto impl = std::make_shared<SourcesImpl>(dynamic_cast<const SourcesImpl&>(impl_of(collection)));
  const auto all = static_cast<double>(impl->input_bytes());
  if (all > static_cast<double>(part.input_bytes)) impl->share_of_sources = static_cast<double>(part.input_bytes) / all;
  impl->options.sample *= part.share;
  validate(impl->options);
  return collection_of(std::move(impl));
}

}  // namespace neardup::io

namespace neardup {

namespace {

constexpr std::array kHtml{
    Choice<Html>{"auto", Html::automatic, "all text of pages: HTML files and parts that are declared as HTML"},
    Choice<Html>{"main", Html::main, "the main text of pages, and of other texts that contain a tag"},
    Choice<Html>{"all", Html::all, "all text of every text, without tags"},
    Choice<Html>{"strip", Html::all, "the same as all"},
    Choice<Html>{"off", Html::off, "nothing: tags are text"},
};

}  // namespace

Html parse_html(std::string_view text) { return base::parse_choice<Html>("html", text, kHtml); }
std::string to_string(Html html) { return base::choice_name<Html>(html, kHtml); }
std::span<const Choice<Html>> html_choices() { return kHtml; }

Collection Collection::open(const InputFiles& files, const ReadOptions& options, const Context& context) {
  return io::open_collection(files, options, context, io::kBatchBytes);
}

std::unique_ptr<Collection::Reader> Collection::read(const Context& context) const {
  return std::make_unique<io::CopyingReader>(*this, context);
}

}  // namespace neardup
