#include "join/token_streams.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace neardup::joins {
namespace {

// So many tokens of a partition, and a table of them, fit the second-level cache.
constexpr std::uint64_t kTokensOfPartition = std::uint64_t{1} << 17;
constexpr unsigned kLeastBits = 6, kMostBits = 10;

}  // namespace

TokenStreams::TokenStreams(unsigned sides, std::uint64_t expected_tokens, std::uint64_t most_bytes, Reservation memory)
    : sides_(sides),
      bits_(std::clamp(static_cast<unsigned>(std::bit_width(expected_tokens / kTokensOfPartition)), kLeastBits,
                       kMostBits)),
      shift_(64 - bits_),
      most_bytes_(most_bytes),
      memory_(std::move(memory)) {}

std::uint64_t* TokenStreams::add_slab() {
  {
    const std::lock_guard lock(mutex_);
    if (is_dropped_) return nullptr;
    const std::size_t bytes = memory_.bytes() + kSlabBytes;
    // What was written stays until the writers are gone: they may be about to write more.
    if (bytes > most_bytes_ || !memory_.try_resize(bytes)) {
      is_dropped_ = true;
      return nullptr;
    }
  }
  base::MappedMemory slab(kSlabBytes);
  const std::lock_guard lock(mutex_);
  return static_cast<std::uint64_t*>(slabs_.emplace_back(std::move(slab)).data());
}

void TokenStreams::clear() {
  runs_.clear();
  slabs_.clear();
  memory_.hold(0);
}

std::uint64_t TokenStreams::numbers(unsigned side) const {
  std::uint64_t numbers = 0;
  for (const Run& run : runs_) {
    if (run.side == side) numbers = std::max(numbers, std::uint64_t{run.last_number} + 1);
  }
  return numbers;
}

std::uint64_t TokenStreams::words(std::size_t partition) const {
  std::uint64_t words = 0;
  for (const Run& run : runs_)
    for (const Block& block : run.streams[partition]) words += block.count;
  return words;
}

TokenStreams::Writer::Writer(TokenStreams& streams, unsigned side) : streams_(streams), side_(side) {}

void TokenStreams::Writer::start_run(std::uint32_t number) {
  end_run();
  run_ = {.side = side_, .last_number = number, .streams = std::vector<Stream>(streams_.partitions())};
  tails_.assign(streams_.partitions(), {});
  is_writing_ = true;
}

void TokenStreams::Writer::close(std::size_t partition) {
  Stream& stream = run_.streams[partition];
  if (!stream.empty()) stream.back().count = kBlockWords - tails_[partition].left;
}

void TokenStreams::Writer::end_run() {
  if (!std::exchange(is_writing_, false)) return;
  for (std::size_t partition = 0; partition < tails_.size(); ++partition) close(partition);
  const std::lock_guard lock(streams_.mutex_);
  streams_.runs_.push_back(std::move(run_));
}

bool TokenStreams::Writer::extend(std::size_t partition) {
  if (free_ == free_end_) {
    free_ = streams_.add_slab();
    if (free_ == nullptr) {
      free_end_ = nullptr;
      return false;
    }
    free_end_ = free_ + kSlabBytes / sizeof(std::uint64_t);
  }
  close(partition);
  run_.streams[partition].push_back({free_, 0});
  tails_[partition].at = free_;
  tails_[partition].left = kBlockWords;
  free_ += kBlockWords;
  return true;
}

void TokenStreams::Writer::add(std::uint32_t number, std::span<const std::uint64_t> set) {
  if (streams_.is_dropped_.load(std::memory_order_relaxed)) return;
  if (!is_writing_ || number < run_.last_number) start_run(number);
  run_.last_number = number;
  const unsigned shift = streams_.shift_;
  const std::uint64_t no_step = ~std::uint64_t{0} >> shift, rest = (std::uint64_t{1} << shift) - 1;
  Tail* const tails = tails_.data();
  for (const std::uint64_t token : set) {
    const std::size_t partition = token >> shift;
    Tail& tail = tails[partition];
    if (tail.left < 2 && !extend(partition)) [[unlikely]]
      return;
    std::uint64_t step = number - tail.last_number;
    tail.last_number = number;
    if (step >= no_step) [[unlikely]] {
      *tail.at++ = no_step << shift | number;
      --tail.left;
      step = 0;
    }
    *tail.at++ = step << shift | (token & rest);
    --tail.left;
  }
}

}  // namespace neardup::joins
