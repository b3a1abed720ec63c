#include "search/sketched.h"

#include <tbb/enumerable_thread_specific.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "base/system.h"
#include "search/blocks.h"
#include "search/collect.h"
#include "search/exact.h"
#include "search/sampled_truth.h"

namespace neardup::search {
namespace {

// Verifies candidates and passes on what meets the definition.
class VerifyingSink final : public CandidateSink {
 public:
  VerifyingSink(const SimilarityOracle& oracle, const SearchRequest& request, SearchResult& result)
      : oracle_(oracle), wanted_(request.wanted), sides_(request.sides), result_(result) {}

  void consider(Unit a, Unit b) override {
    if (sides_ != nullptr && !sides_->face(a, b)) return;
    if (wanted_ == Wanted::connections && result_.links->same(a, b)) return;
    Local& local = locals_.local();
    ++local.candidates;
    const std::optional<double> score = oracle_.score(a, b);
    if (!score) return;
    result_.links->unite(a, b);
    if (wanted_ == Wanted::connections) return;
    local.pairs.push_back({.left = std::min(a, b), .right = std::max(a, b), .score = *score});
    if (local.pairs.size() == kBatch) {
      result_.pairs->accept(local.pairs);
      local.pairs.clear();
    }
  }

  bool settled(std::span<const Unit> units) override {
    if (wanted_ == Wanted::all_pairs) return false;
    return std::all_of(units.begin(), units.end(), [&](Unit unit) { return result_.links->same(unit, units.front()); });
  }

  void finish() {
    for (Local& local : locals_) {
      result_.candidates += local.candidates;
      if (result_.pairs) result_.pairs->accept(local.pairs);
    }
    if (result_.pairs) result_.pairs->finish();
  }

 private:
  static constexpr std::size_t kBatch = 4096;
  struct Local {
    std::uint64_t candidates = 0;
    std::vector<Pair> pairs;
  };
  const SimilarityOracle& oracle_;
  Wanted wanted_;
  const TwoSides* sides_;
  SearchResult& result_;
  tbb::enumerable_thread_specific<Local> locals_;
};

// How much of the sample to use: enough documents that may have partners for an interval of about two points, but not
// so many that documents with very many partners would make the measurement cost more than the search.
void trim_sample(std::vector<corpus::Reservoir::Drawn>& sample, std::span<const Unit> groups,
                 std::span<const std::uint32_t> group_size, std::size_t units) {
  if (sample.size() == units) return;
  constexpr std::size_t kEnoughDocuments = 3000, kEnoughWithPartners = 2000, kLeastDocuments = 100;
  constexpr std::uint64_t kMostComparisons = 50'000'000;
  std::size_t with_partners = 0, used = 0;
  std::uint64_t comparisons = 0;
  for (const corpus::Reservoir::Drawn& drawn : sample) {
    const std::uint64_t others = group_size[groups[drawn.unit]] - 1;
    if (used >= kEnoughDocuments && with_partners >= kEnoughWithPartners) break;
    if (used >= kLeastDocuments && comparisons + others > kMostComparisons) break;
    comparisons += others;
    with_partners += others > 0 ? 1 : 0;
    ++used;
  }
  sample.resize(used);
}

// Receives all true pairs and counts those that a finder offers.
class RecallSink final : public PairSink {
 public:
  explicit RecallSink(const Finder& measured) : measured_(measured) {}

  bool accept(std::span<const Pair> pairs) override {
    count_.pairs += pairs.size();
    for (const Pair& pair : pairs) {
      count_.found += measured_.offers(static_cast<Unit>(pair.left), static_cast<Unit>(pair.right)) ? 1 : 0;
    }
    return true;
  }
  [[nodiscard]] const SampleCount& count() const { return count_; }

 private:
  const Finder& measured_;
  SampleCount count_;
};

struct Budget {
  std::size_t sets, pairs;
};

// What is left of the memory the user allows, after what is held already and what reading takes.
Budget plan_memory(const Context& context) {
  constexpr std::size_t kReading = 40u << 20, kLeast = 8u << 20;
  const std::size_t allowed = base::memory_bytes(context);
  const std::size_t held = base::resident_bytes() + kReading;
  const std::size_t left = allowed > held + kLeast ? allowed - held : kLeast;
  return {.sets = left / 8 * 7, .pairs = left / 8};
}

// One search, step by step.
class Search {
 public:
  Search(SearchRequest& request, const Context& context) : request_(request), table_(request.table), context_(context) {}

  SearchResult run() {
    result_.links = std::make_unique<cluster::UnionFind>(table_.units());
    stage("grouping", 0, "documents");
    groups_ = request_.finder.groups(context_);
    if (request_.sides != nullptr) dissolve_one_sided_groups();
    group_size_.assign(table_.units(), 0);
    for (const Unit group : groups_) ++group_size_[group];
    trim_sample(request_.sample, groups_, group_size_, table_.units());
    // A small collection is measured whole, also when its sample did not fit the memory: then by an exact search.
    const bool measures_all =
        !request_.sample.empty() && request_.sample.size() < table_.units() && table_.units() <= kMeasuredWhole;
    if (measures_all) request_.sample.clear();

    collect_documents();
    find(SimilarityOracle(request_.definition, table_, result_.store.get()));
    if (measures_all) measure_all();
    return std::move(result_);
  }

 private:
  void stage(std::string_view name, std::uint64_t total, std::string_view unit) {
    if (context_.observer != nullptr) context_.observer->stage(name, total, unit);
  }

