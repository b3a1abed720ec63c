#include "join/signature_lists.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "join/size_classes.h"
#include "support.h"

namespace neardup::joins {
namespace {

using namespace neardup::joins::test;

class Nowhere final : public PairSink {
 public:
  bool accept(std::span<const Pair>) override { return true; }
};

// Everything that stands in the lists: by token, side and kind.
using Listed = std::map<std::tuple<Rank, unsigned, bool>, std::vector<std::vector<std::uint64_t>>>;

struct Made {
  Listed lists;
  std::size_t words = 0;
  int turns = 0;
};

Made make_lists(const OrderedSets& sets, const Threshold& threshold, std::size_t bytes_at_once, unsigned threads) {
  const JoinOptions options{.threshold = threshold};
  Nowhere nowhere;
  base::PairOutput output(nowhere, 0);
  JoinStats stats;
  Context context{.threads = threads};
  const SetJoin join{sets, options, output, stats, context};
  const SizeClasses classes = SizeClasses::of<similarity::Jaccard>(sets, threshold);
  SignatureLists lists(join, classes, bytes_at_once);
  Made made;
  made.words = lists.words();
  for (Rank first = 0; first < sets.universe(); ++made.turns) {
    const Rank last = lists.make(first);
    EXPECT_GT(last, first);
    for (Rank token = first; token < last; ++token) {
      for (unsigned side = 0; side < sets.sides(); ++side) {
        for (const bool probing : {false, true}) {
          const auto entries = probing ? lists.probing(token, side) : lists.indexed(token, side);
          for (std::uint32_t i = 0; i < entries.count; ++i) {
            std::vector<std::uint64_t> entry{entries[i].place(), entries[i].position()};
            for (std::size_t w = 0; w < std::max<std::size_t>(1, lists.words()); ++w) {
              entry.push_back(entries[i].word(w, lists.words()));
            }
            made.lists[{token, side, probing}].push_back(entry);
          }
        }
      }
    }
    first = last;
  }
  return made;
}

TEST(SignatureLists, AreTheSameHoweverManyFitAndWhoeverMakesThem) {
  base::Random random(21);
  const std::vector<Sets> two{random_sets(random, 200, 20, 40), random_sets(random, 300, 20, 40)};
  for (const std::size_t sides : {1, 2}) {
    const OrderedSets sets = ordered(std::span(two).first(sides));
    for (const Threshold& threshold : {Threshold{1, 2}, Threshold{9, 10}}) {
      const Made whole = make_lists(sets, threshold, 1u << 30, 1);
      EXPECT_EQ(whole.turns, 1);
      EXPECT_FALSE(whole.lists.empty());
      EXPECT_EQ(make_lists(sets, threshold, 1u << 30, 3).lists, whole.lists);
      const Made parts = make_lists(sets, threshold, 500, 2);
      EXPECT_GT(parts.turns, 1);
      EXPECT_EQ(parts.lists, whole.lists);
    }
  }
}

TEST(SignatureLists, HoldTheParityOfWhatFollowsTheToken) {
  base::Random random(22);
  const OrderedSets sets = ordered(random_sets(random, 400, 60, 90));
  const Made made = make_lists(sets, {1, 2}, 1u << 30, 1);
  ASSERT_GT(made.words, 0u);
  std::size_t checked = 0;
  for (const auto& [list, entries] : made.lists) {
    for (const auto& entry : entries) {
      const auto tokens = sets.tokens(static_cast<Place>(entry[0]));
      const std::size_t k = entry[1] - sets.hidden(static_cast<Place>(entry[0]));
      ASSERT_EQ(tokens[k], std::get<0>(list));
      std::vector<std::uint64_t> expected(made.words);
      for (const Rank token : tokens.subspan(k + 1)) {
        const std::uint32_t h = token * 0x9e3779b1u >> 16;
        expected[(h >> 6) % made.words] ^= std::uint64_t{1} << (h & 63);
      }
      ASSERT_EQ(std::vector(entry.begin() + 2, entry.end()), expected);
      ++checked;
    }
  }
  EXPECT_GT(checked, 1000u);
}

TEST(SizeClasses, KnowEverySetsSize) {
  base::Random random(23);
  std::vector<OrderedSets::Entry> entries;
  std::uint32_t size = 1;
  for (std::uint32_t number = 0; number < 20'000; ++number) {
    if (random.below(number < 10'000 ? 100 : 2) == 0) size += 1 + static_cast<std::uint32_t>(random.below(3));
    entries.push_back({.full_size = size, .number = number, .side = 0});
  }
  const OrderedSets sets(1, 0, entries, std::vector<std::uint64_t>(entries.size() + 1),
                         std::vector<Rank>(OrderedSets::kPadding));
  const SizeClasses classes = SizeClasses::of<similarity::Jaccard>(sets, {4, 5});
  for (Place place = 0; place < sets.size(); ++place) {
    const SizeClass& found = classes[classes.number(place)];
    ASSERT_EQ(found.size, sets.full_size(place));
    ASSERT_LT(place, found.end);
    ASSERT_GE(5 * std::uint64_t{sets.full_size(found.first_partner)}, 4 * std::uint64_t{found.size});
    if (found.first_partner > 0) {
      ASSERT_LT(5 * std::uint64_t{sets.full_size(found.first_partner - 1)}, 4 * std::uint64_t{found.size});
    }
  }
}

}  // namespace
}  // namespace neardup::joins
