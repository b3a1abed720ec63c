#include "passages/window_hash.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cstring>

#include "base/random.h"

namespace neardup::passages {
namespace {

constexpr std::uint64_t kPrime = (std::uint64_t{1} << 61) - 1;

constexpr std::uint64_t reduce(std::uint64_t x) {
  x = (x & kPrime) + (x >> 61);
  return x >= kPrime ? x - kPrime : x;
}

constexpr std::uint64_t times(std::uint64_t a, std::uint64_t b) {
  const unsigned __int128 product = static_cast<unsigned __int128>(a) * b;
  return reduce((static_cast<std::uint64_t>(product) & kPrime) + static_cast<std::uint64_t>(product >> 61));
}

std::uint64_t power(std::uint64_t base, unsigned exponent) {
  std::uint64_t result = 1;
  for (; exponent != 0; exponent >>= 1, base = times(base, base))
    if ((exponent & 1) != 0) result = times(result, base);
  return result;
}

}  // namespace

void find_items(std::string_view text, char separator, Items& out) {
  out.starts.clear();
  if (text.empty()) return;
  out.starts.push_back(0);
  const char *const begin = text.data(), *const end = begin + text.size();
  for (const char* at = begin;;) {
    const auto* found = static_cast<const char*>(std::memchr(at, separator, static_cast<std::size_t>(end - at)));
    if (found == nullptr) break;
    at = found + 1;
    out.starts.push_back(static_cast<std::uint32_t>(at - begin));
  }
  out.starts.push_back(static_cast<std::uint32_t>(text.size()) + 1);
}

WindowHasher::WindowHasher(unsigned window, std::uint64_t seed)
    : window_(window), seed_(seed), base_(reduce(base::mix64(seed ^ 0x6a09e667f3bcc908u) | 2)) {}

void WindowHasher::hash(std::string_view text, const Items& items, std::uint64_t salt,
                        std::vector<std::uint64_t>& out) const {
  hash(text, items, window_, salt, out);
}

void WindowHasher::hash(std::string_view text, const Items& items, unsigned window, std::uint64_t salt,
                        std::vector<std::uint64_t>& out) const {
  out.clear();
  const std::size_t count = items.count();
  if (count < window || window == 0) return;
  const std::uint64_t outgoing = kPrime - power(base_, window);  // minus base^window
  out.reserve(count - window + 1);
  // The hash of an item is needed again when it leaves the window.
  std::vector<std::uint64_t> ring(window);
  std::uint64_t run = 0;
  std::size_t oldest = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t start = items.starts[i];
    const std::uint64_t item = reduce(XXH3_64bits_withSeed(text.data() + start, items.end(i) - start, seed_));
    run = reduce(times(run, base_) + item);
    if (i >= window) run = reduce(run + times(outgoing, ring[oldest]));
    ring[oldest] = item;
    oldest = oldest + 1 == window ? 0 : oldest + 1;
    if (i + 1 >= window) out.push_back(base::mix64(run ^ salt));
  }
}

}  // namespace neardup::passages
