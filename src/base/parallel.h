// How is a loop spread over the threads a context allows, and stopped half-way?
#pragma once

#include <cstddef>
#include <functional>

#include "neardup/context.h"

namespace neardup::base {

// Runs `work` where oneTBB's algorithms use as many threads as the context says.
void with_threads(const Context&, const std::function<void()>& work);

// Runs body(first, last) over pieces of [0, count) on the context's threads. Pieces are small enough to balance uneven
// work. Throws Error{interrupted} when asked to stop; an exception of the body comes through as it is.
void parallel_for(const Context&, std::size_t count,
                  const std::function<void(std::size_t first, std::size_t last)>& body);

}  // namespace neardup::base
