#include "search/against.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "base/random.h"
#include "base/state.h"
#include "base/system.h"
#include "search/found.h"
#include "support/collections.h"
#include "support/naive.h"
#include "support/runs.h"
#include "support/scratch.h"
#include "support/wrong_states.h"

namespace neardup::test {
namespace {

using search::Against;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

// "row other score" of every match.
std::vector<std::string> described(const std::vector<AgainstMatch>& matches) {
  std::vector<std::string> lines;
  for (const AgainstMatch& match : matches) {
    lines.push_back(std::to_string(match.row) + " " + std::to_string(match.other) + " " + std::to_string(match.score));
  }
  return lines;
}

// The best partner of every text, and among equals the first.
std::vector<std::string> matched_one_by_one(const std::vector<std::string>& texts,
                                            const std::vector<std::string>& others, const Definition& definition) {
  std::vector<NaiveView> partners;
  for (const std::string& other : others) partners.emplace_back(other, definition);
  std::vector<AgainstMatch> matches;
  for (std::size_t row = 0; row < texts.size(); ++row) {
    const NaiveView view(texts[row], definition);
    std::optional<AgainstMatch> best;
    for (std::size_t other = 0; other < partners.size(); ++other) {
      const std::optional<double> score = naive_score(definition, view, partners[other]);
      if (!score) continue;
      const bool is_better = !best || (is_distance(definition.measure) ? *score < best->score : *score > best->score);
      if (is_better) best = AgainstMatch{row, other, *score};
    }
    if (best) matches.push_back(*best);
  }
  return described(matches);
}

// A search for which everything is a candidate, so that sketches miss nothing.
DedupOptions by_sketches() { return {.finder = {.name = "simhash", .distance = 64, .measure_recall = false}}; }
DedupOptions exactly() { return {.finder = {.name = "exact"}}; }

// Two collections in files, so that records have names and may be bad.
class Sides {
 public:
  Sides(const std::string& own, const std::string& other) {
    write_bytes(scratch_ / "own.jsonl", own);
    write_bytes(scratch_ / "other.jsonl", other);
  }
  Sides(const std::vector<std::string>& own, const std::vector<std::string>& other)
      : Sides(as_jsonl(numbered(own)), as_jsonl(numbered(other))) {}

  [[nodiscard]] Against find(const Definition& definition, DedupOptions options, bool wants_names = false) const {
    options.definition = definition;
    const Collection own = io::open_collection({scratch_ / "own.jsonl"}, {}, context_, 256);
    const Collection other = io::open_collection({scratch_ / "other.jsonl"}, {}, context_, 256);
    return search::find_against({.collection = own,
                                 .other = other,
                                 .definition = options.definition,
                                 .options = options,
                                 .wants_names = wants_names},
                                context_);
  }
  [[nodiscard]] std::string operator/(const std::string& name) const { return scratch_ / name; }

