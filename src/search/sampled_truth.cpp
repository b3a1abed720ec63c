#include "search/sampled_truth.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "base/random.h"

namespace neardup::search {

SampledTruth::SampledTruth(const Definition& definition, std::vector<std::vector<Feature>> sets)
    : verifier_(definition), sets_(std::move(sets)) {
  std::vector<Feature> all;
  for (const auto& set : sets_) all.insert(all.end(), set.begin(), set.end());
  std::sort(all.begin(), all.end());

  // Distinct features with their number of holders, then ranked by it: the rarest first, ties by value.
  std::vector<std::pair<std::uint32_t, Feature>> order;
  for (std::size_t i = 0, j = 0; i < all.size(); i = j) {
    while (j < all.size() && all[j] == all[i]) ++j;
    order.emplace_back(static_cast<std::uint32_t>(j - i), all[i]);
  }
  std::sort(order.begin(), order.end());
  std::vector<Feature>().swap(all);

  const std::size_t bits = std::bit_ceil(order.size() * 8 + 64);
  maybe_shift_ = 64 - static_cast<unsigned>(std::countr_zero(bits));
  maybe_.assign(bits / 64, 0);
  for (const auto& [holders, feature] : order) {
    ranks_.number(feature);
    const std::uint64_t bit = feature >> maybe_shift_;
    maybe_[bit / 64] |= std::uint64_t{1} << (bit % 64);
  }

  std::vector<std::pair<std::uint32_t, std::uint32_t>> entries;  // rank, sample
  std::vector<std::uint32_t> ranks;
  for (std::size_t sample = 0; sample < sets_.size(); ++sample) {
    ranks.clear();
    for (const Feature feature : sets_[sample]) ranks.push_back(rank(feature));
    const std::size_t prefix = prefix_length(ranks.size());
    std::partial_sort(ranks.begin(), ranks.begin() + static_cast<std::ptrdiff_t>(prefix), ranks.end());
    for (std::size_t i = 0; i < prefix; ++i) entries.emplace_back(ranks[i], static_cast<std::uint32_t>(sample));
  }
  std::sort(entries.begin(), entries.end());
  first_posting_.assign(order.size() + 1, 0);
  postings_.reserve(entries.size());
  for (const auto& [rank, sample] : entries) {
    ++first_posting_[rank + 1];
    postings_.push_back(sample);
  }
  for (std::size_t rank = 0; rank < order.size(); ++rank) first_posting_[rank + 1] += first_posting_[rank];
}

std::size_t SampledTruth::prefix_length(std::size_t set_size) const {
  const std::uint64_t need = verifier_.min_overlap_any(set_size);
  return need > set_size ? 0 : set_size - need + 1;
}

std::uint32_t SampledTruth::rank(Feature feature) const {
  const std::uint64_t bit = feature >> maybe_shift_;
  if ((maybe_[bit / 64] >> (bit % 64) & 1) == 0) return base::kNoNumber;
  return ranks_.find(feature);
}

bool SampledTruth::may_have_partners(std::span<const Feature> occurrences, std::size_t set_size) const {
  // At least `need` different features must be held by some sampled set, so at least as many occurrences.
  const std::uint64_t need = verifier_.min_overlap_any(set_size);
  if (need > occurrences.size()) return false;
  std::uint64_t may_miss = occurrences.size() - need;
  for (const Feature feature : occurrences) {
    if (rank(feature) == base::kNoNumber && may_miss-- == 0) return false;
  }
  return true;
}

void SampledTruth::partners(std::span<const Feature> set, Scratch& scratch, std::vector<std::uint32_t>& out) const {
  const std::size_t prefix = prefix_length(set.size());
  auto& ranks = scratch.ranks;
  ranks.clear();
  std::size_t absent = 0;
  for (const Feature feature : set) {
    if (const std::uint32_t r = rank(feature); r != base::kNoNumber) {
      ranks.push_back(r);
    } else if (++absent >= prefix) {
      return;
    }
  }
  const std::size_t probes = std::min(prefix - absent, ranks.size());
  std::partial_sort(ranks.begin(), ranks.begin() + static_cast<std::ptrdiff_t>(probes), ranks.end());

  scratch.seen.resize(sets_.size(), 0);
  if (++scratch.call == 0) {
    std::fill(scratch.seen.begin(), scratch.seen.end(), 0);
    scratch.call = 1;
  }
  for (std::size_t i = 0; i < probes; ++i) {
    for (std::uint32_t p = first_posting_[ranks[i]]; p < first_posting_[ranks[i] + 1]; ++p) {
      const std::uint32_t sample = postings_[p];
      if (std::exchange(scratch.seen[sample], scratch.call) == scratch.call) continue;
      const auto& other = sets_[sample];
      if (verifier_.sizes_can_match(set.size(), other.size()) && verifier_.verify(set, other)) out.push_back(sample);
    }
  }
}

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
