#include "document_routes.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <vector>

#include "actions.h"
#include "body_decoder.h"
#include "problem.h"
#include "query.h"

namespace neardup::server {
namespace {

constexpr std::uint64_t kMostMatches = 1000;

// A job whose documents were read: those from `first` on.
struct ReadJob {
  Job* job = nullptr;
  Action action = Action::check;
  std::size_t first = 0, count = 0;
  bool is_batch = false;
  std::size_t matches = 0;  // to be listed
};

Action action_of(const RouteMatch& match, Query& query) {
  if (match.route->pattern == "/v1/check") return Action::check;
  if (match.route->pattern == "/v1/check-or-add") return Action::check_or_add;
  return query.choice("on_conflict", {"refuse", "replace"}) == 0 ? Action::add : Action::replace;
}

// Texts are UTF-8; a declaration of something else is not ignored.
void check_charset(std::string_view content_type) {
  std::string parameters(content_type.substr(std::min(content_type.find(';'), content_type.size())));
  std::ranges::transform(parameters, parameters.begin(), [](unsigned char c) { return std::tolower(c); });
  const std::size_t at = parameters.find("charset=");
  if (at == parameters.npos) return;
  const std::string_view name = std::string_view(parameters).substr(at + std::string_view("charset=").size());
  for (const std::string_view good : {"utf-8", "\"utf-8\"", "us-ascii"})
    if (name.starts_with(good)) return;
  throw Problem(ProblemCode::unsupported_media_type, "texts must be UTF-8");
}

// Reads a job's documents, appending them to `documents`. Throws Problem.
ReadJob read_job(Job& job, DocumentParser& parser, const ServiceLimits& limits, Arena& arena,
                 std::vector<IndexDocument>& documents) {
  Request& request = job.request;
  Query query(request.query());
  ReadJob read{.job = &job, .action = action_of(job.match, query), .first = documents.size()};
  if (read.action == Action::check) read.matches = query.number("matches", 0, 0, kMostMatches);
  const std::optional<std::string> id = query.text("id");
  query.finish();
  if (!request.content_encoding.empty())
    request.body = decoded_body(std::move(request.body), request.content_encoding, limits.body_bytes);
  const NeedsId needs_id = read.action == Action::check ? NeedsId::no : NeedsId::yes;
  const std::string type = media_type(request.content_type);
  if (type == "application/json") {
    if (id) throw Problem(ProblemCode::bad_request, "id: a JSON document has its own");
    read.is_batch = parser.parse_body(request.body, needs_id, limits.documents, arena, documents);
  } else if (type == "text/plain" || type == "text/html") {
    check_charset(request.content_type);
    if (!id && needs_id == NeedsId::yes) throw Problem(ProblemCode::bad_request, "id: the parameter is missing");
    if (id) check_id(*id);
    documents.push_back(parser.raw_text(arena.copy(id.value_or("")), request.body, type == "text/html"));
  } else {
    throw Problem(ProblemCode::unsupported_media_type,
                  "Content-Type must be application/json, text/plain or text/html");
  }
  read.count = documents.size() - read.first;
  if (read.matches != 0 && read.is_batch)
    throw Problem(ProblemCode::bad_request, "matches: only for one document, not for a batch");
  return read;
}

Response response_to(const ReadJob& read, const Service& service, std::span<const IndexDocument> documents,
                     const Outcomes& outcomes, std::size_t offset) {
  if (!read.is_batch && !outcomes.added.empty() && outcomes.added[offset].status == AddStatus::conflict)
    throw Problem(ProblemCode::conflict, "the id is in the index with other content; on_conflict=replace replaces it");
  Json json;
  if (read.is_batch) json.begin_object().key("results").begin_array();
  for (std::size_t i = 0; i < read.count; ++i)
    write_outcome(json, service, documents[read.first + i], outcomes, offset + i);
  if (read.is_batch) json.end_array().end_object();
  return {.body = json.take()};
}

Response matches_of(const ReadJob& read, const Service& service, const IndexDocument& document) {
  const std::vector<IndexMatch> matches = service.index.matches(document, read.matches);
  Json json;
  json.begin_object();
  if (!document.document.key.empty()) json.member("id", document.document.key);
  json.member("duplicate", !matches.empty()).key("match");
  if (matches.empty()) {
    json.null();
  } else {
    write_match(json, service, matches.front());
  }
  json.key("matches").begin_array();
  for (const IndexMatch& match : matches) write_match(json, service, match);
  json.end_array().end_object();
  return {.body = json.take()};
}

// Runs `work`, which answers the job; what it throws becomes the answer.
template <class Work>
void settle(Service& service, Job& job, const Work& work) {
  Response response;
  try {
    response = work();
  } catch (const Problem& problem) {
    response = to_response(problem);
  } catch (const Error& error) {
    const Problem problem = problem_of(error);
    if (problem.status() >= 500) service.log(fmt::format("{}: {}", job.match.route->pattern, error.what()));
    response = to_response(problem);
  } catch (const std::exception& error) {
    service.log(fmt::format("{}: {}", job.match.route->pattern, error.what()));
    response = to_response(Problem(ProblemCode::internal, "the server's log has the reason"));
  }
  job.done(std::move(response));
}

// Answers jobs with the same action by one call of the index. When the index refuses it, each job is tried alone, so
// that only the one at fault learns of it.
void answer_together(Service& service, std::span<const ReadJob> reads, std::span<const IndexDocument> documents) {
  const std::size_t first = reads.front().first, count = reads.back().first + reads.back().count - first;
  Outcomes outcomes;
  try {
    outcomes = perform(service.index, reads.front().action, documents.subspan(first, count));
  } catch (...) {
    const auto error = std::current_exception();
    if (reads.size() == 1)
      return settle(service, *reads.front().job, [&]() -> Response { std::rethrow_exception(error); });
    for (const ReadJob& read : reads) answer_together(service, std::span(&read, 1), documents);
    return;
  }
  service.metrics.commit_calls.fetch_add(1, std::memory_order_relaxed);
  service.metrics.commit_requests.fetch_add(reads.size(), std::memory_order_relaxed);
  for (const ReadJob& read : reads)
    settle(service, *read.job, [&] { return response_to(read, service, documents, outcomes, read.first - first); });
}

}  // namespace

void DocumentAnswerer::answer(std::span<Job> jobs) noexcept {
  Arena arena;
  std::vector<IndexDocument> documents;
  std::vector<ReadJob> reads;
  for (Job& job : jobs) {
    const std::size_t before = documents.size();
    try {
      reads.push_back(read_job(job, parser_, service_.limits, arena, documents));
    } catch (...) {
      documents.resize(before);
      const auto error = std::current_exception();
      settle(service_, job, [&]() -> Response { std::rethrow_exception(error); });
    }
  }
  for (std::size_t i = 0; i < reads.size();) {
    if (reads[i].matches != 0) {
      settle(service_, *reads[i].job, [&] { return matches_of(reads[i], service_, documents[reads[i].first]); });
      ++i;
      continue;
    }
    std::size_t end = i + 1;
    while (end < reads.size() && reads[end].action == reads[i].action && reads[end].matches == 0) ++end;
    answer_together(service_, std::span(reads).subspan(i, end - i), documents);
    i = end;
  }
}

}  // namespace neardup::server
