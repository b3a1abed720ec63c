#include "io/fps/file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "base/random.h"
#include "io/fps/layout.h"
#include "support.h"

namespace neardup::test {
namespace {

using io::FingerprintBlock;
using io::FingerprintFile;
using io::FingerprintHeader;
using testing::HasSubstr;

struct Record {
  std::optional<Fingerprint> fingerprint;
  Volatility volatility;
  std::string id;
  friend bool operator==(const Record&, const Record&) = default;
};

std::vector<Record> some_records(std::size_t count) {
  base::Random random(7);
  std::vector<Record> records;
  for (std::size_t i = 0; i < count; ++i) {
    Record record{.fingerprint = Fingerprint{random.next()}, .volatility = {}, .id = "id" + std::to_string(i * i)};
    for (auto& level : record.volatility.level) level = static_cast<std::uint8_t>(random.below(256));
    if (i % 5 == 3) record.fingerprint.reset();
    if (i % 4 == 1) record.id.clear();
    records.push_back(record);
  }
  return records;
}

const FingerprintHeader kSmallBlocks{
    .making = io::FingerprintMaking{.features = "words:5",
                                    .weights = "occurrences",
                                    .projection = "signs",
                                    .hash = "neardup-1",
                                    .seed = 12,
                                    .bag = true},
    .order = FingerprintOrder::input,
    .volatility = true,
    .ids = true,
    .block_records = 4,
    .tool = "0.1.0",
};

std::string written(const std::vector<Record>& records, const FingerprintHeader& header = kSmallBlocks) {
  MemoryFiles files;
  io::FingerprintFileWriter writer(io::open_sink(files, "x", io::plain_codec()), header);
  for (const Record& record : records) writer.add({record.fingerprint, &record.volatility, record.id});
  writer.close();
  return files.contents["x"];
}

// A file in memory that counts what is read of it.
class CountingFile final : public InputFile {
 public:
  explicit CountingFile(std::string bytes, std::uint64_t* count = nullptr) : bytes_(std::move(bytes)), count_(count) {}
  std::size_t read(std::span<char>) override { return 0; }
  void read_at(std::uint64_t offset, std::span<char> buffer) const override {
    if (count_ != nullptr) *count_ += buffer.size();
    ASSERT_LE(offset + buffer.size(), bytes_.size());
    std::memcpy(buffer.data(), bytes_.data() + offset, buffer.size());
  }
  std::uint64_t size() const override { return bytes_.size(); }

