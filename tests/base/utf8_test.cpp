#include "base/utf8.h"

#include <gtest/gtest.h>

#include <string>

#include "base/ascii.h"
#include "base/random.h"

namespace neardup::base {
namespace {

const std::string kText = "a\u00E9\u20AC\U0001F600z";  // of 1, 2, 3, 4 and 1 bytes

TEST(CutToCodePoint, NeverCutsACharacter) {
  const std::vector<std::size_t> kept{0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 11, 11};
  for (std::size_t bytes = 0; bytes < kept.size(); ++bytes) {
    EXPECT_EQ(cut_to_code_point(kText, bytes), kText.substr(0, kept[bytes])) << bytes;
  }
}

TEST(CutToCodePoint, LeavesShortAndEmptyTextsAlone) {
  EXPECT_EQ(cut_to_code_point("", 0), "");
  EXPECT_EQ(cut_to_code_point("", 5), "");
  EXPECT_EQ(cut_to_code_point(kText, kText.size()), kText);
  EXPECT_EQ(cut_to_code_point(kText, std::string::npos), kText);
}

TEST(CutToCodePoint, StopsAtTheStartOfBytesThatBelongToNoCharacter) {
  EXPECT_EQ(cut_to_code_point("\x80\x80\x80\x80", 3), "");
  EXPECT_EQ(cut_to_code_point("\x80\x80", 2), "\x80\x80");
}

TEST(CutToCodePoint, LeavesValidTextsValid) {
  Random random(1);
  for (int round = 0; round < 500; ++round) {
    std::string text;
    while (random.below(20) != 0) {
      char bytes[4];
      char32_t c = static_cast<char32_t>(random.below(random.below(2) == 0 ? 0x800 : 0x110000));
      if ((c & 0xFFFFF800) == 0xD800) c = 'x';
      text.append(bytes, encode(c, bytes));
    }
    const std::size_t bytes = random.below(text.size() + 2);
    const std::string_view cut = cut_to_code_point(text, bytes);
    ASSERT_TRUE(is_valid_utf8(cut));
    ASSERT_LE(cut.size(), bytes);
    ASSERT_TRUE(cut.size() == text.size() || bytes - cut.size() < 4);
  }
}

TEST(CodePoints, AreCountedByTheirFirstBytes) {
  EXPECT_EQ(code_points(kText), 5u);
  EXPECT_EQ(code_points(""), 0u);
}

TEST(RepairedUtf8, HasOneReplacementForEveryMaximalInvalidPart) {
  std::string out;
  EXPECT_TRUE(assign_valid_utf8(out, "a\xE2\x82z\xFF\xC3\xA9\x80"));
  EXPECT_EQ(out, "a\uFFFDz\uFFFD\u00E9\uFFFD");
  EXPECT_FALSE(assign_valid_utf8(out, kText));
  EXPECT_EQ(out, kText);
}

TEST(HexValue, KnowsSixteenDigitsInBothCasesAndNothingElse) {
  const std::string digits = "0123456789abcdef", large = "ABCDEF";
  for (int byte = 0; byte < 256; ++byte) {
    const char c = static_cast<char>(byte);
    const std::size_t small = digits.find(c), capital = large.find(c);
    const int expected = small != std::string::npos     ? static_cast<int>(small)
                         : capital != std::string::npos ? static_cast<int>(capital) + 10
                                                        : -1;
    EXPECT_EQ(hex_value(c), expected) << byte;
  }
}

}  // namespace
}  // namespace neardup::base
