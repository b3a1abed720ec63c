// Do the algorithms of Xiao et al. 2008 look at the candidates the paper says they look at?
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <numeric>
#include <vector>

#include "join/support.h"

namespace neardup::joins {
namespace {

using namespace neardup::joins::test;

// ---- the examples, by hand

// Example 2: the prefixes are w: C; z: G A; y: A B; x: B C.
const Sets kExample2{letters("CDF"), letters("GABEF"), letters("ABCDE"), letters("BCDEF")};

TEST(AllPairs, MeetsWhatSharesATokenOfThePrefixesAndIsLargeEnough) {
  const Found found = run(all_pairs, ordered(kExample2), {.threshold = {4, 5}});
  EXPECT_EQ(found.stats.index.entries, 6u);  // all seven but G, which nobody shares
  EXPECT_EQ(found.stats.candidates, 2u);     // z and y by A, y and x by B; w is too small for x
  EXPECT_TRUE(found.pairs.empty());
}

TEST(PpJoin, IndexesOnlyTheTokensThatALargerSetMustMeet) {
  const Found found = run(ppjoin, ordered(kExample2), {.threshold = {4, 5}});
  EXPECT_EQ(found.stats.index.entries, 3u);  // C of w, A of y and B of x; z's is G
  EXPECT_EQ(left_after(found.stats, "prefix"), 0u);
  EXPECT_EQ(found.stats.candidates, 0u);
}

// Nine and ten letters must share nine, but the first common letter is the smaller set's second.
const Sets kTooFewLeft{letters("ABCDEFGHI"), letters("BCDEFGHIYZ")};

TEST(AllPairs, DoesNotLookAtPositions) {
  EXPECT_EQ(run(all_pairs, ordered(kTooFewLeft), {.threshold = {4, 5}}).stats.candidates, 1u);
}

TEST(PpJoin, DropsAPairWithTooFewTokensLeft) {
  const Found found = run(ppjoin, ordered(kTooFewLeft), {.threshold = {4, 5}});
  EXPECT_EQ(left_after(found.stats, "prefix"), 1u);
  EXPECT_EQ(left_after(found.stats, "position"), 0u);
  EXPECT_EQ(found.stats.candidates, 0u);
}

// Two sets of seven that share 1, 40 and 60 and must share six; behind the 1 they are the suffixes of Example 4. The
// small sets make all tokens equally frequent, so that their order is that of the numbers.
const Sets kExample4{
    {1, 10, 40, 45, 50, 60, 70}, {1, 20, 30, 40, 60, 80, 90}, {10}, {20}, {30}, {45}, {50}, {70}, {80}, {90}};

TEST(PpJoin, DoesNotLookBehindThePrefixes) {
  EXPECT_EQ(run(ppjoin, ordered(kExample4), {.threshold = {3, 4}}).stats.candidates, 1u);
}

TEST(PpJoinPlus, DropsAPairWhoseSuffixesAreTooFarApart) {
  const auto candidates = [](unsigned depth) {
    return run(ppjoin_plus, ordered(kExample4), {.threshold = {3, 4}, .suffix_depth = depth}).stats.candidates;
  };
  EXPECT_EQ(candidates(0), 1u);
  EXPECT_EQ(candidates(1), 1u);
  EXPECT_EQ(candidates(2), 0u);
}

TEST(PpJoinPlus, CountsWhatIsLeftAfterEachFilter) {
  const Found found = run(ppjoin_plus, ordered(kExample4), {.threshold = {3, 4}});
  EXPECT_EQ(left_after(found.stats, "size"), 1u);
  EXPECT_EQ(left_after(found.stats, "prefix"), 1u);
  EXPECT_EQ(left_after(found.stats, "position"), 1u);
  EXPECT_EQ(left_after(found.stats, "suffix"), 0u);
}

// ---- Algorithms 1 to 5 line by line

// The paper's pseudocode with its slips mended: slow, counted from 1, no token hidden and none of the library's bounds.
class Transcription {
 public:
  Transcription(std::span<const Sets> sides, Measure measure, const Threshold& threshold)
      : measure_(measure), threshold_(threshold) {
    std::map<std::uint64_t, std::array<int, 2>> counts;
    for (std::size_t side = 0; side < sides.size(); ++side) {
      for (const Set& set : sides[side]) {
        for (const std::uint64_t token : set) ++counts[token][side];
        if (!set.empty()) records_.push_back({set, side});
      }
    }
    // A token without a partner on the other side is as rare as one that occurs once.
    const auto key = [&](std::uint64_t token) {
      const auto [a, b] = counts[token];
      const bool is_shared = sides.size() == 1 ? a > 1 : a > 0 && b > 0;
      return std::tuple(is_shared, a + b, token);
    };
    for (Record& record : records_) {
      std::sort(record.tokens.begin(), record.tokens.end(), [&](auto a, auto b) { return key(a) < key(b); });
    }
    std::stable_sort(records_.begin(), records_.end(),
                     [](const Record& a, const Record& b) { return a.tokens.size() < b.tokens.size(); });
    std::map<std::tuple<bool, int, std::uint64_t>, int> places;
    for (const auto& [token, count] : counts) places[key(token)];
    int next = 0;
    for (auto& [token, place] : places) place = ++next;
    for (Record& record : records_) {
      for (std::uint64_t& token : record.tokens) token = static_cast<std::uint64_t>(places[key(token)]);
    }
    two_sides_ = sides.size() == 2;
  }

