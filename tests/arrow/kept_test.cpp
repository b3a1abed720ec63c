// Streams that can be read only once: held, spooled, or both.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stop_token>

#include "io/memory_files.h"
#include "neardup/memory.h"
#include "support.h"

namespace neardup::test {
namespace {

using ::testing::HasSubstr;

const std::vector<std::string> kFields{"rank"};

// So many rows of a thousand bytes, with an id and a rank that is missing in every third.
Column thousands(std::int64_t rows, std::int64_t first = 0) {
  Strings texts, ranks;
  std::vector<std::optional<std::int64_t>> ids;
  for (std::int64_t i = first; i < first + rows; ++i) {
    texts.emplace_back(std::to_string(i) + std::string(1000, 'x'));
    ids.emplace_back(i);
    ranks.emplace_back(i % 3 == 0 ? std::nullopt : std::optional(std::to_string(i * i)));
  }
  return table({strings(texts), values<std::int64_t>(ids, "l").named("id"), strings(ranks, "U").named("rank")});
}

std::vector<Column> ten_batches() {
  std::vector<Column> batches;
  for (int i = 0; i < 10; ++i) batches.push_back(thousands(100, i * 100));
  return batches;
}

TEST(ArrowKept, HoldsWhatFitsAQuarterOfTheMemoryAndSpoolsTheRest) {
  const ScratchFolder scratch;
  const auto expected = read_rows(*arrow_documents(factory_of(ten_batches())), kFields);
  ASSERT_EQ(expected.size(), 1000u);
  EXPECT_EQ(expected[4].fields[0], "16");
  // About 103 kB an array.
  const std::vector<std::pair<std::size_t, int>> cases{
      {1000, 0}, {std::size_t{1} << 20, 2}, {std::size_t{2} << 20, 5}, {std::size_t{64} << 20, 10}};
  for (const auto& [memory, expected_arrays] : cases) {
    const auto budget = std::make_shared<MemoryBudget>(memory);
    const Alive alive = count_alive();
    {
      const Context context{.memory = budget, .temp_folder = scratch.path()};
      const auto source = arrow_documents(stream_of(ten_batches(), alive), {}, kFields, context);
      EXPECT_LE(budget->reserved(), memory / 4);
      const int arrays = *alive / 4;  // a table and its three columns
      EXPECT_EQ(arrays, expected_arrays) << memory;
      EXPECT_EQ(everything_in(scratch.path()).empty(), arrays == 10);
      EXPECT_EQ(read_rows(*source, kFields), expected) << memory;
      EXPECT_EQ(read_rows(*source, kFields), expected) << memory;
      EXPECT_GE(source->bytes(), 1'000'000u);
      EXPECT_LE(source->bytes(), 1'010'000u);
    }
    EXPECT_EQ(*alive, 0);
    EXPECT_EQ(budget->reserved(), 0u);
    EXPECT_TRUE(everything_in(scratch.path()).empty());
  }
}

TEST(ArrowKept, BatchesOutliveTheirSource) {
  for (const std::size_t memory : {0u, 4u}) {
    std::shared_ptr<const DocumentBatch> batch;
    {
      const auto source = arrow_documents(stream_of({thousands(3)}), {}, kFields, {.memory_bytes = memory});
      batch = source->open(kFields)->next();
    }
    DocumentView view;
    EXPECT_EQ(batch->get(2, view), nullptr);
    EXPECT_EQ(view.key, "2");
    EXPECT_EQ(view.fields[0], "4");
    EXPECT_TRUE(view.text.starts_with("2xxx"));
  }
}

TEST(ArrowBatches, AreAboutAMegabyteWhateverTheSizeOfArrays) {
  std::size_t batches = 0;
  const auto source = arrow_documents(factory_of({thousands(10'000)}));
  EXPECT_EQ(read_rows(*source, {}, &batches).size(), 10'000u);
  EXPECT_EQ(batches, 10u);
  const auto reader = source->open({});
  std::uint64_t bytes = 0;
  while (const auto batch = reader->next()) bytes += batch->bytes();
  EXPECT_GE(bytes, 10'000'000u);
}

TEST(ArrowBatches, ShowTextsWhereTheyAre) {
  const auto source = arrow_documents(factory_of({thousands(2)}));
  const auto batch = source->open({})->next();
  DocumentView first, second;
  ASSERT_EQ(batch->get(0, first), nullptr);
  ASSERT_EQ(batch->get(1, second), nullptr);
  EXPECT_EQ(second.text.data(), first.text.data() + first.text.size()) << "one behind the other, as in the array";
}

TEST(ArrowKept, SaysThatTheDiskIsFull) {
  MemoryFiles files;
  files.room = 5000;
  const Alive alive = count_alive();
  const auto read = [&] {
    (void)arrow_documents(stream_of(ten_batches(), alive), {}, kFields, {.memory_bytes = 4, .files = &files});
  };
  EXPECT_NE(error_of(ErrorCode::output, read), "");
  EXPECT_EQ(*alive, 0);
}

TEST(ArrowKept, StopsWhenItIsAskedTo) {
  std::stop_source stop;
  stop.request_stop();
  const Alive alive = count_alive();
  const auto read = [&] {
    (void)arrow_documents(stream_of(ten_batches(), alive), {}, kFields, {.stop = stop.get_token()});
  };
  EXPECT_EQ(error_of(ErrorCode::interrupted, read), "interrupted");
  EXPECT_EQ(*alive, 0);
}

TEST(ArrowKept, CountsTheDictionariesOfItsArrays) {
  const Column words = strings({std::string(100'000, 'w')});
  const Column coded = table({dictionary_of(values<std::int8_t>({0, 0, 0}, "c").named("text"), words)});
  const auto budget = std::make_shared<MemoryBudget>(std::size_t{4} << 20);
  const auto source = arrow_documents(stream_of({coded, coded}), {}, kFields, {.memory = budget});
  EXPECT_GE(budget->reserved(), 200'000u);
  EXPECT_LE(budget->reserved(), 201'000u);
}

}  // namespace
}  // namespace neardup::test
