// How are /v1/check, /v1/add and /v1/check-or-add answered?
//
// Requests that wait at the same time become one call of the index: one snapshot for many checks, one commit for many
// documents. Each request still gets its own answer, and a document that the index refuses spoils no other request.
#pragma once

#include <functional>
#include <memory>
#include <span>

#include "documents.h"
#include "http.h"
#include "routes.h"
#include "service.h"

namespace neardup::server {

// A request and where its response goes. `done` is called once, on any thread.
struct Job {
  Request request;
  RouteMatch match;
  std::function<void(Response)> done;
};

// What one thread keeps between requests. Threads: one at a time.
class DocumentAnswerer {
 public:
  explicit DocumentAnswerer(Service& service) : service_(service), parser_(service.index) {}
  // Answers all jobs. Never throws.
  void answer(std::span<Job> jobs) noexcept;

 private:
  Service& service_;
  DocumentParser parser_;
};

}  // namespace neardup::server
