#include "search/sketched.h"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include "base/memory_plan.h"
#include "search/blocks.h"
#include "search/exact.h"
#include "search/sampled_truth.h"
#include "search/verifying_sink.h"

namespace neardup::search {
namespace {

// How much of the sample to use: enough documents that may have partners for an interval of about two points, but not
// so many that documents with very many partners would make the measurement cost more than the search.
void trim_sample(std::vector<corpus::BottomSample::Drawn>& sample, const PerUnit<Unit>& groups,
                 const PerUnit<std::uint32_t>& group_size, std::size_t units) {
  if (sample.size() == units) return;
  constexpr std::size_t kEnoughDocuments = 3000, kEnoughWithPartners = 2000, kLeastDocuments = 100;
  constexpr std::uint64_t kMostComparisons = 50'000'000;
  std::size_t with_partners = 0, used = 0;
  std::uint64_t comparisons = 0;
  for (const corpus::BottomSample::Drawn& drawn : sample) {
    const std::uint64_t others = group_size[groups[drawn.unit]] - 1;
    if (used >= kEnoughDocuments && with_partners >= kEnoughWithPartners) break;
    if (used >= kLeastDocuments && comparisons + others > kMostComparisons) break;
    comparisons += others;
    with_partners += others > 0 ? 1 : 0;
    ++used;
  }
  sample.resize(used);
}

struct Collected {
  std::vector<Unit> units;  // whose sets follow each other in `features`
  std::vector<Feature> features;
  // What may have a partner in the sample, likewise.
  std::vector<std::pair<Unit, std::uint32_t>> measured;  // and how many features it shares
  std::vector<Feature> shared;
};

// Looks at the units of one thread.
class Collector {
 public:
  Collector(const corpus::Corpus& corpus, const PerUnit<bool>& wants_set, const SampledTruth* truth,
            const Context& context)
      : units_(corpus.units), wants_set_(wants_set), truth_(truth), context_(context) {}

  void operator()(corpus::VisitedSet& features, Unit unit, Collected& out) {
    base::check_stop(context_);
    const bool wants_set = wants_set_[unit];
    const std::uint32_t size = units_.size[unit];
    if (!wants_set && !truth_->may_have_partners(features.occurrences(), size)) return;
    const std::span<const Feature> set = features.set();
    if (wants_set) {
      out.units.push_back(unit);
      out.features.insert(out.features.end(), set.begin(), set.end());
    }
    const std::size_t before = out.shared.size();
    if (truth_ != nullptr && truth_->append_shared(set, out.shared))
      out.measured.emplace_back(unit, static_cast<std::uint32_t>(out.shared.size() - before));
  }

 private:
  const corpus::Units& units_;
  const PerUnit<bool>& wants_set_;
  const SampledTruth* truth_;
  const Context& context_;
};

// Counts true pairs of a sampled document, by its place in the sample, and a unit.
class RecallCounter final : public PairSink {
 public:
  RecallCounter(const Finder& finder, std::size_t units, std::vector<Unit> sample)
      : finder_(finder), sample_(std::move(sample)), is_sampled_(units), counts_(sample_.size()) {
    for (const Unit unit : sample_) is_sampled_[unit] = true;
  }

  // Each pair counts once: one between two sampled documents belongs to the earlier of them.
  [[nodiscard]] bool counts(std::uint32_t sample, Unit partner) const {
    const Unit unit = sample_[sample];
    return partner != unit && !(is_sampled_[partner] && partner < unit);
  }

  bool accept(std::span<const Pair> pairs) override {
    for (const Pair& pair : pairs) {
      if (!counts(static_cast<std::uint32_t>(pair.left), unit_of(pair.right))) continue;
      ++counts_[pair.left].pairs;
      counts_[pair.left].found += finder_.offers(sample_[pair.left], unit_of(pair.right)) ? 1 : 0;
    }
    return true;
  }

  [[nodiscard]] Recall estimate(std::uint64_t seed) const {
    return estimate_recall(counts_, sample_.size() == is_sampled_.size(), seed);
  }

 private:
  const Finder& finder_;
  std::vector<Unit> sample_;
  PerUnit<bool> is_sampled_;
  std::vector<SampleCount> counts_;
};

// One search, step by step.
class Search {
 public:
  Search(SketchedRequest& request, const Context& context)
      : request_(request),
        units_(request.corpus.units),
        context_(context),
        memory_(base::reservation(context)),
        found_(units_.units(), Wanted::connections, context) {}

  Found run() {
    stage("grouping", 0, "documents");
    memory_.hold(units_.units() * (sizeof(Unit) + sizeof(std::uint32_t)));
    found_.parameters = request_.finder.parameters();
    groups_ = request_.finder.groups(context_);
    if (request_.sides != nullptr) dissolve_one_sided_groups();
    group_size_.resize(units_.units());
    for (const Unit group : groups_) ++group_size_[group];
    trim_sample(request_.sample, groups_, group_size_, units_.units());
    // A small collection is measured whole, also when its sample did not fit the memory: then by an exact search.
    const bool measures_all =
        !request_.sample.empty() && request_.sample.size() < units_.units() && units_.units() <= corpus::kMeasuredWhole;
    if (measures_all) request_.sample.clear();

    collect_documents();
    if (!measures_all) request_.kept = {};
    verify();
    if (measures_all) measure_all();
    return std::move(found_);
  }

