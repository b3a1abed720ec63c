#include "base/choices.h"

#include <gtest/gtest.h>

#include <array>

#include "base/nearest.h"
#include "neardup/error.h"

namespace neardup {
namespace {

TEST(Nearest, ForgivesASwapAMissingAndASuperfluousLetter) {
  const std::vector<std::string> words{"dedup", "pairs", "compare"};
  EXPECT_EQ(nearest("deudp", words), "dedup");
  EXPECT_EQ(nearest("pair", words), "pairs");
  EXPECT_EQ(nearest("commpare", words), "compare");
}

TEST(Nearest, SeesNoDifferenceInCase) { EXPECT_EQ(nearest("TITLE", {"id", "Title", "titel"}), "Title"); }

TEST(Nearest, NamesNothingWhenNothingIsNear) {
  EXPECT_EQ(nearest("xylophone", {"dedup", "pairs"}), "");
  EXPECT_EQ(nearest("ab", {"cd"}), "");
  EXPECT_EQ(nearest("", {"text"}), "");
  EXPECT_EQ(nearest("text", {}), "");
}

TEST(Nearest, LeavesHugeWordsAlone) {
  const std::string huge(1u << 20, 'a');
  EXPECT_EQ(nearest(huge, {huge + "b"}), "");
  EXPECT_EQ(nearest("a", std::vector<std::string>(1000, huge)), "");
}

TEST(Nearest, TakesTheFirstOfEquallyNearOnesAndCandidatesOneByOne) {
  base::Nearest nearest("paper-12");
  for (const char* candidate : {"paper", "paper-31", "paper-21", "paper-1", "paper-2"}) nearest.offer(candidate);
  EXPECT_EQ(nearest.best(), "paper-21");
}

TEST(Nearest, MakesTheEndOfASentence) {
  EXPECT_EQ(base::did_you_mean("txt", {"id", "text"}), "; did you mean text?");
  EXPECT_EQ(base::did_you_mean("txt", {"id"}), "");
}

enum class Colour { red, green };
constexpr std::array kColours{Choice<Colour>{"red", Colour::red, ""}, Choice<Colour>{"green", Colour::green, ""}};

TEST(ParseChoice, FindsTheValueOfAName) {
  EXPECT_EQ(base::parse_choice<Colour>("ink", "green", kColours), Colour::green);
}

TEST(ParseChoice, ListsTheNamesAndTheNearestWhenThereIsNoSuchOne) {
  try {
    base::parse_choice<Colour>("ink", "gren", kColours);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage);
    EXPECT_STREQ(error.what(), "`ink` gren: expected red or green; did you mean green?");
    EXPECT_EQ(error.option(), "ink");
  }
}

TEST(ChoiceName, IsTheInverse) {
  for (const auto& colour : kColours) EXPECT_EQ(base::choice_name<Colour>(colour.value, kColours), colour.name);
}

}  // namespace
}  // namespace neardup
