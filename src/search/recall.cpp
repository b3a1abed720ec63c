#include <algorithm>
#include <vector>

#include "base/random.h"
#include "search/sampled_truth.h"

namespace neardup::search {

Recall estimate_recall(std::span<const SampleCount> counts, bool is_everything, std::uint64_t seed) {
  Recall recall{.documents = counts.size()};
  std::uint64_t found = 0;
  for (const SampleCount& count : counts) {
    recall.pairs += count.pairs;
    found += count.found;
  }
  const auto share = [](std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? 1.0 : static_cast<double>(part) / static_cast<double>(whole);
  };
  recall.value = recall.low = recall.high = share(found, recall.pairs);
  if (is_everything) return recall;

  if (found == recall.pairs) {
    // No miss among m pairs: with 95% confidence the rate of misses is below 3/m.
    recall.low = recall.pairs == 0 ? 0 : std::max(0.0, 1 - 3 / static_cast<double>(recall.pairs));
    return recall;
  }
  constexpr std::size_t kResamples = 1000;
  std::vector<double> values(kResamples);
  base::Random random(seed);
  for (double& value : values) {
    SampleCount total;
    for (std::size_t i = 0; i < counts.size(); ++i) {
      const SampleCount& drawn = counts[random.below(counts.size())];
      total.pairs += drawn.pairs;
      total.found += drawn.found;
    }
    value = share(total.found, total.pairs);
  }
  std::sort(values.begin(), values.end());
  recall.low = values[kResamples * 25 / 1000];
  recall.high = values[kResamples * 975 / 1000 - 1];
  return recall;
}

}  // namespace neardup::search
