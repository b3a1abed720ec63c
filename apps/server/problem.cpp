#include "problem.h"

#include <array>

#include "json.h"

namespace neardup::server {
namespace {

struct ProblemText {
  std::string_view name;
  int status;
  std::string_view title;
};

// In the order of ProblemCode.
constexpr std::array kTexts = std::to_array<ProblemText>({
    {"bad_request", 400, "The request is not valid"},
    {"bad_json", 400, "The body is not valid JSON"},
    {"bad_encoding", 400, "The body cannot be decompressed"},
    {"bad_http", 400, "The request is not valid HTTP"},
    {"unauthorized", 401, "A token is required"},
    {"forbidden", 403, "The token does not allow this"},
    {"bad_host", 421, "The Host header names another server"},
    {"bad_origin", 403, "The request comes from another site"},
    {"not_found", 404, "Not found"},
    {"method_not_allowed", 405, "The method is not allowed here"},
    {"timeout", 408, "The request took too long to arrive"},
    {"conflict", 409, "The id is in the index with other content"},
    {"body_too_large", 413, "The body is too large"},
    {"headers_too_large", 431, "The header is too large"},
    {"unsupported_media_type", 415, "The media type is not supported"},
    {"invalid_document", 422, "The request does not fit the index"},
    {"internal", 500, "The server failed"},
    {"busy", 503, "The server is busy"},
    {"read_only", 503, "The index does not accept changes"},
    {"draining", 503, "The server is shutting down"},
});
static_assert(kTexts.size() == static_cast<std::size_t>(ProblemCode::draining) + 1);

const ProblemText& text_of(ProblemCode code) { return kTexts[static_cast<std::size_t>(code)]; }

}  // namespace

int Problem::status() const noexcept { return text_of(code_).status; }

Problem problem_of(const Error& error) {
  switch (error.code()) {
    case ErrorCode::usage:
      return {ProblemCode::invalid_document, error.what(), error.option()};
    case ErrorCode::limit:
      return {ProblemCode::busy, "the memory limit is reached"};
    case ErrorCode::output:
      return {ProblemCode::read_only, "a write to the disk failed; the server's log has the reason"};
    case ErrorCode::interrupted:
      return {ProblemCode::draining, "the server is shutting down"};
    case ErrorCode::input:
    case ErrorCode::corrupt:
    case ErrorCode::locked:
    case ErrorCode::internal:
      break;
  }
  return {ProblemCode::internal, "the server's log has the reason"};
}

std::string to_json(const Problem& problem) {
  const ProblemText& text = text_of(problem.code());
  Json json;
  json.begin_object();
  json.member("type", "about:blank").member("title", text.title).member("status", text.status);
  json.member("code", text.name).member("detail", problem.what());
  if (!problem.option().empty()) json.member("option", problem.option());
  return json.end_object().take();
}

Response to_response(const Problem& problem) {
  Response response{.status = problem.status(), .content_type = "application/problem+json", .body = to_json(problem)};
  if (response.status == 503) response.headers.emplace_back("Retry-After", "1");
  if (!problem.allow().empty()) response.headers.emplace_back("Allow", problem.allow());
  if (response.status == 401) response.headers.emplace_back("WWW-Authenticate", "Bearer realm=\"neardup\"");
  return response;
}

}  // namespace neardup::server
