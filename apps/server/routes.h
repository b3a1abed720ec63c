// Which paths does the service have? routes.cpp has the table; openapi.json describes it.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "http.h"

namespace neardup::server {

class Service;
class Query;

// Who may call it, where tokens are in use.
enum class Access { open, read, write, admin };

// Where it runs.
enum class Lane {
  at_once,    // on the thread of the connection: does no work
  documents,  // single requests with documents, which are answered together (document_routes.h)
  bulk,       // streams (bulk.h)
  slow,       // anything else
};

// A request on its way to a handler.
struct Call {
  const Request& request;
  std::string_view id;  // decoded, of a path with {id}
  Query& query;
};

struct Route {
  Method method;
  std::string_view pattern;  // {id} stands for one part of a path
  Access access;
  Lane lane;
  Response (*handle)(Service&, const Call&);  // null for documents and bulk
};

struct RouteMatch {
  const Route* route = nullptr;
  std::string id{};
  [[nodiscard]] std::size_t place() const;  // in routes()
};

std::span<const Route> routes();
std::string_view method_name(Method);
// Throws Problem when there is no such path, or not with this method. HEAD is taken for GET.
RouteMatch find_route(const Request&);
// Runs the handler of a route that is neither documents nor bulk; what it throws becomes a response.
Response answer(Service&, const RouteMatch&, const Request&);

}  // namespace neardup::server