  enum class Variant { all_pairs, ppjoin, ppjoin_plus };

  // How many pairs Algorithm 2 is asked to verify.
  std::uint64_t candidates(Variant variant, int max_depth = 2) {
    max_depth_ = max_depth;
    std::map<std::uint64_t, std::vector<std::pair<std::size_t, int>>> index;  // token: records and positions
    std::uint64_t verified = 0;
    for (std::size_t rx = 0; rx < records_.size(); ++rx) {
      const Tokens& x = records_[rx].tokens;
      const int x_size = size(x);
      std::map<std::size_t, int> overlaps;  // A
      const int probed = x_size - smallest_partner(x_size) + 1;
      const int indexed = variant == Variant::all_pairs ? probed : x_size - alpha(x_size, x_size) + 1;
      for (int i = 1; i <= probed; ++i) {
        const std::uint64_t w = at(x, i);
        for (const auto& [ry, j] : index[w]) {
          const Tokens& y = records_[ry].tokens;
          if (two_sides_ && records_[ry].side == records_[rx].side) continue;
          if (size(y) < smallest_partner(x_size)) continue;
          int& overlap = overlaps[ry];
          if (variant == Variant::all_pairs) {
            ++overlap;
            continue;
          }
          const int bound = 1 + std::min(x_size - i, size(y) - j);
          if (overlap + bound < alpha(x_size, size(y))) {
            overlap = 0;
          } else if (variant == Variant::ppjoin || overlap > 0) {
            ++overlap;
          } else {
            const int most = x_size + size(y) - 2 * alpha(x_size, size(y)) - (i + j - 2);
            overlap = suffix_filter(part(x, i + 1, x_size), part(y, j + 1, size(y)), most, 1) <= most ? 1 : kNever;
          }
        }
        if (i <= indexed) index[w].emplace_back(rx, i);
      }
      for (const auto& [ry, overlap] : overlaps) verified += overlap > 0 ? 1 : 0;
    }
    return verified;
  }

 private:
  using Tokens = std::vector<std::uint64_t>;
  struct Record {
    Tokens tokens;
    std::size_t side;
  };
  static constexpr int kNever = -1'000'000;

  static int size(const Tokens& s) { return static_cast<int>(s.size()); }
  static std::uint64_t at(const Tokens& s, int i) { return s.at(static_cast<std::size_t>(i - 1)); }
  static Tokens part(const Tokens& s, int from, int to) {
    return {s.begin() + from - 1, s.begin() + std::max(to, from - 1)};
  }

  // The smallest overlap that is enough, and the smallest set that can be similar: one that lies within x.
  [[nodiscard]] int alpha(int x, int y) const {
    int o = 1;
    while (!is_similar(measure_, threshold_, o, x, y) && o <= x + y) ++o;
    return o;
  }
  [[nodiscard]] int smallest_partner(int x) const {
    int o = 1;
    while (!is_similar(measure_, threshold_, o, x, o) && o <= x) ++o;
    return o;
  }

  struct Parts {
    Tokens left, right;
    int found, diff;
  };
  static Parts partition(const Tokens& s, std::uint64_t w, int l, int r) {
    if (l > size(s) || (l >= 1 && at(s, l) > w) || (r <= size(s) && at(s, r) < w)) return {{}, {}, 0, 1};
    int p = std::max(l, 1);
    while (p <= std::min(r, size(s)) && at(s, p) < w) ++p;
    if (p <= size(s) && at(s, p) == w) return {part(s, 1, p - 1), part(s, p + 1, size(s)), 1, 0};
    return {part(s, 1, p - 1), part(s, p, size(s)), 1, 1};
  }

