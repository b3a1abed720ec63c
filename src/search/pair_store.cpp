#include "search/pair_store.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <queue>
#include <string>

namespace neardup::search {
namespace {

constexpr std::size_t kLeastInMemory = 4096;
constexpr std::size_t kChunk = 1u << 12;
constexpr std::size_t kRunBuffer = 8192;  // pairs read at once from each run
constexpr std::size_t kFanIn = 16;

constexpr auto by_place = [](const auto& a, const auto& b) { return a.place < b.place; };

template <class T>
std::span<const char> bytes_of(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

}  // namespace

// One sorted run on disk, read from its start.
class PairStore::Run {
 public:
  explicit Run(std::unique_ptr<InputFile> file) : file_(std::move(file)), left_(file_->size() / sizeof(Packed)) {
    refill();
  }
  [[nodiscard]] bool done() const { return at_ == buffer_.size(); }
  [[nodiscard]] const Packed& head() const { return buffer_[at_]; }
  void advance() {
    if (++at_ == buffer_.size()) refill();
  }

 private:
  void refill() {
    buffer_.resize(static_cast<std::size_t>(std::min<std::uint64_t>(kRunBuffer, left_)));
    file_->read_at(offset_, {reinterpret_cast<char*>(buffer_.data()), buffer_.size() * sizeof(Packed)});
    offset_ += buffer_.size() * sizeof(Packed);
    left_ -= buffer_.size();
    at_ = 0;
  }

  std::unique_ptr<InputFile> file_;
  std::uint64_t left_, offset_ = 0;
  std::vector<Packed> buffer_;
  std::size_t at_ = 0;
};

PairStore::PairStore(std::size_t memory_bytes, const Context& context)
    : context_(context), most_in_memory_(std::max(kLeastInMemory, memory_bytes / (2 * sizeof(Packed)))) {}

bool PairStore::accept(std::span<const Pair> pairs) {
  const std::lock_guard lock(mutex_);
  size_ += pairs.size();
  while (!pairs.empty()) {
    if (chunks_.empty() || chunks_.back().size() == chunks_.back().capacity()) make_room();
    std::vector<Packed>& chunk = chunks_.back();
    const std::size_t taken = std::min(pairs.size(), chunk.capacity() - chunk.size());
    for (const Pair& pair : pairs.first(taken)) {
      assert(pair.left <= std::numeric_limits<std::uint32_t>::max() &&
             pair.right <= std::numeric_limits<std::uint32_t>::max());
      chunk.push_back({pair.left << 32 | pair.right, pair.score});
    }
    pairs = pairs.subspan(taken);
  }
  return true;
}

// A chunk with room. All of them together have no more than half of what memory allows: while pairs are sorted, they
// may stand there twice.
void PairStore::make_room() {
  if (in_memory_ >= most_in_memory_) spill();
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
  std::sort(all.begin(), all.end(), by_place);
  return all;
}

void PairStore::spill() {
  if (!temp_) temp_ = std::make_unique<base::TempFolder>(context_);
  const std::vector<Packed> run = take_sorted();
  add_run(0, [&](OutputFile& file) { file.write(bytes_of(run)); });
}

void PairStore::add_run(std::size_t level, const std::function<void(OutputFile&)>& write) {
  const auto path = temp_->path() / std::to_string(runs_made_++);
  const auto file = base::files(context_).create(path);
  write(*file);
  file->close();
  if (levels_.size() == level) levels_.emplace_back();
  levels_[level].push_back(path);
  if (levels_[level].size() < kFanIn) return;
  const std::vector<std::filesystem::path> runs = std::move(levels_[level]);
  levels_[level].clear();
  add_run(level + 1, [&](OutputFile& merged) {
    std::vector<Packed> buffer;
    merge(runs, [&](const Packed& pair) {
      buffer.push_back(pair);
      if (buffer.size() < kRunBuffer) return;
      merged.write(bytes_of(buffer));
      buffer.clear();
    });
    merged.write(bytes_of(buffer));
  });
  for (const auto& run : runs) base::files(context_).remove_all(run);
}

void PairStore::finish() {
  if (temp_) {
    spill();
  } else {
    sorted_ = take_sorted();
  }
}

void PairStore::for_each(const std::function<void(const Pair&)>& visit) const {
  const auto visit_packed = [&](const Packed& p) {
    visit(Pair{.left = p.place >> 32, .right = p.place & 0xffffffff, .score = p.score});
  };
  std::for_each(sorted_.begin(), sorted_.end(), visit_packed);
  std::vector<std::filesystem::path> runs;
  for (const auto& level : levels_) runs.insert(runs.end(), level.begin(), level.end());
  merge(runs, visit_packed);
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

void PairStore::merge(std::span<const std::filesystem::path> paths,
                      const std::function<void(const Packed&)>& visit) const {
  std::vector<Run> runs;
  runs.reserve(paths.size());
  for (const auto& path : paths) runs.emplace_back(base::files(context_).open(path));
  const auto later = [&](std::size_t a, std::size_t b) { return by_place(runs[b].head(), runs[a].head()); };
  std::priority_queue<std::size_t, std::vector<std::size_t>, decltype(later)> queue(later);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (!runs[i].done()) queue.push(i);
  }
  while (!queue.empty()) {
    const std::size_t next = queue.top();
    queue.pop();
    visit(runs[next].head());
    runs[next].advance();
    if (!runs[next].done()) queue.push(next);
  }
}

}  // namespace neardup::search
