#include "corpus/kept_sets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "search/columns.h"
#include "support/census.h"
#include "support/runs.h"

namespace neardup::test {
namespace {

using NumberedSets = std::vector<std::pair<std::uint32_t, std::vector<Feature>>>;

// Documents of random words, a third of them copies of earlier ones, some without words.
class KeptSetsOfACorpus : public ::testing::TestWithParam<unsigned> {
 protected:
  KeptSetsOfACorpus() {
    base::Random random(7);
    std::vector<std::string> texts;
    std::string records;
    for (int i = 0; i < 6'000; ++i) {
      std::string text;
      if (!texts.empty() && random.below(3) == 0) {
        text = texts[random.below(texts.size())];
      } else {
        for (std::uint64_t words = random.below(40); words > 0; --words)
          text += "w" + std::to_string(random.below(500)) + " ";
      }
      texts.push_back(text);
      records += "{\"id\":\"" + std::to_string(i) + "\",\"text\":\"" + text + "\"}\n";
    }
    write_bytes(scratch_ / "texts.jsonl", records);
    context_.threads = GetParam();
  }

  corpus::Corpus read(corpus::KeptSets& kept) const {
    search::SetColumn column({.kept = &kept}, 0, context_);
    return census_of(open_in_small_batches({scratch_ / "texts.jsonl"}, context_),
                     words_definition(2, Measure::jaccard, {1, 2}), {&column}, context_);
  }

  NumberedSets visit(const corpus::Corpus& corpus, const corpus::KeptSets& kept) const {
    NumberedSets sets;
    corpus::visit_sets<NumberedSets>(
        corpus, kept, "collecting", [](Unit unit) { return index(unit) % 5 != 3; },
        [] {
          return [](corpus::VisitedSet& features, Unit unit, NumberedSets& out) {
            const auto set = features.set();
            out.emplace_back(index(unit), std::vector<Feature>(set.begin(), set.end()));
          };
        },
        [&](NumberedSets& part) { sets.insert(sets.end(), part.begin(), part.end()); }, context_);
    return sets;
  }

  ScratchFolder scratch_;
  Context context_;
};
INSTANTIATE_TEST_SUITE_P(Threads, KeptSetsOfACorpus, ::testing::Values(1u, 2u, 5u));

TEST_P(KeptSetsOfACorpus, AreThoseOfASecondReadingInTheOrderOfUnits) {
  corpus::KeptSets kept(0, std::size_t{1} << 30, context_);
  const corpus::Corpus corpus = read(kept);
  ASSERT_TRUE(kept.keeps_all(corpus));
  const NumberedSets sets = visit(corpus, kept);
  EXPECT_EQ(sets, visit(corpus, corpus::KeptSets()));
  EXPECT_TRUE(std::ranges::is_sorted(sets));
}

TEST_P(KeptSetsOfACorpus, AreDroppedWhenTheyTakeMoreThanTheyMay) {
  context_.memory = std::make_shared<MemoryBudget>(std::size_t{1} << 30);
  corpus::KeptSets kept(0, std::size_t{1} << 20, context_);
  const corpus::Corpus corpus = read(kept);
  EXPECT_FALSE(kept.keeps_all(corpus));
  EXPECT_EQ(kept.reserved_bytes(), 0u);
  EXPECT_EQ(visit(corpus, kept), visit(corpus, corpus::KeptSets()));
}

TEST_P(KeptSetsOfACorpus, AreNotBegunWhenTheyWillProbablyTakeMoreThanTheyMay) {
  corpus::KeptSets kept(2'000, 8'000, context_);
  corpus::KeptSets::Writer writer(kept);
  EXPECT_EQ(writer.keep(std::vector<Feature>{1, 2}), nullptr);
}

}  // namespace
}  // namespace neardup::test
