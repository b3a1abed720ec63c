// The two numberings of a collection, as types that cannot be mixed up, and tables that only one of them can address.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace neardup {

// A record's place in its collection, from 0. 32 bits: a larger collection is refused.
enum class Row : std::uint32_t {};
// A distinct feature set (for hamming: a distinct fingerprint), numbered in the order of its first document.
enum class Unit : std::uint32_t {};

inline constexpr Unit kNoUnit{0xffffffff};  // of a row that takes no part in a search
inline constexpr std::uint64_t kMostRows = 0xfffffffe;

template <class Number>
constexpr std::uint32_t index(Number number) {
  return static_cast<std::uint32_t>(number);
}
// From the 64-bit row numbers of pairs. Precondition: it fits.
constexpr Row row_of(std::uint64_t id) { return Row{static_cast<std::uint32_t>(id)}; }
constexpr Unit unit_of(std::uint64_t id) { return Unit{static_cast<std::uint32_t>(id)}; }

// for (const Row row : all<Row>(count)): 0, 1, ... count - 1.
template <class Number>
class all {
 public:
  class iterator {
   public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = Number;
    using difference_type = std::ptrdiff_t;
    using pointer = const Number*;
    using reference = Number;
    constexpr iterator() = default;
    explicit constexpr iterator(std::uint32_t at) : at_(at) {}
    constexpr Number operator*() const { return Number{at_}; }
    constexpr iterator& operator++() {
      ++at_;
      return *this;
    }
    constexpr iterator operator++(int) { return iterator(at_++); }
    friend constexpr bool operator==(iterator, iterator) = default;

   private:
    std::uint32_t at_ = 0;
  };
  explicit constexpr all(std::size_t count) : count_(static_cast<std::uint32_t>(count)) {}
  [[nodiscard]] constexpr iterator begin() const { return iterator(0); }
  [[nodiscard]] constexpr iterator end() const { return iterator(count_); }

 private:
  std::uint32_t count_;
};

// A vector addressed by one kind of number.
template <class Number, class T>
class Table {
 public:
  Table() = default;
  explicit Table(std::size_t size, const T& value = T()) : values_(size, value) {}
  explicit Table(std::vector<T> values) : values_(std::move(values)) {}

  decltype(auto) operator[](Number number) { return values_[index(number)]; }
  decltype(auto) operator[](Number number) const { return values_[index(number)]; }
  [[nodiscard]] std::size_t size() const { return values_.size(); }
  [[nodiscard]] bool empty() const { return values_.empty(); }
  void push_back(const T& value) { values_.push_back(value); }
  void resize(std::size_t size, const T& value = T()) { values_.resize(size, value); }
  [[nodiscard]] all<Number> numbers() const { return all<Number>(values_.size()); }
  auto begin() const { return values_.begin(); }
  auto end() const { return values_.end(); }
  [[nodiscard]] const std::vector<T>& values() const { return values_; }
  [[nodiscard]] std::size_t memory_bytes() const {
    return std::is_same_v<T, bool> ? values_.capacity() / 8 : values_.capacity() * sizeof(T);
  }

 private:
  std::vector<T> values_;
};

template <class T>
using PerRow = Table<Row, T>;
template <class T>
using PerUnit = Table<Unit, T>;

}  // namespace neardup
