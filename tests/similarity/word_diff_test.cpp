#include "similarity/word_diff.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "neardup/error.h"

namespace neardup::test {
namespace {

using similarity::diff_sequences;
using similarity::Edit;
using similarity::EditScript;
using Sequence = std::vector<std::uint32_t>;

constexpr std::uint64_t kPlenty = std::uint64_t{1} << 28;

Sequence letters(const std::string& text) {
  Sequence out;
  for (const char c : text) out.push_back(static_cast<std::uint32_t>(c - 'a'));
  return out;
}

EditScript diff(const Sequence& a, const Sequence& b, std::uint64_t max_steps = kPlenty) {
  std::uint32_t alphabet = 1;
  for (const Sequence* side : {&a, &b}) {
    for (const std::uint32_t element : *side) alphabet = std::max(alphabet, element + 1);
  }
  return diff_sequences(a, b, alphabet, max_steps, {});
}

// What the script makes of `a`; fails where it does not keep its own rules.
Sequence applied(const Sequence& a, const Sequence& b, const EditScript& script) {
  Sequence out;
  std::uint32_t i = 0, j = 0;
  bool first = true;
  for (const Edit& edit : script.edits) {
    EXPECT_TRUE(edit.a_begin <= edit.a_end && edit.b_begin <= edit.b_end);
    EXPECT_TRUE(edit.a_begin < edit.a_end || edit.b_begin < edit.b_end) << "an edit changes something";
    EXPECT_EQ(edit.a_begin - i, edit.b_begin - j) << "what is equal is equally long";
    EXPECT_TRUE(first || edit.a_begin > i) << "something equal stands between two edits";
    out.insert(out.end(), a.begin() + i, a.begin() + edit.a_begin);
    out.insert(out.end(), b.begin() + edit.b_begin, b.begin() + edit.b_end);
    i = edit.a_end;
    j = edit.b_end;
    first = false;
  }
  EXPECT_EQ(a.size() - i, b.size() - j);
  out.insert(out.end(), a.begin() + i, a.end());
  return out;
}

std::size_t changed(const EditScript& script) {
  std::size_t sum = 0;
  for (const Edit& edit : script.edits) sum += edit.a_end - edit.a_begin + edit.b_end - edit.b_begin;
  return sum;
}

std::size_t fewest_changes(const Sequence& a, const Sequence& b) {
  std::vector<std::size_t> last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j)
      row[j] = a[i - 1] == b[j - 1] ? last[j - 1] : std::min(last[j], row[j - 1]) + 1;
    std::swap(last, row);
  }
  return last[b.size()];
}

Sequence random_sequence(base::Random& random, std::size_t size, std::uint64_t alphabet) {
  Sequence out;
  for (std::size_t i = 0; i < size; ++i) out.push_back(static_cast<std::uint32_t>(random.below(alphabet)));
  return out;
}

TEST(WordDiff, ReplacesOneWord) {
  EXPECT_EQ(diff(letters("abcd"), letters("abxd")).edits, (std::vector<Edit>{{2, 3, 2, 3}}));
}

TEST(WordDiff, FindsNothingBetweenEqualSequences) {
  EXPECT_TRUE(diff(letters("abcabc"), letters("abcabc")).edits.empty());
}

TEST(WordDiff, TakesEverythingFromAnEmptySequence) {
  EXPECT_EQ(diff({}, letters("ab")).edits, (std::vector<Edit>{{0, 0, 0, 2}}));
  EXPECT_EQ(diff(letters("ab"), {}).edits, (std::vector<Edit>{{0, 2, 0, 0}}));
  EXPECT_TRUE(diff({}, {}).edits.empty());
}

TEST(WordDiff, IsTheShortestOnRandomSequences) {
  base::Random random(7);
  for (int round = 0; round < 4000; ++round) {
    const std::uint64_t alphabet = 1 + random.below(6);
    const Sequence a = random_sequence(random, random.below(30), alphabet);
    const Sequence b = random_sequence(random, random.below(30), alphabet);
    const EditScript script = diff(a, b);
    ASSERT_TRUE(script.shortest);
    ASSERT_EQ(applied(a, b, script), b);
    ASSERT_EQ(changed(script), fewest_changes(a, b));
  }
}

