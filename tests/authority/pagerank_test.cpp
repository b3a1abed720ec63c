#include "authority/pagerank.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <set>
#include <stop_token>
#include <vector>

#include "base/random.h"
#include "support/scratch.h"

namespace neardup::authority {
namespace {

using ::testing::HasSubstr;

PageRank rank(std::size_t nodes, std::vector<Link> links, unsigned threads = 1, const AuthorityOptions& options = {}) {
  Context context{.threads = threads};
  return page_rank(nodes, std::move(links), options, context);
}

// By the definition: a dense matrix, and many rounds.
std::vector<double> naive(std::size_t nodes, const std::vector<Link>& links, double damping) {
  std::vector<std::set<DocumentNumber>> out(nodes);
  for (const Link& link : links) {
    if (link.from != link.to) out[link.from].insert(link.to);
  }
  const double n = static_cast<double>(nodes);
  std::vector<double> scores(nodes, 1 / n);
  for (int round = 0; round < 400; ++round) {
    std::vector<double> next(nodes, (1 - damping) / n);
    for (std::size_t i = 0; i < nodes; ++i) {
      for (std::size_t j = 0; j < nodes; ++j) {
        const double share = out[i].empty()                                    ? 1 / n
                             : out[i].contains(static_cast<DocumentNumber>(j)) ? 1 / double(out[i].size())
                                                                               : 0;
        next[j] += damping * scores[i] * share;
      }
    }
    scores = next;
  }
  return scores;
}

double sum(const std::vector<double>& scores) { return std::accumulate(scores.begin(), scores.end(), 0.0); }

std::vector<Link> random_links(base::Random& random, std::size_t nodes, std::size_t count) {
  std::vector<Link> links;
  for (std::size_t i = 0; i < count; ++i) {
    const auto from = static_cast<DocumentNumber>(random.below(nodes));
    const auto to = static_cast<DocumentNumber>(random.below(1 + random.below(nodes)));  // low numbers are popular
    if (from % 5 != 0) links.push_back({from, to});                                      // every fifth links to nobody
  }
  return links;
}

TEST(PageRank, EqualsTheDenseDefinitionOnRandomGraphs) {
  base::Random random(11);
  for (int i = 0; i < 40; ++i) {
    const std::size_t nodes = 1 + random.below(40);
    const auto links = random_links(random, nodes, random.below(200));
    const double damping = std::vector{0.0, 0.5, 0.85, 0.95}[random.below(4)];
    const auto expected = naive(nodes, links, damping);
    const auto found = rank(nodes, links, 1, {.damping = damping});
    ASSERT_EQ(found.scores.size(), nodes);
    for (std::size_t node = 0; node < nodes; ++node) ASSERT_NEAR(found.scores[node], expected[node], 1e-8);
    EXPECT_NEAR(sum(found.scores), 1, 1e-12);
  }
}

TEST(PageRank, GivesTheSameBitsOnAnyNumberOfThreads) {
  base::Random random(5);
  const std::size_t nodes = 50'000;
  const auto links = random_links(random, nodes, 400'000);  // several blocks
  const PageRank one = rank(nodes, links, 1);
  for (const unsigned threads : {2u, 3u, 7u}) {
    const PageRank other = rank(nodes, links, threads);
    EXPECT_EQ(other.scores, one.scores);
    EXPECT_EQ(other.report.rounds, one.report.rounds);
  }
  EXPECT_NEAR(sum(one.scores), 1, 1e-12);
}

TEST(PageRank, DoesNotDependOnTheOrderOfLinks) {
  base::Random random(6);
  auto links = random_links(random, 500, 4000);
  const PageRank forwards = rank(500, links);
  std::reverse(links.begin(), links.end());
  EXPECT_EQ(rank(500, links).scores, forwards.scores);
}

TEST(PageRank, DropsSelfLinksAndCollapsesRepeats) {
  const PageRank plain = rank(3, {{0, 1}, {1, 2}});
  const PageRank noisy = rank(3, {{1, 2}, {0, 0}, {0, 1}, {1, 2}, {2, 2}, {0, 1}, {1, 2}});
  EXPECT_EQ(noisy.scores, plain.scores);
  EXPECT_EQ(noisy.report.links, 2u);
  EXPECT_EQ(noisy.report.self_links, 2u);
  EXPECT_EQ(noisy.report.repeated_links, 3u);
  EXPECT_EQ(noisy.report.dangling, 1u);
}

TEST(PageRank, OfNoDocumentsIsNothing) {
  EXPECT_TRUE(rank(0, {}).scores.empty());
  EXPECT_EQ(rank(0, {}).report.rounds, 0u);
}

TEST(PageRank, OfOneDocumentIsOne) {
  EXPECT_EQ(rank(1, {}).scores, std::vector{1.0});
  EXPECT_EQ(rank(1, {{0, 0}}).scores, std::vector{1.0});
}

TEST(PageRank, IsTheSameForAllWhenNobodyLinks) {
  const PageRank found = rank(4, {{2, 2}});
  EXPECT_EQ(found.scores, std::vector(4, 0.25));
  EXPECT_EQ(found.report.dangling, 4u);
}

TEST(PageRank, IsHigherForWhatIsLinkedMore) {
  const auto scores = rank(4, {{1, 0}, {2, 0}, {3, 0}, {0, 1}}).scores;
  EXPECT_GT(scores[0], scores[1]);
  EXPECT_GT(scores[1], scores[2]);
  EXPECT_EQ(scores[2], scores[3]);
}

TEST(PageRank, EndsWhateverTheOptions) {
  const std::vector<Link> ring{{0, 1}, {1, 0}, {2, 0}};
  EXPECT_NEAR(sum(rank(3, ring, 1, {.damping = 1.0}).scores), 1, 1e-12);  // never settles: validate() refuses it
  EXPECT_NEAR(sum(rank(3, ring, 1, {.tolerance = 1e-300}).scores), 1, 1e-12);
}

TEST(PageRank, StopsWhenAskedTo) {
  std::stop_source stop;
  stop.request_stop();
  Context context{.stop = stop.get_token()};
  test::error_of(ErrorCode::interrupted, [&] { page_rank(2, {{0, 1}}, {}, context); });
}

TEST(AuthorityOptions, RefusesNumbersThatMakeNoSense) {
  const auto refused = [](const AuthorityOptions& options) {
    return test::error_of(ErrorCode::usage, [&] { options.validate(); });
  };
  for (const double damping : {-0.1, 1.0, 1.5, std::nan("")}) {
    EXPECT_THAT(refused({.damping = damping}), HasSubstr("`damping`"));
  }
  for (const double tolerance : {0.0, -1.0, std::nan(""), double{INFINITY}}) {
    EXPECT_THAT(refused({.tolerance = tolerance}), HasSubstr("`tolerance`"));
  }
  AuthorityOptions{}.validate();
  AuthorityOptions{.damping = 0}.validate();
}

TEST(AuthorityOptions, RefusesMoreThanOneSource) {
  const auto refused = [](const AuthorityOptions& options) {
    return test::error_of(ErrorCode::usage, [&] { options.validate(); });
  };
  const std::string both = refused({.links = "l.tsv", .field = "score"});
  EXPECT_THAT(both, HasSubstr("`links` l.tsv"));
  EXPECT_THAT(both, HasSubstr("`authority` score"));
  EXPECT_THAT(refused({.links = "l.tsv", .scores = "s.tsv"}), HasSubstr("`authority` s.tsv"));
  EXPECT_THAT(refused({.field = "score", .scores = "s.tsv"}), HasSubstr("`authority`"));
}

}  // namespace
}  // namespace neardup::authority
