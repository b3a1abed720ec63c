// How does a long call of the library run under an interpreter?
//
// The library works on a thread of its own, without the interpreter's lock. The thread that called waits and wakes up
// often to let signals through (Ctrl-C) and to show progress, so that no thread of the library ever calls Python for
// either. Python is entered only by documents that come from Python objects (python_failure.h).
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <functional>
#include <string>

#include "neardup/context.h"

namespace neardup::python {

namespace nb = nanobind;

// What `run=` says: how a call runs, whatever it does.
struct RunOptions {
  unsigned threads = 0;
  std::size_t memory_bytes = 0;
  std::string temp_folder{};
  nb::object progress = nb::none();  // None, or a callable: (stage, done, total, unit, share)
};
// From a dict with threads, memory, temp_folder and progress.
RunOptions run_options(const nb::dict&);

// Runs `work` and returns when it has ended. Call it with the interpreter's lock. A signal whose handler raises stops
// the work, and what the handler raised comes out. What Python raised while documents were read comes out unchanged.
// Warnings of the library become Python warnings afterwards.
void run_call(const RunOptions&, const std::function<void(const Context&)>& work);

// Before the interpreter goes away: stops all calls, waits for them, and refuses further ones.
void stop_all_calls();

}  // namespace neardup::python
