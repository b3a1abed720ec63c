#include "pool.h"

#include <memory>
#include <utility>

namespace neardup::server {
namespace {

// What one call of the index answers: enough to share a commit, little enough that nobody waits long.
constexpr std::size_t kMostTogether = 512;
constexpr std::uint64_t kMostBytesTogether = std::uint64_t{4} << 20;

template <class Queue>
void close(Queue& queue) {
  {
    const std::lock_guard lock(queue.mutex);
    queue.is_closed = true;
  }
  queue.changed.notify_all();
}

}  // namespace

Pool::Pool(Service& service, const PoolSizes& sizes) : service_(service), sizes_(sizes) {
  for (unsigned i = 0; i < sizes.document_threads; ++i) threads_.emplace_back([this] { answer_documents(); });
  for (unsigned i = 0; i < sizes.slow_threads; ++i) threads_.emplace_back([this] { answer_others(); });
}

Pool::~Pool() {
  close(documents_);
  close(others_);
  for (std::thread& thread : threads_) thread.join();
}

bool Pool::submit(Job& job) {
  const std::uint64_t bytes = job.request.body.size();
  const auto waiting = static_cast<std::size_t>(service_.metrics.waiting.load(std::memory_order_relaxed));
  if (waiting >= sizes_.queue || bytes_.load(std::memory_order_relaxed) + bytes > sizes_.queue_bytes) return false;
  service_.metrics.waiting.fetch_add(1, std::memory_order_relaxed);
  bytes_.fetch_add(bytes, std::memory_order_relaxed);
  if (job.match.route->lane == Lane::documents) {
    bool was_empty = false;
    {
      const std::lock_guard lock(documents_.mutex);
      was_empty = documents_.items.empty();
      documents_.items.push_back(std::move(job));
    }
    // Requests that come while a thread is being woken join its group; another thread is not needed for them.
    if (was_empty) documents_.changed.notify_one();
    return true;
  }
  auto shared = std::make_shared<Job>(std::move(job));
  run([this, shared, bytes] {
    service_.metrics.waiting.fetch_sub(1, std::memory_order_relaxed);
    shared->done(answer(service_, shared->match, shared->request));
    bytes_.fetch_sub(bytes, std::memory_order_relaxed);
  });
  return true;
}

void Pool::run(std::function<void()> work) {
  {
    const std::lock_guard lock(others_.mutex);
    others_.items.push_back(std::move(work));
  }
  others_.changed.notify_one();
}

void Pool::answer_documents() {
  DocumentAnswerer answerer(service_);
  std::vector<Job> jobs;
  for (;;) {
    jobs.clear();
    std::uint64_t bytes = 0;
    {
      std::unique_lock lock(documents_.mutex);
      documents_.changed.wait(lock, [&] { return documents_.is_closed || !documents_.items.empty(); });
      if (documents_.items.empty()) return;
      // A run of requests for the same route, so that checks never wait for the commit of others.
      const Route* const route = documents_.items.front().match.route;
      while (!documents_.items.empty() && jobs.size() < kMostTogether && bytes < kMostBytesTogether &&
             documents_.items.front().match.route == route) {
        bytes += documents_.items.front().request.body.size();
        jobs.push_back(std::move(documents_.items.front()));
        documents_.items.pop_front();
      }
      if (!documents_.items.empty()) documents_.changed.notify_one();
    }
    service_.metrics.waiting.fetch_sub(static_cast<std::int64_t>(jobs.size()), std::memory_order_relaxed);
    answerer.answer(jobs);
    bytes_.fetch_sub(bytes, std::memory_order_relaxed);
  }
}

void Pool::answer_others() {
  for (;;) {
    std::function<void()> work;
    {
      std::unique_lock lock(others_.mutex);
      others_.changed.wait(lock, [&] { return others_.is_closed || !others_.items.empty(); });
      if (others_.items.empty()) return;
      work = std::move(others_.items.front());
      others_.items.pop_front();
    }
    work();
  }
}

}  // namespace neardup::server
