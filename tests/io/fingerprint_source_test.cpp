#include "io/fps/source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/random.h"
#include "io/codecs/codecs.h"
#include "support/fingerprints.h"
#include "support/scratch.h"

namespace neardup::test {
namespace {

using io::ChunkReader;
using io::FingerprintChunk;
using testing::ElementsAre;
using testing::HasSubstr;

std::vector<NamedFingerprint> read_text(const std::string& text) {
  const ScratchFolder scratch;
  write_bytes(scratch / "a.hex", text);
  Context context;
  auto records = read_fingerprints(scratch / "a.hex", context);
  for (NamedFingerprint& record : records) {
    if (record.id.starts_with(scratch.path().string())) record.id.erase(0, scratch.path().string().size() + 1);
  }
  return records;
}

std::string error_of_text(const std::string& text) {
  return error_of(ErrorCode::corrupt, [&] { read_text(text); });
}

TEST(FingerprintText, HasAnIdOrIsCalledByItsPlace) {
  EXPECT_THAT(read_text("0123456789abcdef\tx\n00000000000000FF\n-\tempty\n-\n"),
              ElementsAre(NamedFingerprint{Fingerprint{0x0123456789abcdef}, "x"},
                          NamedFingerprint{Fingerprint{0xff}, "a.hex:2"}, NamedFingerprint{std::nullopt, "empty"},
                          NamedFingerprint{std::nullopt, "a.hex:4"}));
}

TEST(FingerprintText, MayEndItsLinesInAnyWay) {
  const auto expected = read_text("0000000000000001\ta\n0000000000000002\tb\n");
  EXPECT_EQ(read_text("0000000000000001\ta\r\n0000000000000002\tb"), expected);
}

TEST(FingerprintText, UnescapesIds) { EXPECT_EQ(read_text("-\ta\\tb\\\\\n")[0].id, "a\tb\\"); }

TEST(FingerprintText, MayBeEmpty) { EXPECT_TRUE(read_text("").empty()); }

TEST(FingerprintText, IsRefusedWithTheLineThatIsNone) {
  EXPECT_THAT(error_of_text("0000000000000001\n000000000000002\n"), HasSubstr("a.hex:2: expected 16 hex digits"));
  for (const char* bad :
       {"\n", "0000000000000001 a\n", "000000000000000g\n", "00000000000000011\n", "--\n", "{\"a\":1}\n"})
    EXPECT_THAT(error_of_text(bad), HasSubstr("a.hex:1: ")) << bad;
}

TEST(FingerprintText, ThatIsDamagedGzipIsCorrupt) {
  const ScratchFolder scratch;
  write_bytes(scratch / "a.hex.gz", std::string("\x1F\x8B\x08\x00nonsense and more of it", 27));
  Context context;
  error_of(ErrorCode::corrupt, [&] { read_fingerprints(scratch / "a.hex.gz", context); });
}

TEST(FingerprintFiles, AreKnownByTheirContent) {
  const ScratchFolder scratch;
  const auto records = random_fingerprints(1, 30);
  write_fps(scratch / "binary", records, {});
  Context context;
  EXPECT_EQ(read_fingerprints(scratch / "binary", context), records);
  write_bytes(scratch / "text.fps", "0000000000000001\n");
  EXPECT_THAT(error_of(ErrorCode::corrupt, [&] { read_fingerprints(scratch / "text.fps", context); }),
              HasSubstr("not a fingerprint file"));
}

TEST(FingerprintFiles, WithoutIdsAreCalledByTheirPlace) {
  const ScratchFolder scratch;
  write_fps(scratch / "a.fps", random_fingerprints(1, 3), {.ids = false});
  Context context;
  EXPECT_EQ(read_fingerprints(scratch / "a.fps", context)[2].id, scratch / "a.fps:3");
}

TEST(FingerprintFiles, ThatAreSmallAreCheckedAsAWhole) {
  const ScratchFolder scratch;
  write_fps(scratch / "a.fps", {{Fingerprint{1}, "secret"}}, {});
  std::string bytes = bytes_of(scratch / "a.fps");
  bytes[bytes.find("secret")] = 'S';
  write_bytes(scratch / "a.fps", bytes);
  Context context;
  EXPECT_THAT(error_of(ErrorCode::corrupt, [&] { io::open_fingerprints(scratch / "a.fps", context); }),
              HasSubstr("the ids of the records from 1 on are damaged"));
}

TEST(Chunks, HoldEveryFingerprintOnceWithItsRow) {
  const ScratchFolder scratch;
  base::Random random(3);
  Context context;
  for (int round = 0; round < 60; ++round) {
    auto records = random_fingerprints(random.next(), random.below(200));
    const std::uint64_t share = random.below(3);  // of documents without features: none, some, most
    for (auto& record : records) {
      if (random.below(10) < share * 4) record.fingerprint.reset();
    }
    std::filesystem::remove(scratch / "a.fps");
    write_fps(scratch / "a.fps", records, {.block_records = static_cast<std::uint32_t>(1 + random.below(30))});
    const auto source = io::open_fingerprints(scratch / "a.fps", context);
    const std::uint64_t begin = random.below(records.size() + 1),
                        end = begin + random.below(records.size() - begin + 1);
    ChunkReader reader(*source, begin, end, 1 + random.below(50), {.ids = false},
                       round % 2 == 0 ? ChunkReader::Ahead::none : ChunkReader::Ahead::one);
    std::vector<std::pair<std::uint64_t, std::uint64_t>> got, expected;
    for (FingerprintChunk chunk; reader.next(chunk);) {
      for (std::size_t i = 0; i < chunk.bits.size(); ++i) got.emplace_back(chunk.row(i), chunk.bits[i]);
    }
    for (std::uint64_t row = begin; row < end; ++row) {
      if (records[row].fingerprint) expected.emplace_back(row, records[row].fingerprint->bits);
    }
    ASSERT_EQ(got, expected) << round;
  }
}

TEST(Chunks, ReadAheadPassErrorsOn) {
  const ScratchFolder scratch;
  write_fps(scratch / "a.fps", random_fingerprints(1, 100), {.block_records = 10});
  Context context;
  const auto source = io::open_fingerprints(scratch / "a.fps", context);
  std::string bytes = bytes_of(scratch / "a.fps");
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
  write_bytes(scratch / "a.fps", bytes);  // after it was opened and checked
  const auto read_all = [&] {
    ChunkReader reader(*source, 0, 100, 10, {.ids = true}, ChunkReader::Ahead::one);
    for (FingerprintChunk chunk; reader.next(chunk);) {
    }
  };
  error_of(ErrorCode::corrupt, read_all);
}

}  // namespace
}  // namespace neardup::test
