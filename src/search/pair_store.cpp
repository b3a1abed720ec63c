#include "search/pair_store.h"

#include <algorithm>

#include "base/memory_plan.h"
#include "neardup/error.h"

namespace neardup::search {
namespace {

constexpr std::size_t kLeastInMemory = 4096;
constexpr std::size_t kChunk = 1u << 12;

}  // namespace

PairStore::PairStore(const Context& context) : PairStore(base::plan_memory(context).pairs, context) {}

PairStore::PairStore(std::size_t most_bytes, const Context& context)
    : most_in_memory_(std::max(kLeastInMemory, most_bytes / (2 * sizeof(Packed)))),
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

// A chunk with room. Twice as much is reserved: while pairs are sorted, they may stand there twice.
void PairStore::make_room() {
  constexpr std::size_t kWorthARun = std::size_t{2} << 20;  // shorter runs would be too many
  const auto bytes = [&] { return 2 * sizeof(Packed) * (in_memory_ + kChunk); };
  if (in_memory_ >= most_in_memory_ || !base::try_hold(memory_, bytes(), kWorthARun)) {
    runs_.add(take_sorted());
    memory_.hold(bytes());
  }
  chunks_.emplace_back().reserve(std::min(kChunk, most_in_memory_ - in_memory_));
  in_memory_ += chunks_.back().capacity();
}

// All pairs in memory, which are then gone from the chunks.
std::vector<PairStore::Packed> PairStore::take_sorted() {
  std::size_t count = 0;
  for (const auto& chunk : chunks_) count += chunk.size();
  std::vector<Packed> all;
  all.reserve(count);
  for (auto& chunk : chunks_) {
    all.insert(all.end(), chunk.begin(), chunk.end());
    std::vector<Packed>().swap(chunk);
  }
  chunks_.clear();
  in_memory_ = 0;
  std::sort(all.begin(), all.end(), ByPlace{});
  return all;
}

void PairStore::finish() {
  sorted_ = take_sorted();
  if (!runs_.empty()) {
    runs_.add(sorted_);
    std::vector<Packed>().swap(sorted_);
  }
  memory_.hold(sorted_.capacity() * sizeof(Packed));
}

void PairStore::for_each(const std::function<void(const Pair&)>& visit) const {
  const auto visit_packed = [&](const Packed& p) {
    visit(Pair{.left = p.place >> 32, .right = p.place & 0xffffffff, .score = p.score});
  };
  std::for_each(sorted_.begin(), sorted_.end(), visit_packed);
  runs_.for_each(visit_packed);
}

std::uint64_t PairStore::count_common(const PairStore& other) const {
  std::vector<std::uint64_t> places;
  places.reserve(size_);
  for_each([&](const Pair& pair) { places.push_back(pair.left << 32 | pair.right); });
  std::uint64_t common = 0;
  auto at = places.begin();
  other.for_each([&](const Pair& pair) {
    const std::uint64_t place = pair.left << 32 | pair.right;
    at = std::lower_bound(at, places.end(), place);
    common += at != places.end() && *at == place ? 1 : 0;
  });
  return common;
}

void PairStore::save(base::StateWriter& out) const {
  out.value(size_);
  for_each([&](const Pair& pair) { out.value(pair); });
}

void PairStore::load(base::StateReader& in, std::size_t units) {
  for (std::size_t left = in.count(sizeof(Pair)); left > 0; --left) {
    const auto pair = in.value<Pair>();
    if (pair.left >= units || pair.right >= units) in.fail();
    accept({&pair, 1});
  }
  finish();
}

}  // namespace neardup::search
