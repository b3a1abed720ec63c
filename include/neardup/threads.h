// Which threads does a call work on?
#pragma once

#include <functional>
#include <memory>

namespace neardup {

// So many threads, the caller's own among them. They are oneTBB's, which the whole process shares: oneTBB starts one a
// core, and where more are asked for no more come, unless the program itself has raised that limit
// (tbb::global_control). Answers never depend on how many there are. Costs nothing until it is used.
//
// Several calls may share an arena. Each works on the thread it was called on, and the other threads help where there
// is work. Threads: members may run concurrently.
class ThreadArena {
 public:
  // 0 threads: default_threads(). `callers`: so many calls may run at once; a further one waits, which is a deadlock
  // when it holds a lock that those who run want.
  explicit ThreadArena(unsigned threads = 0, unsigned callers = 16);
  ~ThreadArena();
  ThreadArena(const ThreadArena&) = delete;
  ThreadArena& operator=(const ThreadArena&) = delete;

  [[nodiscard]] unsigned threads() const noexcept;  // as many as were asked for
  // Runs `work` on the calling thread, which helps with nothing else meanwhile; what it starts with oneTBB runs on all
  // threads of the arena.
  void execute(const std::function<void()>& work);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// One for each core that this process may run on, but no more than its control groups (cgroups) give time to.
unsigned default_threads();

}  // namespace neardup