 private:
  void stage(std::string_view name, std::uint64_t total, std::string_view unit) {
    if (context_.observer != nullptr) context_.observer->stage(name, total, unit);
  }

  // No pair of such a group crosses the border.
  void dissolve_one_sided_groups() {
    PerUnit<bool> left(groups_.size()), right(groups_.size());
    for (const Unit unit : groups_.numbers()) {
      if (request_.sides->left[unit]) left[groups_[unit]] = true;
      if (request_.sides->right[unit]) right[groups_[unit]] = true;
    }
    for (const Unit unit : groups_.numbers()) {
      if (!left[groups_[unit]] || !right[groups_[unit]]) groups_[unit] = unit;
    }
  }

  [[nodiscard]] std::vector<Unit> units_with_partners() const {
    std::vector<Unit> units;
    for (const Unit unit : groups_.numbers()) {
      if (group_size_[groups_[unit]] > 1) units.push_back(unit);
    }
    return units;
  }

  // The second reading: sets and sampled truth, for the documents that matter only. None when nothing is wanted.
  void collect_documents() {
    const std::vector<Unit> needed = units_with_partners();
    found_.sets = std::make_unique<SetStore>(units_, needed, context_);
    PerUnit<bool> wanted(units_.units());
    for (const Unit unit : needed) wanted[unit] = true;
    std::optional<SampledTruth> truth;
    std::optional<RecallCounter> recall;
    // What is everything needs no reading again: its sets are known.
    const bool is_everything = request_.sample.size() == units_.units();
    if (!request_.sample.empty()) {
      std::vector<std::vector<Feature>> sets;
      std::vector<Unit> sampled;
      if (is_everything) std::ranges::sort(request_.sample, {}, &corpus::BottomSample::Drawn::unit);
      for (corpus::BottomSample::Drawn& drawn : request_.sample) {
        sets.push_back(std::move(drawn.set));
        sampled.push_back(drawn.unit);
      }
      recall.emplace(request_.finder, units_.units(), std::move(sampled));
      truth.emplace(
          request_.corpus.definition, std::move(sets), *recall,
          [&](std::uint32_t sample, Unit unit) { return !recall->counts(sample, unit); }, context_);
    }
    const SampledTruth* const sample = truth && !is_everything ? &*truth : nullptr;
    if (sample != nullptr || !needed.empty()) {
      corpus::visit_sets<Collected>(
          request_.corpus, request_.kept, sample != nullptr ? "collecting and measuring recall" : "collecting",
          [&](Unit unit) { return sample != nullptr || wanted[unit]; },
          [&] { return Collector(request_.corpus, wanted, sample, context_); },
          [&](const Collected& part) {
            std::span<const Feature> features = part.features;
            for (const Unit unit : part.units) {
              found_.sets->add(unit, features.first(units_.size[unit]));
              features = features.subspan(units_.size[unit]);
            }
            std::span<const Feature> shared = part.shared;
            for (const auto& [unit, count] : part.measured) {
              truth->add(unit, units_.size[unit], shared.first(count));
              shared = shared.subspan(count);
            }
          },
          context_);
    }
    found_.sets->finish();
    if (!truth) return;
    if (is_everything) {
      truth->join_all();
    } else {
      truth->finish();
    }
    found_.recall = recall->estimate(request_.seed);
  }

  // Lets the finder name its candidates, with their sets in memory.
  void verify() {
    if (request_.wanted == Wanted::all_pairs) found_.pairs = std::make_unique<PairStore>(context_);
    VerifyingSink sink(request_, found_, context_);
    const BlockPlan plan = plan_blocks(units_with_partners(), groups_, units_.size, found_.sets->most_features() / 2);
    stage("comparing", plan.meetings.size(), "blocks");
    for (const auto& [first, second] : plan.meetings) {
      base::check_stop(context_);
      const std::span<const Unit> a = plan.blocks[first];
      const std::span<const Unit> b =
          second == BlockPlan::kAlone ? std::span<const Unit>{} : std::span<const Unit>(plan.blocks[second]);
      found_.sets->load(a, b);
      request_.finder.candidates(a, b, sink, context_);
      if (context_.observer != nullptr) context_.observer->advance(1);
    }
    sink.finish();
  }

  void measure_all() {
    const all<Unit> units = groups_.numbers();
    RecallCounter counter(request_.finder, units_.units(), {units.begin(), units.end()});
    SeenSets seen;
    seen.kept.push_back(std::move(request_.kept));
    find_exactly({.sides = {&request_.corpus, 1}, .seen = std::move(seen), .options = {}}, counter, context_);
    found_.recall = counter.estimate(request_.seed);
  }

  SketchedRequest& request_;
  const corpus::Units& units_;
  const Context& context_;
  Reservation memory_;  // for the groups
  Found found_;
  PerUnit<Unit> groups_;
  PerUnit<std::uint32_t> group_size_;
};

}  // namespace

Found find_by_sketches(SketchedRequest request, const Context& context) { return Search(request, context).run(); }

corpus::BottomSample recall_sample(std::uint64_t seed, const Context& context) {
  return {seed, corpus::kMeasuredWhole,
          base::plan_memory(context).recall_sample / corpus::BottomSample::kBytesPerFeature};
}

}  // namespace neardup::search
