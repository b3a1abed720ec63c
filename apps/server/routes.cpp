#include "routes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "handlers.h"
#include "metrics.h"
#include "problem.h"
#include "query.h"
#include "service.h"

namespace neardup::server {
namespace {

constexpr std::array kRoutes = std::to_array<Route>({
    {Method::post, "/v1/check", Access::read, Lane::documents, nullptr},
    {Method::post, "/v1/add", Access::write, Lane::documents, nullptr},
    {Method::post, "/v1/check-or-add", Access::write, Lane::documents, nullptr},
    {Method::post, "/v1/bulk", Access::write, Lane::bulk, nullptr},
    {Method::post, "/v1/remove", Access::write, Lane::slow, remove_documents},
    {Method::get, "/v1/documents/{id}", Access::read, Lane::slow, get_document},
    {Method::remove, "/v1/documents/{id}", Access::write, Lane::slow, delete_document},
    {Method::get, "/v1/clusters", Access::read, Lane::slow, list_clusters},
    {Method::get, "/v1/clusters/{id}", Access::read, Lane::slow, get_cluster},
    {Method::post, "/v1/compare", Access::read, Lane::slow, compare_documents},
    {Method::get, "/v1/decisions", Access::read, Lane::slow, list_decisions},
    {Method::post, "/v1/decisions", Access::write, Lane::slow, make_decision},
    {Method::remove, "/v1/decisions/{id}", Access::write, Lane::slow, withdraw_decision},
    {Method::get, "/v1/changes", Access::read, Lane::slow, list_changes},
    {Method::get, "/v1/snapshots", Access::admin, Lane::slow, list_snapshots},
    {Method::post, "/v1/snapshots", Access::admin, Lane::slow, make_snapshot},
    {Method::get, "/v1/stats", Access::read, Lane::slow, show_stats},
    {Method::get, "/openapi.json", Access::open, Lane::at_once, show_openapi},
    {Method::get, "/healthz", Access::open, Lane::at_once, show_live},
    {Method::get, "/livez", Access::open, Lane::at_once, show_live},
    {Method::get, "/readyz", Access::open, Lane::at_once, show_ready},
    {Method::get, "/metrics", Access::read, Lane::slow, show_metrics},
});
static_assert(kRoutes.size() < Metrics::kMostRoutes - 1);

// Everything else that is read: the page and its files.
constexpr Route kPage{Method::get, "page", Access::open, Lane::at_once, show_page};

// Whether a path fits a pattern; `id` gets what {id} stands for, not decoded.
bool fits(std::string_view path, std::string_view pattern, std::string_view& id) {
  constexpr std::string_view kId = "{id}";
  if (!pattern.ends_with(kId)) return path == pattern;
  pattern.remove_suffix(kId.size());
  if (!path.starts_with(pattern)) return false;
  id = path.substr(pattern.size());
  return !id.empty() && id.find('/') == id.npos;
}

std::string decoded_id(std::string_view id) {
  if (auto decoded = percent_decoded(id)) return std::move(*decoded);
  throw Problem(ProblemCode::bad_request, "the path has a % that is not followed by two hexadecimal digits");
}

}  // namespace

std::size_t RouteMatch::place() const {
  return route >= kRoutes.data() && route < kRoutes.data() + kRoutes.size()
             ? static_cast<std::size_t>(route - kRoutes.data())
             : kRoutes.size();
}

std::span<const Route> routes() { return kRoutes; }

std::string_view method_name(Method method) {
  switch (method) {
    case Method::get:
      return "GET";
    case Method::head:
      return "HEAD";
    case Method::post:
      return "POST";
    case Method::remove:
      return "DELETE";
    case Method::other:
      break;
  }
  return "other";
}

RouteMatch find_route(const Request& request) {
  const Method method = request.method == Method::head ? Method::get : request.method;
  const std::string_view path = request.path();
  std::string allowed;
  for (const Route& route : kRoutes) {
    std::string_view id;
    if (!fits(path, route.pattern, id)) continue;
    if (route.method == method) return {&route, decoded_id(id)};
    allowed += fmt::format("{}{}{}", allowed.empty() ? "" : ", ", method_name(route.method),
                           route.method == Method::get ? ", HEAD" : "");
  }
  if (!allowed.empty())
    throw Problem(ProblemCode::method_not_allowed, fmt::format("this path allows {}", allowed), {}, allowed);
  const bool is_api = path == "/v1" || path.starts_with("/v1/");
  if (is_api || method != Method::get || !path.starts_with('/'))
    throw Problem(ProblemCode::not_found, "no such path; /openapi.json lists them");
  return {&kPage, {}};
}

Response answer(Service& service, const RouteMatch& match, const Request& request) {
  try {
    Query query(request.query());
    return match.route->handle(service, Call{request, match.id, query});
  } catch (const Problem& problem) {
    return to_response(problem);
  } catch (const Error& error) {
    const Problem problem = problem_of(error);
    if (problem.status() >= 500) service.log(fmt::format("{}: {}", match.route->pattern, error.what()));
    return to_response(problem);
  } catch (const std::exception& error) {
    service.log(fmt::format("{}: {}", match.route->pattern, error.what()));
    return to_response(Problem(ProblemCode::internal, "the server's log has the reason"));
  }
}

}  // namespace neardup::server
