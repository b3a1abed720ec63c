// How does a large vector come about that nobody fills with zeros first?
#pragma once

#include <memory>
#include <new>
#include <type_traits>
#include <vector>

namespace neardup::base {

// What a vector grows by holds anything: for those who write all of it anyway, on several threads perhaps, each of
// which then meets the fresh pages of its part.
template <class T>
struct Raw : std::allocator<T> {
  static_assert(std::is_trivial_v<T>);
  using value_type = T;
  Raw() = default;
  template <class Other>
  Raw(const Raw<Other>&) {}  // NOLINT: allocators convert

  void construct(T* place) noexcept { ::new (static_cast<void*>(place)) T; }
  template <class Value>
  void construct(T* place, Value&& value) noexcept {
    ::new (static_cast<void*>(place)) T(static_cast<Value&&>(value));
  }
};

template <class T>
using RawVector = std::vector<T, Raw<T>>;

}  // namespace neardup::base
