// Pairs of documents that the caller holds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "neardup/pairs.h"
#include "support/held_collections.h"
#include "support/no_files.h"

namespace neardup::test {
namespace {

std::vector<std::array<double, 3>> pairs_of(const Collection& collection, const Collection* other,
                                            const Definition& definition, const Context& context) {
  PairList list;
  (void)find_pairs(collection, other, {.definition = definition}, list, context);
  std::vector<std::array<double, 3>> out;
  for (const Pair& pair : list.pairs())
    out.push_back({static_cast<double>(pair.left), static_cast<double>(pair.right), pair.score});
  return out;
}

const Definition kDefinitions[] = {
    {.features = {.kind = FeatureKind::words, .length = 1}, .measure = Measure::jaccard, .threshold = {1, 2}},
    {.measure = Measure::hamming, .threshold = {12, 1}},
    {.measure = Measure::edit, .threshold = {40, 1}},
};

TEST(FindPairs, FindsInMemoryWhatItFindsInAFile) {
  const ScratchFolder scratch;
  const Context context{.temp_folder = scratch.path()};
  const HeldList left = held_near_copies(1, 120), right = held_near_copies(1, 60);
  const Collection left_file = as_file(left, scratch / "left.jsonl", context),
                   right_file = as_file(right, scratch / "right.jsonl", context);
  const Collection right_held = held(right, 5);
  for (const Definition& definition : kDefinitions) {
    const auto within = pairs_of(left_file, nullptr, definition, context);
    EXPECT_GT(within.size(), 20u);
    for (const std::size_t batch : {1u, 7u, 120u})
      EXPECT_EQ(pairs_of(held(left, batch), nullptr, definition, context), within) << to_string(definition.measure);
    const auto across = pairs_of(left_file, &right_file, definition, context);
    EXPECT_EQ(pairs_of(held(left), &right_held, definition, context), across) << to_string(definition.measure);
  }
}

TEST(FindPairs, TouchesNoFile) {
  NoFiles files;
  const Context context{.files = &files};
  for (const Definition& definition : kDefinitions)
    EXPECT_FALSE(pairs_of(held(held_near_copies(2, 60)), nullptr, definition, context).empty());
}

}  // namespace
}  // namespace neardup::test
