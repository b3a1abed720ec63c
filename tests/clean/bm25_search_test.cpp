#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bm25_collections.h"
#include "neardup/error.h"

namespace neardup::clean {
namespace {

std::vector<DocumentNumber> rows_of(const std::vector<Hit>& hits) {
  std::vector<DocumentNumber> rows;
  for (const Hit& hit : hits) rows.push_back(hit.row);
  return rows;
}

// Hits are right when each has its plain score, they descend, equals stand by row, and nothing left out is better.
void expect_right(const std::vector<Hit>& hits, const std::map<DocumentNumber, double>& plain, std::size_t depth) {
  constexpr double kNear = 1e-5;
  ASSERT_EQ(hits.size(), std::min(depth, plain.size()));
  std::vector<bool> is_hit(plain.empty() ? 0 : plain.rbegin()->first + 1);
  for (std::size_t i = 0; i < hits.size(); ++i) {
    const auto found = plain.find(hits[i].row);
    ASSERT_NE(found, plain.end()) << "row " << hits[i].row;
    ASSERT_NEAR(hits[i].score, found->second, kNear);
    is_hit[hits[i].row] = true;
    if (i == 0) continue;
    ASSERT_GE(hits[i - 1].score, hits[i].score);
    if (hits[i - 1].score == hits[i].score) {
      ASSERT_LT(hits[i - 1].row, hits[i].row);
    }
  }
  if (hits.empty()) return;
  for (const auto& [row, score] : plain) {
    if (!is_hit[row]) {
      ASSERT_LE(score, hits.back().score + kNear) << "row " << row;
    }
  }
}

TEST(Bm25, ScoresAsTheFormulaSays) {
  // Three documents of 2, 1 and 3 words; the word 7 is in two of them.
  const TestCollection documents{{words({7, 8})}, {words({8})}, {words({7, 7, 9})}};
  const auto index = build(documents, {words({7})}, {.k1 = 1.5, .b = 0.5});
  const double idf = std::log(1 + 1.5 / 2.5);
  const auto hits = search(*index, 0, 10);
  ASSERT_EQ(rows_of(hits), (std::vector<DocumentNumber>{2, 0}));
  EXPECT_NEAR(hits[0].score, idf * 2 * 2.5 / (2 + 1.5 * (0.5 + 0.5 * 3 / 2)), 1e-9);
  EXPECT_NEAR(hits[1].score, idf * 1 * 2.5 / (1 + 1.5 * (0.5 + 0.5 * 2 / 2)), 1e-9);
}

TEST(Bm25, AWordOfTheTitleCountsLikeSeveralOfTheText) {
  const TestCollection documents{{words({1, 1, 1, 2}), {}}, {words({2}), words({1})}, {words({2}), {}}};
  const QueryTerms queries{words({1})};
  EXPECT_NEAR(search(*build(documents, queries, {.title_boost = 3}), 0, 9)[0].score,
              search(*build(documents, queries, {.title_boost = 3}), 0, 9)[1].score, 1e-9);
  EXPECT_EQ(rows_of(search(*build(documents, queries, {.title_boost = 0}), 0, 9)), (std::vector<DocumentNumber>{0}));
}

TEST(Bm25, ATermThatTheQueryRepeatsCountsThatOften) {
  const TestCollection documents{{words({1, 2})}, {words({3})}};
  const auto index = build(documents, {words({1}), words({1, 1, 1})});
  EXPECT_EQ(search(*index, 1, 1)[0].score, 3 * search(*index, 0, 1)[0].score);
}

TEST(Bm25, EqualDocumentsTieAndTheEarliestComesFirst) {
  TestCollection documents(500, {words({1, 2, 3, 4})});
  const auto index = build(documents, {words({4, 1, 3})});
  const auto hits = search(*index, 0, 3);
  EXPECT_EQ(rows_of(hits), (std::vector<DocumentNumber>{0, 1, 2}));
  EXPECT_EQ(hits[0].score, hits[2].score);
}

TEST(Bm25, FindsNothingWithoutTermsDepthOrDocuments) {
  const TestCollection documents{{words({1})}, {}};
  const auto index = build(documents, {{}, words({99}), words({1})});
  EXPECT_TRUE(search(*index, 0, 10).empty());
  EXPECT_TRUE(search(*index, 1, 10).empty());
  EXPECT_TRUE(search(*index, 2, 0).empty());
  EXPECT_EQ(search(*index, 2, 10).size(), 1u);
  EXPECT_EQ(index->searcher()->matches(0, {}), 0u);
  EXPECT_EQ(index->searcher()->matches(1, {}), 0u);
  EXPECT_EQ(index->terms(), 1u);
  EXPECT_TRUE(search(*build({}, {words({1})}), 0, 10).empty());
  EXPECT_TRUE(search(*build({{}, {}}, {words({1})}), 0, 10).empty());
  EXPECT_EQ(build(documents, {})->postings(), 0u);
}

TEST(Bm25, ShowsEveryDocumentThatHasAWordHoweverLittleTheWordSays) {
  // The word is everywhere and the documents are long, so that it adds next to nothing.
  TestCollection documents(3000, {words({1})});
  documents[5].text.resize(200'000, word(2));
  const auto index = build(documents, {words({1})}, {.k1 = 1000, .b = 1});
  const auto hits = search(*index, 0, 5000);
  EXPECT_EQ(hits.size(), 3000u);
  EXPECT_EQ(hits.back().row, 5u);
  EXPECT_GT(hits.back().score, 0.0);
}

TEST(Bm25, AgreesWithThePlainFormulaOnRandomCollections) {
  base::Random random(11);
  for (int round = 0; round < 12; ++round) {
    const std::uint64_t vocabulary = 20 + random.below(400);
    const auto documents = random_collection(random, 1 + random.below(round < 6 ? 300 : 12'000), vocabulary);
    const auto queries = random_queries(random, 10, vocabulary, round % 3 == 0 ? 200 : 6);
    const Bm25Options options{.k1 = round % 4 == 0 ? 0.0 : 1.2, .b = round % 5 * 0.25, .title_boost = round % 4u};
    const auto index = build(documents, queries, options, 1 + random.below(3000));
    for (const auto& removed : {Removed{}, random_removed(random, documents.size(), 2 + random.below(9))}) {
      for (QueryNumber query = 0; query < queries.size(); ++query) {
        const auto plain = plain_scores(documents, queries[query], options, removed);
        EXPECT_EQ(index->searcher()->matches(query, removed), plain.size());
        for (const std::size_t depth : {1, 10, 1000, 100'000}) {
          expect_right(search(*index, query, depth, removed), plain, depth);
          if (HasFatalFailure()) return;
        }
      }
    }
  }
}

TEST(Bm25, GivesForASmallerDepthTheBeginningOfALargerOne) {
  base::Random random(12);
  const auto documents = random_collection(random, 20'000, 300);
  const auto queries = random_queries(random, 30, 300, 8);
  const auto index = build(documents, queries);
  for (QueryNumber query = 0; query < queries.size(); ++query) {
    const auto all = search(*index, query, documents.size());
    for (const std::size_t depth : {1, 2, 7, 50, 1000, 5000}) {
      const auto first = search(*index, query, depth);
      ASSERT_EQ(first.size(), std::min(depth, all.size()));
      ASSERT_TRUE(std::equal(first.begin(), first.end(), all.begin())) << query << " " << depth;
    }
  }
}

TEST(Bm25, RemovingDocumentsMovesNothingButThoseBehindThem) {
  base::Random random(13);
  const auto documents = random_collection(random, 20'000, 300);
  const auto queries = random_queries(random, 20, 300, 8);
  const auto index = build(documents, queries);
  for (const std::uint64_t one_in : {1, 2, 10, 1000}) {
    const auto removed = random_removed(random, documents.size(), one_in);
    for (QueryNumber query = 0; query < queries.size(); ++query) {
      auto wanted = search(*index, query, documents.size());
      std::erase_if(wanted, [&](const Hit& hit) { return removed[hit.row]; });
      for (const std::size_t depth : {1, 10, 1000, 100'000}) {
        wanted.resize(std::min(wanted.size(), documents.size()));
        const auto hits = search(*index, query, depth, removed);
        ASSERT_EQ(hits.size(), std::min(depth, wanted.size()));
        ASSERT_TRUE(std::equal(hits.begin(), hits.end(), wanted.begin())) << query << " " << depth;
      }
    }
  }
}

TEST(Bm25, ASearcherRemembersNothingOfEarlierQueries) {
  base::Random random(14);
  const auto documents = random_collection(random, 9'000, 200);
  const auto queries = random_queries(random, 40, 200, 9);
  const auto index = build(documents, queries);
  const auto searcher = index->searcher();
  std::vector<Hit> hits;
  for (int i = 0; i < 200; ++i) {
    const auto query = static_cast<QueryNumber>(random.below(queries.size()));
    const std::size_t depth = random.below(3) == 0 ? 1000 : 1 + random.below(20);
    searcher->search(query, depth, {}, hits);
    ASSERT_EQ(hits, search(*index, query, depth));
  }
}

}  // namespace
}  // namespace neardup::clean
