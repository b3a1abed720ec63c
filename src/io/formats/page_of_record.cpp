#include "io/formats/page_of_record.h"

#include <string>

#include "base/ascii.h"
#include "base/utf8.h"

namespace neardup::io {
namespace {

// No content type says so, but no text begins like this.
bool looks_binary(std::string_view bytes) {
  constexpr std::size_t kLook = 1024;
  return text::byte_order_mark(bytes).encoding == nullptr &&
         bytes.substr(0, kLook).find('\0') != std::string_view::npos;
}

}  // namespace

void set_valid_field(const NamedFields& fields, std::string_view name, std::string_view value, Document& out) {
  if (!fields.any()) return;
  std::string valid;
  base::assign_valid_utf8(valid, value);
  fields.set(name, valid, out);
}

const char* PageOfRecord::read(const ArchivedPage& page, const NamedFields& fields, Document& out) {
  decoding_ = {};
  base::assign_valid_utf8(out.key, page.uri);

  HttpResponse response{.status = {}, .content_type = page.content_type, .body = page.block};
  if (page.is_http) {
    if (const char* problem = http_.read(page.block, response)) return problem;
  }
  set_valid_field(fields, "url", page.uri, out);
  set_valid_field(fields, "date", page.date, out);
  set_valid_field(fields, "type", response.content_type, out);
  set_valid_field(fields, "status", response.status, out);

  Body body{.bytes = response.body};
  // A DNS answer is for machines, whatever its type says.
  const bool is_text = page.has_text && response.readable && is_text_type(response.content_type, body.kind) &&
                       !base::starts_with_any_case(response.content_type, "text/dns");
  if (!is_text || (body.kind == Body::Kind::unstated && looks_binary(response.body))) return nullptr;
  body.known = charset_of(response.content_type);
  decoding_ = bodies_.read(body, out);
  fields.set_of_page(bodies_.page(), out);
  return nullptr;
}

}  // namespace neardup::io
