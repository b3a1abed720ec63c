#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stop_token>
#include <thread>

#include "bm25_collections.h"
#include "neardup/error.h"

namespace neardup::clean {
namespace {

void expect_same_answers(const Bm25Index& left, const Bm25Index& right, std::size_t queries) {
  EXPECT_EQ(left.terms(), right.terms());
  EXPECT_EQ(left.postings(), right.postings());
  for (QueryNumber query = 0; query < queries; ++query) {
    ASSERT_EQ(search(left, query, 1000), search(right, query, 1000)) << query;
  }
}

TEST(Bm25Builder, CountsTermsAndPostingsOfTheLogOnly) {
  const TestCollection documents{{words({1, 1, 2})}, {words({2, 3})}, {words({4}), words({2})}};
  const auto index = build(documents, {words({1, 2}), words({2, 9})});
  EXPECT_EQ(index->terms(), 2u);
  EXPECT_EQ(index->postings(), 4u);
  EXPECT_GT(index->memory_bytes(), 0u);
  EXPECT_THAT(index->describe(), testing::HasSubstr("BM25"));
}

TEST(Bm25Builder, PartsOfAnySizeGiveTheSameAnswer) {
  base::Random random(21);
  const auto documents = random_collection(random, 8'000, 500);
  const auto queries = random_queries(random, 30, 500, 6);
  const auto whole = build(documents, queries, {}, documents.size() + 1);
  for (const std::size_t per_part : {1, 3, 127, 5000}) {
    expect_same_answers(*whole, *build(documents, queries, {}, per_part), queries.size());
  }
}

TEST(Bm25Builder, TwoThreadsGiveTheSameAnswerAsOne) {
  base::Random random(22);
  const auto documents = random_collection(random, 10'000, 500);
  const auto queries = random_queries(random, 30, 500, 6);
  Bm25Builder builder(queries, {});
  std::vector<PostingsPart> parts(20);
  const auto count = [&](std::size_t first) {
    auto counter = builder.counter();
    for (std::size_t part = first; part < parts.size(); part += 2) {
      for (std::size_t i = part * 500; i < (part + 1) * 500; ++i) counter.add(documents[i].text, documents[i].title);
      parts[part] = counter.take();
    }
  };
  std::thread other(count, 1);
  count(0);
  other.join();
  for (const PostingsPart& part : parts) builder.append(part);
  Context context{.threads = 2};
  expect_same_answers(*builder.finish(context), *build(documents, queries), queries.size());
}

TEST(Bm25Builder, ManyPostingsInOnePartGiveTheSameAnswer) {
  // More than are kept uncompressed.
  TestCollection documents(6000);
  std::vector<Feature> query;
  for (std::uint64_t i = 0; i < 60; ++i) query.push_back(word(i));
  for (std::size_t i = 0; i < documents.size(); ++i) {
    documents[i].text = query;
    documents[i].text.insert(documents[i].text.end(), i % 97, word(i % 60));
  }
  expect_same_answers(*build(documents, {query}, {}, documents.size()), *build(documents, {query}, {}, 10), 1);
}

TEST(Bm25Builder, CompressesTheListsOfFrequentTerms) {
  base::Random random(23);
  TestCollection documents(20'000);
  for (auto& document : documents) {
    for (std::uint64_t rank = 0; rank < 10; ++rank) {
      if (random.below(rank + 1) == 0) document.text.insert(document.text.end(), 1 + random.below(6), word(rank));
    }
  }
  const auto index = build(documents, {words({0, 1, 2, 3, 4, 5, 6, 7, 8, 9})});
  const std::uint64_t lists = index->memory_bytes() - documents.size() * sizeof(double);
  EXPECT_LT(static_cast<double>(lists), 2.5 * static_cast<double>(index->postings()));
}

TEST(Bm25Builder, TakesDocumentsWithoutWordsAndRecordsThatAreNone) {
  const TestCollection documents{{}, {words({1})}, {}, {}, {words({1, 1})}, {}};
  const auto index = build(documents, {words({1})}, {}, 2);
  const auto hits = search(*index, 0, 10);
  ASSERT_EQ(hits.size(), 2u);
  EXPECT_EQ(hits[0].row, 4u);
  const auto plain = plain_scores(documents, {word(1)}, {});
  EXPECT_NEAR(hits[0].score, plain.at(4), 1e-8);
}

TEST(Bm25Builder, TheLargestCountsDoNotOverflow) {
  TestCollection documents(3, {words({2})});
  documents[1].title.assign(3'000'000, word(1));
  documents[2].title.assign(3, word(1));
  const auto index = build(documents, {words({1})}, {.title_boost = 1000});
  const auto hits = search(*index, 0, 10);
  ASSERT_EQ(hits.size(), 2u);
  for (const Hit& hit : hits) {
    EXPECT_GT(hit.score, 0.0);
    EXPECT_LT(hit.score, 10.0);
  }
}

TEST(Bm25Builder, StopsWhenAsked) {
  Bm25Builder builder({words({1})}, {});
  std::stop_source source;
  source.request_stop();
  Context context{.stop = source.get_token()};
  try {
    builder.finish(context);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::interrupted);
  }
}

TEST(Bm25Options, SayWhichFlagIsWrong) {
  const auto message = [](const Bm25Options& options) {
    try {
      options.validate();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::usage);
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(message({}), "");
  EXPECT_EQ(message({.k1 = 0, .b = 0, .title_boost = 0}), "");
  EXPECT_EQ(message({.k1 = 1000, .b = 1, .title_boost = 1000}), "");
  for (const double wrong : {-0.1, std::nan(""), HUGE_VAL, 1e9}) {
    EXPECT_THAT(message({.k1 = wrong}), testing::HasSubstr("`k1`"));
  }
  for (const double wrong : {-0.1, 1.1, std::nan("")}) EXPECT_THAT(message({.b = wrong}), testing::HasSubstr("`b`"));
  EXPECT_THAT(message({.title_boost = 1001}), testing::HasSubstr("`title_boost`"));
}

}  // namespace
}  // namespace neardup::clean
