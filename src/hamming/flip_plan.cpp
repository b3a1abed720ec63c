#include "hamming/flip_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <numeric>
#include <tuple>

#include "base/parallel.h"
#include "neardup/error.h"

namespace neardup::hamming {

void check_volatility(const HammingQueries& queries, std::string_view kind) {
  if (queries.volatility.size() == queries.bits.size()) return;
  throw Error(ErrorCode::usage,
              fmt::format("`method` {} needs the volatility of the queries: compute their fingerprints with it", kind),
              "volatility");
}

void warn_of_crowds(std::uint64_t times, const Context& context) {
  if (times == 0 || context.observer == nullptr) return;
  context.observer->warning(
      fmt::format("{} times a place held more than {} fingerprints, of which only so many were compared: they are far "
                  "from uniform, and `method=fast` finds more",
                  times, kMostOfAPlace));
}

void check_target(double target) {
  if (target > 0 && target <= 1) return;
  throw Error(ErrorCode::usage, fmt::format("`target_recall` {} is not above 0 and at most 1", target),
              "target_recall");
}

QuerySample::QuerySample(const HammingQueries& queries) {
  const std::uint64_t n = queries.bits.size();
  if (n == 0) return;
  const std::uint64_t size = std::min(n, std::clamp<std::uint64_t>(n / 16, 4096, 65536));
  // Steps that visit every query before any twice, and soon come to all parts.
  auto step = static_cast<std::uint64_t>(0.6180339887498949 * static_cast<double>(n)) | 1;
  while (std::gcd(step, n) != 1) ++step;
  bits_.reserve(size);
  volatility_.reserve(size);
  for (std::uint64_t i = 0, at = 0; i < size; ++i, at = (at + step) % n) {
    bits_.push_back(queries.bits[at]);
    volatility_.push_back(queries.volatility[at]);
  }
}

SampledPairs sample_pairs(std::size_t sample_size, std::size_t enough, const FindAlike& find, const Context& context) {
  constexpr std::size_t kStretch = 1024, kPiece = 512;
  SampledPairs result;
  for (std::size_t begin = 0; begin < sample_size && result.queries < enough; begin += kStretch) {
    const std::size_t end = std::min(sample_size, begin + kStretch), old = result.pairs.size();
    std::mutex mutex;
    base::parallel_for(context, (end - begin + kPiece - 1) / kPiece, [&](std::size_t first, std::size_t last) {
      const std::size_t from = begin + first * kPiece, to = std::min(end, begin + last * kPiece);
      AlikePairs mine(from, to);
      find(from, to, mine);
      const std::lock_guard lock(mutex);
      result.pairs.insert(result.pairs.end(), mine.pairs().begin(), mine.pairs().end());
    });
    std::sort(result.pairs.begin() + static_cast<std::ptrdiff_t>(old), result.pairs.end(),
              [](const AlikePair& a, const AlikePair& b) {
                return std::tie(a.query, a.differing) < std::tie(b.query, b.differing);
              });
    // The last pair of a query differs in most bits, as numbers go: in some, unless all are equal.
    for (std::size_t i = old; i < result.pairs.size(); ++i) {
      const bool last = i + 1 == result.pairs.size() || result.pairs[i + 1].query != result.pairs[i].query;
      result.queries += last && result.pairs[i].differing != 0 ? 1 : 0;
    }
  }
  return result;
}

void warn_of_few(const SampledPairs& pairs, std::size_t sample_size, const Context& context) {
  if (context.observer == nullptr) return;
  context.observer->warning(
      fmt::format("only {} of {} sampled queries have a similar partner: too few to learn how bits flip, so more "
                  "places are searched than `target_recall` may need",
                  pairs.queries, sample_size));
}

}  // namespace neardup::hamming
