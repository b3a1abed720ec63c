#include "passages/spool.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <utility>

namespace neardup::passages {

Spool::Spool(const Context& context, std::size_t most_in_memory, std::size_t chunk_bytes)
    : context_(&context),
      most_in_memory_(most_in_memory),
      chunk_bytes_(chunk_bytes),
      memory_(base::reservation(context)) {}
Spool::~Spool() = default;
Spool::Spool(Spool&&) noexcept = default;

std::uint64_t Spool::append(std::string_view bytes) {
  const std::uint64_t at = size_;
  size_ += bytes.size();
  while (!bytes.empty()) {
    if (chunks_.empty() || chunks_.back().size() == chunk_bytes_) {
      const std::size_t held = (chunks_.size() + 1) * chunk_bytes_;
      if (out_ == nullptr && !chunks_.empty() && (held > most_in_memory_ || !memory_.try_resize(held))) spill();
      if (out_ != nullptr) {
        flush_chunk();
      } else {
        memory_.hold(held);
        chunks_.emplace_back();
      }
    }
    std::string& chunk = chunks_.back();
    const std::size_t taken = std::min(bytes.size(), chunk_bytes_ - chunk.size());
    if (chunk.capacity() < chunk.size() + taken)
      chunk.reserve(std::min(chunk_bytes_, std::max(2 * chunk.capacity(), chunk.size() + taken)));
    chunk.append(bytes.substr(0, taken));
    bytes.remove_prefix(taken);
  }
  return at;
}

void Spool::spill() {
  folder_ = std::make_unique<base::TempFolder>(*context_);
  file_path_ = folder_->path() / "spool";
  out_ = base::files(*context_).create(file_path_);
  for (const std::string& chunk : chunks_) out_->write(chunk);
  for (const std::string& chunk : chunks_) written_ += chunk.size();
  chunks_.clear();
  chunks_.shrink_to_fit();
  memory_.hold(chunk_bytes_);
}

void Spool::flush_chunk() {
  if (chunks_.empty()) {
    chunks_.emplace_back().reserve(chunk_bytes_);
    return;
  }
  out_->write(chunks_.front());
  written_ += chunks_.front().size();
  chunks_.front().clear();
}

void Spool::finish() {
  if (out_ == nullptr) return;
  flush_chunk();
  out_->close();
  out_.reset();
  chunks_.clear();
  chunks_.shrink_to_fit();
  memory_.hold(0);
  in_ = base::files(*context_).open(file_path_);
  in_->expect(Access::mixed);
}

std::string_view Spool::read(std::uint64_t at, std::size_t most, std::string& buffer) const {
  assert(at < size_ && most > 0);
  if (in_ == nullptr) {
    const std::string& chunk = chunks_[static_cast<std::size_t>(at / chunk_bytes_)];
    return std::string_view(chunk).substr(static_cast<std::size_t>(at % chunk_bytes_), most);
  }
  const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(most, size_ - at));
  buffer.resize(size);
  in_->read_at(at, buffer);
  return buffer;
}

std::string_view Spool::read_whole(std::uint64_t at, std::size_t size, std::string& buffer) const {
  if (size == 0) return {};
  assert(at + size <= size_);
  const std::string_view first = read(at, size, buffer);
  if (first.size() == size) return first;
  std::string whole(first);  // only in memory: a file gives all at once
  std::string unused;
  whole.reserve(size);
  while (whole.size() < size) whole += read(at + whole.size(), size - whole.size(), unused);
  buffer = std::move(whole);
  return buffer;
}

std::string_view SpoolComparer::from(std::uint64_t at) {
  std::string unused;
  if (spool_.is_in_memory()) return spool_.read(at, kBlock, unused);
  if (blocks_.empty()) blocks_.resize(kBlocks);
  const std::uint64_t number = at / kBlock;
  Block& block = blocks_[number % kBlocks];
  if (block.number != number) {
    block.number = ~std::uint64_t{0};
    (void)spool_.read(number * kBlock, kBlock, block.bytes);
    block.number = number;
  }
  return std::string_view(block.bytes).substr(static_cast<std::size_t>(at % kBlock));
}

bool SpoolComparer::equal(std::uint64_t at, std::string_view bytes) {
  if (at > spool_.size() || bytes.size() > spool_.size() - at) return false;
  while (!bytes.empty()) {
    const std::string_view there = from(at);
    const std::size_t size = std::min(there.size(), bytes.size());
    if (std::memcmp(there.data(), bytes.data(), size) != 0) return false;
    bytes.remove_prefix(size);
    at += size;
  }
  return true;
}

}  // namespace neardup::passages
