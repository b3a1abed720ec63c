// How is a large vector allocated in large pages?
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdlib>
#include <new>
#include <type_traits>
#include <vector>

namespace neardup::base {

// An allocator: large blocks are aligned and marked for large pages, which speeds up random access.
template <class T>
struct LargePages {
  using value_type = T;
  LargePages() = default;
  template <class Other>
  LargePages(const LargePages<Other>&) {}  // NOLINT: allocators convert

  T* allocate(std::size_t count) {
    constexpr std::size_t kLargePage = std::size_t{2} << 20;
    if (count > static_cast<std::size_t>(-1) / 2 / sizeof(T)) throw std::bad_alloc();
    const std::size_t bytes = count * sizeof(T);
    void* memory = nullptr;
    if (bytes < kLargePage) {
      memory = std::malloc(bytes);
    } else {
      const std::size_t pages = (bytes + kLargePage - 1) / kLargePage * kLargePage;
      memory = std::aligned_alloc(kLargePage, pages);
      if (memory != nullptr) madvise(memory, pages, MADV_HUGEPAGE);
    }
    if (memory == nullptr) throw std::bad_alloc();
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t) { std::free(memory); }
  friend bool operator==(const LargePages&, const LargePages&) { return true; }
};

template <class T>
using LargeVector = std::vector<T, LargePages<T>>;

// The same, but new elements of a vector are not initialized: for code that writes all of them anyway.
template <class T>
struct UnsetLargePages : LargePages<T> {
  static_assert(std::is_trivial_v<T>);
  using value_type = T;
  UnsetLargePages() = default;
  template <class Other>
  UnsetLargePages(const UnsetLargePages<Other>&) {}  // NOLINT: allocators convert

  void construct(T* place) noexcept { ::new (static_cast<void*>(place)) T; }
};

template <class T>
using UnsetVector = std::vector<T, UnsetLargePages<T>>;

}  // namespace neardup::base
