// How do numbers that were made of documents leave as NumPy or Arrow arrays, without a copy?
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "arrays.h"
#include "neardup/arrow.h"

namespace neardup::python {

namespace nb = nanobind;

// A list of numbers for each row, or one number for each; rows may have none (null). What is exported shares the
// numbers with this.
template <class Value>
class NumberColumn {
 public:
  enum class Shape { numbers, lists };
  explicit NumberColumn(Shape shape);

  void add(std::span<const Value> values);  // the row's list; of a column of numbers one number
  void add_null();

  [[nodiscard]] std::int64_t rows() const { return data_->rows; }
  [[nodiscard]] Array<const Value> values() const;
  [[nodiscard]] Array<const std::int32_t> offsets() const;  // of lists: rows + 1 places in values
  [[nodiscard]] Array<bool> valid() const;
  // The two capsules of the Arrow PyCapsule protocol.
  [[nodiscard]] nb::tuple arrow_c_array(const nb::object& requested_schema) const;

 private:
  struct Data {
    Shape shape;
    std::int64_t rows = 0, nulls = 0;
    std::vector<Value> values;
    std::vector<std::int32_t> offsets;
    std::vector<std::uint8_t> bits;  // valid ones, the lowest bit first
  };
  std::shared_ptr<Data> data_;
};

using Lists64 = NumberColumn<std::uint64_t>;
using Lists32 = NumberColumn<std::uint32_t>;

}  // namespace neardup::python
