// How does the library keep its promise that only neardup::Error leaves it?
#pragma once

#include <exception>
#include <new>
#include <string>
#include <utility>

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

}  // namespace neardup::base
