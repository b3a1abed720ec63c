// Who flushes, merges and syncs while callers go on?
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>

#include "index/store.h"
#include "index/unit_search.h"
#include "neardup/index.h"

namespace neardup::indexing {

// Two threads: one maintains the search, the other syncs the store every second where that is promised. A failure to
// write a segment is not fatal: what is in memory stays there, and the next change tries again.
class Background {
 public:
  Background(Store&, UnitSearch&, Durability);
  ~Background();
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;

  // Something was committed.
  void notice();

 private:
  void maintain(const std::stop_token&);
  void sync(const std::stop_token&);

  Store& store_;
  UnitSearch& search_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  bool has_news_ = true;
  std::atomic<bool> is_unsynced_ = false;
  std::jthread maintaining_, syncing_;
};

}  // namespace neardup::indexing
