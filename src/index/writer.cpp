#include "index/writer.h"

#include <algorithm>
#include <utility>

#include "neardup/error.h"

namespace neardup::indexing {

// Numbers that segments know of are never given again, even when the store lost the rows that had them.
Writer::Writer(Store& store, const IndexRules& rules, UnitSearch& search, Durability durability)
    : store_(store),
      rules_(rules),
      search_(search),
      durability_(durability),
      counters_(LedgerView(store, rules).counters()) {
  counters_.next = std::max(counters_.next, search.last_unit() + 1);
  decisions_.load(store);
  search_.committed(counters_.next - 1);
}

void Writer::run(const std::function<void(Changing&)>& change) {
  Waiting own{.change = &change};
  wait(own);
}

void Writer::run_between(const std::function<void()>& action) {
  Waiting own{.action = &action};
  wait(own);
}

void Writer::wait(Waiting& own) {
  std::unique_lock lock(mutex_);
  waiting_.push_back(&own);
  while (!own.is_done) {
    if (has_leader_) {
      changed_.wait(lock);
    } else {
      lead(lock);
    }
  }
  if (own.problem) std::rethrow_exception(own.problem);
}

void Writer::lead(std::unique_lock<std::mutex>& lock) {
  constexpr std::size_t kMostAtOnce = 1024;
  has_leader_ = true;
  std::deque<Waiting*> group;
  while (!waiting_.empty() && group.size() < kMostAtOnce) {
    group.push_back(waiting_.front());
    waiting_.pop_front();
  }
  lock.unlock();
  apply(group);
  lock.lock();
  for (Waiting* each : group) each->is_done = true;
  has_leader_ = false;
  changed_.notify_all();
}

void Writer::apply(std::deque<Waiting*>& group) {
  const Counters before_all = counters_;
  try {
    const std::unique_ptr<StoreBatch> batch = store_.begin();
    Ledger ledger(*batch, rules_, counters_);
    Changing changing{ledger, search_, decisions_};
    for (Waiting* each : group) {
      if (each->change == nullptr) continue;
      const Counters before = counters_;
      batch->mark();
      try {
        (*each->change)(changing);
      } catch (...) {
        each->problem = std::current_exception();
        batch->take_back();
        take_back(before, *batch);
      }
    }
    if (!batch->empty()) {
      ledger.save_counters();
      commit(*batch, group, before_all);
    }
    search_.committed(counters_.next - 1);
    for (Waiting* each : group) {
      if (each->action == nullptr) continue;
      try {
        (*each->action)();
      } catch (...) {
        each->problem = std::current_exception();
      }
    }
  } catch (...) {
    for (Waiting* each : group)
      if (!each->problem) each->problem = std::current_exception();
    take_back(before_all, store_);
  }
}

void Writer::commit(StoreBatch& batch, std::deque<Waiting*>& group, const Counters& before) {
  try {
    store_.commit(batch, durability_ == Durability::sync);
  } catch (...) {
    for (Waiting* each : group)
      if (!each->problem) each->problem = std::current_exception();
    take_back(before, store_);
  }
}

// Numbers that were given stay given: the search may have them.
void Writer::take_back(const Counters& before, const StoreView& view) {
  const std::uint64_t next = counters_.next;
  counters_ = before;
  counters_.next = next;
  decisions_ = DecisionBook();
  decisions_.load(view);
}

}  // namespace neardup::indexing
