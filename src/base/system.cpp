#include "base/system.h"

#include <sys/resource.h>

#include <algorithm>
#include <memory>

#include "neardup/error.h"
#include "neardup/threads.h"

namespace neardup::base {

unsigned threads(const Context& context) {
  if (context.arena == nullptr) return context.threads != 0 ? context.threads : default_threads();
  const unsigned most = context.arena->threads();
  return context.threads != 0 ? std::min(context.threads, most) : most;
}

std::size_t memory_bytes(const Context& context) {
  if (context.memory != nullptr) return context.memory->limit();
  return context.memory_bytes != 0 ? context.memory_bytes : default_memory_bytes();
}

Context resolve(const Context& context) {
  Context call = context;
  call.threads = threads(context);
  if (call.arena == nullptr || call.arena->threads() != call.threads)
    call.arena = std::make_shared<ThreadArena>(call.threads, 1);
  if (call.memory == nullptr) call.memory = std::make_shared<MemoryBudget>(context.memory_bytes);
  return call;
}

std::size_t memory_left(const Context& context) {
  return context.memory != nullptr ? context.memory->left() : memory_bytes(context);
}

Reservation reservation(const Context& context) {
  if (context.memory != nullptr) return Reservation(*context.memory);
  MemoryBudget own(context.memory_bytes);
  return Reservation(own);
}

bool try_hold(Reservation& memory, std::size_t bytes, std::size_t least) {
  if (bytes > least) return memory.try_resize(bytes);
  memory.hold(bytes);
  return true;
}

FileSystem& files(const Context& context) { return context.files != nullptr ? *context.files : system_files(); }

void check_stop(const Context& context) {
  if (context.stop.stop_requested()) throw Error(ErrorCode::interrupted, "interrupted");
}

std::uint64_t peak_memory_bytes() {
  struct rusage usage {};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

}  // namespace neardup::base
