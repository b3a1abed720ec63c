#include "search/sampled_truth.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "base/random.h"
#include "join/algorithms.h"
#include "search/build_sets.h"

namespace neardup::search {
namespace {

// Names the units of documents that waited, in place of their places.
class NamingSink final : public PairSink {
 public:
  NamingSink(PairSink& found, std::function<std::uint64_t(std::uint64_t)> unit_at)
      : found_(found), unit_at_(std::move(unit_at)) {}
  bool accept(std::span<const Pair> pairs) override {
    named_.assign(pairs.begin(), pairs.end());
    for (Pair& pair : named_) pair.right = unit_at_(pair.right);
    return found_.accept(named_);
  }

 private:
  PairSink& found_;
  std::function<std::uint64_t(std::uint64_t)> unit_at_;
  std::vector<Pair> named_;
};

}  // namespace

SampledTruth::SampledTruth(const Definition& definition, std::vector<std::vector<Feature>> sets, PairSink& found,
                           Skip skip, const Context& context)
    : definition_(definition),
      verifier_(definition),
      sets_(std::move(sets)),
      found_(found),
      skip_(std::move(skip)),
      context_(context) {
  context_.observer = nullptr;
  for (const auto& set : sets_) features_ += set.size();
  const std::size_t bits = std::bit_ceil(features_ * 8 + 64);
  maybe_shift_ = 64 - static_cast<unsigned>(std::countr_zero(bits));
  maybe_.assign(bits / 64, 0);
  for (const auto& set : sets_) {
    for (const Feature feature : set) {
      const std::uint64_t bit = feature * kSpread >> maybe_shift_;
      maybe_[bit / 64] |= std::uint64_t{1} << (bit % 64);
    }
  }
}

bool SampledTruth::may_have_partners(std::span<const Feature> occurrences, std::size_t set_size) const {
  // At least `need` different features must be held by some sampled set, so at least as many occurrences.
  const std::uint64_t need = verifier_.min_overlap_any(set_size);
  if (need > occurrences.size()) return false;
  std::uint64_t may_miss = occurrences.size() - need;
  for (const Feature feature : occurrences) {
    if (!may_hold(feature) && may_miss-- == 0) return false;
  }
  return true;
}

bool SampledTruth::append_shared(std::span<const Feature> set, std::vector<Feature>& out) const {
  const std::size_t before = out.size();
  std::ranges::copy_if(set, std::back_inserter(out), [&](Feature feature) { return may_hold(feature); });
  if (out.size() - before >= std::max<std::uint64_t>(1, verifier_.min_overlap_any(set.size()))) return true;
  out.resize(before);
  return false;
}

void SampledTruth::add(Unit unit, std::uint32_t set_size, std::span<const Feature> shared) {
  constexpr std::size_t kWorthAJoin = std::size_t{1} << 18;
  waiting_.push_back({.unit = unit, .set_size = set_size, .begin = waiting_features_.size()});
  waiting_features_.insert(waiting_features_.end(), shared.begin(), shared.end());
  if (waiting_features_.size() >= std::max<std::size_t>(kWorthAJoin, features_ / 2)) join_waiting();
}

void SampledTruth::finish() { join_waiting(); }

void SampledTruth::join_all() {
  const auto get = [&](std::size_t i, std::vector<Feature>&) { return sampled(i); };
  join({.sides = 1,
        .distinct_tokens = features_ / 2,
        .tokens = features_,
        .sets = sets_.size(),
        .seed = features_,
        .may_repeat = true},
       get, found_,
       skip_ ? [&](DocId a, DocId b) { return skip_(static_cast<std::uint32_t>(a), unit_of(b)); }
             : std::function<bool(DocId, DocId)>());
}

SetToBuild SampledTruth::sampled(std::size_t place) const {
  return {.side = 0,
          .number = static_cast<std::uint32_t>(place),
          .full_size = static_cast<std::uint32_t>(sets_[place].size()),
          .features = sets_[place]};
}

void SampledTruth::join_waiting() {
  if (waiting_.empty() || sets_.empty()) return;
  const std::size_t samples = sets_.size();
  const auto get = [&](std::size_t i, std::vector<Feature>&) {
    if (i < samples) return sampled(i);
    const std::size_t place = i - samples;
    const std::uint64_t end =
        place + 1 < waiting_.size() ? waiting_[place + 1].begin : std::uint64_t{waiting_features_.size()};
    return SetToBuild{
        .side = 1,
        .number = static_cast<std::uint32_t>(place),
        .full_size = waiting_[place].set_size,
        .features = std::span(waiting_features_).subspan(waiting_[place].begin, end - waiting_[place].begin)};
  };
  NamingSink naming(found_, [&](std::uint64_t place) { return std::uint64_t{index(waiting_[place].unit)}; });
  join({.sides = 2,
        .distinct_tokens = features_ / 2,
        .tokens = features_ + waiting_features_.size(),
        .sets = samples + waiting_.size(),
        .seed = features_},
       get, naming,
       skip_
           ? [&](DocId sample, DocId place) { return skip_(static_cast<std::uint32_t>(sample), waiting_[place].unit); }
           : std::function<bool(DocId, DocId)>());
  waiting_.clear();
  waiting_features_.clear();
}

template <class Get>
void SampledTruth::join(const joins::SetBuilder::Expected& expected, const Get& get, PairSink& sink,
                        std::function<bool(DocId, DocId)> skip) {
  Reservation memory;  // a sample is reserved with what joining it takes
  const joins::OrderedSets sets = build_sets(expected, get, memory, context_);
  JoinOptions options{.measure = definition_.measure, .threshold = definition_.threshold};
  options.skip = std::move(skip);
  JoinStats stats;
  joins::run_set_join(sets, options, sink, stats, context_);
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
