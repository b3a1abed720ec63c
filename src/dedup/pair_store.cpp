#include "dedup/pair_store.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <queue>
#include <string>

namespace neardup::dedup {
namespace {

constexpr std::size_t kLeastInMemory = 4096;
constexpr std::size_t kRunBuffer = 8192;  // pairs read at once from each run

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

PairStore::PairStore(std::size_t memory_bytes, Context& context)
    : context_(context), most_in_memory_(std::max(kLeastInMemory, memory_bytes / sizeof(Packed))) {}

bool PairStore::accept(std::span<const Pair> pairs) {
  const std::lock_guard lock(mutex_);
  for (const Pair& pair : pairs) {
    assert(pair.left <= std::numeric_limits<std::uint32_t>::max() && pair.right <= std::numeric_limits<std::uint32_t>::max());
    if (pairs_.size() == most_in_memory_) spill();
    pairs_.push_back({pair.left << 32 | pair.right, pair.score});
  }
  size_ += pairs.size();
  return true;
}

void PairStore::spill() {
  if (!temp_) temp_ = std::make_unique<base::TempFolder>(context_);
  std::sort(pairs_.begin(), pairs_.end(), [](const Packed& a, const Packed& b) { return a.place < b.place; });
  runs_.push_back(temp_->path() / std::to_string(runs_.size()));
  const auto file = base::files(context_).create(runs_.back());
  file->write({reinterpret_cast<const char*>(pairs_.data()), pairs_.size() * sizeof(Packed)});
  file->close();
  pairs_.clear();
}

void PairStore::finish() {
  if (!runs_.empty()) {
    spill();
    std::vector<Packed>().swap(pairs_);
  }
  std::sort(pairs_.begin(), pairs_.end(), [](const Packed& a, const Packed& b) { return a.place < b.place; });
}

void PairStore::for_each(const std::function<void(const Pair&)>& visit) const {
  const auto unpack = [](const Packed& p) {
    return Pair{.left = p.place >> 32, .right = p.place & 0xffffffff, .score = p.score};
  };
  for (const Packed& pair : pairs_) visit(unpack(pair));

  std::vector<Run> runs;
  runs.reserve(runs_.size());
  for (const auto& path : runs_) runs.emplace_back(base::files(context_).open(path));
  const auto later = [&](std::size_t a, std::size_t b) { return runs[a].head().place > runs[b].head().place; };
  std::priority_queue<std::size_t, std::vector<std::size_t>, decltype(later)> queue(later);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (!runs[i].done()) queue.push(i);
  }
  while (!queue.empty()) {
    const std::size_t next = queue.top();
    queue.pop();
    visit(unpack(runs[next].head()));
    runs[next].advance();
    if (!runs[next].done()) queue.push(next);
  }
}

}  // namespace neardup::dedup
