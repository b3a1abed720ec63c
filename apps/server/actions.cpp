#include "actions.h"

#include <fmt/format.h>

namespace neardup::server {

Outcomes perform(Index& index, Action action, std::span<const IndexDocument> documents) {
  switch (action) {
    case Action::check:
      return {.checked = index.check(documents)};
    case Action::add:
      return {.added = index.add(documents)};
    case Action::replace:
      return {.added = index.add(documents, OnConflict::replace)};
    case Action::check_or_add:
      break;
  }
  return {.added = index.check_or_add(documents)};
}

void write_match(Json& json, const Service& service, const IndexMatch& match) {
  json.begin_object().member("id", match.key).member("score", match.score);
  json.member("cluster", fmt::format_int(match.cluster).str()).member("evidence", service.evidence()).end_object();
}

namespace {

void write_found(Json& json, const Service& service, const std::optional<IndexMatch>& match) {
  json.member("duplicate", match.has_value()).key("match");
  if (match) {
    write_match(json, service, *match);
  } else {
    json.null();
  }
}

}  // namespace

void write_outcome(Json& json, const Service& service, const IndexDocument& document, const Outcomes& outcomes,
                   std::size_t place) {
  json.begin_object();
  if (!document.document.key.empty()) json.member("id", document.document.key);
  if (outcomes.added.empty()) {
    write_found(json, service, outcomes.checked[place]);
  } else {
    const AddResult& result = outcomes.added[place];
    json.member("status", to_string(result.status));
    write_found(json, service, result.match);
    json.member("cluster", fmt::format_int(result.cluster).str()).member("kept", result.kept);
  }
  json.end_object();
}

}  // namespace neardup::server
