#include "io/codecs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support.h"

namespace neardup::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string many_lines(int count) {
  std::string out;
  for (int i = 0; i < count; ++i) out += "line " + std::to_string(i * 7919) + "\n";
  return out;
}

class EveryCodec : public ::testing::TestWithParam<std::string> {
 protected:
  static ReadOptions lines() { return {.format = "lines"}; }
};
INSTANTIATE_TEST_SUITE_P(Codecs, EveryCodec, ::testing::Values("", ".gz", ".zst"),
                         [](const auto& test) { return test.param.empty() ? "plain" : test.param.substr(1); });

TEST_P(EveryCodec, GivesBackWhatWasWritten) {
  const std::string bytes = many_lines(50'000);
  const auto all = read_bytes("a.txt" + GetParam(), encode(GetParam(), bytes), lines(), 4096);
  std::string joined;
  for (const Seen& seen : all) joined += seen.text + "\n";
  EXPECT_EQ(joined, bytes);
}

TEST_P(EveryCodec, IsRecognisedByContentAndNotByName) {
  EXPECT_THAT(texts(read_bytes("a.txt", encode(GetParam(), "one\ntwo\n"), lines())), ElementsAre("one", "two"));
}

TEST_P(EveryCodec, WritesTheSameBytesForTheSameInput) {
  const std::string bytes = many_lines(20'000);
  EXPECT_EQ(encode(GetParam(), bytes), encode(GetParam(), bytes));
}

TEST_P(EveryCodec, ReadsStreamsThatFollowOneAnother) {
  const std::string two = encode(GetParam(), "one\ntw") + encode(GetParam(), "") + encode(GetParam(), "o\nthree\n");
  EXPECT_THAT(texts(read_bytes("a", two, lines())), ElementsAre("one", "two", "three"));
}

class EveryCompression : public EveryCodec {};
INSTANTIATE_TEST_SUITE_P(Codecs, EveryCompression, ::testing::Values(".gz", ".zst"),
                         [](const auto& test) { return test.param.substr(1); });

TEST_P(EveryCompression, CutAnywhereGivesCompleteLinesAndOneRecordThatSaysSo) {
  const std::string bytes = "alpha\nbeta\ngamma\n";
  const std::string whole = encode(GetParam(), bytes);
  for (std::size_t size = 1; size < whole.size(); ++size) {
    const auto all = read_bytes("a.txt" + GetParam(), whole.substr(0, size), lines());
    ASSERT_FALSE(all.empty()) << size;
    EXPECT_THAT(all.back().reason, HasSubstr("truncated")) << size;
    const std::vector<std::string> expected{"alpha", "beta", "gamma"};
    for (std::size_t i = 0; i + 1 < all.size(); ++i) EXPECT_EQ(all[i].text, expected.at(i)) << size;
  }
}

TEST_P(EveryCompression, CutBetweenStreamsIsNotSeenAsDamage) {
  const std::string first = encode(GetParam(), "one\n");
  EXPECT_THAT(texts(read_bytes("a", first, lines())), ElementsAre("one"));
}

TEST_P(EveryCompression, SaysWhenSomethingForeignFollows) {
  const auto all = read_bytes("a", encode(GetParam(), "one\n") + "garbage", lines());
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].text, "one");
  EXPECT_THAT(all[1].reason, HasSubstr("at byte"));
}

TEST_P(EveryCompression, SurvivesEveryFlippedByte) {
  const std::string whole = encode(GetParam(), many_lines(40));
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::string broken = whole;
    broken[i] = static_cast<char>(broken[i] ^ 0x55);
    EXPECT_NO_THROW(read_bytes("a", broken, lines())) << i;
  }
}

TEST_P(EveryCompression, PassesOverABombWithoutKeepingIt) {
  const auto all = read_bytes("bomb", encode(GetParam(), std::string(100'000'000, '\0') + "\nend\n"),
                              {.format = "lines", .max_record_bytes = 1u << 20}, 1u << 16);
  EXPECT_THAT(texts(all), ElementsAre("BAD: record is longer than 1 MiB (--max-record raises the limit)", "end"));
  EXPECT_EQ(all[0].raw, "");
}

TEST(Zstd, SkipsSkippableFrames) {
  const std::string skippable{
      "\x50\x2A\x4D\x18\x03\x00\x00\x00"
      "abc",
      11};
  const auto all = read_bytes("a", skippable + encode(".zst", "one\n") + skippable, {.format = "lines"});
  EXPECT_THAT(texts(all), ElementsAre("one"));
}

TEST(Zstd, RefusesAWindowOfMoreThan128MiB) {
  // Magic, a frame header descriptor without content size, a window descriptor of 2^28 bytes, an empty last block.
  const std::string frame{"\x28\xB5\x2F\xFD\x00\x90\x01\x00\x00", 9};
  EXPECT_THAT(read_one("a", frame, {.format = "lines"}).reason, HasSubstr("128 MiB"));
}

TEST(Gzip, WritesNoTimeIntoItsHeader) { EXPECT_EQ(encode(".gz", "x").substr(4, 4), std::string(4, '\0')); }

TEST(Codecs, AreListedForHelp) { EXPECT_THAT(codec_names(), ElementsAre("plain", "gz", "zst")); }

}  // namespace
}  // namespace neardup::test
