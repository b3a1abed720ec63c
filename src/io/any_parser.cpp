// A record of any source, read by the parser of its format, decoded before and stripped or put together after it.
#include <iterator>
#include <map>
#include <utility>

#include "io/collection.h"
#include "io/formats/formats.h"
#include "io/transcoding.h"
#include "text/html_text.h"

namespace neardup::io {
namespace {

// Hands each record to the parser of its source's format.
class AnyParser final : public RecordParser {
 public:
  explicit AnyParser(const ReadOptions& options) : options_(options) {}

  const char* parse(const RecordBatch& batch, const RawRecord& record, Document& out) override {
    decoding_ = {};
    if (record.problem != nullptr) return record.problem;
    out.key.clear();
    out.record_id.clear();
    out.text.clear();
    out.text_ends.clear();
    out.tokens.clear();
    out.links.clear();
    out.links_base.clear();
    const Format& format = *batch.source->format;
    out.fields.assign(options_.extra_fields.size() + (composes(format) ? options_.text_fields->size() : 0),
                      std::nullopt);
    auto& parser = parsers_[&format];
    if (parser == nullptr) parser = format.parser(parsing_options(format));
    const auto [decoded_batch, decoded_record] = records_.decode(batch, record);
    if (const char* problem = parser->parse(*decoded_batch, *decoded_record, out)) return problem;
    decoding_ = parser->decoding();
    if (const Decoding raw = records_.decoding(); !raw.encoding.empty()) {
      decoding_.encoding = raw.encoding;
      decoding_.repaired |= raw.repaired;
    }
    if (options_.html == Html::strip && !format.decodes_itself) strip(out);
    if (composes(format)) compose(out);
    return nullptr;
  }

  [[nodiscard]] Decoding decoding() const noexcept override { return decoding_; }

 private:
  // Records of pages, mails and archives have a text, and other fields that the user may want to read as text too.
  [[nodiscard]] bool composes(const Format& format) const { return format.named_fields && options_.text_fields; }

  [[nodiscard]] ReadOptions parsing_options(const Format& format) const {
    ReadOptions options = options_;
    if (composes(format)) {
      options.extra_fields.insert(options.extra_fields.end(), options.text_fields->begin(), options.text_fields->end());
    }
    return options;
  }

  void compose(Document& out) const {
    const std::string body = std::exchange(out.text, {});
    for (std::size_t i = 0; i < options_.text_fields->size(); ++i) {
      if (i != 0) out.text += '\n';
      const auto& field = out.fields[options_.extra_fields.size() + i];
      out.text += (*options_.text_fields)[i] == "text" ? body : field.value_or("");
      out.text_ends.push_back(out.text.size());
    }
    out.fields.resize(options_.extra_fields.size());
  }

  // Takes the tags out of every text field.
  void strip(Document& out) {
    const std::string marked_up = std::exchange(out.text, {});
    if (out.text_ends.empty()) out.text_ends.push_back(marked_up.size());
    std::size_t begin = 0;
    for (std::size_t& end : out.text_ends) {
      pages_.read(std::string_view(marked_up).substr(begin, end - begin),
                  options_.links ? text::Links::collect : text::Links::ignore, page_);
      begin = end + 1;  // behind the newline between two fields
      if (&end != &out.text_ends.front()) out.text += '\n';
      out.text += page_.text;
      end = out.text.size();
      std::move(page_.links.begin(), page_.links.end(), std::back_inserter(out.links));
      if (options_.links && out.links_base.empty()) out.links_base = page_.base;
    }
  }

  ReadOptions options_;
  std::map<const Format*, std::unique_ptr<RecordParser>> parsers_;
  DecodedRecords records_;
  text::PageReader pages_;
  text::Page page_;
  Decoding decoding_;
};

}  // namespace

std::unique_ptr<RecordParser> make_any_parser(const ReadOptions& options) {
  return std::make_unique<AnyParser>(options);
}

}  // namespace neardup::io
