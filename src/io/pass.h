// How is a whole collection read once, in parallel, without losing its order?
//
// One thread cuts batches, all threads work on them, one thread at a time takes the results in input order. At most a
// few batches per thread are alive, so memory does not depend on the size of the collection.
#pragma once

#include <functional>
#include <memory>
#include <string_view>
#include <utility>

#include "io/collection.h"
#include "io/record.h"
#include "neardup/context.h"

namespace neardup::io {

namespace pass {

// What a pass makes of one batch, and what a thread keeps between batches, without their types.
struct Result {
  virtual ~Result() = default;
};
class Worker {
 public:
  virtual ~Worker() = default;
  virtual std::unique_ptr<Result> work(const RecordBatch&) = 0;
};
void run(const Collection&, const ReadOptions& reading, const Context&, std::string_view stage,
         const std::function<std::unique_ptr<Worker>()>& make_worker,
         const std::function<void(const RecordBatch&, Result&)>& take);

}  // namespace pass

// Reads a collection by its own options, or the same with other extra_fields and links.
//
// `make_work()` is called once by each thread, possibly concurrently; what it returns is called with every batch of
// that thread and a fresh Part: work(batch, part). `take(batch, part)` runs on one thread at a time, batches in input
// order. Throws Error{interrupted} when the context asks to stop; what work and take throw comes through as it is.
template <class Part, class MakeWork, class Take>
void run_pass(const Collection& collection, const ReadOptions& reading, const Context& context, std::string_view stage,
              const MakeWork& make_work, const Take& take) {
  using Work = decltype(make_work());
  struct Result final : pass::Result {
    Part part;
  };
  class Worker final : public pass::Worker {
   public:
    explicit Worker(Work work) : work_(std::move(work)) {}
    std::unique_ptr<pass::Result> work(const RecordBatch& batch) override {
      auto result = std::make_unique<Result>();
      work_(batch, result->part);
      return result;
    }

   private:
    Work work_;
  };
  pass::run(
      collection, reading, context, stage, [&] { return std::make_unique<Worker>(make_work()); },
      [&](const RecordBatch& batch, pass::Result& result) { take(batch, static_cast<Result&>(result).part); });
}

}  // namespace neardup::io
