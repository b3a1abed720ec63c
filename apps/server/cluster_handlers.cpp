// Handlers about clusters, their changes, and decisions of people.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "documents.h"
#include "handlers.h"
#include "json_input.h"
#include "json_parts.h"
#include "problem.h"
#include "service.h"

namespace neardup::server {
namespace {

void write_summary(Json& json, const ClusterSummary& summary) {
  json.member("id", id_text(summary.id)).member("documents", summary.documents).member("kept", summary.kept);
}

std::string page_start(Query& query) { return query.text("after").value_or(""); }

std::size_t page_size(Query& query) {
  return static_cast<std::size_t>(query.number("limit", kPageSize, 1, kMostPageSize));
}

void write_decision(Json& json, const Decision& decision) {
  json.begin_object().member("id", decision.id).member("kind", to_string(decision.kind)).member("a", decision.a);
  json.key("b");
  if (decision.b.empty()) {
    json.null();
  } else {
    json.value(decision.b);
  }
  json.member("author", decision.author).member("note", decision.note).member("time", time_text(decision.time));
  json.end_object();
}

std::optional<std::string> non_empty(const std::string& text) {
  return text.empty() ? std::nullopt : std::optional(text);
}

}  // namespace

Response list_clusters(Service& service, const Call& call) {
  const std::uint64_t least = call.query.number("min_size", 2, 2, 0xFFFFFFFF);
  const std::size_t limit = page_size(call.query);
  const std::string after = page_start(call.query);
  call.query.finish();
  const ClustersPage page = service.index.clusters(limit, after, least);
  Json json;
  json.begin_object().key("clusters").begin_array();
  for (const ClusterSummary& summary : page.clusters) {
    json.begin_object();
    write_summary(json, summary);
    json.end_object();
  }
  json.end_array();
  write_next(json, page.next);
  return {.body = json.end_object().take()};
}

Response get_cluster(Service& service, const Call& call) {
  const std::size_t limit = page_size(call.query);
  const std::string after = page_start(call.query);
  call.query.finish();
  const std::optional<std::uint64_t> id = parse_decimal(call.id);
  const std::optional<ClusterPage> page = id ? service.index.cluster(*id, limit, after) : std::nullopt;
  if (!page) throw Problem(ProblemCode::not_found, "no cluster has this id");
  Json json;
  json.begin_object();
  write_summary(json, page->summary);
  json.key("members").begin_array();
  for (const ClusterMember& member : page->members) {
    json.begin_object().member("id", member.key).member("sequence", member.sequence);
    json.member("kept", member.kept).member("score", member.score).end_object();
  }
  json.end_array();
  write_next(json, page->next);
  return {.body = json.end_object().take()};
}

Response list_decisions(Service& service, const Call& call) {
  const std::size_t limit = page_size(call.query);
  const std::uint64_t after = call.query.number("after", 0, 0, kMostNumber);
  call.query.finish();
  std::vector<Decision> decisions = service.index.decisions();
  std::erase_if(decisions, [&](const Decision& decision) { return decision.id <= after; });
  std::ranges::sort(decisions, {}, &Decision::id);
  const bool is_cut = decisions.size() > limit;
  decisions.resize(std::min(decisions.size(), limit));
  Json json;
  json.begin_object().key("decisions").begin_array();
  for (const Decision& decision : decisions) write_decision(json, decision);
  json.end_array();
  write_next(json, is_cut ? id_text(decisions.back().id) : "");
  return {.body = json.end_object().take()};
}

Response make_decision(Service& service, const Call& call) {
  constexpr std::size_t kMostAuthor = 200, kMostNote = 10'000;
  constexpr std::size_t kMostBytesOfACharacter = 4;
  call.query.finish();
  JsonInput input(call.request, service.limits.body_bytes);
  Decision decision;
  try {
    decision.kind = parse_decision_kind(input.required_text("kind"));
  } catch (const Error& error) {
    throw Problem(ProblemCode::bad_request, fmt::format("kind: {}", error.what()));
  }
  decision.a = input.required_text("a");
  decision.b = input.text("b").value_or("");
  decision.author = input.text("author").value_or("");
  decision.note = input.text("note").value_or("");
  input.finish();
  check_id(decision.a);
  const bool has_two = decision.kind == Decision::Kind::separate || decision.kind == Decision::Kind::same;
  if (has_two) check_id(decision.b);
  if (!has_two && !decision.b.empty()) throw Problem(ProblemCode::bad_request, "b: only for separate and same");
  if (decision.author.size() > kMostAuthor * kMostBytesOfACharacter)
    throw Problem(ProblemCode::bad_request, "author: it is too long");
  if (decision.note.size() > kMostNote * kMostBytesOfACharacter)
    throw Problem(ProblemCode::bad_request, "note: it is too long");
  Json json;
  json.begin_object().member("id", service.index.decide(decision)).end_object();
  return {.status = 201, .body = json.take()};
}

Response withdraw_decision(Service& service, const Call& call) {
  call.query.finish();
  const std::optional<std::uint64_t> id = parse_decimal(call.id);
  if (!id || !service.index.withdraw(*id)) throw Problem(ProblemCode::not_found, "no decision has this id");
  return {.status = 204, .content_type = {}};
}

Response list_changes(Service& service, const Call& call) {
  const std::uint64_t since = call.query.number("since", 0, 0, kMostNumber);
  const std::size_t limit = page_size(call.query);
  call.query.finish();
  const std::vector<IndexChange> changes = service.index.changes(since, limit);
  Json json;
  json.begin_object().key("changes").begin_array();
  for (const IndexChange& change : changes) {
    const bool has_other = change.kind == IndexChange::Kind::merged || change.kind == IndexChange::Kind::split;
    json.begin_object().member("token", change.token).member("time", time_text(change.time));
    json.member("kind", to_string(change.kind)).member("cluster", id_text(change.cluster));
    json.member("other", has_other ? std::optional(id_text(change.other)) : std::nullopt);
    json.member("document", non_empty(change.document)).member("reason", change.reason).end_object();
  }
  json.end_array().member("last", changes.empty() ? since : changes.back().token);
  return {.body = json.end_object().take()};
}

}  // namespace neardup::server
