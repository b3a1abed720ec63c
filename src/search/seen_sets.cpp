// What is learned of sets while collections are read for the first time.
#include <optional>
#include <utility>
#include <vector>

#include "base/memory_plan.h"
#include "base/system.h"
#include "corpus/bad_records.h"
#include "corpus/census.h"
#include "corpus/volume.h"
#include "neardup/similarity.h"
#include "search/exact.h"
#include "search/ignore.h"

namespace neardup::search {
namespace {

// About how many there will be, as far as files tell.
std::uint64_t expected_features(const Collection& collection, const Definition& definition) {
  const std::uint64_t bytes_per_feature = definition.features.kind == FeatureKind::chars ? 3 : 6;
  return corpus::expected_bytes(collection) / bytes_per_feature;
}

}  // namespace

std::unique_ptr<joins::SharedFilter> make_shared_filter(unsigned sides, std::uint64_t features,
                                                        const Context& context) {
  return std::make_unique<joins::SharedFilter>(sides, features, base::plan_memory(context).shared_filter,
                                               base::reservation(context));
}

std::optional<SetTakers> SeenSets::takers(unsigned side) {
  if (streams == nullptr && shared == nullptr && kept.empty()) return std::nullopt;
  return SetTakers{.streams = streams.get(), .filter = shared.get(), .kept = kept.empty() ? nullptr : &kept[side]};
}

corpus::KeptSets prepare_kept_sets(const Collection& collection, const Definition& definition, const Context& context) {
  return {expected_features(collection, definition), base::plan_memory(context).kept_sets, context};
}

SeenSets prepare_sets(std::span<const Collection* const> collections, const Definition& definition, SavedSets saved,
                      const Context& context) {
  SeenSets seen;
  if (!compares_sets(definition.measure)) return seen;
  const auto sides = static_cast<unsigned>(collections.size());
  std::uint64_t features = 0;
  for (const Collection* collection : collections) features += expected_features(*collection, definition);
  // The least hashes of sets are all alike in their first bits.
  const bool is_spread = definition.features.minwise == 0;
  const std::size_t most_bytes = base::plan_memory(context).kept_sets;
  if (saved == SavedSets::no && is_spread && joins::TokenStreams::bytes_for(features) <= most_bytes) {
    seen.streams = std::make_unique<joins::TokenStreams>(sides, features, most_bytes, base::reservation(context));
    return seen;
  }
  for (const Collection* collection : collections)
    seen.kept.push_back(prepare_kept_sets(*collection, definition, context));
  seen.shared = make_shared_filter(sides, features, context);
  return seen;
}

SidesToSearch read_sides(std::span<const Collection* const> collections, const Definition& definition,
                         const corpus::Rarities* rarities, OnBadRecord on_bad_record, const IgnoreOptions& ignore,
                         Ignored& ignored, const Context& context, const corpus::Separation* separation) {
  SidesToSearch sides{.corpora = {}, .seen = prepare_sets(collections, definition, SavedSets::no, context)};
  std::vector<IgnoreColumn> ignoring(collections.size(), IgnoreColumn(ignore));
  for (unsigned side = 0; side < collections.size(); ++side) {
    std::optional<SetColumn> sets;
    std::vector<corpus::Column*> columns;
    if (const auto takers = sides.seen.takers(side)) columns.push_back(&sets.emplace(*takers, side, context));
    if (ignore.any()) columns.push_back(&ignoring[side]);
    corpus::BadRecordLog bad(on_bad_record, {}, {});
    sides.corpora.push_back(corpus::take_census(
        *collections[side], definition, {.rarities = rarities, .separation = separation}, bad, columns, context));
  }
  if (ignore.any()) ignored = ignore_features(ignore, sides.corpora, ignoring, sides.seen, context);
  return sides;
}

}  // namespace neardup::search
