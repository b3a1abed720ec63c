// Files of clusters and pairs: what is written comes back, and damaged files are refused, never worse.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "neardup/error.h"
#include "neardup/evaluate.h"
#include "support/scratch.h"

namespace neardup {
namespace {

using test::ScratchFolder;

std::string put(const ScratchFolder& scratch, const std::string& name, std::string_view bytes) {
  std::string path = scratch / name;
  std::ofstream(path, std::ios::binary) << bytes;
  return path;
}

Grouping read(const std::string& path, const GroupingOptions& options = {}) {
  return read_grouping(path, options, Context{.threads = 1});
}

TEST(ReadGrouping, UndoesTheEscapesOfOurOwnLists) {
  const ScratchFolder scratch;
  const Grouping clusters =
      read(put(scratch, "clusters.tsv", "cluster\tid\tkept\na\\tb\ta\\tb\t1\na\\tb\tc\\\\d\t0\n"));
  ASSERT_EQ(clusters.members.size(), 2u);
  EXPECT_EQ(clusters.members[0].id, "a\tb");
  EXPECT_EQ(clusters.members[1].id, "c\\d");
  EXPECT_EQ(clusters.members[1].cluster, "a\tb");
}

TEST(ReadGrouping, ReadsQuotedCsvAndNumbersAsTheyAreWritten) {
  const ScratchFolder scratch;
  const Grouping csv = read(put(scratch, "labels.csv", "id,label\n\"a, b\",1\n007,\n"));
  ASSERT_EQ(csv.members.size(), 2u);
  EXPECT_EQ(csv.members[0].id, "a, b");
  EXPECT_EQ(csv.members[1].id, "007");
  EXPECT_EQ(csv.members[1].cluster, "");
  const Grouping json =
      read(put(scratch, "labels.jsonl", "{\"id\":7,\"label\":null}\n{\"id\":\"8\",\"label\":1.50}\n"));
  ASSERT_EQ(json.members.size(), 2u);
  EXPECT_EQ(json.members[0].id, "7");
  EXPECT_EQ(json.members[0].cluster, "");
}

TEST(ReadGrouping, PrefersPairsOfAFolderWhenAsked) {
  const ScratchFolder scratch;
  put(scratch, "clusters.tsv", "cluster\tid\tkept\na\ta\t1\na\tb\t0\n");
  put(scratch, "pairs.tsv", "left\tright\tscore\na\tb\t0.9\n");
  EXPECT_EQ(read(scratch.path().string()).kind, Grouping::Kind::clusters);
  const Grouping pairs = read(scratch.path().string(), {.prefers_pairs = true});
  ASSERT_EQ(pairs.pairs.size(), 1u);
  EXPECT_EQ(pairs.pairs[0].score, 0.9);
}

TEST(ReadGrouping, RefusesStandardInputAndUnknownFormats) {
  const ScratchFolder scratch;
  EXPECT_THROW(read("-"), Error);
  EXPECT_THROW(read(put(scratch, "a.csv", "id,label\na,1\n"), {.format = "unknown"}), Error);
  EXPECT_THROW(read(scratch / "missing.tsv"), Error);
}

// Bytes are changed, dropped, doubled and cut; whatever comes out, it is a grouping or an Error.
TEST(ReadGrouping, SurvivesDamagedFiles) {
  const ScratchFolder scratch;
  const std::vector<std::pair<std::string, std::string>> files{
      {"x.tsv", "cluster\tid\tkept\na\ta\t1\na\tb\\n\t0\n"},
      {"x.jsonl", "{\"id\":\"a\",\"duplicates\":[\"b\",3,null,{\"x\":[]}]}\n[\"a\",\"b\"]\n"},
      {"y.jsonl",
       "{\"id\":\"d\",\"metadata\":{\"minhash_cluster_id\":-1}}\n{\"id\":\"a\",\"metadata\":{\"minhash_cluster_id\":7}}"
       "\n"},
      {"x.csv", "unique_id_l,unique_id_r,match_probability\n\"a\",b,0.95\nc,d,1e999\n"}};
  base::Random random(12);
  std::uint64_t read_well = 0;
  for (int round = 0; round < 400; ++round) {
    const auto& [name, whole] = files[random.below(files.size())];
    std::string bytes = whole;
    for (std::uint64_t changes = random.below(4); changes > 0 && !bytes.empty(); --changes) {
      const std::size_t at = random.below(bytes.size());
      switch (random.below(4)) {
        case 0:
          bytes[at] = static_cast<char>(random.below(256));
          break;
        case 1:
          bytes.erase(at, 1 + random.below(5));
          break;
        case 2:
          bytes.insert(at, bytes.substr(at, 1 + random.below(20)));
          break;
        default:
          bytes.resize(at);
      }
    }
    try {
      const Grouping grouping = read(put(scratch, name, bytes));
      evaluate(grouping, Grouping{.members = {{"a", "1"}, {"b", "1"}}}, {}, {});
      ++read_well;
    } catch (const Error& error) {
      ASSERT_NE(error.code(), ErrorCode::internal) << error.what() << "\n" << bytes;
    }
  }
  EXPECT_GT(read_well, 50u);
}

}  // namespace
}  // namespace neardup
