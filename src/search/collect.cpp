#include "search/collect.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "corpus/row_names.h"
#include "search/sampled_truth.h"
#include "io/pass.h"
#include "neardup/error.h"
#include "neardup/sketch.h"

namespace neardup::search {
namespace {

struct Collected final : io::BatchResult {
  std::uint64_t content = 0;
  std::vector<Unit> units;  // whose sets follow each other in `features`
  std::vector<Feature> features;
  std::vector<std::pair<std::uint32_t, Unit>> true_pairs;  // sample, unit
};

class CollectWorker final : public io::BatchWorker {
 public:
  CollectWorker(const SearchRequest& request, const std::vector<bool>& wants_set, const SampledTruth* truth)
      : request_(request),
        wants_set_(wants_set),
        truth_(truth),
        parser_(request.collection.impl().parser()),
        features_(request.definition) {}

  std::unique_ptr<io::BatchResult> work(const io::RecordBatch& batch) override {
    auto result = std::make_unique<Collected>();
    if (batch.first_row + batch.records.size() > request_.table.rows()) corpus::throw_changed(*batch.source);
    result->content = corpus::content_hash(batch);
    for (std::size_t place = 0; place < batch.records.size(); ++place) collect(batch, place, *result);
    return result;
  }

 private:
  void collect(const io::RecordBatch& batch, std::size_t place, Collected& result) {
    const auto row = static_cast<Row>(batch.first_row + place);
    const corpus::UnitTable& table = request_.table;
    if (!table.is_first(row)) return;
    const Unit unit = table.unit_of_row[row];
    const bool wants_set = wants_set_[unit];
    const bool is_probe = truth_ != nullptr;
    if (!wants_set && !is_probe) return;

    const io::RawRecord& record = batch.records[place];
    if (record.problem != nullptr || parser_->parse(batch, record, document_) != nullptr) corpus::throw_changed(*batch.source);
    if (!wants_set && !truth_->may_have_partners(features_.occurrences(document_), table.set_size[unit])) return;
    const std::span<const Feature> set = features_.set(document_);
    if (set.size() != table.set_size[unit]) corpus::throw_changed(*batch.source);
    if (wants_set) {
      result.units.push_back(unit);
      result.features.insert(result.features.end(), set.begin(), set.end());
    }
    if (is_probe) {
      partners_.clear();
      truth_->partners(set, scratch_, partners_);
      for (const std::uint32_t sample : partners_) result.true_pairs.emplace_back(sample, unit);
    }
  }

  const SearchRequest& request_;
  const std::vector<bool>& wants_set_;
  const SampledTruth* truth_;
  std::unique_ptr<io::RecordParser> parser_;
  Sketcher features_;
  Document document_;
  SampledTruth::Scratch scratch_;
  std::vector<std::uint32_t> partners_;
};

// Counts each true pair once: one between two sampled documents belongs to the earlier of them.
class RecallCounter {
 public:
  RecallCounter(const SearchRequest& request, std::vector<Unit> sample)
      : finder_(request.finder),
        sample_(std::move(sample)),
        is_sampled_(request.table.units()),
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
  std::vector<bool> is_sampled_;
  std::vector<SampleCount> counts_;
};

}  // namespace

void collect(SearchRequest& request, const std::vector<bool>& wants_set, SearchResult& result, const Context& context) {
  std::optional<SampledTruth> truth;
  std::optional<RecallCounter> recall;
  if (!request.sample.empty()) {
    std::vector<std::vector<Feature>> sets;
    std::vector<Unit> units;
    for (corpus::Reservoir::Drawn& drawn : request.sample) {
      sets.push_back(std::move(drawn.set));
      units.push_back(drawn.unit);
    }
    truth.emplace(request.definition, std::move(sets));
    recall.emplace(request, std::move(units));
  }
  if (truth || std::find(wants_set.begin(), wants_set.end(), true) != wants_set.end()) {
    std::uint64_t content = 0;
    io::run_pass(
        request.collection, context, truth ? "collecting and measuring recall" : "collecting",
        [&] { return std::make_unique<CollectWorker>(request, wants_set, truth ? &*truth : nullptr); },
        [&](const io::RecordBatch&, io::BatchResult& batch_result) {
          auto& collected = static_cast<Collected&>(batch_result);
          content += collected.content;
          std::span<const Feature> features = collected.features;
          for (const Unit unit : collected.units) {
            result.store->add(unit, features.first(request.table.set_size[unit]));
            features = features.subspan(request.table.set_size[unit]);
          }
          for (const auto& [sample, unit] : collected.true_pairs) recall->count(sample, unit);
        });
    corpus::check_unchanged(request.collection, content, request.content);
  }
  if (result.store) result.store->finish();
  if (recall) result.recall = recall->estimate(request.seed);
}

}  // namespace neardup::search
