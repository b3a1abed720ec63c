// What text is in the bytes of a file, a mail part or a web page?
//
// Encodings in this order: what the user forces, a byte-order mark, what the transport declares (HTTP, MIME), what the
// text declares (<meta>, <?xml>), UTF-8 when it is valid, else the most probable one.
#pragma once

#include <string>
#include <string_view>

#include "io/record.h"
#include "neardup/collection.h"
#include "text/encoding.h"
#include "text/html_text.h"
#include "text/page_text_reader.h"

namespace neardup::io {

struct Body {
  std::string_view bytes;
  enum class Kind {
    text,      // unchanged, unless the user has every text stripped
    html,      // stripped, unless the user wants no text stripped
    unstated,  // HTML when it looks like it
  };
  Kind kind = Kind::text;
  const text::Encoding* known =
      nullptr;  // from a byte-order mark that was cut off, or from the transport; null: unknown
};

// Kind::html for text/html and application/xhtml+xml, Kind::text for what else is text; nothing for what is not.
// Parameters are ignored; an empty type is Kind::unstated.
bool is_text_type(std::string_view content_type, Body::Kind& kind);
// A parameter of a structured header (`text/html; charset=utf-8`), without its quotes; `name` is in small letters.
std::string_view header_parameter(std::string_view value, std::string_view name);
// The charset parameter of a content type; null when there is none or it is not known.
const text::Encoding* charset_of(std::string_view content_type);
bool looks_like_html(std::string_view bytes);

// Threads: one per thread. Buffers are kept between calls.
class BodyReader {
 public:
  explicit BodyReader(const ReadOptions&);

  // Sets text, and links when the options ask for them; the rest of `out` is not touched.
  Decoding read(const Body&, Document& out);
  // What the last page said besides; empty when the last body was not a page.
  [[nodiscard]] const text::Page& page() const { return page_; }

 private:
  const text::Encoding& encoding_of(const Body&, std::string_view bytes, bool is_html, Decoding&) const;

  Html html_;
  bool links_;
  const text::Encoding* forced_;  // null: nothing is forced
  text::Decoder decoder_;
  text::PageTextReader pages_;
  text::Page page_;
  std::string decoded_;
};

}  // namespace neardup::io
