// Where does work run that must not hold up connections?
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "document_routes.h"
#include "service.h"

namespace neardup::server {

struct PoolSizes {
  unsigned document_threads = 2;
  unsigned slow_threads = 2;
  std::size_t queue = 4096;                              // requests that may wait
  std::uint64_t queue_bytes = std::uint64_t{256} << 20;  // and their bodies
};

// Two groups of threads: one for requests with documents, which are answered together as they come, and one for
// everything else. Threads: members may run concurrently.
class Pool {
 public:
  Pool(Service&, const PoolSizes&);
  ~Pool();  // finishes what was accepted
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  // False when the queue is full: the job is not taken.
  [[nodiscard]] bool submit(Job&);
  // A piece of a stream that was accepted before; never refused.
  void run(std::function<void()> work);

 private:
  template <class Item>
  struct Queue {
    std::mutex mutex;
    std::condition_variable changed;
    std::deque<Item> items;
    bool is_closed = false;
  };

  void answer_documents();
  void answer_others();

  Service& service_;
  const PoolSizes sizes_;
  std::atomic<std::uint64_t> bytes_ = 0;
  Queue<Job> documents_;
  Queue<std::function<void()>> others_;
  std::vector<std::thread> threads_;
};

}  // namespace neardup::server
