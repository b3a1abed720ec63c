#include "evaluate/partition.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "base/random.h"
#include "base/system.h"

namespace neardup::evaluation {
namespace {

double harmonic(double a, double b) { return a + b == 0 ? 0 : 2 * a * b / (a + b); }

std::uint64_t sum_of_pairs(std::span<const std::uint64_t> sizes) {
  std::uint64_t sum = 0;
  for (const std::uint64_t size : sizes) sum += pairs_of(size);
  return sum;
}

// By Hubert and Arabie, in pair counts: both denominators are 0 only if the partitions are trivial and equal.
double adjusted_rand(const Contingency& table) {
  const auto common = static_cast<long double>(table.common_pairs()),
             truth = static_cast<long double>(table.true_pairs()),
             found = static_cast<long double>(table.found_pairs()),
             all = static_cast<long double>(pairs_of(table.documents));
  if (truth == found && common == truth) return 1;
  const long double expected = truth * found / all, most = (truth + found) / 2;
  return static_cast<double>((common - expected) / (most - expected));
}

double entropy(std::span<const std::uint64_t> sizes, double n) {
  double sum = 0;
  for (const std::uint64_t size : sizes)
    if (size > 0) sum -= static_cast<double>(size) / n * std::log(static_cast<double>(size) / n);
  return sum;
}

void add_information(const Contingency& table, PartitionScores& out) {
  const auto n = static_cast<double>(table.documents);
  const double of_truth = entropy(table.true_sizes, n), of_found = entropy(table.found_sizes, n);
  double mutual = 0;
  for (const Cell& cell : table.cells) {
    const auto both = static_cast<double>(cell.documents);
    const double apart = static_cast<double>(table.true_sizes[cell.truth]) / n *
                         (static_cast<double>(table.found_sizes[cell.found]) / n);
    mutual += both / n * std::log(both / n / apart);
  }
  mutual = std::max(0.0, mutual);
  out.homogeneity = of_truth == 0 ? 1 : std::min(1.0, mutual / of_truth);
  out.completeness = of_found == 0 ? 1 : std::min(1.0, mutual / of_found);
  out.v_measure = harmonic(out.homogeneity, out.completeness);
}

}  // namespace

Contingency::Contingency(std::span<const std::uint32_t> truth, std::span<const std::uint32_t> found)
    : documents(truth.size()) {
  std::vector<std::uint32_t> order(truth.size());
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) {
    return std::array{truth[a], found[a], a} < std::array{truth[b], found[b], b};
  });
  for (const std::uint32_t document : order) {
    const std::uint32_t t = truth[document], f = found[document];
    if (cells.empty() || cells.back().truth != t || cells.back().found != f) cells.push_back({t, f, 0, document});
    ++cells.back().documents;
    if (true_sizes.size() <= t) true_sizes.resize(t + std::size_t{1});
    if (found_sizes.size() <= f) found_sizes.resize(f + std::size_t{1});
    ++true_sizes[t];
    ++found_sizes[f];
  }
}

std::uint64_t Contingency::true_pairs() const { return sum_of_pairs(true_sizes); }
std::uint64_t Contingency::found_pairs() const { return sum_of_pairs(found_sizes); }
std::uint64_t Contingency::common_pairs() const {
  std::uint64_t sum = 0;
  for (const Cell& cell : cells) sum += pairs_of(cell.documents);
  return sum;
}

