#include "search/verifying_sink.h"

#include <tbb/enumerable_thread_specific.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "base/system.h"
#include "join/algorithms.h"
#include "search/build_sets.h"
#include "search/part_plan.h"

namespace neardup::search {

struct VerifyingSink::Locals {
  static constexpr std::size_t kBatch = 4096;
  struct Local {
    std::uint64_t candidates = 0;
    std::vector<Pair> pairs;
  };
  tbb::enumerable_thread_specific<Local> all;
};

VerifyingSink::VerifyingSink(const SketchedRequest& request, Found& found, const Context& context)
    : definition_(request.corpus.definition),
      units_(request.corpus.units),
      scorer_(definition_, units_, found.sets.get()),
      wanted_(request.wanted),
      sides_(request.sides),
      found_(found),
      context_(context),
      locals_(std::make_unique<Locals>()) {
  context_.observer = nullptr;
}
VerifyingSink::~VerifyingSink() = default;

bool VerifyingSink::is_wanted(Unit a, Unit b) const {
  if (sides_ != nullptr && !sides_->face(a, b)) return false;
  return wanted_ == Wanted::all_pairs || !found_.links->same(index(a), index(b));
}

void VerifyingSink::consider(Unit a, Unit b) {
  if (!is_wanted(a, b)) return;
  Locals::Local& local = locals_->all.local();
  ++local.candidates;
  const std::optional<double> score = scorer_.score(a, b);
  if (!score) return;
  found_.links->unite(index(a), index(b));
  if (wanted_ == Wanted::connections) return;
  local.pairs.push_back({.left = index(std::min(a, b)), .right = index(std::max(a, b)), .score = *score});
  if (local.pairs.size() == Locals::kBatch) {
    found_.pairs->accept(local.pairs);
    local.pairs.clear();
  }
}

bool VerifyingSink::settled(std::span<const Unit> units) {
  if (wanted_ == Wanted::all_pairs) return false;
  return std::all_of(units.begin(), units.end(),
                     [&](Unit unit) { return found_.links->same(index(unit), index(units.front())); });
}

// Keeps pairs of units with the smaller number on the left.
class VerifyingSink::Accepting final : public PairSink {
 public:
  explicit Accepting(Found& found) : linking_(*found.links, found.pairs.get()) {}
  bool accept(std::span<const Pair> pairs) override {
    oriented_.assign(pairs.begin(), pairs.end());
    for (Pair& pair : oriented_) {
      if (pair.right < pair.left) std::swap(pair.left, pair.right);
    }
    return linking_.accept(oriented_);
  }

 private:
  LinkingSink linking_;
  std::vector<Pair> oriented_;
};

// In pieces of which two can be joined in the memory that is left.
void VerifyingSink::consider_all(std::span<const Unit> a, std::span<const Unit> b, const IsCandidate& is_candidate) {
  constexpr std::uint64_t kLeast = 8u << 20;
  const std::uint64_t most = std::max<std::uint64_t>(kLeast, base::memory_left(context_)) / 2;
  const auto pieces_of = [&](std::span<const Unit> units) {
    std::vector<std::span<const Unit>> pieces;
    std::uint64_t bytes = 0;
    std::size_t begin = 0;
    for (std::size_t i = 0; i < units.size(); ++i) {
      const std::uint64_t more = SizedSets{.sets = 1, .tokens = units_.size[units[i]]}.bytes();
      if (bytes + more > most && i > begin) {
        pieces.push_back(units.subspan(begin, i - begin));
        begin = i;
        bytes = 0;
      }
      bytes += more;
    }
    if (begin < units.size()) pieces.push_back(units.subspan(begin));
    return pieces;
  };
  const auto left = pieces_of(a), right = pieces_of(b);
  for (std::size_t i = 0; i < left.size(); ++i) {
    if (b.empty()) {
      join(left[i], {}, is_candidate);
      for (std::size_t j = i + 1; j < left.size(); ++j) join(left[i], left[j], is_candidate);
    }
    for (const std::span<const Unit> other : right) join(left[i], other, is_candidate);
  }
}

void VerifyingSink::join(std::span<const Unit> a, std::span<const Unit> b, const IsCandidate& is_candidate) {
  std::uint64_t tokens = 0;
  for (const auto side : {a, b}) {
    for (const Unit unit : side) tokens += units_.size[unit];
  }
  Reservation memory = base::reservation(context_);
  const joins::OrderedSets sets = build_sets(
      {.sides = b.empty() ? 1u : 2u,
       .distinct_tokens = tokens / 4,
       .tokens = tokens,
       .sets = a.size() + b.size(),
       .seed = tokens,
       .may_repeat = !units_.whole_size.empty()},
      [&](std::size_t i, std::vector<Feature>&) {
        const Unit unit = i < a.size() ? a[i] : b[i - a.size()];
        return SetToBuild{.side = i < a.size() ? 0u : 1u,
                          .number = index(unit),
                          .full_size = units_.size[unit],
                          .features = found_.sets->get(unit)};
      },
      memory, context_);
  JoinOptions options{.measure = definition_.measure, .threshold = definition_.threshold};
  options.skip = [&](DocId x, DocId y) {
    return !is_wanted(unit_of(x), unit_of(y)) || !is_candidate(unit_of(x), unit_of(y));
  };
  if (wanted_ == Wanted::connections)
    options.settled = [&](std::span<const DocId> units) { return are_connected(*found_.links, units); };
  Accepting accepting(found_);
  JoinStats stats;
  joins::run_set_join(sets, options, accepting, stats, context_);
  found_.candidates += stats.candidates;
}

void VerifyingSink::finish() {
  for (Locals::Local& local : locals_->all) {
    found_.candidates += local.candidates;
    if (found_.pairs) found_.pairs->accept(local.pairs);
  }
  if (found_.pairs) found_.pairs->finish();
}

}  // namespace neardup::search
