// How does a table of equally long rows grow without ever being copied?
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace neardup::base {

// Rows of `width` values in chunks: appending never moves what is there, and no more than one chunk is ever unused.
template <class T>
class Rows {
 public:
  explicit Rows(std::size_t width) : width_(width) {}

  void append(std::span<const T> row) {
    if (width_ != 0) {
      if (size_ % kRowsPerChunk == 0) chunks_.push_back(std::make_unique_for_overwrite<T[]>(kRowsPerChunk * width_));
      std::copy(row.begin(), row.end(), chunks_.back().get() + size_ % kRowsPerChunk * width_);
    }
    ++size_;
  }

  [[nodiscard]] const T* operator[](std::size_t row) const {
    return chunks_[row / kRowsPerChunk].get() + row % kRowsPerChunk * width_;
  }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t width() const { return width_; }
  [[nodiscard]] std::size_t memory_bytes() const { return chunks_.size() * kRowsPerChunk * width_ * sizeof(T); }

 private:
  static constexpr std::size_t kRowsPerChunk = std::size_t{1} << 15;
  std::size_t width_;
  std::size_t size_ = 0;
  std::vector<std::unique_ptr<T[]>> chunks_;
};

}  // namespace neardup::base
