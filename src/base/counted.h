// How are counts written for people?
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace neardup::base {

inline std::string with_commas(std::uint64_t value) {  // 383,585
  std::string out = std::to_string(value);
  for (std::size_t at = out.size(); at > 3;) out.insert(at -= 3, 1, ',');
  return out;
}

inline std::string counted(std::uint64_t n, std::string_view one, std::string_view many) {  // "1 document"
  return with_commas(n) + ' ' + std::string(n == 1 ? one : many);
}

}  // namespace neardup::base
