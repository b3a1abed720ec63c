#include "search/collect.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "corpus/reread.h"
#include "neardup/sketch.h"
#include "search/sampled_truth.h"

namespace neardup::search {
namespace {

struct Collected {
  std::vector<Unit> units;  // whose sets follow each other in `features`
  std::vector<Feature> features;
  std::vector<std::pair<std::uint32_t, Unit>> true_pairs;  // sample, unit
};

// Looks at the units of one thread.
class Collector {
 public:
  Collector(const corpus::Corpus& corpus, const PerUnit<bool>& wants_set, const SampledTruth* truth)
      : units_(corpus.units), wants_set_(wants_set), truth_(truth), features_(corpus.definition) {}

  void operator()(const corpus::RereadRecord& record, Unit unit, Collected& out) {
    const bool wants_set = wants_set_[unit];
    const std::uint32_t size = units_.size[unit];
    if (!wants_set && !truth_->may_have_partners(features_.occurrences(record.document), size)) return;
    const std::span<const Feature> set = features_.set(record.document);
    if (set.size() != size) record.changed();
    if (wants_set) {
      out.units.push_back(unit);
      out.features.insert(out.features.end(), set.begin(), set.end());
    }
    if (truth_ == nullptr) return;
    partners_.clear();
    truth_->partners(set, scratch_, partners_);
    for (const std::uint32_t sample : partners_) out.true_pairs.emplace_back(sample, unit);
  }

 private:
  const corpus::Units& units_;
  const PerUnit<bool>& wants_set_;
  const SampledTruth* truth_;
  Sketcher features_;
  SampledTruth::Scratch scratch_;
  std::vector<std::uint32_t> partners_;
};

// Counts each true pair once: one between two sampled documents belongs to the earlier of them.
class RecallCounter {
 public:
  RecallCounter(const SketchedRequest& request, std::vector<Unit> sample)
      : finder_(request.finder),
        sample_(std::move(sample)),
        is_sampled_(request.corpus.units.units()),
        counts_(sample_.size()) {
    for (const Unit unit : sample_) is_sampled_[unit] = true;
  }

  void count(std::uint32_t sample, Unit partner) {
    const Unit unit = sample_[sample];
    if (partner == unit || (is_sampled_[partner] && partner < unit)) return;
    ++counts_[sample].pairs;
    counts_[sample].found += finder_.offers(unit, partner) ? 1 : 0;
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

}  // namespace

void collect_sets(SketchedRequest& request, const PerUnit<bool>& wanted, Found& found, const Context& context) {
  std::optional<SampledTruth> truth;
  std::optional<RecallCounter> recall;
  if (!request.sample.empty()) {
    std::vector<std::vector<Feature>> sets;
    std::vector<Unit> sampled;
    for (corpus::BottomSample::Drawn& drawn : request.sample) {
      sets.push_back(std::move(drawn.set));
      sampled.push_back(drawn.unit);
    }
    truth.emplace(request.corpus.definition, std::move(sets));
    recall.emplace(request, std::move(sampled));
  }
  if (truth || std::find(wanted.begin(), wanted.end(), true) != wanted.end()) {
    corpus::reread_units<Collected>(
        request.corpus, [&](Unit unit) { return truth || wanted[unit]; },
        [&] { return Collector(request.corpus, wanted, truth ? &*truth : nullptr); },
        [&](const Collected& part) {
          std::span<const Feature> features = part.features;
          for (const Unit unit : part.units) {
            const std::uint32_t size = request.corpus.units.size[unit];
            found.sets->add(unit, features.first(size));
            features = features.subspan(size);
          }
          for (const auto& [sample, unit] : part.true_pairs) recall->count(sample, unit);
        },
        context, truth ? "collecting and measuring recall" : "collecting");
  }
  found.sets->finish();
  if (recall) found.recall = recall->estimate(request.seed);
}

}  // namespace neardup::search