TEST(WordDiff, IsTheShortestBetweenEditedCopies) {
  base::Random random(8);
  for (int round = 0; round < 200; ++round) {
    const Sequence a = random_sequence(random, 200, 40);
    Sequence b = a;
    for (std::uint64_t edits = random.below(30); edits > 0; --edits) {
      const auto at = static_cast<std::ptrdiff_t>(random.below(b.size()));
      if (random.below(2) == 0) {
        b.erase(b.begin() + at);
      } else {
        b.insert(b.begin() + at, static_cast<std::uint32_t>(random.below(60)));
      }
    }
    const EditScript script = diff(a, b);
    ASSERT_EQ(applied(a, b, script), b);
    ASSERT_EQ(changed(script), fewest_changes(a, b));
  }
}

TEST(WordDiff, StaysRightWhenItRunsOutOfSteps) {
  base::Random random(9);
  for (int round = 0; round < 2000; ++round) {
    const std::uint64_t alphabet = 1 + random.below(20);
    const Sequence a = random_sequence(random, random.below(120), alphabet);
    const Sequence b = random_sequence(random, random.below(120), alphabet);
    const EditScript script = diff(a, b, random.below(60));
    ASSERT_EQ(applied(a, b, script), b);
    ASSERT_GE(changed(script), fewest_changes(a, b));
    ASSERT_TRUE(!script.shortest || changed(script) == fewest_changes(a, b));
  }
}

TEST(WordDiff, FindsMovedPassagesAgainByTheirRuns) {
  base::Random random(10);
  const Sequence start = random_sequence(random, 3000, 500), inserted = random_sequence(random, 3000, 500),
                 end = random_sequence(random, 3000, 500);
  Sequence a = start, b = start;
  b.insert(b.end(), inserted.begin(), inserted.end());
  a.insert(a.end(), end.begin(), end.end());
  b.insert(b.end(), end.begin(), end.end());
  // Something different at both ends, so that they cannot just be cut off.
  a.insert(a.begin(), {1, 2, 3});
  a.insert(a.end(), {3, 2, 1});
  const EditScript script = diff(a, b, 1000);
  EXPECT_FALSE(script.shortest);
  EXPECT_EQ(applied(a, b, script), b);
  EXPECT_LE(changed(script), 3000u + 6 + 200);
}

TEST(WordDiff, CostsNothingWhenNothingIsShared) {
  Sequence a, b;
  for (std::uint32_t i = 0; i < 1'000'000; ++i) {
    a.push_back(i);
    b.push_back(1'000'000 + i);
  }
  const EditScript script = diff(a, b, 10);
  EXPECT_TRUE(script.shortest);
  EXPECT_EQ(script.edits, (std::vector<Edit>{{0, 1'000'000, 0, 1'000'000}}));
}

TEST(WordDiff, EndsSoonOnSequencesThatAreHardToAlign) {
  base::Random random(11);
  const auto check = [](const Sequence& a, const Sequence& b) {
    const EditScript script = diff(a, b, 1 << 20);
    EXPECT_EQ(applied(a, b, script), b);
  };
  check(random_sequence(random, 200'000, 2), random_sequence(random, 200'000, 2));
  check(random_sequence(random, 200'000, 100'000), random_sequence(random, 200'000, 100'000));
  check(Sequence(200'000, 0), Sequence(100'000, 0));
  Sequence ascending, descending;
  for (std::uint32_t i = 0; i < 200'000; ++i) {
    ascending.push_back(i);
    descending.push_back(199'999 - i);
  }
  check(ascending, descending);
  Sequence alternating;
  for (std::uint32_t i = 0; i < 200'000; ++i) alternating.push_back(i % 2);
  check(alternating, Sequence(200'000, 1));
}

TEST(WordDiff, StopsWhenAsked) {
  std::stop_source source;
  source.request_stop();
  EXPECT_THROW(diff_sequences(letters("abca"), letters("bcab"), 3, kPlenty, {.stop = source.get_token()}), Error);
}

}  // namespace
}  // namespace neardup::test
