#include "search/pair_store.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/memory_plan.h"
#include "base/merge_runs.h"
#include "base/system.h"
#include "neardup/error.h"

namespace neardup::search {
namespace {

constexpr std::size_t kLeastInMemory = 4096;
constexpr std::size_t kChunk = 1u << 12;
constexpr std::size_t kRun = std::size_t{1} << 21;  // pairs; sorting more at once would keep a request to stop waiting

}  // namespace

PairStore::PairStore(const Context& context) : PairStore(base::plan_memory(context).pairs, context) {}

PairStore::PairStore(std::size_t most_bytes, const Context& context)
    : context_(context),
      most_in_memory_(std::max(kLeastInMemory, most_bytes / sizeof(Packed))),
      memory_(base::reservation(context)),
      runs_(context) {}

bool PairStore::accept(std::span<const Pair> pairs) {
  const std::lock_guard lock(mutex_);
  size_ += pairs.size();
  while (!pairs.empty()) {
    if (chunks_.empty() || chunks_.back().size() == chunks_.back().capacity()) make_room();
    std::vector<Packed>& chunk = chunks_.back();
    const std::size_t taken = std::min(pairs.size(), chunk.capacity() - chunk.size());
    for (const Pair& pair : pairs.first(taken)) {
      if ((pair.left | pair.right) >> 32 != 0) {
        throw Error(ErrorCode::limit, "pairs of rows from 2^32 on cannot be kept; split the collection");
      }
      chunk.push_back({pair.left << 32 | pair.right, pair.score});
    }
    pairs = pairs.subspan(taken);
  }
  return true;
}

// A chunk with room. More is reserved: a run is stored twice while it is sorted.
void PairStore::make_room() {
  constexpr std::size_t kWorthARun = std::size_t{2} << 20;  // shorter runs would be too many
  if (in_chunks_ >= kRun) close_run();
  const auto bytes = [&] { return sizeof(Packed) * (in_memory_ + kChunk + std::min(kRun, in_chunks_ + kChunk)); };
  if (in_memory_ >= most_in_memory_ || !base::try_hold(memory_, bytes(), kWorthARun)) {
    spill();
    memory_.hold(bytes());
  }
  chunks_.emplace_back().reserve(std::min(kChunk, most_in_memory_ - in_memory_));
  in_chunks_ += chunks_.back().capacity();
  in_memory_ += chunks_.back().capacity();
}

// The pairs of all chunks become a sorted run.
void PairStore::close_run() {
  base::check_stop(context_);
  std::size_t count = 0;
  for (const auto& chunk : chunks_) count += chunk.size();
  in_memory_ -= in_chunks_ - count;
  in_chunks_ = 0;
  if (count == 0) return chunks_.clear();
  std::vector<Packed>& run = sorted_.emplace_back();
  run.reserve(count);
  for (auto& chunk : chunks_) {
    run.insert(run.end(), chunk.begin(), chunk.end());
    std::vector<Packed>().swap(chunk);
  }
  chunks_.clear();
  std::sort(run.begin(), run.end(), ByPlace{});
}

void PairStore::spill() {
  close_run();
  for (std::vector<Packed>& run : sorted_) {
    runs_.add(run);
    std::vector<Packed>().swap(run);
  }
  sorted_.clear();
  in_memory_ = 0;
}

void PairStore::finish() {
  if (runs_.empty()) {
    close_run();
  } else {
    spill();
  }
  memory_.hold(in_memory_ * sizeof(Packed));
}

// A sorted part of a store: what is in memory, or a run.
class PairStore::Part {
 public:
  Part(std::span<const Packed> held, bool is_other) : held_(held), is_other_(is_other) {}
  Part(base::RunReader<Packed> run, bool is_other) : run_(std::move(run)), is_other_(is_other) {}

  [[nodiscard]] bool done() const { return run_ ? run_->done() : held_.empty(); }
  [[nodiscard]] const Packed& head() const { return run_ ? run_->head() : held_.front(); }
  void advance() {
    if (run_) {
      run_->advance();
    } else {
      held_ = held_.subspan(1);
    }
  }
  [[nodiscard]] bool is_other() const { return is_other_; }

 private:
  std::span<const Packed> held_;
  std::optional<base::RunReader<Packed>> run_;
  bool is_other_;
};

void PairStore::add_parts(bool is_other, std::vector<Part>& out) const {
  for (const std::vector<Packed>& run : sorted_) out.emplace_back(std::span(run), is_other);
  for (base::RunReader<Packed>& run : runs_.open()) out.emplace_back(std::move(run), is_other);
}

void PairStore::for_each(const std::function<void(const Pair&)>& visit) const {
  constexpr std::uint64_t kPerCheck = 1u << 15;
  std::uint64_t visited = 0;
  const auto visit_packed = [&](const Packed& p) {
    if (visited++ % kPerCheck == 0) base::check_stop(context_);
    visit(Pair{.left = p.place >> 32, .right = p.place & 0xffffffff, .score = p.score});
  };
  if (runs_.empty() && sorted_.size() == 1) {  // most often
    std::for_each(sorted_.front().begin(), sorted_.front().end(), visit_packed);
    return;
  }
  std::vector<Part> parts;
  add_parts(false, parts);
  base::merge_runs(parts, ByPlace{}, [&](const Part& part) { visit_packed(part.head()); });
}

std::uint64_t PairStore::count_common(const PairStore& other) const {
  std::vector<Part> parts;  // our own come first among equals
  add_parts(false, parts);
  other.add_parts(true, parts);
  std::uint64_t common = 0;
  std::optional<std::uint64_t> ours;  // the last place of our own
  base::merge_runs(parts, ByPlace{}, [&](const Part& part) {
    if (part.is_other()) {
      common += ours == part.head().place ? 1 : 0;
    } else {
      ours = part.head().place;
    }
  });
  return common;
}

void PairStore::save(base::StateWriter& out) const {
  out.value(size_);
  for_each([&](const Pair& pair) { out.value(pair); });
}

void PairStore::load(base::StateReader& in, std::size_t units) {
  std::pair<DocId, DocId> last{};
  for (std::size_t left = in.count(sizeof(Pair)); left > 0; --left) {
    const auto pair = in.value<Pair>();
    const std::pair place{pair.left, pair.right};
    if (pair.left >= pair.right || pair.right >= units || place <= last) in.fail();
    last = place;
    accept({&pair, 1});
  }
  finish();
}

}  // namespace neardup::search
