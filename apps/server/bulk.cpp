#include "bulk.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <vector>

#include "problem.h"
#include "query.h"

namespace neardup::server {
namespace {

// Documents of one call of the index: enough to share a commit, few enough to share the index with other requests.
constexpr std::size_t kAtOnce = 2000;
constexpr std::size_t kDecoded = std::size_t{1} << 20;

void write_error(Json& json, std::uint64_t line, std::string_view id, const Problem& problem) {
  json.begin_object().member("line", line);
  if (!id.empty()) json.member("id", id);
  json.key("error").raw(to_json(problem)).end_object().end_line();
}

bool is_blank(std::string_view line) { return line.find_first_not_of(" \t\r") == line.npos; }

}  // namespace

// A line that was read: a document or what is wrong with it.
struct BulkStream::Line {
  std::uint64_t number = 0;
  IndexDocument document{};
  std::optional<Problem> problem{};
};

BulkStream::BulkStream(Service& service, const Request& request)
    : service_(service), decoder_(BodyDecoder::make(request.content_encoding)), parser_(service.index) {
  Query query(request.query());
  const std::size_t action = query.choice("action", {"check-or-add", "add", "check"});
  const std::size_t conflict = query.choice("on_conflict", {"refuse", "replace"});
  query.finish();
  action_ = action == 0 ? Action::check_or_add : action == 2 ? Action::check : Action::add;
  if (conflict == 1) {
    if (action_ != Action::add) throw Problem(ProblemCode::bad_request, "on_conflict=replace: only with action=add");
    action_ = Action::replace;
  }
  const std::string type = media_type(request.content_type);
  if (type != "application/x-ndjson" && type != "application/ndjson" && type != "application/jsonl")
    throw Problem(ProblemCode::unsupported_media_type, "Content-Type must be application/x-ndjson");
  if (request.is_http_1_0) throw Problem(ProblemCode::bad_http, "bulk needs HTTP/1.1");
}

std::string BulkStream::refuse_rest(const Problem& problem) {
  is_broken_ = true;
  Json json;
  write_error(json, line_ + 1, {}, problem);
  return json.take();
}

std::string BulkStream::feed(std::string_view bytes, bool is_last) noexcept {
  std::string out;
  try {
    bool has_more = true;
    while (has_more) {
      has_more = decoder_->step(bytes, pending_, kDecoded) || !bytes.empty();
      if (!has_more && is_last) {
        decoder_->finish();
        if (!pending_.empty() && pending_.back() != '\n') pending_ += '\n';
      }
      const std::size_t end = pending_.rfind('\n') + 1;
      pending_.reserve(pending_.size() + DocumentParser::kPadding);
      answer_lines(std::string_view(pending_).substr(0, end), out);
      pending_.erase(0, end);
      if (pending_.size() > service_.limits.body_bytes)
        throw Problem(ProblemCode::body_too_large, "a line is longer than the server accepts");
    }
  } catch (const Problem& problem) {
    out += refuse_rest(problem);
  } catch (const std::exception& error) {
    service_.log(fmt::format("/v1/bulk: {}", error.what()));
    out += refuse_rest(Problem(ProblemCode::internal, "the server's log has the reason"));
  }
  return out;
}

void BulkStream::answer_lines(std::string_view lines, std::string& out) {
  const NeedsId needs_id = action_ == Action::check ? NeedsId::no : NeedsId::yes;
  while (!lines.empty()) {
    Arena arena;
    std::vector<Line> read;
    while (!lines.empty() && read.size() < kAtOnce) {
      const std::size_t end = lines.find('\n');  // every line has one
      const std::string_view text = lines.substr(0, end);
      lines.remove_prefix(end + 1);
      ++line_;
      if (is_blank(text)) continue;
      Line& line = read.emplace_back(Line{.number = line_});
      try {
        line.document = parser_.parse_line(text, needs_id, arena);
      } catch (const Problem& problem) {
        line.problem = problem;
      }
    }
    perform_all(read, out);
  }
}

void BulkStream::perform_all(std::span<Line> lines, std::string& out) {
  std::vector<IndexDocument> documents;
  for (const Line& line : lines)
    if (!line.problem) documents.push_back(line.document);
  Outcomes outcomes;
  if (!documents.empty()) {
    try {
      outcomes = perform(service_.index, action_, documents);
    } catch (const Error& error) {
      const Problem problem = problem_of(error);
      if (lines.size() == 1 || problem.code() != ProblemCode::invalid_document) {
        if (problem.status() >= 500) service_.log(fmt::format("/v1/bulk: {}", error.what()));
        for (Line& line : lines)
          if (!line.problem) line.problem = problem;
      } else {  // find the lines at fault
        for (Line& line : lines) perform_all(std::span(&line, 1), out);
        return;
      }
    }
  }
  std::size_t place = 0;
  Json json(std::move(out));
  for (const Line& line : lines) {
    if (line.problem) {
      write_error(json, line.number, line.document.document.key, *line.problem);
    } else {
      write_outcome(json, service_, line.document, outcomes, place++);
      json.end_line();
    }
  }
  out = json.take();
}

}  // namespace neardup::server
