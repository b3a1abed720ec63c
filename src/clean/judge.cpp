#include "clean/judge.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

#include "base/system.h"
#include "corpus/reread.h"
#include "neardup/hamming.h"

namespace neardup::clean {
namespace {

constexpr unsigned kMostJoined = 6;  // at larger distances a join of everything costs more than it saves

class MarkingSink final : public PairSink {
 public:
  explicit MarkingSink(std::size_t size) : marked(size) {}
  bool accept(std::span<const Pair> pairs) override {
    for (const Pair& pair : pairs) marked[pair.left] = marked[pair.right] = true;
    return true;
  }
  std::vector<bool> marked;
};

// By set: whether another one has a simhash within the distance.
std::vector<bool> close_sets(const corpus::UnitTable& sets, unsigned distance, const Context& context) {
  if (distance > kMostJoined) return std::vector<bool>(sets.units(), true);
  std::vector<Unit> order(sets.units());
  std::iota(order.begin(), order.end(), Unit{0});
  std::ranges::sort(order, {}, [&](Unit set) { return sets.bits[set]; });
  std::vector<std::uint64_t> bits;  // distinct ones
  std::vector<std::size_t> begin;   // in `order`
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (!bits.empty() && bits.back() == sets.bits[order[i]]) continue;
    bits.push_back(sets.bits[order[i]]);
    begin.push_back(i);
  }
  begin.push_back(order.size());
  MarkingSink near(bits.size());
  if (distance > 0) {
    Context alone = context;
    alone.threads = 1;  // marks are written without a lock
    hamming_self_join(bits, distance, near, alone);
  }
  std::vector<bool> is_close(sets.units());
  for (std::size_t i = 0; i < bits.size(); ++i) {
    const bool close = near.marked[i] || begin[i + 1] - begin[i] > 1;
    for (std::size_t at = begin[i]; close && at < begin[i + 1]; ++at) is_close[order[at]] = true;
  }
  return is_close;
}

struct SetsOfBatch {
  std::vector<Unit> units;
  std::vector<Feature> features;
};

std::unique_ptr<search::FeatureStore> collect_sets(const JudgeRequest& request, const std::vector<bool>& wanted,
                                           const Context& context) {
  std::vector<Unit> needed;
  for (Unit set = 0; set < wanted.size(); ++set)
    if (wanted[set]) needed.push_back(set);
  auto store = std::make_unique<search::FeatureStore>(request.sets, needed, base::memory_bytes(context) / 4, context);
  if (!needed.empty()) {
    corpus::visit_units<SetsOfBatch>(
        {request.collection, request.sets, request.content}, request.definition, context,
        [&] {
          return [&](Unit unit, const Document& document, Sketcher& features, SetsOfBatch& part) {
            const std::span<const Feature> set = features.set(document);
            part.units.push_back(unit);
            part.features.insert(part.features.end(), set.begin(), set.end());
            return set.size() == request.sets.set_size[unit];
          };
        },
        [&](SetsOfBatch& part) {
          std::span<const Feature> features = part.features;
          for (const Unit unit : part.units) {
            store->add(unit, features.first(request.sets.set_size[unit]));
            features = features.subspan(request.sets.set_size[unit]);
          }
        },
        &wanted);
  }
  store->finish();
  return store;
}

}  // namespace

SetJudge::SetJudge(const JudgeRequest& request, const Context& context)
    : sets_(request.sets),
      definition_(request.definition),
      largest_k_(request.largest_k),
      is_close_(compares_sets(definition_.measure) ? close_sets(sets_, largest_k_, context) : std::vector<bool>()),
      store_(compares_sets(definition_.measure) ? collect_sets(request, is_close_, context) : nullptr),
      oracle_(definition_, sets_, store_.get()) {}

std::optional<double> SetJudge::score(clean::SetNumber a, clean::SetNumber b) const {
  if (a == b) return oracle_.copy_score(a);
  if (store_ == nullptr) {
    const int distance = std::popcount(sets_.bits[a] ^ sets_.bits[b]);
    return distance <= static_cast<int>(largest_k_) ? std::optional<double>(distance) : std::nullopt;
  }
  // The ends of a chain may be far apart; sets that were not collected are near nobody.
  return is_close_[a] && is_close_[b] ? oracle_.score_anywhere(a, b) : std::nullopt;
}

}  // namespace neardup::clean
