#include "dedup/find_pairs.h"

#include <tbb/enumerable_thread_specific.h>

#include <algorithm>
#include <utility>

#include "base/system.h"
#include "dedup/blocks.h"
#include "dedup/collect_pass.h"

namespace neardup::dedup {
namespace {

// Verifies candidates and passes on what meets the definition.
class VerifyingSink final : public find::CandidateSink {
 public:
  VerifyingSink(const SimilarityOracle& oracle, Wanted wanted, SearchResult& result)
      : oracle_(oracle), wanted_(wanted), result_(result) {}

  void consider(Unit a, Unit b) override {
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
  SearchResult& result_;
  tbb::enumerable_thread_specific<Local> locals_;
};

// How much of the sample to use: enough documents that may have partners for an interval of about two points, but not
// so many that documents with very many partners would make the measurement cost more than the search.
void trim_sample(std::vector<Reservoir::Drawn>& sample, std::span<const Unit> groups,
                 std::span<const std::uint32_t> group_size, std::size_t units) {
  if (sample.size() == units) return;
  constexpr std::size_t kEnoughDocuments = 3000, kEnoughWithPartners = 2000, kLeastDocuments = 100;
  constexpr std::uint64_t kMostComparisons = 50'000'000;
  std::size_t with_partners = 0, used = 0;
  std::uint64_t comparisons = 0;
  for (const Reservoir::Drawn& drawn : sample) {
    const std::uint64_t others = group_size[groups[drawn.unit]] - 1;
    if (used >= kEnoughDocuments && with_partners >= kEnoughWithPartners) break;
    if (used >= kLeastDocuments && comparisons + others > kMostComparisons) break;
    comparisons += others;
    with_partners += others > 0 ? 1 : 0;
    ++used;
  }
  sample.resize(used);
}

struct Budget {
  std::size_t sets, pairs;
};

// What is left of the memory the user allows, after what is held already and what reading takes.
Budget plan_memory(Context& context) {
  constexpr std::size_t kReading = 40u << 20, kLeast = 8u << 20;
  const std::size_t allowed = base::memory_bytes(context);
  const std::size_t held = base::resident_bytes() + kReading;
  const std::size_t left = allowed > held + kLeast ? allowed - held : kLeast;
  return {.sets = left / 8 * 7, .pairs = left / 8};
}

}  // namespace

SearchResult find_pairs(SearchRequest request, Context& context) {
  const UnitTable& table = request.table;
  SearchResult result;
  result.links = std::make_unique<cluster::UnionFind>(table.units());
  if (context.observer != nullptr) context.observer->stage("grouping", 0, "documents");
  const std::vector<Unit> groups = request.finder.groups(context);
  std::vector<std::uint32_t> group_size(table.units(), 0), copies(table.units(), 0);
  for (const Unit group : groups) ++group_size[group];
  for (const Unit unit : table.unit_of_row) {
    if (unit < kBadRecord) ++copies[unit];
  }
  std::vector<Unit> needed;
  for (Unit unit = 0; unit < table.units(); ++unit) {
    if (group_size[groups[unit]] > 1) needed.push_back(unit);
  }
  trim_sample(request.sample, groups, group_size, table.units());

  const bool is_hamming = request.definition.measure == Measure::hamming;
  Budget budget = plan_memory(context);
  CollectPlan plan{.wants_set = std::vector<bool>(table.units()), .wants_name = std::vector<bool>(table.units())};
  if (!is_hamming) {
    result.store = std::make_unique<FeatureStore>(table, needed, budget.sets, context);
    for (const Unit unit : needed) plan.wants_set[unit] = true;
  }
  if (request.names == NamesFor::everyone_with_a_partner) {
    for (Unit unit = 0; unit < table.units(); ++unit) {
      plan.wants_name[unit] = group_size[groups[unit]] > 1 || copies[unit] > 1;
    }
  }
  collect(request, plan, result, context);

  if (result.store && !result.store->in_memory()) budget = plan_memory(context);
  if (request.wanted == Wanted::all_pairs) result.pairs = std::make_unique<PairStore>(budget.pairs, context);
  const SimilarityOracle oracle(request.definition, table, result.store.get());
  VerifyingSink sink(oracle, request.wanted, result);
  const bool everything_at_once = !result.store || result.store->in_memory();
  const BlockPlan blocks = plan_blocks(std::move(needed), groups, table.set_size,
                                       everything_at_once ? ~std::uint64_t{0} / 2 : budget.sets / sizeof(Feature) / 2);
  if (context.observer != nullptr) context.observer->stage("comparing", blocks.meetings.size(), "blocks");
  for (const auto& [first, second] : blocks.meetings) {
    base::check_stop(context);
    const std::span<const Unit> a = blocks.blocks[first];
    const std::span<const Unit> b =
        second == BlockPlan::kAlone ? std::span<const Unit>{} : std::span<const Unit>(blocks.blocks[second]);
    if (result.store) result.store->load(a, b);
    request.finder.candidates(a, b, sink, context);
    if (context.observer != nullptr) context.observer->advance(1);
  }
  sink.finish();
  return result;
}

}  // namespace neardup::dedup
