#include "index/background.h"

#include <chrono>

namespace neardup::indexing {

Background::Background(Store& store, UnitSearch& search, Durability durability) : store_(store), search_(search) {
  maintaining_ = std::jthread([this](const std::stop_token& stop) { maintain(stop); });
  if (durability == Durability::batch) syncing_ = std::jthread([this](const std::stop_token& stop) { sync(stop); });
}

Background::~Background() {
  maintaining_.request_stop();
  if (syncing_.joinable()) {
    syncing_.request_stop();
    syncing_.join();
  }
}

void Background::notice() {
  is_unsynced_ = true;
  if (!search_.has_work()) return;
  {
    const std::lock_guard lock(mutex_);
    has_news_ = true;
  }
  changed_.notify_all();
}

void Background::maintain(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    {
      std::unique_lock lock(mutex_);
      if (!changed_.wait(lock, stop, [&] { return has_news_; })) return;
      has_news_ = false;
    }
    try {
      while (!stop.stop_requested() && search_.has_work()) search_.maintain();
    } catch (...) {  // NOLINT(bugprone-empty-catch): the next change tries again
    }
  }
}

void Background::sync(const std::stop_token& stop) {
  constexpr std::chrono::milliseconds kPause{500};
  std::mutex mutex;
  std::condition_variable_any pause;
  while (true) {
    std::unique_lock lock(mutex);
    pause.wait_for(lock, stop, kPause, [] { return false; });
    try {
      if (is_unsynced_.exchange(false)) store_.sync();
    } catch (...) {  // NOLINT(bugprone-empty-catch): the store refuses further changes
    }
    if (stop.stop_requested()) return;
  }
}

}  // namespace neardup::indexing
