// The handler that compares two documents.
#include <fmt/format.h>

#include <memory>

#include "documents.h"
#include "handlers.h"
#include "json_input.h"
#include "json_parts.h"
#include "neardup/collection.h"
#include "neardup/compare.h"
#include "neardup/document.h"
#include "problem.h"
#include "service.h"

namespace neardup::server {
namespace {

// One page as a collection, which can strip its tags.
class OnePage final : public DocumentSource {
 public:
  explicit OnePage(std::string page) : page_(std::make_shared<const Page>(std::move(page))) {}

  [[nodiscard]] std::unique_ptr<DocumentReader> open(std::span<const std::string>) const override {
    class Reader final : public DocumentReader {
     public:
      explicit Reader(std::shared_ptr<const Page> page) : page_(std::move(page)) {}
      std::shared_ptr<const DocumentBatch> next() override { return std::exchange(page_, nullptr); }

     private:
      std::shared_ptr<const Page> page_;
    };
    return std::make_unique<Reader>(page_);
  }

 private:
  class Page final : public DocumentBatch {
   public:
    explicit Page(std::string text) : text_(std::move(text)) {}
    [[nodiscard]] std::size_t size() const override { return 1; }
    [[nodiscard]] std::uint64_t bytes() const override { return text_.size(); }
    const char* get(std::size_t, DocumentView& out) const override {
      out.text = text_;
      return nullptr;
    }

   private:
    std::string text_;
  };
  std::shared_ptr<const Page> page_;
};

std::string stripped(std::string page, const Context& context) {
  const Collection collection =
      Collection::from(std::make_shared<OnePage>(std::move(page)), "page", {.html = Html::all});
  Document document;
  const std::unique_ptr<Collection::Reader> reader = collection.read(context);
  return reader->next(document) ? document.text : std::string();
}

NamedDocument stored(const Service& service, const std::string& id) {
  check_id(id);
  std::optional<StoredDocument> document = service.index.get(id);
  if (!document) throw Problem(ProblemCode::not_found, fmt::format("no document has the id \"{}\"", id));
  NamedDocument out{.name = id, .document = {}};
  if (!document->tokens.empty()) {
    out.is_set = true;
    out.document.tokens = std::move(document->tokens);
  } else if (document->text) {
    out.document.text = std::move(*document->text);
  } else {
    throw Problem(ProblemCode::invalid_document, fmt::format("the text of \"{}\" is not stored", id));
  }
  return out;
}

NamedDocument compared(const Service& service, JsonInput input, const char* name) {
  const auto id = input.text("id"), text = input.text("text"), html = input.text("html");
  input.finish();
  if (id.has_value() + text.has_value() + html.has_value() != 1)
    throw Problem(ProblemCode::bad_request, fmt::format("{}: expected exactly one of id, text and html", name));
  if (id) return stored(service, *id);
  NamedDocument out{.name = name, .document = {}};
  out.document.text = text ? *text : stripped(*html, service.context);
  return out;
}

}  // namespace

Response compare_documents(Service& service, const Call& call) {
  call.query.finish();
  JsonInput input(call.request, service.limits.body_bytes);
  CompareOptions options{.diff = input.flag("diff", true)};
  const DiffExcerpt excerpt{.max_parts = input.number("max_parts", 1000, 1, 100'000),
                            .max_part_bytes = input.number("max_part_bytes", 2000, 1, 1'000'000)};
  JsonInput a = input.required_object("a"), b = input.required_object("b");
  input.finish();
  // A person waits: the limits on the work are those of a second or two.
  options.edit_steps = std::uint64_t{1} << 29;
  options.diff_steps = std::uint64_t{1} << 27;
  const Comparison comparison = compare(compared(service, std::move(a), "a"), compared(service, std::move(b), "b"),
                                        service.index.options().definition, options, service.context);
  return {.body = to_json(comparison, excerpt)};
}

}  // namespace neardup::server