  // No pair of such a group crosses the border.
  void dissolve_one_sided_groups() {
    std::vector<bool> left(groups_.size()), right(groups_.size());
    for (Unit unit = 0; unit < groups_.size(); ++unit) {
      if (request_.sides->left[unit]) left[groups_[unit]] = true;
      if (request_.sides->right[unit]) right[groups_[unit]] = true;
    }
    for (Unit unit = 0; unit < groups_.size(); ++unit) {
      if (!left[groups_[unit]] || !right[groups_[unit]]) groups_[unit] = unit;
    }
  }

  [[nodiscard]] bool may_have_partner(Unit unit) const { return group_size_[groups_[unit]] > 1; }

  [[nodiscard]] std::vector<Unit> units_that(const std::function<bool(Unit)>& wanted) const {
    std::vector<Unit> units;
    for (Unit unit = 0; unit < table_.units(); ++unit) {
      if (wanted(unit)) units.push_back(unit);
    }
    return units;
  }

  void collect_documents() {
    budget_ = plan_memory(context_);
    const std::vector<Unit> needed = units_that([&](Unit unit) { return may_have_partner(unit); });
    result_.store = std::make_unique<FeatureStore>(table_, needed, budget_.sets, context_);
    std::vector<bool> wants_set(table_.units());
    for (const Unit unit : needed) wants_set[unit] = true;
    collect(request_, wants_set, result_, context_);
    if (!result_.store->in_memory()) budget_ = plan_memory(context_);
  }

  void find(const SimilarityOracle& oracle) {
    if (request_.wanted == Wanted::all_pairs) result_.pairs = std::make_unique<PairStore>(budget_.pairs, context_);
    VerifyingSink sink(oracle, request_, result_);
    offer(sink);
    sink.finish();
  }

  void measure_all() {
    const ExactSide side{request_.collection, table_, request_.content};
    RecallSink sink(request_.finder);
    join_units({.sides = {&side, 1}, .definition = request_.definition, .shared = nullptr, .options = {}}, sink,
               context_);
    std::vector<SampleCount> counts(table_.units());
    counts.front() = sink.count();
    result_.recall = estimate_recall(counts, true, request_.seed);
  }

  // Lets the finder name its candidates, with their sets in memory.
  void offer(CandidateSink& sink) {
    const std::uint64_t block = result_.store->in_memory() ? ~std::uint64_t{0} / 2 : budget_.sets / sizeof(Feature) / 2;
    const BlockPlan plan =
        plan_blocks(units_that([&](Unit unit) { return may_have_partner(unit); }), groups_, table_.set_size, block);
    stage("comparing", plan.meetings.size(), "blocks");
    for (const auto& [first, second] : plan.meetings) {
      base::check_stop(context_);
      const std::span<const Unit> a = plan.blocks[first];
      const std::span<const Unit> b =
          second == BlockPlan::kAlone ? std::span<const Unit>{} : std::span<const Unit>(plan.blocks[second]);
      result_.store->load(a, b);
      request_.finder.candidates(a, b, sink, context_);
      if (context_.observer != nullptr) context_.observer->advance(1);
    }
  }

  SearchRequest& request_;
  const corpus::UnitTable& table_;
  const Context& context_;
  Budget budget_{};
  std::vector<Unit> groups_;
  std::vector<std::uint32_t> group_size_;
  SearchResult result_;
};

}  // namespace

void SearchResult::save(base::StateWriter& out) const {
  links->save(out);
  if (pairs) pairs->save(out);
  out.value(candidates);
  save_recall(out, recall);
}

void SearchResult::load(base::StateReader& in) {
  links->load(in);
  if (pairs) pairs->load(in);
  candidates = in.value<std::uint64_t>();
  recall = load_recall(in);
}

SearchResult empty_result(std::size_t units, Wanted wanted, std::size_t memory_bytes, const Context& context) {
  SearchResult result;
  result.links = std::make_unique<cluster::UnionFind>(units);
  if (wanted == Wanted::all_pairs) result.pairs = std::make_unique<PairStore>(memory_bytes, context);
  return result;
}

void save_recall(base::StateWriter& out, const std::optional<Recall>& recall) {
  out.value(recall.has_value());
  if (recall) out.value(*recall);
}

std::optional<Recall> load_recall(base::StateReader& in) {
  if (!in.value<bool>()) return std::nullopt;
  return in.value<Recall>();
}

SearchResult find_pairs(SearchRequest request, const Context& context) { return Search(request, context).run(); }

bool searches_exactly(const DedupOptions& options, const Definition& definition) {
  // Distances of simhashes are searched exactly, under whichever name.
  return options.finder == "auto" || options.finder == "exact" ||
         (options.finder == "simhash" && definition.measure == Measure::hamming);
}

std::unique_ptr<Finder> finder_for(const DedupOptions& options, const Definition& definition) {
  return make_finder(options.finder, {.definition = definition,
                                            .target_recall = options.target_recall,
                                            .distance = options.distance,
                                            .seed = options.seed});
}

corpus::Reservoir recall_sample(const DedupOptions& options, const Context& context) {
  // The sample's memory, its index included, is kept to an eighth of what is allowed.
  constexpr std::size_t kBytesPerFeature = 64;
  return {options.seed, kMeasuredWhole, base::memory_bytes(context) / 8 / kBytesPerFeature};
}

}  // namespace neardup::search
