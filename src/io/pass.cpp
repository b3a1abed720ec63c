#include "io/pass.h"

#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_pipeline.h>

#include <algorithm>
#include <mutex>
#include <utility>
#include <vector>

#include "base/memory_plan.h"
#include "base/parallel.h"
#include "base/system.h"

namespace neardup::io {

std::size_t pass_bytes(const Context& context) {
  constexpr std::size_t kReading = std::size_t{24} << 20, kThread = std::size_t{8} << 20;
  return kReading + base::threads(context) * kThread;
}

namespace {

// How many batches are on their way at once: two for each thread, fewer where memory is short. What is read is kept
// somewhere, so that reading takes no more than a quarter of what is left.
struct Share {
  std::size_t bytes, batches;
};
Share share_of(const Context& context, std::uint64_t input_bytes) {
  constexpr std::size_t kReaders = std::size_t{8} << 20, kBatch = std::size_t{4} << 20;
  constexpr std::uint64_t kSmallInput = 4u << 20;  // takes less than that
  if (input_bytes > kSmallInput && context.memory != nullptr && base::memory_left(context) < kReaders + kBatch) {
    // Some of what is reserved grows with the limit, and records will be kept: of short texts about a quarter of the
    // input.
    const std::uint64_t least = context.memory->reserved() + kReaders + kBatch;
    base::throw_too_small(context, "read these inputs", least + least / 8 + input_bytes / 4,
                          base::LeastMemory::estimated);
  }
  const std::size_t most = 2 * std::size_t{base::threads(context)};
  const std::size_t left = base::memory_left(context) / 4;
  const std::size_t fit = left > kReaders ? (left - kReaders) / kBatch : 0;
  if (fit >= most) return {.bytes = std::min(pass_bytes(context), left), .batches = most};
  const std::size_t batches = std::clamp<std::size_t>(fit, 1, most);
  return {.bytes = kReaders + batches * kBatch, .batches = batches};
}

}  // namespace

namespace pass {
namespace {

// A batch on its way through the pass.
struct Parcel {
  RecordBatch batch;
  std::unique_ptr<Result> result;
};

// Owns every parcel, so that none is lost when an exception ends the pass, and hands used ones out again with their
// buffers.
class ParcelPool {
 public:
  Parcel* get() {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) {
      all_.push_back(std::make_unique<Parcel>());
      return all_.back().get();
    }
    Parcel* parcel = free_.back();
    free_.pop_back();
    return parcel;
  }
  void put_back(Parcel* parcel) {
    parcel->result.reset();
    parcel->batch.documents.reset();
    const std::lock_guard lock(mutex_);
    free_.push_back(parcel);
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<Parcel>> all_;
  std::vector<Parcel*> free_;
};

}  // namespace

void run(const Collection& collection, const ReadOptions& reading, const Context& context, std::string_view stage,
         const std::function<std::unique_ptr<Worker>()>& make_worker,
         const std::function<void(const RecordBatch&, Result&)>& take) {
  const CollectionImpl& impl = impl_of(collection);
  if (context.observer != nullptr) context.observer->stage(stage, impl.input_bytes(), "bytes");
  Reservation memory = base::reservation(context);
  const Share share = share_of(context, impl.input_bytes());
  memory.hold(share.bytes);
  const auto reader = impl.batches(reading, context);
  ParcelPool pool;

  const auto finish = [&](Parcel* parcel) {
    take(parcel->batch, *parcel->result);
    if (context.observer != nullptr) context.observer->advance(parcel->batch.input_bytes);
    pool.put_back(parcel);
  };

  const unsigned threads = base::threads(context);
  if (threads == 1) {
    const auto worker = make_worker();
    for (Parcel* parcel = pool.get(); reader->next(parcel->batch); parcel = pool.get()) {
      base::check_stop(context);
      parcel->result = worker->work(parcel->batch);
      finish(parcel);
    }
    return;
  }

  tbb::enumerable_thread_specific<std::unique_ptr<Worker>> workers(make_worker);
  const auto cut = [&](tbb::flow_control& control) -> Parcel* {
    Parcel* parcel = pool.get();
    if (reader->next(parcel->batch)) return parcel;
    control.stop();
    return nullptr;
  };
  const auto work = [&](Parcel* parcel) {
    base::check_stop(context);
    parcel->result = workers.local()->work(parcel->batch);
    return parcel;
  };
  constexpr auto kInOrder = tbb::filter_mode::serial_in_order;
  const auto pipeline = tbb::make_filter<void, Parcel*>(kInOrder, cut) &
                        tbb::make_filter<Parcel*, Parcel*>(tbb::filter_mode::parallel, work) &
                        tbb::make_filter<Parcel*, void>(kInOrder, finish);
  base::with_threads(context, [&] { tbb::parallel_pipeline(share.batches, pipeline); });
}

}  // namespace pass
}  // namespace neardup::io
