#include "match/fingerprint_sorter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "neardup/fingerprint.h"
#include "support/failing_files.h"
#include "support/fingerprints.h"
#include "support/scratch.h"

namespace neardup::test {
namespace {

using matching::FingerprintSorter;
using testing::HasSubstr;

// Ascending, equal ones as they came, those without features last.
std::vector<NamedFingerprint> in_order(std::vector<NamedFingerprint> records) {
  std::stable_sort(records.begin(), records.end(), [](const NamedFingerprint& a, const NamedFingerprint& b) {
    if (!a.fingerprint || !b.fingerprint) return a.fingerprint.has_value() && !b.fingerprint;
    return a.fingerprint->bits < b.fingerprint->bits;
  });
  return records;
}

// Many equal ones, and some without features.
std::vector<NamedFingerprint> mixed(std::uint64_t seed, std::size_t count) {
  base::Random random(seed);
  std::vector<NamedFingerprint> records = random_fingerprints(seed, count);
  for (NamedFingerprint& record : records) {
    if (random.below(2) == 0) record.fingerprint = Fingerprint{random.below(40)};
    if (random.below(20) == 0) record.fingerprint.reset();
    record.id += "of" + std::to_string(seed);
  }
  return records;
}

class Collecting final : public io::FingerprintSink {
 public:
  explicit Collecting(std::vector<NamedFingerprint>& to) : to_(to) {}
  void add(const io::FingerprintRecord& record) override {
    if (record.volatility != nullptr) {
      EXPECT_EQ(record.volatility->level[0], static_cast<std::uint8_t>(std::stoul(std::string(record.id.substr(1)))));
    }
    to_.push_back({record.fingerprint, std::string(record.id)});
  }
  void close() override {}

 private:
  std::vector<NamedFingerprint>& to_;
};

TEST(FingerprintSorter, SortsWithAnyMemory) {
  const auto records = mixed(1, 60'000);
  for (const std::size_t memory : {std::size_t{1}, std::size_t{1} << 20, std::size_t{1} << 30}) {
    const ScratchFolder scratch;
    Context context{.temp_folder = scratch.path()};
    std::vector<NamedFingerprint> sorted;
    {
      FingerprintSorter sorter(std::make_unique<Collecting>(sorted), FingerprintSorter::Volatilities::kept, memory,
                               context);
      for (std::size_t i = 0; i < records.size(); ++i) {
        Volatility volatility;
        volatility.level.fill(static_cast<std::uint8_t>(i));
        sorter.add({records[i].fingerprint, &volatility, records[i].id});
      }
      sorter.close();
    }
    EXPECT_EQ(sorted, in_order(records)) << memory;
    EXPECT_TRUE(everything_in(scratch.path()).empty());
  }
}

struct Merged {
  FingerprintReport report;
  std::vector<NamedFingerprint> records;
};

Merged merged(const std::vector<std::string>& files, const std::string& out, Context context = {}) {
  Merged result;
  result.report = merge_fingerprints(files, {.output = out}, context);
  result.records = read_fingerprints(out, context);
  return result;
}

TEST(Merge, IsWhatSortingEverythingWouldGive) {
  const ScratchFolder scratch;
  std::vector<std::string> files;
  std::vector<NamedFingerprint> all;
  for (std::uint64_t i = 0; i < 5; ++i) {
    const bool ascending = i % 2 == 0;
    const auto records = ascending ? in_order(mixed(i, 3000 * i)) : mixed(i, 3000 * i);
    files.push_back(scratch / std::to_string(i));
    write_fps(files.back(), records,
              {.order = ascending ? FingerprintOrder::fingerprint : FingerprintOrder::input, .block_records = 100});
    all.insert(all.end(), records.begin(), records.end());
  }
  for (const std::size_t memory : {std::size_t{1} << 16, std::size_t{1} << 30}) {
    const ScratchFolder out;
    const Merged result = merged(files, out / "new.fps", {.memory_bytes = memory, .temp_folder = out.path()});
    EXPECT_EQ(result.records, in_order(all));
    EXPECT_EQ(result.report.documents(), all.size());
    EXPECT_EQ(everything_in(out.path()).size(), 1u);
  }
}

TEST(Merge, TakesTextAndKeepsTheNamesOfItsLines) {
  const ScratchFolder scratch;
  write_bytes(scratch / "a.hex", "00000000000000ff\tx\n0000000000000001\n-\n");
  write_fps(scratch / "b.fps", {{Fingerprint{2}, "x"}}, {.order = FingerprintOrder::fingerprint});
  const auto records = merged({scratch / "a.hex", scratch / "b.fps"}, scratch / "new.fps").records;
  EXPECT_EQ(records, (std::vector<NamedFingerprint>{{Fingerprint{1}, scratch / "a.hex:2"},
                                                    {Fingerprint{2}, "x"},
                                                    {Fingerprint{0xff}, "x"},
                                                    {std::nullopt, scratch / "a.hex:3"}}));
}

TEST(Merge, RefusesAFileThatIsNotAscendingAlthoughItSaysSo) {
  const ScratchFolder scratch;
  write_fps(scratch / "a.fps", {{Fingerprint{2}, "x"}, {Fingerprint{1}, "y"}},
            {.order = FingerprintOrder::fingerprint});
  EXPECT_THAT(error_of(ErrorCode::corrupt, [&] { merged({scratch / "a.fps"}, scratch / "new.fps"); }),
              HasSubstr("record 2 is not"));
  EXPECT_FALSE(std::filesystem::exists(scratch / "new.fps"));
}

TEST(Merge, RefusesFilesThatWereMadeInDifferentWays) {
  const ScratchFolder scratch;
  const auto made = [](const char* features) {
    io::FingerprintHeader header{.making = io::FingerprintMaking{}};
    header.making->features = features;
    return header;
  };
  write_fps(scratch / "a.fps", {}, made("words:5"));
  write_bytes(scratch / "b.hex", "");
  write_fps(scratch / "c.fps", {}, made("chars:3"));
  const std::vector<std::string> files{scratch / "b.hex", scratch / "a.fps", scratch / "c.fps"};
  EXPECT_THAT(error_of(ErrorCode::usage, [&] { merged(files, scratch / "new.fps"); }),
              HasSubstr("`features` words:5 and chars:3"));
}

TEST(Merge, LeavesNothingBehindWhenTheDiskFails) {
  const ScratchFolder scratch;
  write_fps(scratch / "a.fps", mixed(1, 3000), {});
  write_fps(scratch / "b.fps", in_order(mixed(2, 3000)), {.order = FingerprintOrder::fingerprint});
  const auto run = [&](FailingFiles& files) {
    const ScratchFolder temp;
    Context context{.memory_bytes = 1u << 16, .temp_folder = temp.path(), .files = &files};
    const std::vector<std::string> inputs{scratch / "a.fps", scratch / "b.fps"};
    merge_fingerprints(inputs, {.output = scratch / "new.fps", .overwrite = Overwrite::replace}, context);
  };
  FailingFiles counting(FailingFiles::Mode::once, FailingFiles::kNever);
  run(counting);
  std::filesystem::remove(scratch / "new.fps");
  for (std::uint64_t at = 1; at <= counting.operations(); ++at) {
    FailingFiles failing(FailingFiles::Mode::once, at);
    error_of(ErrorCode::output, [&] { run(failing); });
    EXPECT_EQ(everything_in(scratch.path()).size(), 2u) << at;
  }
}

}  // namespace
}  // namespace neardup::test
