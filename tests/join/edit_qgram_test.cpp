// The paper's bound on common q-grams, and what the algorithm makes of it in cases small enough to do by hand.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "join/edit_support.h"
#include "neardup/join.h"

namespace neardup::joins::edit {
namespace {

using neardup::test::FoundPairs;
using neardup::test::plain_distance;
using neardup::test::Texts;

std::map<std::string, int> padded_grams(const std::string& text, std::size_t q) {
  const std::string padded = std::string(q - 1, '<') + text + std::string(q - 1, '>');
  std::map<std::string, int> grams;
  for (std::size_t i = 0; i + q <= padded.size(); ++i) ++grams[padded.substr(i, q)];
  return grams;
}

TEST(QGram, SimilarStringsShareAsManyNumberedGramsAsTheBoundSays) {
  Texts all{""};
  for (std::size_t i = 0; all[i].size() < 6; ++i) {
    for (const char c : {'a', 'b'}) all.push_back(all[i] + c);
  }
  for (const std::size_t q : {1, 2, 3, 4}) {
    for (const std::string& u : all) {
      for (const std::string& v : all) {
        const auto distance =
            static_cast<int>(plain_distance(neardup::test::code_points(u), neardup::test::code_points(v)));
        int shared = 0;
        auto of_v = padded_grams(v, q);
        for (const auto& [gram, count] : padded_grams(u, q)) shared += std::min(count, of_v[gram]);
        const int size = static_cast<int>(std::max(u.size(), v.size()) + q) - 1;
        ASSERT_GE(shared, size - static_cast<int>(q) * distance) << u << " " << v << ", q = " << q;
      }
    }
  }
}

JoinStats stats_of(const Texts& texts, std::uint64_t most, unsigned gram_length) {
  JoinOptions options;
  options.measure = Measure::edit;
  options.threshold = {most, 1};
  options.algorithm = "qgram";
  options.gram_length = gram_length;
  Context context{.threads = 1};
  FoundPairs pairs;
  return join_strings(texts, options, pairs, context);
}

std::vector<std::uint64_t> counts(const JoinStats& stats) {
  std::vector<std::uint64_t> all;
  for (const FilterCount& filter : stats.filters) all.push_back(filter.pairs);
  all.push_back(stats.candidates);
  return all;
}

TEST(QGram, NamesItsFiltersInOrder) {
  const JoinStats stats = stats_of({"abc"}, 1, 2);
  ASSERT_EQ(stats.filters.size(), 3u);
  EXPECT_EQ(stats.filters[0].name, "length");
  EXPECT_EQ(stats.filters[1].name, "prefix");
  EXPECT_EQ(stats.filters[2].name, "position");
}

// q = 2, T = 1: a prefix has qT + 1 = 3 grams of 9.
//   abcdefgh  <a ab bc cd de ef fg gh h>
//   abcdefgx  <a ab bc cd de ef fg gx x>
//   pqrstuvw  <p pq qr rs st tu uv vw w>
// gh, h>, gx, x> are in one string only and stand first; the prefixes of the first two are completed by the first in
// rank of the seven they share, the same one in both. At position 2 of 9, seven can be shared, and seven are needed.
TEST(QGram, MakesACandidateOfTheOnePairThatSharesAPrefixGram) {
  EXPECT_EQ(counts(stats_of({"abcdefgh", "abcdefgx", "pqrstuvw"}, 1, 2)), (std::vector<std::uint64_t>{3, 1, 1, 1}));
}

// q = 2, T = 1: fx xh h> stand first in one prefix, fy yi i> in the other.
TEST(QGram, MakesNoCandidateOfPairsWhoseRareGramsDiffer) {
  EXPECT_EQ(counts(stats_of({"abcdefxh", "abcdefyi"}, 1, 2)), (std::vector<std::uint64_t>{1, 0, 0, 0}));
}

// q = 2, T = 2: two edits spoil four grams. ab and xy have three: nothing follows, they are compared. Of wxyz's five
// grams one must be shared with ab, and none is.
TEST(QGram, ComparesStringsTooShortForTheBound) {
  EXPECT_EQ(counts(stats_of({"ab", "xy"}, 2, 2)), (std::vector<std::uint64_t>{1, 1, 1, 1}));
  EXPECT_EQ(counts(stats_of({"ab", "wxyz"}, 2, 2)), (std::vector<std::uint64_t>{1, 0, 0, 0}));
}

// q = 1, T = 1: grams are letters, prefixes have two, and all but one letter of the longer string must be shared.
//   wabce  w, then one of a b c (twice each; e is in three strings)
//   pabc   p, then the same one, at position 1: with it three letters remain to be shared, but four are needed
//   efg    f and g
//   e      too short for the others
TEST(QGram, GivesUpAPairWhoseSharedGramStandsTooFarBehind) {
  EXPECT_EQ(counts(stats_of({"wabce", "pabc", "efg", "e"}, 1, 1)), (std::vector<std::uint64_t>{2, 1, 0, 0}));
}

// As before, but at position 0 of both: four letters remain.
TEST(QGram, KeepsAPairWhoseSharedGramStandsEarlyEnough) {
  EXPECT_EQ(counts(stats_of({"abce", "cabe"}, 1, 1)), (std::vector<std::uint64_t>{1, 1, 1, 1}));
}

TEST(QGram, TakesAnyGramLength) {
  const Texts texts{"abcdefgh", "abcdefgx", "abcdxfgh", "ab", "b"};
  for (const unsigned q : {1u, 2u, 3u, 5u, 8u, 9u, 100u, 4'000'000'000u}) {
    for (const std::uint64_t most : {0, 1, 2, 4}) {
      EXPECT_EQ(stats_of(texts, most, q).pairs, neardup::test::plain_join(texts, texts, most).size())
          << q << ", " << most;
    }
  }
}

}  // namespace
}  // namespace neardup::joins::edit
