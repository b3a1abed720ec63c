// Which threads does a call use?
#pragma once

#include <functional>
#include <memory>

namespace neardup {

// A number of threads, including the caller's. They belong to oneTBB and are shared by the whole process: oneTBB starts
// one per core, and never more, unless the program itself has raised that limit (tbb::global_control). Results never
// depend on the number of threads. Costs nothing until it is used.
//
// Several calls may share an arena. Each runs on the thread it was called on, and the other threads help where there
// is work. Threads: members may run concurrently.
class ThreadArena {
 public:
  // 0 threads: default_threads(). `callers`: how many calls may run at once; a further one waits, which is a deadlock
  // if it holds a lock that the running ones need.
  explicit ThreadArena(unsigned threads = 0, unsigned callers = 16);
  ~ThreadArena();
  ThreadArena(const ThreadArena&) = delete;
  ThreadArena& operator=(const ThreadArena&) = delete;

  [[nodiscard]] unsigned threads() const noexcept;  // as requested
  // Runs `work` on the calling thread, which does nothing else meanwhile; oneTBB tasks that it starts run on all
  // threads of the arena.
  void execute(const std::function<void()>& work);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// One per core that this process may run on, but no more than its control groups (cgroups) allow.
unsigned default_threads();

}  // namespace neardup
