// What does the program set for its whole process? The library leaves that to the program.
#pragma once

#include <memory>

#include "neardup/context.h"
#include "neardup/memory.h"

namespace neardup::cli {

// As many threads as --threads asks for, also beyond the number of cores, and a budget from which the program itself is
// taken off, so that the whole process stays below --memory. Holds while it lives.
class Machine {
 public:
  explicit Machine(Context&);
  ~Machine();
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

 private:
  struct Threads;
  std::unique_ptr<Threads> threads_;  // null: as many as there are cores suffice
  Reservation program_;
};

}  // namespace neardup::cli
