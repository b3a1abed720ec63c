#include "base/memory_plan.h"

#include <fmt/format.h>

#include "neardup/error.h"

namespace neardup::base {
namespace {

// Rounded up to what is said; what is less than one says so itself.
std::string in_mebibytes(std::uint64_t bytes) {
  constexpr std::uint64_t kMebibyte = 1u << 20;
  return bytes < kMebibyte ? fmt::format("{} bytes", bytes) : fmt::format("{}M", (bytes + kMebibyte - 1) / kMebibyte);
}

}  // namespace

void throw_too_small(const Context& context, std::string_view to_do, std::uint64_t least_bytes, LeastMemory kind) {
  throw Error(ErrorCode::limit,
              fmt::format("`memory` {} is too small to {}; {} {}", in_mebibytes(memory_bytes(context)), to_do,
                          kind == LeastMemory::exact ? "the least that suffices is" : "it takes about",
                          in_mebibytes(least_bytes)),
              "memory");
}

}  // namespace neardup::base
