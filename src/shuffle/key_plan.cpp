#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/random.h"
#include "neardup/error.h"
#include "neardup/shuffle.h"

namespace neardup::shuffle {
namespace {

constexpr unsigned kBits = 64;
constexpr std::size_t kMostTables = 128;

double choices(unsigned from, unsigned take) {
  double product = 1;
  for (unsigned i = 0; i < take; ++i) product = product * (from - i) / (i + 1);
  return product;
}

// A table for each choice of `take` of the blocks; blocks differ in width by one bit at most.
std::vector<std::uint64_t> tables(unsigned blocks, unsigned take) {
  std::vector<std::uint64_t> masks;
  for (std::uint32_t chosen = 0; chosen < std::uint32_t{1} << blocks; ++chosen) {
    if (static_cast<unsigned>(std::popcount(chosen)) != take) continue;
    std::uint64_t mask = 0;
    for (unsigned bit = 0; bit < kBits; ++bit)
      if ((chosen >> (bit * blocks / kBits) & 1) != 0) mask |= std::uint64_t{1} << bit;
    masks.push_back(mask);
  }
  return masks;
}

}  // namespace

// At most `distance` blocks hold a differing bit, so that of distance + g blocks g agree. More blocks make longer keys,
// which fewer strangers share, and more tables. An entry that is moved costs about as much as 200 comparisons.
BlockTables BlockTables::choose(unsigned distance, std::uint64_t fingerprints) {
  if (distance > kMostDistance) {
    throw Error(ErrorCode::usage,
                fmt::format("a distance of {}: tables of blocks serve distances up to {}", distance, kMostDistance),
                "distance");
  }
  constexpr double kEntryCost = 200;
  double least = std::numeric_limits<double>::infinity();
  unsigned best = 1;
  for (unsigned agreeing = 1; agreeing <= 4 && choices(distance + agreeing, agreeing) <= kMostTables; ++agreeing) {
    const double key_bits = std::floor(kBits / (distance + agreeing)) * agreeing;
    const double met = static_cast<double>(fingerprints) / std::exp2(key_bits);
    const double cost = choices(distance + agreeing, agreeing) * (kEntryCost + met);
    if (cost < least) {
      least = cost;
      best = agreeing;
    }
  }
  return {.distance = distance, .masks = tables(distance + best, best)};
}

std::uint64_t BlockTables::key(std::uint64_t bits, std::size_t table) const {
  return base::mix64((bits & masks[table]) ^ base::mix64(table + 1));
}

std::size_t BlockTables::owner(std::uint64_t a, std::uint64_t b) const {
  std::size_t table = 0;
  while (table < masks.size() && ((a ^ b) & masks[table]) != 0) ++table;
  return table;
}

void KeyPlan::validate() const {
  definition.validate();
  const bool serves = kind == KeyKind::blocks ? definition.measure != Measure::edit : compares_sets(definition.measure);
  if (!serves)
    throw Error(ErrorCode::usage, fmt::format("{} is not compared in this way", to_string(definition.measure)),
                "measure");
  if (asks_for_containment(definition.measure))
    throw Error(ErrorCode::usage,
                fmt::format("{} is not supported on Spark: a large document would be a candidate of every small one "
                            "that shares a feature; run `neardup dedup` or `neardup pairs` on one machine",
                            to_string(definition.measure)),
                "measure");
  if (kind == KeyKind::blocks && blocks.masks.empty()) throw Error(ErrorCode::usage, "blocks without tables");
  if (words != 1 && words != 2 && words != 4 && words != 8)
    throw Error(ErrorCode::usage, fmt::format("a signature of {} words: 1, 2, 4 or 8 are possible", words));
  if (parts == 0) throw Error(ErrorCode::usage, "entries are dealt out to at least one part");
}

// Signatures of unrelated sets differ in about half of their bits once the sets have more features than bits; a filter
// needs that to exceed what partners may differ in.
unsigned suitable_words(const Definition& definition, double average_size) {
  const double t = static_cast<double>(definition.threshold.num) / static_cast<double>(definition.threshold.den);
  double share = 1;
  if (definition.measure == Measure::jaccard) share = (1 - t) / (1 + t);
  if (definition.measure == Measure::dice || definition.measure == Measure::cosine) share = 1 - t;
  const double differing = 2 * average_size * share;
  return differing <= 28 ? 1 : differing <= 56 ? 2 : differing <= 115 ? 4 : 8;
}

}  // namespace neardup::shuffle
