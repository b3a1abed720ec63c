#include "arrow/array_memory.h"

#include "arrow/cells.h"

namespace neardup::arrow {
namespace {

const char* buffer_at(const ArrowArray& array, std::int64_t i) {
  return i < array.n_buffers && array.buffers != nullptr ? static_cast<const char*>(array.buffers[i]) : nullptr;
}

std::int64_t offset_at(const char* offsets, std::int64_t at, std::int64_t width) {
  return width == sizeof(std::int64_t) ? load<std::int64_t>(offsets, at) : load<std::int32_t>(offsets, at);
}

// What the offsets of some cells lead to; nothing when they are not valid.
struct Span {
  std::int64_t first = 0, size = 0;
};
Span span_at(const char* offsets, std::int64_t begin, std::int64_t count, std::int64_t width) {
  const std::int64_t first = offset_at(offsets, begin, width), last = offset_at(offsets, begin + count, width);
  return first < 0 || last < first ? Span{} : Span{first, last - first};
}

const ArrowArray* child_at(const ArrowArray& array, std::size_t i) {
  return static_cast<std::int64_t>(i) < array.n_children && array.children != nullptr ? array.children[i] : nullptr;
}

std::uint64_t view_bytes(const char* views, std::int64_t begin, std::int64_t count) {
  constexpr std::int64_t kInline = 12, kWords = 4;
  std::uint64_t sum = 0;
  for (std::int64_t i = begin; i < begin + count; ++i) {
    const std::int64_t size = load<std::int32_t>(views, i * kWords);
    if (size > kInline) sum += static_cast<std::uint64_t>(size);
  }
  return sum;
}

}  // namespace

std::uint64_t ArrayMemory::bytes_of(const Type& type, const ArrowArray& array) {
  return range(type, array, 0, array.length);
}

// Of a list: its offsets, and what they lead to.
std::uint64_t ArrayMemory::list(const Type& type, const ArrowArray& array, std::int64_t begin, std::int64_t count) {
  const ArrowArray* const child = child_at(array, 0);
  if (child == nullptr) return 0;
  if (type.kind == Kind::fixed_list) {
    std::int64_t first = 0, cells = 0;
    if (__builtin_mul_overflow(begin, type.width, &first) || __builtin_mul_overflow(count, type.width, &cells))
      return 0;
    return range(type.children[0], *child, first, cells);
  }
  const char* const offsets = buffer_at(array, 1);
  const auto width = static_cast<std::uint64_t>(type.width * count);
  if (type.kind == Kind::list_view || offsets == nullptr)
    return 2 * width + range(type.children[0], *child, 0, child->length);
  const Span span = span_at(offsets, begin, count, type.width);
  return width + range(type.children[0], *child, span.first, span.size);
}

std::uint64_t ArrayMemory::range(const Type& type, const ArrowArray& array, std::int64_t begin, std::int64_t count) {
  constexpr std::int64_t kMost = std::int64_t{1} << 48;
  if (array.length > kMost || array.offset > kMost || array.offset < 0 || begin < 0 || count <= 0 ||
      count > array.length || begin > array.length - count) {
    return 0;
  }
  begin += array.offset;
  const char* const data = buffer_at(array, 1);
  const auto cells = static_cast<std::uint64_t>(count);
  const std::uint64_t validity = cells / 8;
  std::uint64_t sum = validity;
  switch (type.kind) {
    case Kind::text:
      sum += static_cast<std::uint64_t>(type.width) * cells;
      if (data == nullptr) return sum;
      return sum + static_cast<std::uint64_t>(span_at(data, begin, count, type.width).size);
    case Kind::text_view:
      return sum + 16 * cells + (data == nullptr ? 0 : view_bytes(data, begin, count));
    case Kind::structure:
      for (std::size_t i = 0; i < type.children.size(); ++i) {
        if (const ArrowArray* const child = child_at(array, i)) sum += range(type.children[i], *child, begin, count);
      }
      return sum;
    case Kind::list:
    case Kind::list_view:
    case Kind::fixed_list:
      return sum + list(type, array, begin, count);
    case Kind::dictionary:
      sum += static_cast<std::uint64_t>(type.width) * cells;
      if (array.dictionary != nullptr && dictionaries_.insert(buffer_at(*array.dictionary, 1)).second)
        sum += bytes_of(type.children[0], *array.dictionary);
      return sum;
    case Kind::runs:
      for (std::size_t i = 0; i < 2; ++i) {
        if (const ArrowArray* const child = child_at(array, i)) sum += bytes_of(type.children[i], *child);
      }
      return sum;
    case Kind::boolean:
      return sum + validity;
    case Kind::null:
    case Kind::unread:
      return 0;
    default:
      return sum + static_cast<std::uint64_t>(type.width) * cells;
  }
}

}  // namespace neardup::arrow
