// How does the library ensure that it throws only neardup::Error?
#pragma once

#include <exception>
#include <new>
#include <string>
#include <utility>

#include "base/system.h"
#include "neardup/error.h"

namespace neardup::base {

// Runs the body of a public function.
template <class Body>
decltype(auto) guarded(Body&& body) {
  try {
    return std::forward<Body>(body)();
  } catch (const Error&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::limit, "out of memory", "memory");
  } catch (const std::exception& problem) {
    throw Error(ErrorCode::internal, std::string("internal error: ") + problem.what() + "; please report it");
  }
}

// The same for a call that takes a context. The body gets one that has an arena and a budget, which all it does shares.
template <class Body>
decltype(auto) guarded(const Context& context, Body&& body) {
  return guarded([&] {
    const Context call = resolve(context);
    return body(call);
  });
}

}  // namespace neardup::base