  [[nodiscard]] int suffix_filter(const Tokens& x, const Tokens& y, int most, int d) const {
    const int difference = std::abs(size(x) - size(y));
    if (d > max_depth_ || x.empty() || y.empty()) return difference;
    const int mid = size(y) / 2 + 1;
    const std::uint64_t w = at(y, mid);
    const int o = (most - difference) / 2;
    EXPECT_EQ((most - difference) % 2, 0) << "the paper says: always divisible";
    const int ol = size(x) < size(y) ? 1 : 0, orr = size(x) < size(y) ? 0 : 1;
    const Parts ys = partition(y, w, mid, mid);
    const Parts xs = partition(x, w, mid - o - difference * ol, mid + o + difference * orr);
    if (xs.found == 0) return most + 1;
    const int left = std::abs(size(xs.left) - size(ys.left)), right = std::abs(size(xs.right) - size(ys.right));
    if (left + right + xs.diff > most) return left + right + xs.diff;
    const int hl = suffix_filter(xs.left, ys.left, most - right - xs.diff, d + 1);
    if (hl + right + xs.diff > most) return hl + right + xs.diff;
    return hl + suffix_filter(xs.right, ys.right, most - hl - xs.diff, d + 1) + xs.diff;
  }

  Measure measure_;
  Threshold threshold_;
  std::vector<Record> records_;
  bool two_sides_ = false;
  int max_depth_ = 2;
};

class Candidates : public testing::TestWithParam<std::size_t> {};  // one collection, or two

TEST_P(Candidates, AreThoseOfThePseudocode) {
  base::Random random(7);
  for (int round = 0; round < 12; ++round) {
    std::vector<Sets> sides;
    const std::uint64_t max_size = 4 + random.below(30), universe = 10 + random.below(60);
    while (sides.size() < GetParam()) sides.push_back(random_sets(random, 40, max_size, universe));
    const OrderedSets sets = ordered(sides);
    for (const auto& [measure, threshold] : settings()) {
      SCOPED_TRACE(to_string(measure) + " " + to_string(threshold));
      Transcription paper(sides, measure, threshold);
      JoinOptions options{.measure = measure, .threshold = threshold};
      EXPECT_EQ(run(all_pairs, sets, options).stats.candidates, paper.candidates(Transcription::Variant::all_pairs));
      EXPECT_EQ(run(ppjoin, sets, options).stats.candidates, paper.candidates(Transcription::Variant::ppjoin));
      for (const int depth : {0, 1, 2, 4}) {
        options.suffix_depth = static_cast<unsigned>(depth);
        EXPECT_EQ(run(ppjoin_plus, sets, options).stats.candidates,
                  paper.candidates(Transcription::Variant::ppjoin_plus, depth))
            << depth;
      }
    }
  }
}

TEST_P(Candidates, BecomeFewerWithEachFilterAndContainAllPairs) {
  base::Random random(8);
  for (int round = 0; round < 20; ++round) {
    std::vector<Sets> sides;
    while (sides.size() < GetParam()) sides.push_back(random_sets(random, 80, 30, 60));
    const OrderedSets sets = ordered(sides);
    for (const auto& [measure, threshold] : settings()) {
      const JoinOptions options{.measure = measure, .threshold = threshold};
      const Found by_size = run(brute_force, sets, options), by_prefix = run(all_pairs, sets, options),
                  by_position = run(ppjoin, sets, options), by_suffix = run(ppjoin_plus, sets, options);
      EXPECT_GE(by_size.stats.candidates, by_prefix.stats.candidates);
      EXPECT_GE(by_prefix.stats.candidates, by_position.stats.candidates);
      EXPECT_GE(by_position.stats.candidates, by_suffix.stats.candidates);
      EXPECT_GE(by_suffix.stats.candidates, by_suffix.pairs.size());
      EXPECT_GE(by_prefix.stats.index.entries, by_position.stats.index.entries);
    }
  }
}

TEST_P(Candidates, OfPpJoinPlusWithoutDepthAreThoseOfPpJoin) {
  base::Random random(9);
  std::vector<Sets> sides;
  while (sides.size() < GetParam()) sides.push_back(random_sets(random, 200, 30, 60));
  const OrderedSets sets = ordered(sides);
  const JoinOptions options{.threshold = {1, 2}, .suffix_depth = 0};
  EXPECT_EQ(run(ppjoin_plus, sets, options).stats.candidates, run(ppjoin, sets, options).stats.candidates);
}

INSTANTIATE_TEST_SUITE_P(Sides, Candidates, testing::Values(1, 2), [](const auto& param_info) {
  return param_info.param == 1 ? std::string("OneCollection") : std::string("TwoCollections");
});

}  // namespace
}  // namespace neardup::joins