PartitionScores score_partitions(const Contingency& table) {
  PartitionScores out;
  if (table.documents == 0) return out;
  const auto n = static_cast<double>(table.documents);
  double precision = 0, recall = 0;
  std::vector<std::uint64_t> most_of_found(table.found_sizes.size()), most_of_truth(table.true_sizes.size());
  for (const Cell& cell : table.cells) {
    const auto both = static_cast<double>(cell.documents);
    precision += both * both / static_cast<double>(table.found_sizes[cell.found]);
    recall += both * both / static_cast<double>(table.true_sizes[cell.truth]);
    most_of_found[cell.found] = std::max(most_of_found[cell.found], cell.documents);
    most_of_truth[cell.truth] = std::max(most_of_truth[cell.truth], cell.documents);
  }
  const auto share = [&](const std::vector<std::uint64_t>& most) {
    return static_cast<double>(std::accumulate(most.begin(), most.end(), std::uint64_t{0})) / n;
  };
  out.bcubed_precision = precision / n;
  out.bcubed_recall = recall / n;
  out.bcubed_f1 = harmonic(out.bcubed_precision, out.bcubed_recall);
  out.purity = share(most_of_found);
  out.inverse_purity = share(most_of_truth);
  out.ari = adjusted_rand(table);
  add_information(table, out);
  return out;
}

double ratio(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 1 : static_cast<double>(part) / static_cast<double>(whole);
}

double f1_of(const PairCounts& counts) { return ratio(2 * counts.common, counts.found + counts.truth); }

namespace {

// The figures of a drawing: precision, recall, F1, each a part of a whole.
constexpr std::size_t kFigures = 3;
struct Share {
  std::uint64_t part, whole;
};
std::array<Share, kFigures> figures_of(const PairCounts& counts) {
  return {
      {{counts.common, counts.found}, {counts.common, counts.truth}, {2 * counts.common, counts.found + counts.truth}}};
}

// By the rule of three where a bootstrap cannot know: it never draws what did not occur.
void widen(Share share, std::uint64_t blocks, Estimate& out) {
  const double most = blocks == 0 ? 1 : std::min(1.0, 3 / static_cast<double>(blocks));
  if (share.part == share.whole) out.low = 1 - most;
  if (share.part == 0) out.high = share.whole == 0 ? 1 : most;
}

}  // namespace

PairEstimates estimate_pairs(std::span<const PairCounts> blocks, std::uint64_t seed, const Context& context) {
  constexpr std::size_t kMost = 1000, kLeast = 100, kDraws = 50'000'000, kPerCheck = 16;
  PairCounts total;
  std::array<std::uint64_t, kFigures> blocks_of{};  // that have anything to say
  for (const PairCounts& block : blocks) {
    total.common += block.common;
    total.found += block.found;
    total.truth += block.truth;
    const auto figures = figures_of(block);
    for (std::size_t i = 0; i < kFigures; ++i) blocks_of[i] += figures[i].whole > 0 ? 1 : 0;
  }
  const std::size_t rounds = std::clamp(kDraws / std::max<std::size_t>(1, blocks.size()), kLeast, kMost);
  std::array<std::vector<double>, kFigures> drawn;
  base::Random random(seed);
  for (std::size_t round = 0; round < rounds && !blocks.empty(); ++round) {
    if (round % kPerCheck == 0) base::check_stop(context);
    PairCounts sum;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      const PairCounts& block = blocks[random.below(blocks.size())];
      sum.common += block.common;
      sum.found += block.found;
      sum.truth += block.truth;
    }
    const auto figures = figures_of(sum);
    for (std::size_t i = 0; i < kFigures; ++i) drawn[i].push_back(ratio(figures[i].part, figures[i].whole));
  }
  std::array<Estimate, kFigures> out;
  const auto figures = figures_of(total);
  for (std::size_t i = 0; i < kFigures; ++i) {
    out[i].value = out[i].low = out[i].high = ratio(figures[i].part, figures[i].whole);
    if (!drawn[i].empty()) {
      std::ranges::sort(drawn[i]);
      out[i].low = drawn[i][drawn[i].size() * 25 / 1000];
      out[i].high = drawn[i][drawn[i].size() * 975 / 1000 - 1];
    }
    widen(figures[i], blocks_of[i], out[i]);
  }
  return {out[0], out[1], out[2]};
}

}  // namespace neardup::evaluation
