// How is a whole collection read once, in parallel, without losing its order?
//
// One thread cuts batches, all threads work on them, one thread at a time takes the results in input order. At most a
// few batches per thread are alive, so memory does not depend on the size of the collection.
#pragma once

#include <functional>
#include <memory>
#include <string_view>

#include "io/collection.h"
#include "io/record.h"
#include "neardup/context.h"

namespace neardup::io {

// What a pass computes for one batch; each user derives its own.
struct BatchResult {
  virtual ~BatchResult() = default;
};

// What one thread keeps between batches (extractors, buffers). Created on first use by each thread.
class BatchWorker {
 public:
  virtual ~BatchWorker() = default;
  virtual std::unique_ptr<BatchResult> work(const RecordBatch&) = 0;
};

// `make_worker` may run concurrently. `take` runs on one thread at a time, batches in input order.
// Throws Error{interrupted} when the context asks to stop; errors of workers and takers come through as they are.
void run_pass(const Collection&, const Context&, std::string_view stage,
              const std::function<std::unique_ptr<BatchWorker>()>& make_worker,
              const std::function<void(const RecordBatch&, BatchResult&)>& take);

}  // namespace neardup::io
