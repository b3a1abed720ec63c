#include "simd/dispatch.h"

#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <string_view>

#include "neardup/error.h"
#include "neardup/version.h"

namespace neardup::simd {
namespace {

#if defined(__x86_64__)

bool runs_avx2() {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
         __builtin_cpu_supports("popcnt");
}

bool runs_avx512() {
  return runs_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
         __builtin_cpu_supports("avx512vpopcntdq");
}

#endif

struct Sets {
  std::array<const neardup_kernels*, 3> sets{};
  std::size_t count = 0;

  Sets() {
    sets[count++] = &neardup_kernels_portable;
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (runs_avx2()) sets[count++] = &neardup_kernels_avx2;
    if (runs_avx512()) sets[count++] = &neardup_kernels_avx512;
#elif defined(__aarch64__)
    sets[count++] = &neardup_kernels_neon;
#endif
  }
};

const neardup_kernels& choose() {
  const auto sets = available();
  const char* forced = std::getenv("NEARDUP_SIMD");
  return forced == nullptr || *forced == '\0' ? *sets.back() : named(forced);
}

}  // namespace

std::span<const neardup_kernels* const> available() {
  static const Sets all;
  return {all.sets.data(), all.count};
}

const neardup_kernels& named(std::string_view name) {
  std::string names;
  for (const neardup_kernels* set : available()) {
    if (name == set->name) return *set;
    names += names.empty() ? "" : ", ";
    names += set->name;
  }
  throw Error{ErrorCode::usage,
              fmt::format("NEARDUP_SIMD={}: no such instruction set on this machine; it has {}", name, names)};
}

const neardup_kernels& kernels() {
  static const neardup_kernels& chosen = choose();
  return chosen;
}

}  // namespace neardup::simd

namespace neardup {

std::vector<KernelChoice> active_kernels() {
  const std::string active = simd::kernels().name;
  return {{"fold_ascii", active},  {"word_masks", active}, {"minhash", active},        {"overlap", active},
          {"overlap32", active},   {"parity", active},     {"match_postings", active}, {"filter_signatures", active},
          {"near_halves", active}, {"near_lines", active}, {"near_pairs", active}};
}

}  // namespace neardup
