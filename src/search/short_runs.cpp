#include "search/short_runs.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/open_table.h"
#include "base/pair_output.h"
#include "base/system.h"
#include "corpus/definition_for.h"
#include "corpus/reread.h"
#include "neardup/sketch.h"

namespace neardup::search {
namespace {

// The short units of one side by their features.
class ShortUnits {
 public:
  ShortUnits(const corpus::Units& units, std::uint64_t seed, const Context& context)
      : units_(units), spread_{seed}, memory_(base::reservation(context)) {
    std::size_t count = 0;
    for (const Unit unit : all<Unit>(units.units())) count += is_short(unit) ? 1 : 0;
    if (count == 0) return;
    memory_.hold(count * 4 * sizeof(std::uint32_t));
    table_ = Table(2 * count);
    for (const Unit unit : all<Unit>(units.units())) {
      if (!is_short(unit)) continue;
      lengths_.push_back(units.length[unit]);
      table_.make_room([&](std::uint32_t number) { return spread_(units_.bits[Unit{number}]); });
      const std::uint64_t feature = units.bits[unit];
      table_.insert(table_.find(spread_(feature), [](std::uint32_t) { return false; }), index(unit));
    }
    std::ranges::sort(lengths_);
    lengths_.erase(std::unique(lengths_.begin(), lengths_.end()), lengths_.end());
  }

  [[nodiscard]] bool empty() const { return lengths_.empty(); }
  [[nodiscard]] const std::vector<std::uint32_t>& lengths() const { return lengths_; }  // ascending, each once

  // Calls take(unit) with the unit of this length that has the feature.
  template <class Take>
  void find(Feature feature, std::uint32_t length, const Take& take) const {
    const std::uint32_t found = table_.find(spread_(feature), [&](std::uint32_t number) {
      return units_.bits[Unit{number}] == feature && units_.length[Unit{number}] == length;
    });
    if (found != kFree) take(Unit{found});
  }

 private:
  static constexpr std::uint32_t kFree = UINT32_MAX;
  using Table = base::OpenTable<std::uint32_t, kFree>;

  // One whose feature does not count is in nothing.
  [[nodiscard]] bool is_short(Unit unit) const { return units_.length[unit] != 0 && units_.size[unit] != 0; }

  const corpus::Units& units_;
  base::Mixed spread_;
  Table table_;
  std::vector<std::uint32_t> lengths_;
  Reservation memory_;
};

// The short units in one side's documents.
class RunFinder {
 public:
  RunFinder(const corpus::Corpus& corpus, const ShortUnits& units) : units_(units), sketcher_(corpus.definition) {}

  // The units whose sequences stand in this document, ascending; `short_length` is its own length where that is less
  // than a feature has. A document of the same length is another one.
  const std::vector<Unit>& find(const DocumentView& document, std::uint32_t short_length) {
    found_.clear();
    const std::span<const std::uint64_t> elements = sketcher_.elements(document);
    for (const std::uint32_t length : units_.lengths()) {
      if (short_length != 0 && length >= short_length) break;
      run_features(elements, length, runs_);
      for (const Feature run : runs_) units_.find(run, length, [&](Unit unit) { found_.push_back(unit); });
    }
    std::ranges::sort(found_);
    found_.erase(std::unique(found_.begin(), found_.end()), found_.end());
    return found_;
  }

 private:
  const ShortUnits& units_;
  Sketcher sketcher_;
  std::vector<Feature> runs_;
  std::vector<Unit> found_;
};

// Looks for the short units of one side in the documents of the same or the other one.
void look_in(const ExactRequest& request, unsigned inner_side, unsigned outer_side, base::PairOutput& output,
             const Context& context) {
  const corpus::Corpus &inner = request.sides[inner_side], &outer = request.sides[outer_side];
  const ShortUnits short_units(inner.units, inner.content.seed(), context);
  if (short_units.empty() || output.enough()) return;
  using Pairs = std::vector<Pair>;
  corpus::reread_units<Pairs>(
      outer, [&](Unit unit) { return outer.units.size[unit] != 0; },  // one without features that count is in no pair
      [&] {
        return [&, finder = RunFinder(outer, short_units)](const corpus::RereadRecord& record, Unit unit,
                                                           Pairs& pairs) mutable {
          for (const Unit inside : finder.find(record.document, outer.units.length[unit])) {
            DocId left = index(inside), right = index(unit);
            if (request.sides.size() == 1 ? left > right : inner_side == 1) std::swap(left, right);
            if (!request.options.skip || !request.options.skip(left, right)) pairs.push_back({left, right, 1.0});
          }
        };
      },
      [&](Pairs& pairs) { output.flush(pairs); }, context, "looking for short documents");
}

}  // namespace

bool looks_for_short_runs(const Definition& definition) { return corpus::keeps_short_lengths(definition); }

void join_short_runs(const ExactRequest& request, PairSink& sink, JoinStats& stats, const Context& context) {
  if (stats.stopped) return;
  // One more than there is room for tells "stopped" from "that was all".
  const std::uint64_t most = request.options.max_pairs;
  base::PairOutput output(sink, most == 0 ? 0 : most - stats.pairs + 1);
  if (request.sides.size() == 1) {
    look_in(request, 0, 0, output, context);
  } else {
    look_in(request, 0, 1, output, context);
    if (request.definition().measure == Measure::containment) look_in(request, 1, 0, output, context);
  }
  stats.pairs += output.count();
  stats.candidates += output.count();
  stats.stopped = output.enough();
}

}  // namespace neardup::search