 private:
  ScratchFolder scratch_;
  Context context_{.threads = 2, .temp_folder = scratch_.path()};
};

const Definition kHalf = words_definition(1, Measure::jaccard, {1, 2});

TEST(Against, FindsTheBestPartnerOfEveryDocument) {
  base::Random random(1);
  const std::vector<Definition> definitions{kHalf,
                                            words_definition(2, Measure::cosine, {2, 5}),
                                            words_definition(1, Measure::overlap, {3, 1}),
                                            {.measure = Measure::edit, .threshold = {6, 1}},
                                            words_definition(1, Measure::hamming, {12, 1})};
  for (const NamedGenerator& collection : kGenerators) {
    std::vector<std::string> own = collection.generate(random, 40);
    std::vector<std::string> other = collection.generate(random, 30);
    for (std::size_t i = 0; i < own.size(); i += 4) other.push_back(edited(random, own[i], 10));
    for (std::size_t i = 0; i < other.size(); i += 5) own.push_back(other[i]);
    const Sides sides(own, other);
    for (const Definition& definition : definitions) {
      const bool is_long = own[0].size() > 100;  // the naive distance takes its time
      if (definition.measure == Measure::edit && is_long) continue;
      SCOPED_TRACE(std::string(collection.name) + " " + to_string(definition.measure));
      const std::vector<std::string> expected = matched_one_by_one(own, other, definition);
      EXPECT_EQ(described(sides.find(definition, exactly()).matches), expected);
      if (!compares_sets(definition.measure)) continue;
      EXPECT_EQ(described(sides.find(definition, by_sketches()).matches), expected);
    }
  }
}

// What both ways of searching must do.
class EveryAgainst : public ::testing::TestWithParam<const char*> {
 protected:
  [[nodiscard]] static DedupOptions options() { return GetParam() == std::string("exact") ? exactly() : by_sketches(); }
};
INSTANTIATE_TEST_SUITE_P(Search, EveryAgainst, ::testing::Values("exact", "sketches"),
                         [](const auto& test) { return test.param; });

TEST_P(EveryAgainst, SetsAsideTheRowsThatHaveAMatch) {
  const Sides sides(std::vector<std::string>{"a b c", "x y z", "a b c d"}, {"q", "a b c"});
  const Against against = sides.find(kHalf, options());
  EXPECT_THAT(described(against.matches), ElementsAre("0 1 1.000000", "2 1 0.750000"));
  EXPECT_THAT(against.set_aside.values(), ElementsAre(true, false, true));
  EXPECT_EQ(against.of(Row{2}).score, 0.75);
  EXPECT_EQ(against.records, 2u);
}

TEST_P(EveryAgainst, DoesNotCompareACollectionWithItself) {
  const Sides sides(std::vector<std::string>{"a b c", "a b c"}, {"x y z", "x y z"});
  EXPECT_THAT(sides.find(kHalf, options()).matches, IsEmpty());
}

TEST_P(EveryAgainst, PrefersTheFirstOfEquallyGoodPartners) {
  const Sides sides(std::vector<std::string>{"a b c d"}, {"a b c e", "a b c f", "a b c d x y", "a b c g"});
  EXPECT_THAT(described(sides.find(kHalf, options()).matches), ElementsAre("0 2 0.666667"));
  const Sides ties(std::vector<std::string>{"a b c d"}, {"z", "a b c e", "a b c f"});
  EXPECT_THAT(described(ties.find(kHalf, options()).matches), ElementsAre("0 1 0.600000"));
}

TEST_P(EveryAgainst, GivesEveryCopyThePartnerOfTheOthers) {
  const Sides sides(std::vector<std::string>{"a b c", "p", "c b a"}, {"a b c", "b a c"});
  EXPECT_THAT(described(sides.find(kHalf, options()).matches), ElementsAre("0 0 1.000000", "2 0 1.000000"));
}

TEST_P(EveryAgainst, NamesThePartnersAndNobodyElse) {
  const Sides sides(std::vector<std::string>{"a b c", "x y z"}, {"q", "a b c", "x y z w", "r"});
  const Against against = sides.find(kHalf, options(), true);
  EXPECT_EQ(against.names[Row{1}], "d1");
  EXPECT_EQ(against.names[Row{2}], "d2");
  EXPECT_FALSE(against.names.has(Row{0}));
  EXPECT_FALSE(against.names.has(Row{3}));
  EXPECT_FALSE(sides.find(kHalf, options()).names.has(Row{1})) << "not asked for";
}

TEST_P(EveryAgainst, CountsRecordsOfTheOtherSideAndItsBadOnes) {
  const Sides sides("{\"text\":\"a b c\"}\n", "no json\n{\"text\":\"q\"}\n{\"text\":\"a b c\"}\nnor this\n");
  const Against against = sides.find(kHalf, options(), true);
  EXPECT_EQ(against.records, 4u);
  EXPECT_EQ(against.bad.count, 2u);
  ASSERT_EQ(against.bad.first.size(), 2u);
  EXPECT_EQ(against.bad.first[1].number, 4u);
  EXPECT_THAT(described(against.matches), ElementsAre("0 2 1.000000"));
  EXPECT_EQ(against.names[Row{2}], sides / "other.jsonl:3");
}

TEST_P(EveryAgainst, DoesNotCountBadRecordsOfItsOwnSide) {
  const Sides sides("no json\n{\"text\":\"a b c\"}\n", "{\"text\":\"a b c\"}\n");
  const Against against = sides.find(kHalf, options());
  EXPECT_EQ(against.bad.count, 0u);
  EXPECT_THAT(described(against.matches), ElementsAre("1 0 1.000000"));
}

TEST_P(EveryAgainst, StopsAtABadRecordWhenAskedTo) {
  const Sides sides("{\"text\":\"a b c\"}\n", "no json\n");
  DedupOptions strict = options();
  strict.on_bad_record = OnBadRecord::fail;
  EXPECT_THAT(error_of(ErrorCode::input, [&] { (void)sides.find(kHalf, strict); }),
              ::testing::HasSubstr("other.jsonl"));
}

TEST_P(EveryAgainst, HasNoMatchesWhereASideHasNothingToCompare) {
  const std::vector<std::string> texts{"a b c", ""}, nothing{"", " ..."};
  EXPECT_THAT(Sides(texts, nothing).find(kHalf, options()).matches, IsEmpty());
  EXPECT_THAT(Sides(nothing, texts).find(kHalf, options()).matches, IsEmpty());
  EXPECT_THAT(Sides(texts, nothing).find(kHalf, options()).set_aside.values(), ElementsAre(false, false));
}

TEST_P(EveryAgainst, GivesTheSameEachTime) {
  base::Random random(3);
  const Sides sides(near_copies(random, 60), near_copies(random, 40));
  const Against first = sides.find(kHalf, options(), true), second = sides.find(kHalf, options(), true);
  EXPECT_EQ(described(first.matches), described(second.matches));
  EXPECT_EQ(first.candidates, second.candidates);
  EXPECT_EQ(first.parameters, second.parameters);
}

TEST_P(EveryAgainst, IsTheSameAfterItWasSaved) {
  const Sides sides("{\"id\":\"k\",\"text\":\"a b c\"}\n{\"text\":\"p\"}\n",
                    "no json\n{\"id\":\"o\",\"text\":\"a b c\"}\n");
  const Against saved = sides.find(kHalf, options(), true);
  base::StateWriter out(system_files(), sides / "state");
  saved.save(out);
  out.finish();
  base::StateReader in(system_files(), sides / "state");
  Against loaded;
  loaded.load(in);
  EXPECT_EQ(described(loaded.matches), described(saved.matches));
  EXPECT_EQ(loaded.set_aside.values(), saved.set_aside.values());
  EXPECT_EQ(loaded.names[Row{1}], "o");
  EXPECT_EQ(loaded.records, saved.records);
  EXPECT_EQ(loaded.candidates, saved.candidates);
  EXPECT_EQ(loaded.parameters, saved.parameters);
  EXPECT_EQ(loaded.bad.count, 1u);
}

TEST(Against, LoadsNothingUnsoundWhateverTheStateSays) {
  const Sides sides(std::vector<std::string>{"a b c", "p", "a b"}, {"q", "a b c"});
  const Against saved = sides.find(kHalf, exactly(), true);
  const double refused = refused_share_of_wrong_states([&](base::StateWriter& out) { saved.save(out); },
                                                       [&](base::StateReader& in) {
                                                         Against loaded;
                                                         loaded.load(in);
                                                         for (const AgainstMatch& match : loaded.matches) {
                                                           ASSERT_LT(match.row, loaded.set_aside.size());
                                                           EXPECT_TRUE(loaded.set_aside[row_of(match.row)]);
                                                         }
                                                       });
  EXPECT_GT(refused, 0.4);
}

TEST(Found, LoadsNothingUnsoundWhateverTheStateSays) {
  constexpr std::size_t kUnits = 5;
  const Context context;
  search::Found saved(kUnits, search::Wanted::all_pairs, context);
  const std::vector<Pair> pairs{{0, 1, 0.5}, {1, 4, 0.75}};
  search::LinkingSink(*saved.links, saved.pairs.get()).accept(pairs);
  saved.pairs->finish();
  saved.parameters = "an algorithm";
  saved.recall = Recall{.value = 0.5, .pairs = 2};
  const double refused =
      refused_share_of_wrong_states([&](base::StateWriter& out) { saved.save(out); },
                                    [&](base::StateReader& in) {
                                      search::Found loaded(kUnits, search::Wanted::all_pairs, context);
                                      loaded.load(in);
                                      for (std::uint32_t unit = 0; unit < kUnits; ++unit)
                                        EXPECT_LE(loaded.links->find(unit), unit);
                                      loaded.pairs->for_each([&](const Pair& pair) {
                                        EXPECT_LT(pair.left, kUnits);
                                        EXPECT_LT(pair.right, kUnits);
                                      });
                                    });
  EXPECT_GT(refused, 0.4);
}

TEST(Found, IsTheSameAfterItWasSaved) {
  const ScratchFolder scratch;
  const Context context;
  search::Found saved(3, search::Wanted::all_pairs, context);
  const std::vector<Pair> pairs{{0, 2, 0.5}};
  search::LinkingSink(*saved.links, saved.pairs.get()).accept(pairs);
  saved.pairs->finish();
  saved.candidates = 7;
  saved.recall = Recall{.value = 0.5, .pairs = 2};
  base::StateWriter out(system_files(), scratch / "state");
  saved.save(out);
  out.finish();
  base::StateReader in(system_files(), scratch / "state");
  search::Found loaded(3, search::Wanted::all_pairs, context);
  loaded.load(in);
  EXPECT_TRUE(loaded.links->same(0, 2));
  EXPECT_FALSE(loaded.links->same(0, 1));
  std::vector<Pair> found;
  loaded.pairs->for_each([&](const Pair& pair) { found.push_back(pair); });
  EXPECT_EQ(found, pairs);
  EXPECT_EQ(loaded.candidates, 7u);
  ASSERT_TRUE(loaded.recall);
  EXPECT_EQ(loaded.recall->value, 0.5);
}

TEST(Against, MeasuresTheRecallOfAFinderOnBothSidesTogether) {
  base::Random random(4);
  const std::vector<std::string> own = near_copies(random, 60);
  std::vector<std::string> other;
  for (const std::string& text : own) other.push_back(edited(random, text, 3));
  const Against against = Sides(own, other).find(kHalf, {.finder = {.name = "minhash", .target_recall = 0.99}});
  ASSERT_TRUE(against.recall);
  EXPECT_GT(against.recall->pairs, 0u);
  EXPECT_LE(against.recall->low, against.recall->value);
  EXPECT_LE(against.recall->value, against.recall->high);
  EXPECT_FALSE(Sides(own, other).find(kHalf, exactly()).recall);
}

}  // namespace
}  // namespace neardup::test
