#include "clean/judge.h"

#include <bit>

#include "base/system.h"
#include "hamming/distinct.h"
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

// Whether another unit has a simhash within the distance.
PerUnit<bool> close_units(const corpus::Units& units, unsigned distance, const Context& context) {
  if (distance > kMostJoined) return PerUnit<bool>(units.units(), true);
  const hamming::Distinct distinct = hamming::find_distinct(units.bits.values(), context);
  MarkingSink near(distinct.codes.size());
  if (distance > 0) hamming_self_join(distinct.codes, distance, near, context);
  PerUnit<bool> is_close(units.units());
  for (hamming::Entry entry = 0; entry < distinct.codes.size(); ++entry) {
    if (near.marked[entry] || distinct.rows.has_copies(entry))
      distinct.rows.each(entry, [&](std::uint32_t unit) { is_close[Unit{unit}] = true; });
  }
  return is_close;
}

struct SetsOfBatch {
  std::vector<Unit> units;
  std::vector<Feature> features;
};

std::unique_ptr<search::SetStore> collect_sets(const corpus::Corpus& corpus, const corpus::KeptSets& kept,
                                               const PerUnit<bool>& wanted, const Context& context) {
  const corpus::Units& units = corpus.units;
  std::vector<Unit> needed;
  for (const Unit unit : wanted.numbers())
    if (wanted[unit]) needed.push_back(unit);
  auto store = std::make_unique<search::SetStore>(units, needed, context);
  if (!needed.empty()) {
    corpus::visit_sets<SetsOfBatch>(
        corpus, kept, "collecting", [&](Unit unit) { return wanted[unit]; },
        [] {
          return [](corpus::VisitedSet& features, Unit unit, SetsOfBatch& part) {
            const std::span<const Feature> set = features.set();
            part.units.push_back(unit);
            part.features.insert(part.features.end(), set.begin(), set.end());
          };
        },
        [&](const SetsOfBatch& part) {
          std::span<const Feature> features = part.features;
          for (const Unit unit : part.units) {
            store->add(unit, features.first(units.size[unit]));
            features = features.subspan(units.size[unit]);
          }
        },
        context);
  }
  store->finish();
  return store;
}

}  // namespace

SetJudge::SetJudge(const corpus::Corpus& corpus, corpus::KeptSets kept, unsigned largest_k, const Context& context)
    : units_(corpus.units), largest_k_(largest_k), scorer_(corpus.definition, corpus.units, nullptr) {
  if (!compares_sets(corpus.definition.measure)) return;
  is_close_ = close_units(units_, largest_k, context);
  store_ = collect_sets(corpus, kept, is_close_, context);
  scorer_ = search::Scorer(corpus.definition, units_, store_.get());
}

std::optional<double> SetJudge::score(SetNumber a, SetNumber b) const {
  const Unit x{a}, y{b};
  if (x == y) return scorer_.copy_score(x);
  if (store_ == nullptr) {
    const int distance = std::popcount(units_.bits[x] ^ units_.bits[y]);
    return distance <= static_cast<int>(largest_k_) ? std::optional<double>(distance) : std::nullopt;
  }
  // The ends of a chain may be far apart; sets that were not collected have no partners.
  return is_close_[x] && is_close_[y] ? scorer_.score_anywhere(x, y) : std::nullopt;
}

}  // namespace neardup::clean