 private:
  std::string bytes_;
  std::uint64_t* count_;
};

FingerprintFile open(const std::string& bytes) { return {std::make_unique<CountingFile>(bytes), "x.fps"}; }

std::vector<Record> read(const std::string& bytes) {
  const FingerprintFile file = open(bytes);
  std::vector<Record> records;
  FingerprintBlock block;
  for (std::size_t i = 0; i < file.blocks(); ++i) {
    file.load(i, {.volatility = file.header().volatility, .ids = true}, block);
    EXPECT_EQ(block.first_row, records.size());
    for (std::size_t j = 0; j < block.size(); ++j) {
      Record record;
      if (!block.is_missing(j)) record.fingerprint = Fingerprint{block.bits[j]};
      if (file.header().volatility) record.volatility = block.volatility[j];
      if (file.header().ids) record.id = block.id(j);
      records.push_back(record);
    }
  }
  EXPECT_EQ(file.records(), records.size());
  return records;
}

std::string error_of_reading(const std::string& bytes) {
  return error_of(ErrorCode::corrupt, [&] { open(bytes).check(); });
}

TEST(FingerprintFile, GivesBackWhatWasWritten) {
  for (const std::size_t count : {0u, 1u, 4u, 5u, 70u}) {
    const auto records = some_records(count);
    EXPECT_EQ(read(written(records)), records) << count;
  }
}

TEST(FingerprintFile, SaysHowItWasMade) {
  const FingerprintFile file = open(written(some_records(6)));
  EXPECT_EQ(file.header().making, kSmallBlocks.making);
  EXPECT_EQ(file.header().order, FingerprintOrder::input);
  EXPECT_EQ(file.header().tool, "0.1.0");
  EXPECT_EQ(file.missing(), 1u);
}

TEST(FingerprintFile, MayLeaveOutEverythingButFingerprints) {
  FingerprintHeader header = kSmallBlocks;
  header.making.reset();
  header.volatility = header.ids = false;
  auto records = some_records(9);
  const std::string bytes = written(records, header);
  for (Record& record : records) {
    record.volatility = {};
    record.id.clear();
  }
  EXPECT_EQ(read(bytes), records);
  EXPECT_EQ(open(bytes).header().making, std::nullopt);
}

TEST(FingerprintFile, CutShortAnywhereIsCorrupt) {
  const std::string whole = written(some_records(6));
  for (std::size_t size = 0; size < whole.size(); ++size) {
    SCOPED_TRACE(size);
    EXPECT_THAT(error_of_reading(whole.substr(0, size)), HasSubstr("x.fps: "));
  }
  EXPECT_THAT(error_of_reading(whole.substr(0, whole.size() - 1)), HasSubstr("cut short"));
}

TEST(FingerprintFile, WithAnyBitFlippedIsCorrupt) {
  const std::string whole = written(some_records(6));
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (int bit = 0; bit < 8; ++bit) {
      SCOPED_TRACE(testing::Message() << "byte " << at << ", bit " << bit);
      std::string flipped = whole;
      flipped[at] = static_cast<char>(flipped[at] ^ (1 << bit));
      EXPECT_THAT(error_of_reading(flipped), HasSubstr("x.fps: "));
    }
  }
}

TEST(FingerprintFile, WithSomethingBehindItIsCorrupt) {
  EXPECT_THAT(error_of_reading(written(some_records(6)) + "\n"), HasSubstr("something foreign follows"));
}

TEST(FingerprintFile, WithTwoBlocksSwappedIsCorrupt) {
  FingerprintHeader header = kSmallBlocks;
  header.ids = false;  // so that blocks are equally long
  const std::string whole = written(some_records(8), header);
  const std::size_t block = sizeof(io::fps::BlockHeader) + 4 * 8 + 8 + 4 * 64;
  const std::size_t end = whole.size() - sizeof(io::fps::Closing) - 2 * 8, begin = end - 2 * block;
  const std::string swapped =
      whole.substr(0, begin) + whole.substr(begin + block, block) + whole.substr(begin, block) + whole.substr(end);
  EXPECT_THAT(error_of_reading(swapped), HasSubstr("damaged"));
}

TEST(FingerprintFile, NamesForeignFilesAndOtherVersions) {
  EXPECT_THAT(error_of_reading("0123456789abcdef\tsome text\n"), HasSubstr("not a fingerprint file"));
  std::string newer = written({});
  newer[8] = 2;
  EXPECT_THAT(error_of_reading(newer), HasSubstr("version 2"));
}

// Puts a right checksum behind the closing that a test has forged.
std::string with_closing(std::string bytes, const std::function<void(io::fps::Closing&)>& forge) {
  io::fps::Closing closing{};
  const std::size_t at = bytes.size() - sizeof closing;
  std::memcpy(&closing, bytes.data() + at, sizeof closing);
  const std::size_t index = closing.blocks * 8;
  forge(closing);
  const std::string_view first(reinterpret_cast<const char*>(&closing), offsetof(io::fps::Closing, checksum));
  closing.checksum = io::fps::checksum_of(std::string_view(bytes).substr(at - index, index), first, 0);
  std::memcpy(bytes.data() + at, &closing, sizeof closing);
  return bytes;
}

TEST(FingerprintFile, BelievesNoCountThatItsSizeDoesNotJustify) {
  const std::string whole = written(some_records(6));
  for (const std::uint64_t records : {std::uint64_t{1} << 62, ~std::uint64_t{0}, std::uint64_t{5}, std::uint64_t{9}}) {
    EXPECT_THAT(error_of_reading(with_closing(whole,
                                              [&](io::fps::Closing& closing) {
                                                closing.records = records;
                                                closing.blocks = records / 4 + (records % 4 != 0 ? 1 : 0);
                                              })),
                HasSubstr("x.fps: "))
        << records;
  }
  EXPECT_THAT(error_of_reading(with_closing(whole, [](io::fps::Closing& closing) { closing.missing = 7; })),
              HasSubstr("contradicts itself"));
}

TEST(FingerprintFile, BelievesNoLengthOfIdsThatItsSizeDoesNotJustify) {
  const std::string whole = written(some_records(2));
  const std::size_t at = whole.size() - sizeof(io::fps::Closing) - 8;
  std::uint64_t offset = 0;
  std::memcpy(&offset, whole.data() + at, sizeof offset);
  for (const std::uint64_t length : {~std::uint64_t{0}, std::uint64_t{1} << 40, std::uint64_t{100}, std::uint64_t{0}}) {
    io::fps::BlockHeader header{};
    std::memcpy(&header, whole.data() + offset, sizeof header);
    header.id_bytes = length;
    header.checksum = io::fps::checksum_of(
        {reinterpret_cast<const char*>(&header), offsetof(io::fps::BlockHeader, checksum)}, std::uint64_t{0});
    std::string forged = whole;
    std::memcpy(forged.data() + offset, &header, sizeof header);
    EXPECT_THAT(error_of_reading(forged), HasSubstr("x.fps: ")) << length;
  }
}

TEST(FingerprintFile, ReadsOnlyTheSectionsAskedFor) {
  FingerprintHeader header = kSmallBlocks;
  header.block_records = 64;
  auto records = some_records(64);
  for (Record& record : records) record.id = std::string(100, 'x');
  std::uint64_t count = 0;
  const FingerprintFile file(std::make_unique<CountingFile>(written(records, header), &count), "x.fps");
  FingerprintBlock block;
  count = 0;
  file.load(0, {}, block);
  EXPECT_EQ(count, sizeof(io::fps::BlockHeader) + 64 * 8 + 8);
  EXPECT_TRUE(block.volatility.empty() && block.id_bytes.empty());
  count = 0;
  file.load(0, {.ids = true}, block);
  EXPECT_EQ(count, sizeof(io::fps::BlockHeader) + 64 * 8 + 8 + 64 * 4 + 64 * 100);
}

TEST(FingerprintFile, FailsWhereTheDiskIsFull) {
  MemoryFiles files;
  files.room = 100;
  const auto write = [&] {
    io::FingerprintFileWriter writer(io::open_sink(files, "x", io::plain_codec()), kSmallBlocks);
    for (const Record& record : some_records(6)) writer.add({record.fingerprint, &record.volatility, record.id});
    writer.close();
  };
  error_of(ErrorCode::output, write);
}

TEST(FingerprintMaking, NamesWhatDiffers) {
  const io::FingerprintMaking one = *kSmallBlocks.making;
  EXPECT_EQ(difference(one, one), "");
  io::FingerprintMaking other = one;
  other.seed = 13;
  EXPECT_EQ(difference(one, other), "the hash seeds 12 and 13");
  other.features = "chars:3";
  EXPECT_EQ(difference(one, other), "`features` words:5 and chars:3");
}

}  // namespace
}  // namespace neardup::test
