// Who calls the release callbacks of Arrow's C structs, exactly once and on every path?
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "neardup/arrow.h"

namespace neardup::arrow {

// A schema, an array or a stream that is released with its owner. Released by others, or never filled: empty.
template <class Struct>
class Owned {
 public:
  Owned() = default;
  explicit Owned(Struct&& taken) noexcept : value_(std::exchange(taken, Struct{})) {}
  ~Owned() { reset(); }
  Owned(Owned&& other) noexcept : value_(std::exchange(other.value_, Struct{})) {}
  Owned& operator=(Owned&& other) noexcept {
    if (this != &other) {
      reset();
      value_ = std::exchange(other.value_, Struct{});
    }
    return *this;
  }

  [[nodiscard]] bool empty() const noexcept { return value_.release == nullptr; }
  [[nodiscard]] const Struct& get() const noexcept { return value_; }
  [[nodiscard]] Struct& get() noexcept { return value_; }

  void reset() noexcept {
    if (value_.release != nullptr) value_.release(&value_);
    value_ = Struct{};
  }

 private:
  Struct value_{};
};

using OwnedSchema = Owned<ArrowSchema>;
using OwnedArray = Owned<ArrowArray>;

// A stream whose failures are Error{input} with what the stream says about them.
class Stream {
 public:
  explicit Stream(ArrowArrayStream&& taken);

  [[nodiscard]] OwnedSchema schema();
  // Empty when there are no more.
  [[nodiscard]] OwnedArray next();

 private:
  [[noreturn]] void fail(int code);
  Owned<ArrowArrayStream> stream_;
};

}  // namespace neardup::arrow
