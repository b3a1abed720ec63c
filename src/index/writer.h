// How do changes that come at the same time share one commit?
//
// Whoever finds no other at work becomes the leader: it takes all waiting changes, applies them one after the other to
// one batch, commits it and tells the others. A change that throws is taken back, and only its caller learns of it.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>

#include "index/decision_book.h"
#include "index/ledger.h"
#include "index/unit_search.h"
#include "neardup/index.h"

namespace neardup::indexing {

// What a change works with.
struct Changing {
  Ledger& ledger;
  UnitSearch& search;
  DecisionBook& decisions;
};

// Threads: members may run concurrently.
class Writer {
 public:
  Writer(Store&, const IndexRules&, UnitSearch&, Durability);

  // Returns when the change is committed. Throws what the change throws, or Error{output}.
  void run(const std::function<void(Changing&)>& change);
  // Runs when nothing is uncommitted.
  void run_between(const std::function<void()>& action);

 private:
  struct Waiting {
    const std::function<void(Changing&)>* change = nullptr;  // null: `action`
    const std::function<void()>* action = nullptr;
    std::exception_ptr problem{};
    bool is_done = false;
  };

  void wait(Waiting&);
  void lead(std::unique_lock<std::mutex>&);
  void apply(std::deque<Waiting*>&);
  void commit(StoreBatch&, std::deque<Waiting*>&, const Counters& before);
  void take_back(const Counters& before, const StoreView&);

  Store& store_;
  const IndexRules& rules_;
  UnitSearch& search_;
  Durability durability_;
  // Of the leader.
  Counters counters_;
  DecisionBook decisions_;
  // Of all.
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Waiting*> waiting_;
  bool has_leader_ = false;
};

}  // namespace neardup::indexing
