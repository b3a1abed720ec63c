// One page in memory.
#include <utility>

#include "io/formats/page_text.h"
#include "neardup/error.h"
#include "neardup/text.h"
#include "text/encoding.h"

namespace neardup {

ReadPage read_page(std::string_view bytes, Html html, const std::string& encoding) {
  if (!encoding.empty() && text::encoding_named(encoding) == nullptr)
    throw Error(ErrorCode::usage, "unknown encoding \"" + encoding + "\"", "encoding");
  io::BodyReader reader({.html = html == Html::main ? Html::main : Html::all, .encoding = encoding});
  Document document;
  const io::Decoding decoding = reader.read({.bytes = bytes, .kind = io::Body::Kind::html}, document);
  const text::Page& page = reader.page();
  ReadPage out{.text = std::move(document.text),
               .title = page.title.empty() ? page.facts.title : page.title,
               .date = page.facts.date,
               .author = page.facts.author,
               .language = page.facts.language,
               .url = page.canonical.empty() ? page.facts.url : page.canonical,
               .has_main_text = !decoding.lacks_main_text};
  return out;
}

}  // namespace neardup
