#include "io/formats/page_text.h"

#include <algorithm>

#include "base/ascii.h"
#include "base/utf8.h"
#include "io/read_options.h"

namespace neardup::io {

using base::ends_with_any_case;
using base::equals_any_case;
using base::starts_with_any_case;
using base::trimmed;

bool is_text_type(std::string_view content_type, Body::Kind& kind) {
  const std::string_view type = trimmed(content_type.substr(0, content_type.find(';')));
  kind = Body::Kind::text;
  if (type.empty()) {
    kind = Body::Kind::unstated;
  } else if (equals_any_case(type, "text/html") || equals_any_case(type, "application/xhtml+xml")) {
    kind = Body::Kind::html;
  } else {
    return starts_with_any_case(type, "text/") || equals_any_case(type, "application/json") ||
           equals_any_case(type, "application/xml") || equals_any_case(type, "application/javascript") ||
           ends_with_any_case(type, "+xml") || ends_with_any_case(type, "+json");
  }
  return true;
}

std::string_view header_parameter(std::string_view value, std::string_view name) {
  for (std::size_t at = value.find(';'); at != std::string_view::npos; at = value.find(';', at + 1)) {
    const std::string_view rest = value.substr(at + 1);
    const std::size_t equals = rest.find('=');
    if (equals == std::string_view::npos) break;
    if (!equals_any_case(trimmed(rest.substr(0, equals)), name)) continue;
    const std::string_view given = trimmed(rest.substr(equals + 1));
    const bool quoted = given.starts_with('"') || given.starts_with('\'');
    if (!quoted) return given.substr(0, given.find_first_of("; \t"));
    return given.substr(1, std::min(given.find(given.front(), 1), given.size()) - 1);
  }
  return {};
}

const text::Encoding* charset_of(std::string_view content_type) {
  return text::encoding_named(header_parameter(content_type, "charset"));
}

bool looks_like_html(std::string_view bytes) {
  if (const text::Mark mark = text::byte_order_mark(bytes); mark.encoding == &text::utf8())
    bytes.remove_prefix(mark.size);
  bytes = trimmed(bytes.substr(0, 1024));
  // Comments and an XML declaration may come before the decisive part.
  while (bytes.starts_with("<!--") || bytes.starts_with("<?xml")) {
    const std::string_view end = bytes.starts_with("<?") ? "?>" : "-->";
    const std::size_t at = bytes.find(end);
    if (at == std::string_view::npos) return false;
    bytes = trimmed(bytes.substr(at + end.size()));
  }
  return starts_with_any_case(bytes, "<!doctype html") || starts_with_any_case(bytes, "<html") ||
         starts_with_any_case(bytes, "<head") || starts_with_any_case(bytes, "<body");
}

BodyReader::BodyReader(const ReadOptions& options)
    : html_(options.html),
      links_(options.links),
      forced_(options.encoding.empty() ? nullptr : text::encoding_named(options.encoding)) {}

const text::Encoding& BodyReader::encoding_of(const Body& body, std::string_view bytes, bool is_html,
                                              Decoding& decoding) const {
  if (forced_ != nullptr) return *forced_;
  if (body.known != nullptr) return *body.known;
  const text::Encoding* declared = is_html ? text::declared_in_html(bytes) : text::declared_in_xml(bytes);
  if (declared != nullptr) return *declared;
  if (base::is_valid_utf8(bytes)) return text::utf8();
  decoding.detected = true;
  return text::detect(bytes);
}

Decoding BodyReader::read(const Body& body, Document& out) {
  Decoding decoding;
  std::string_view bytes = body.bytes;
  Body known = body;
  if (const text::Mark mark = text::byte_order_mark(bytes); mark.encoding != nullptr) {
    known.known = mark.encoding;
    bytes.remove_prefix(mark.size);
  }
  const bool is_html = body.kind == Body::Kind::html || (body.kind == Body::Kind::unstated && looks_like_html(bytes));
  const text::Encoding& encoding = encoding_of(known, bytes, is_html, decoding);
  // Tags are ASCII in nearly all encodings, but whether there are any is asked of the decoded text.
  const bool may_strip = html_ == Html::main || html_ == Html::all || (html_ == Html::automatic && is_html);
  std::string& target = may_strip ? decoded_ : out.text;
  target.clear();
  if (&encoding == &text::utf8()) {
    decoding.repaired = base::assign_valid_utf8(target, bytes);
  } else {
    decoding.encoding = encoding.name;
    decoding.repaired = decoder_.append(target, bytes, encoding);
  }
  page_.title.clear();
  page_.canonical.clear();
  page_.base.clear();
  page_.facts = {};
  if (!may_strip) return decoding;
  if (const auto wanted = wanted_of_page(html_, is_html, decoded_); !wanted) {
    std::swap(out.text, decoded_);
  } else {
    const auto links = links_ ? text::Links::collect : text::Links::ignore;
    decoding.lacks_main_text = !pages_.read(decoded_, *wanted, links, page_);
    std::swap(out.text, page_.text);
    if (links_) {
      std::swap(out.links, page_.links);
      out.links_base = page_.base;
    }
  }
  return decoding;
}

}  // namespace neardup::io
