#include "io/codecs/codecs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <lzma.h>
#include <zstd.h>

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
INSTANTIATE_TEST_SUITE_P(Codecs, EveryCodec, ::testing::Values("", ".gz", ".zst", ".bz2", ".xz", ".lz4"),
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
INSTANTIATE_TEST_SUITE_P(Codecs, EveryCompression, ::testing::Values(".gz", ".zst", ".bz2", ".xz", ".lz4"),
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

TEST_P(EveryCompression, EndedMembersAreStreamsOfTheirOwn) {
  MemoryFiles files;
  const auto sink = io::open_sink(files, "x", io::codec_of_name("x" + GetParam()));
  sink->end_member();  // nothing to end
  for (const char* line : {"one\n", "two\n"}) {
    sink->write(line);
    sink->end_member();
  }
  sink->close();
  EXPECT_EQ(files.contents["x"], encode(GetParam(), "one\n") + encode(GetParam(), "two\n"));
}

TEST_P(EveryCompression, GivesTheSameBytesWhateverTheSizeOfTheReads) {
  const std::string bytes = many_lines(300);
  MemoryFiles files;
  files.contents["x"] = encode(GetParam(), bytes) + encode(GetParam(), bytes);
  for (const std::size_t size : {1u, 2u, 3u, 100u, 4096u, 1u << 20}) {
    const auto source = io::codec_of_name("x" + GetParam()).decoder(files.open("x"));
    std::string all, buffer(size, '\0');
    while (const std::size_t got = source->read(buffer)) all.append(buffer, 0, got);
    EXPECT_EQ(all, bytes + bytes) << size;
    EXPECT_EQ(source->problem(), "") << size;
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
  EXPECT_THAT(texts(all), ElementsAre("BAD: record is longer than 1 MiB (`max_record_bytes`)", "end"));
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

// A dictionary as `zstd --train` makes them is more than a test can show; any bytes will do as one without tables.
std::string with_dictionary(const std::string& dictionary, const std::string& bytes) {
  std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context(ZSTD_createCCtx(), &ZSTD_freeCCtx);
  std::string out(ZSTD_compressBound(bytes.size()), '\0');
  out.resize(ZSTD_compress_usingDict(context.get(), out.data(), out.size(), bytes.data(), bytes.size(),
                                     dictionary.data(), dictionary.size(), 3));
  return out;
}

std::string dictionary_frame(const std::string& content) {
  std::string frame{"\x5D\x2A\x4D\x18", 4};
  for (int i = 0; i < 4; ++i) frame += static_cast<char>(content.size() >> (8 * i));
  return frame + content;
}

TEST(Zstd, ReadsTheDictionaryThatAWebArchiveBeginsWith) {
  const std::string dictionary = many_lines(40);
  const std::string text = dictionary.substr(0, 300);
  const std::string frame = with_dictionary(dictionary, text);
  EXPECT_LT(frame.size(), 60u);
  for (const std::string& stored : {dictionary, encode(".zst", dictionary)}) {
    const auto all = read_bytes("a", dictionary_frame(stored) + frame + frame, {.format = "text"});
    ASSERT_EQ(all.size(), 1u);
    EXPECT_EQ(all[0].text, text + text);
  }
}

TEST(Zstd, DoesNotTakeMemoryForADictionaryThatIsNotThere) {
  const std::string lie{"\x5D\x2A\x4D\x18\xFF\xFF\xFF\x7F", 8};
  EXPECT_THAT(read_one("a", lie + "abc", {.format = "lines"}).reason, HasSubstr("truncated"));
}

TEST(Xz, ReadsZerosBetweenStreams) {
  const std::string bytes =
      encode(".xz", "one\n") + std::string(8, '\0') + encode(".xz", "two\n") + std::string(4, '\0');
  EXPECT_THAT(texts(read_bytes("a", bytes, {.format = "lines"})), ElementsAre("one", "two"));
}

TEST(Xz, RefusesADictionaryOfMoreThan128MiB) {
  lzma_options_lzma options;
  ASSERT_FALSE(lzma_lzma_preset(&options, 0));
  options.dict_size = 256u << 20;
  const lzma_filter filters[] = {{LZMA_FILTER_LZMA2, &options}, {LZMA_VLI_UNKNOWN, nullptr}};
  std::string frame(1000, '\0');
  std::size_t size = 0;
  ASSERT_EQ(lzma_stream_buffer_encode(const_cast<lzma_filter*>(filters), LZMA_CHECK_CRC32, nullptr,
                                      reinterpret_cast<const std::uint8_t*>("one\n"), 4,
                                      reinterpret_cast<std::uint8_t*>(frame.data()), &size, frame.size()),
            LZMA_OK);
  frame.resize(size);
  EXPECT_THAT(read_one("a", frame, {.format = "lines"}).reason, HasSubstr("128 MiB"));
}

TEST(Gzip, WritesNoTimeIntoItsHeader) { EXPECT_EQ(encode(".gz", "x").substr(4, 4), std::string(4, '\0')); }

TEST(Codecs, AreListedForHelp) { EXPECT_THAT(codec_names(), ElementsAre("plain", "gz", "zst", "bz2", "xz", "lz4")); }

}  // namespace
}  // namespace neardup::test
