// Handlers about single stored documents.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "documents.h"
#include "handlers.h"
#include "json_input.h"
#include "json_parts.h"
#include "neardup/sketch.h"
#include "problem.h"
#include "service.h"

namespace neardup::server {
namespace {

// The beginning of a text, at most `most` bytes, without a cut character.
std::string_view beginning(std::string_view text, std::uint64_t most) {
  if (text.size() <= most) return text;
  auto end = static_cast<std::size_t>(most);
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return text.substr(0, end);
}

}  // namespace

Response remove_documents(Service& service, const Call& call) {
  call.query.finish();
  JsonInput input(call.request, service.limits.body_bytes);
  const std::vector<std::string> ids = input.required_texts("ids", service.limits.documents);
  input.finish();
  for (const std::string& id : ids) check_id(id);
  const std::vector<std::string_view> views(ids.begin(), ids.end());
  Json json;
  json.begin_object().member("removed", service.index.remove(views)).end_object();
  return {.body = json.take()};
}

Response get_document(Service& service, const Call& call) {
  const std::uint64_t most =
      call.query.number("max_text", std::numeric_limits<std::uint64_t>::max(), 0, std::uint64_t{1} << 30);
  call.query.finish();
  const std::optional<StoredDocument> document = service.index.get(call.id);
  if (!document) throw Problem(ProblemCode::not_found, "no document has this id");
  Json json;
  json.begin_object().member("id", document->key).member("sequence", document->sequence);
  json.member("cluster", id_text(document->cluster)).member("kept", document->kept).key("text");
  if (document->text) {
    json.value(beginning(*document->text, most));
  } else {
    json.null();
  }
  json.member("text_bytes", document->text ? document->text->size() : 0);
  json.key("fields").begin_object();
  const std::vector<std::string>& names = service.index.fields();
  for (std::size_t i = 0; i < std::min(names.size(), document->fields.size()); ++i)
    json.escaped_key(names[i]).value(document->fields[i]);
  json.end_object();
  if (!document->tokens.empty()) {
    json.key("tokens").begin_array();
    for (const std::uint64_t token : document->tokens) json.value(token);
    json.end_array();
  }
  json.key("fingerprint");
  if (document->fingerprint) {
    json.value(to_hex(document->fingerprint));
  } else {
    json.null();
  }
  json.member("features", document->features).end_object();
  return {.body = json.take()};
}

Response delete_document(Service& service, const Call& call) {
  call.query.finish();
  const std::string_view id = call.id;
  if (service.index.remove(std::span(&id, 1)) == 0) throw Problem(ProblemCode::not_found, "no document has this id");
  return {.status = 204, .content_type = {}};
}

}  // namespace neardup::server
