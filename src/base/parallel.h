// How is a loop spread over the threads a context allows, and stopped half-way?
#pragma once

#include <cstddef>
#include <functional>

#include "neardup/context.h"

namespace neardup::base {

// Runs body(first, last) over pieces of [0, count) on the context's threads. Pieces are small enough to balance uneven
// work. Throws Error{interrupted} when asked to stop; an exception of the body comes through as it is.
void parallel_for(const Context&, std::size_t count, const std::function<void(std::size_t first, std::size_t last)>& body);

}  // namespace neardup::base
