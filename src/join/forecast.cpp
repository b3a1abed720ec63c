#include "join/forecast.h"

#include <bit>
#include <cstdint>
#include <vector>

#include "base/system.h"
#include "join/algorithms.h"

namespace neardup::joins {
namespace {

// One set in `stride`, with its tokens ranked again among those of the sample.
OrderedSets sample_of(const OrderedSets& sets, Place stride) {
  constexpr Rank kBits = 64;
  std::vector<std::uint64_t> used(sets.universe() / kBits + 1);
  for (Place place = 0; place < sets.size(); place += stride)
    for (const Rank token : sets.tokens(place)) used[token / kBits] |= std::uint64_t{1} << token % kBits;
  std::vector<Rank> before(used.size() + 1);  // by word of `used`: how many bits are set in earlier ones
  for (std::size_t word = 0; word < used.size(); ++word)
    before[word + 1] = before[word] + static_cast<Rank>(std::popcount(used[word]));

  std::vector<OrderedSets::Entry> entries;
  std::vector<std::uint64_t> begins{0};
  std::vector<Rank> ranks;
  for (Place place = 0; place < sets.size(); place += stride) {
    for (const Rank token : sets.tokens(place)) {
      const std::uint64_t lower = used[token / kBits] & ((std::uint64_t{1} << token % kBits) - 1);
      ranks.push_back(before[token / kBits] + static_cast<Rank>(std::popcount(lower)));
    }
    begins.push_back(ranks.size());
    entries.push_back({.full_size = sets.full_size(place), .number = sets.number(place), .side = sets.side(place)});
  }
  ranks.resize(ranks.size() + OrderedSets::kPadding);
  OrderedSets sample(sets.sides(), before.back(), entries, begins, std::move(ranks));
  sample.set_may_repeat(sets.may_repeat());
  return sample;
}

class PairCounter final : public PairSink {
 public:
  bool accept(std::span<const Pair> pairs) override {
    count += static_cast<double>(pairs.size());
    return true;
  }
  double count = 0;
};

}  // namespace

std::optional<JoinForecast> forecast(const OrderedSets& sets, const JoinOptions& options, const Context& context) {
  constexpr Place kSample = 1000, kWorthIt = 20'000, kMostOfAll = 16;
  constexpr std::uint64_t kEnoughMeetings = 2'000'000, kMostTokens = 1'000'000;
  // Nanoseconds of one thread: to put a token where it belongs, to compare two postings, and two tokens.
  constexpr double kOrder = 5, kMeet = 1.6, kCompare = 1;
  if (sets.size() < kWorthIt) return std::nullopt;
  const JoinOptions plain{.measure = options.measure, .threshold = options.threshold};
  Context quiet = context;
  quiet.observer = nullptr;
  for (Place size = kSample;; size *= 2) {
    const OrderedSets sample = sample_of(sets, sets.size() / size);
    PairCounter counter;
    base::PairOutput output(counter, 0);
    JoinStats stats;
    best_algorithm(options.measure).run({sample, plain, output, stats, quiet});
    const std::uint64_t met = stats.filters.front().pairs;
    if (met < kEnoughMeetings && size <= sets.size() / kMostOfAll && sample.total_tokens() <= kMostTokens / 2) continue;
    // Every set meets every other: all but the order grows with the square.
    const double scale = static_cast<double>(sets.size()) / sample.size(), square = scale * scale;
    const double tokens_of_two = 2 * static_cast<double>(sample.total_tokens()) / sample.size();
    const double nanoseconds =
        kOrder * static_cast<double>(sets.total_tokens()) +
        square * (kMeet * static_cast<double>(met) + kCompare * tokens_of_two * static_cast<double>(stats.candidates));
    return JoinForecast{.seconds = nanoseconds / 1e9 / base::threads(context), .pairs = counter.count * square};
  }
}

}  // namespace neardup::joins
