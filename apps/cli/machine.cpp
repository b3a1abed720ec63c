#include "machine.h"

#include <fmt/format.h>
#include <tbb/global_control.h>

#include <cstddef>

#include "neardup/error.h"
#include "neardup/threads.h"

namespace neardup::cli {

struct Machine::Threads {
  explicit Threads(unsigned count) : limit(tbb::global_control::max_allowed_parallelism, count) {}
  tbb::global_control limit;
};

Machine::Machine(Context& context) {
  if (context.threads > default_threads()) threads_ = std::make_unique<Threads>(context.threads);
  constexpr std::size_t kProgramBytes = std::size_t{12} << 20;  // code, tables of Unicode, stacks
  constexpr std::size_t kLeast = std::size_t{16} << 20;         // and anything to do
  if (context.memory_bytes != 0 && context.memory_bytes < kLeast) {
    throw Error(ErrorCode::limit,
                fmt::format("--memory {} bytes is too small for any input; the least that suffices is {}M",
                            context.memory_bytes, kLeast >> 20));
  }
  context.memory = std::make_shared<MemoryBudget>(context.memory_bytes);
  program_ = Reservation(*context.memory);
  program_.hold(kProgramBytes);
}

Machine::~Machine() = default;

}  // namespace neardup::cli
