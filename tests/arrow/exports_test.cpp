// What a run decided, as Arrow arrays.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "arrow/owned.h"
#include "neardup/memory.h"
#include "support.h"

namespace neardup::test {
namespace {

using ::testing::ElementsAre;

// Every row of a stream as JSON-like text.
std::vector<std::string> shown(ArrowArrayStream stream) {
  arrow::Stream taken(std::move(stream));
  std::vector<std::string> names, lines;
  const auto schema = taken.schema();
  for (std::int64_t i = 0; i < schema.get().n_children; ++i) names.emplace_back(schema.get().children[i]->name);
  for (;;) {
    const auto array = taken.next();
    if (array.empty()) return lines;
    const ArrowArray& rows = array.get();
    for (std::int64_t row = 0; row < rows.length; ++row) {
      std::string line;
      for (std::size_t i = 0; i < names.size(); ++i) {
        const ArrowArray& column = *rows.children[i];
        EXPECT_EQ(column.length, rows.length);
        const auto* valid = static_cast<const std::uint8_t*>(column.buffers[0]);
        const auto* data = static_cast<const char*>(column.buffers[1]);
        const std::string format = schema.get().children[i]->format;
        std::string value;
        if (format == "b") value = (data[row >> 3] >> (row & 7) & 1) != 0 ? "true" : "false";
        if (format == "L") value = std::to_string(reinterpret_cast<const std::uint64_t*>(data)[row]);
        if (format == "g") value = fmt::format("{}", reinterpret_cast<const double*>(data)[row]);
        if (format == "u") {
          const auto* ends = reinterpret_cast<const std::int32_t*>(data);
          value.assign(static_cast<const char*>(column.buffers[2]) + ends[row],
                       static_cast<std::size_t>(ends[row + 1] - ends[row]));
        }
        if (valid != nullptr && (valid[row >> 3] >> (row & 7) & 1) == 0) value = "null";
        line += (i == 0 ? "" : " ") + value;
      }
      lines.push_back(line);
    }
  }
}

DedupResult decided() {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  DedupResult result;
  using enum RowStatus;
  result.clusters = Clusters({0, 0, 2, 3, 4, 5}, {document, document, document, bad, without_features, set_aside});
  result.scores = {kNone, 0.875, kNone, kNone, kNone, kNone};
  return result;
}

TEST(ExportRows, SaysWhatBecameOfEveryRow) {
  EXPECT_THAT(
      shown(export_rows(decided())),
      ElementsAre("true 0 0 document null", "false 0 0 document 0.875", "true 2 null document null",
                  "false null null bad null", "true 4 null without_features null", "false null null against null"));
  DedupResult without = decided();
  without.scores.clear();
  EXPECT_EQ(shown(export_rows(without))[1], "false 0 0 document null");
  EXPECT_TRUE(shown(export_rows(DedupResult{})).empty());
}

TEST(ExportRows, OfManyRowsComesInBatches) {
  std::vector<Clusters::Member> representatives(70'000);
  for (std::size_t i = 0; i < representatives.size(); ++i)
    representatives[i] = static_cast<Clusters::Member>(i / 2 * 2);
  DedupResult result;
  result.clusters = Clusters(representatives);
  const auto lines = shown(export_rows(result));
  ASSERT_EQ(lines.size(), representatives.size());
  EXPECT_EQ(lines[0], "true 0 0 document null");
  EXPECT_EQ(lines[69'999], "false 69998 69998 document null");
}

TEST(ExportRows, HoldsACopyAndItsColumnsCanBeMovedOut) {
  ArrowArray moved{};
  {
    arrow::Stream stream(export_rows(decided()));
    auto array = stream.next();
    moved = std::exchange(*array.get().children[1], ArrowArray{});
  }
  ASSERT_NE(moved.release, nullptr);
  EXPECT_EQ(static_cast<const std::uint64_t*>(moved.buffers[1])[2], 2u);
  moved.release(&moved);
  EXPECT_EQ(moved.release, nullptr);
}

TEST(ExportRows, MayBeReleasedUnread) {
  ArrowArrayStream stream = export_rows(decided());
  stream.release(&stream);
  EXPECT_EQ(stream.release, nullptr);
}

TEST(ArrowPairs, GivesPairsBackAndHoldsTheirMemoryUntilTheyAreReleased) {
  const auto memory = std::make_shared<MemoryBudget>(std::size_t{64} << 20);
  ArrowPairs pairs({.memory = memory});
  std::vector<Pair> some;
  for (DocId i = 0; i < 100'000; ++i) some.push_back({i, i + 1, 0.5});
  EXPECT_TRUE(pairs.accept(some));
  EXPECT_TRUE(pairs.accept({}));
  EXPECT_EQ(pairs.size(), 100'000u);
  EXPECT_GE(memory->reserved(), 2'400'000u);
  ArrowArrayStream stream = pairs.finish();
  const auto lines = shown(std::move(stream));
  ASSERT_EQ(lines.size(), 100'000u);
  EXPECT_EQ(lines[99'999], "99999 100000 0.5");
  EXPECT_EQ(memory->reserved(), 0u);
}

TEST(ArrowPairs, StopsAtTheLimitOfTheBudget) {
  ArrowPairs pairs({.memory_bytes = 100'000});
  const std::vector<Pair> some(10'000, Pair{0, 1, 1});
  EXPECT_EQ(option_of([&] { pairs.accept(some); }), "memory");
}

TEST(ArrowPairs, MayBeNone) {
  ArrowPairs pairs(Context{});
  EXPECT_TRUE(shown(pairs.finish()).empty());
}

}  // namespace
}  // namespace neardup::test
