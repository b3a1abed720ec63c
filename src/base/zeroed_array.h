// How is a large table of zeros allocated without touching all of it?
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <span>
#include <type_traits>

namespace neardup::base {

// Fixed length, all zero at first. Memory is taken from the system page by page as it is used, in large pages where
// the system has them, which speeds up random access to a large table.
template <class T>
class ZeroedArray {
  static_assert(std::is_trivial_v<T>);

 public:
  ZeroedArray() = default;
  explicit ZeroedArray(std::size_t size) : size_(size) {
    constexpr std::size_t kLargePage = std::size_t{2} << 20;
    if (size > static_cast<std::size_t>(-1) / sizeof(T)) throw std::bad_alloc();
    const std::size_t bytes = size * sizeof(T);
    if (bytes < kLargePage) {
      data_.reset(static_cast<T*>(std::calloc(size, sizeof(T))));
    } else {
      // Memory of a fresh mapping is zero: calloc knows that too, but does not align.
      void* map = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
      if (map == MAP_FAILED) throw std::bad_alloc();
      madvise(map, bytes, MADV_HUGEPAGE);
      data_ = Data(static_cast<T*>(map), Release{bytes});
    }
    if (data_ == nullptr && size != 0) throw std::bad_alloc();
  }

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] T* data() { return data_.get(); }
  [[nodiscard]] const T* data() const { return data_.get(); }
  T& operator[](std::size_t i) { return data_.get()[i]; }
  const T& operator[](std::size_t i) const { return data_.get()[i]; }
  operator std::span<const T>() const { return {data_.get(), size_}; }

 private:
  struct Release {
    std::size_t mapped_bytes = 0;  // 0: from calloc
    void operator()(T* data) const {
      if (mapped_bytes != 0) {
        munmap(data, mapped_bytes);
      } else {
        std::free(data);
      }
    }
  };
  using Data = std::unique_ptr<T, Release>;
  std::size_t size_ = 0;
  Data data_;
};

}  // namespace neardup::base
