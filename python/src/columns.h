// How do Arrow columns of strings and sets, which come as NumPy arrays over the same memory, become spans?
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

#include "arrays.h"
#include "neardup/error.h"

namespace neardup::python {

using Words = ArrayView<std::uint64_t>;
using Bytes = ArrayView<std::uint8_t>;
using Offsets = ArrayView<std::int32_t>;

// Values of a column of binary or utf8: from offsets[i] to before offsets[i + 1].
class Ragged {
 public:
  Ragged(const Bytes& data, const Offsets& offsets) : data_(span_of(data)), offsets_(span_of(offsets)) {
    std::int32_t last = 0;
    for (const std::int32_t offset : offsets_) {
      if (offset < last) throw Error(ErrorCode::input, "the offsets of a column do not ascend");
      last = offset;
    }
    if (static_cast<std::size_t>(last) > data_.size()) throw Error(ErrorCode::input, "a column ends within a value");
  }
  [[nodiscard]] std::size_t size() const { return offsets_.empty() ? 0 : offsets_.size() - 1; }
  [[nodiscard]] std::span<const std::uint8_t> operator[](std::size_t i) const {
    return data_.subspan(offsets_[i], offsets_[i + 1] - offsets_[i]);
  }
  [[nodiscard]] std::string_view text(std::size_t i) const {
    return {reinterpret_cast<const char*>((*this)[i].data()), (*this)[i].size()};
  }
  // The value as words; `copy` holds them where they are not aligned.
  std::span<const std::uint64_t> words(std::size_t i, std::vector<std::uint64_t>& copy) const {
    const std::span<const std::uint8_t> bytes = (*this)[i];
    if (bytes.size() % sizeof(std::uint64_t) != 0)
      throw Error(ErrorCode::input, "a set that is not made of whole words");
    const std::size_t count = bytes.size() / sizeof(std::uint64_t);
    if (reinterpret_cast<std::uintptr_t>(bytes.data()) % alignof(std::uint64_t) == 0)
      return {reinterpret_cast<const std::uint64_t*>(bytes.data()), count};
    copy.resize(count);
    if (count != 0) std::memcpy(copy.data(), bytes.data(), bytes.size());
    return copy;
  }

 private:
  std::span<const std::uint8_t> data_;
  std::span<const std::int32_t> offsets_;
};

inline void check_lengths(std::size_t a, std::size_t b) {
  if (a != b) throw Error(ErrorCode::input, "columns of different lengths");
}

}  // namespace neardup::python
