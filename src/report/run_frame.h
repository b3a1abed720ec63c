// The frame of a call that takes several stages: times them, and tells the user what goes on.
#pragma once

#include <string>
#include <utility>

#include "base/system.h"
#include "neardup/context.h"
#include "neardup/report.h"

namespace neardup::report {

class RunFrame {
 public:
  // Both must outlive the frame.
  RunFrame(RunFacts& facts, const Context& context) : facts_(facts), context_(context) {}

  // Runs a stage and returns what it made.
  template <class Stage>
  auto stage(const char* name, Stage&& run) {
    const base::Stopwatch watch;
    struct Note {
      RunFacts& facts;
      const char* name;
      const base::Stopwatch& watch;
      ~Note() { facts.stages.push_back({name, watch.seconds()}); }
    } note{facts_, name, watch};
    return std::forward<Stage>(run)();
  }

  void warn(std::string message) {
    if (context_.observer != nullptr) context_.observer->warning(message);
    facts_.warnings.push_back(std::move(message));
  }

  // What the run took so far.
  void measure() {
    facts_.seconds = watch_.seconds();
    facts_.peak_memory_bytes = base::peak_memory_bytes();
  }

 private:
  RunFacts& facts_;
  const Context& context_;
  base::Stopwatch watch_;
};

}  // namespace neardup::report
