// How do vectors of the library become NumPy arrays without a copy?
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace neardup::python {

namespace nb = nanobind;

template <class Value>
using Array = nb::ndarray<nb::numpy, Value, nb::ndim<1>, nb::c_contig>;
template <class Value>
using Table = nb::ndarray<nb::numpy, Value, nb::ndim<2>, nb::c_contig>;
// What is only looked at: any array of this type on the CPU, without a copy.
template <class Value>
using ArrayView = nb::ndarray<const Value, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// The array owns the vector.
template <class Value>
Array<Value> array_of(std::vector<Value> values) {
  auto owned = std::make_unique<std::vector<Value>>(std::move(values));
  Value* const data = owned->data();
  const std::size_t size = owned->size();
  const nb::capsule owner(owned.release(),
                          [](void* vector) noexcept { delete static_cast<std::vector<Value>*>(vector); });
  return Array<Value>(data, {size}, owner);
}

template <class Value>
std::span<const Value> span_of(const ArrayView<Value>& view) {
  return {view.data(), view.shape(0)};
}

}  // namespace neardup::python
