// A record of any source, read by the parser of its format, decoded before and stripped or put together after it.
#include <iterator>
#include <map>
#include <utility>
#include <vector>

#include "base/document_text.h"
#include "io/collection.h"
#include "io/formats/formats.h"
#include "io/read_options.h"
#include "io/transcoding.h"
#include "text/page_text_reader.h"

namespace neardup::io {
namespace {

// Hands each record to the parser of its source's format.
class AnyParser final : public RecordParser {
 public:
  explicit AnyParser(const ReadOptions& options) : options_(options), absent_(options.extra_fields.size()) {}

  const char* parse(const RecordBatch& batch, std::size_t place, DocumentView& out) override {
    decoding_ = {};
    if (const char* problem = batch.problem(place)) return problem;
    const Format& format = *batch.source->format;
    auto& parser = parsers_[&format];
    if (parser == nullptr) parser = format.parser(parsing_options(format));
    const auto [decoded, decoded_place] = records_.decode(batch, place);
    if (const char* problem = parser->parse(decoded, decoded_place, out)) return problem;
    if (out.fields.empty()) out.fields = absent_;  // lines and sets have none
    decoding_ = parser->decoding();
    if (const Decoding raw = records_.decoding(); !raw.encoding.empty()) {
      decoding_.encoding = raw.encoding;
      decoding_.repaired |= raw.repaired;
    }
    if ((options_.html == Html::all || options_.html == Html::main) && !format.decodes_itself) strip(out);
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

  void compose(DocumentView& out) {
    const std::size_t extra = options_.extra_fields.size();
    texts_.clear();
    for (std::size_t i = 0; i < options_.text_fields->size(); ++i) {
      const bool is_body = (*options_.text_fields)[i] == "text";
      texts_.push_back(is_body ? out.text : out.fields[extra + i].value_or(""));
    }
    out.text = {};
    out.texts = texts_;
    out.fields = out.fields.first(extra);
  }

  // Takes the tags out of every text field.
  void strip(DocumentView& out) {
    stripped_.text.clear();
    stripped_.text_ends.clear();
    stripped_.links.clear();
    stripped_.links_base.clear();
    base::for_each_text(out, [&](std::string_view marked_up) {
      if (!stripped_.text_ends.empty()) stripped_.text += '\n';
      const auto wanted = wanted_of_page(options_.html, false, marked_up);
      if (!wanted) {
        stripped_.text += marked_up;
        stripped_.text_ends.push_back(stripped_.text.size());
        return;
      }
      const auto links = options_.links ? text::Links::collect : text::Links::ignore;
      decoding_.lacks_main_text |= !pages_.read(marked_up, *wanted, links, page_);
      stripped_.text += page_.text;
      stripped_.text_ends.push_back(stripped_.text.size());
      std::move(page_.links.begin(), page_.links.end(), std::back_inserter(stripped_.links));
      if (options_.links && stripped_.links_base.empty()) stripped_.links_base = page_.base;
    });
    out.text = stripped_.text;
    out.text_ends = stripped_.text_ends;
    out.texts = {};
    out.links = stripped_.links;
    out.links_base = stripped_.links_base;
  }

  ReadOptions options_;
  std::vector<std::optional<std::string_view>> absent_;  // every field
  std::map<const Format*, std::unique_ptr<RecordParser>> parsers_;
  DecodedRecords records_;
  text::PageTextReader pages_;
  text::Page page_;
  std::vector<std::string_view> texts_;  // that a text is composed of
  Document stripped_;
  Decoding decoding_;
};

}  // namespace

std::unique_ptr<RecordParser> make_any_parser(const ReadOptions& options) {
  return std::make_unique<AnyParser>(options);
}

}  // namespace neardup::io
