// A piece of text many times over.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace neardup::text {

inline std::string repeated(std::string_view piece, std::size_t count) {
  std::string out;
  out.reserve(piece.size() * count);
  while (count-- > 0) out += piece;
  return out;
}

}  // namespace neardup::text
