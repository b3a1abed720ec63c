// The index on a real disk: what users call.
#include <gtest/gtest.h>

#include <fmt/format.h>
#include <atomic>
#include <bit>
#include <filesystem>
#include <thread>

#include "index/checked_file.h"
#include "index/support.h"
#include "support/scratch.h"

namespace neardup::test {
namespace {

IndexDocument page(std::string_view key, std::string_view text) {
  DocumentView view(text);
  view.key = key;
  return view;
}

AddResult add_one(Index& index, std::string_view key, std::string_view text, OnConflict conflict = OnConflict::refuse) {
  const IndexDocument document = page(key, text);
  return index.add(std::span(&document, 1), conflict).front();
}

std::optional<IndexMatch> check_one(const Index& index, std::string_view text) {
  const IndexDocument document = page("", text);
  return index.check(std::span(&document, 1)).front();
}

constexpr const char* kText = "the quick brown fox jumps over the lazy dog and runs away into the dark forest";
constexpr const char* kNearly = "the quick brown fox jumps over the lazy dog and runs away into the dark woods";

class IndexOnDisk : public testing::Test {
 protected:
  Index make(const IndexOptions& options = {}) {
    Index::create(path, options, {});
    return Index::open(path, {}, {});
  }
  ScratchFolder scratch;
  std::filesystem::path path = scratch / "index";
};

TEST_F(IndexOnDisk, FindsANearDuplicateWithItsExactScore) {
  Index index = make();
  EXPECT_EQ(add_one(index, "a", kText).status, AddStatus::added);
  const auto match = check_one(index, kNearly);
  ASSERT_TRUE(match);
  EXPECT_EQ(match->key, "a");
  EXPECT_DOUBLE_EQ(match->score, 11.0 / 13);
  EXPECT_FALSE(check_one(index, "something else entirely, which nobody has ever seen before this test"));
}

TEST_F(IndexOnDisk, RemembersEverythingAfterItIsOpenedAgain) {
  {
    Index index = make({.fields = {"source"}});
    DocumentView view(kText);
    view.key = "a";
    const std::optional<std::string_view> fields[] = {"web"};
    view.fields = fields;
    const IndexDocument document = view;
    index.add(std::span(&document, 1));
    add_one(index, "b", kNearly);
  }
  Index index = Index::open(path, {}, {});
  const auto stored = index.get("a");
  ASSERT_TRUE(stored);
  EXPECT_EQ(stored->text, kText);
  EXPECT_EQ(stored->fields.front(), "web");
  EXPECT_TRUE(stored->kept);
  EXPECT_FALSE(index.get("b")->kept);
  EXPECT_EQ(index.get("b")->cluster, stored->cluster);
  EXPECT_EQ(check_one(index, kNearly)->key, "b");
  EXPECT_EQ(index.stats().clusters, 1u);
  EXPECT_FALSE(index.get("c"));
}

TEST_F(IndexOnDisk, TellsTheSameContentFromAnother) {
  Index index = make();
  add_one(index, "a", kText);
  EXPECT_EQ(add_one(index, "a", kText).status, AddStatus::unchanged);
  EXPECT_EQ(add_one(index, "a", kNearly).status, AddStatus::conflict);
  EXPECT_EQ(index.get("a")->text, kText);
  EXPECT_EQ(add_one(index, "a", kNearly, OnConflict::replace).status, AddStatus::replaced);
  EXPECT_EQ(index.get("a")->text, kNearly);
  EXPECT_EQ(index.stats().documents, 1u);
}

TEST_F(IndexOnDisk, AddsOnlyWhatIsNewWhenAsked) {
  Index index = make();
  const IndexDocument batch[] = {page("a", kText), page("b", kNearly),
                                 page("c", "quite another text that is new here")};
  const auto results = index.check_or_add(batch);
  EXPECT_EQ(results[0].status, AddStatus::added);
  EXPECT_EQ(results[1].status, AddStatus::duplicate);
  EXPECT_EQ(results[1].match->key, "a");
  EXPECT_EQ(results[2].status, AddStatus::added);
  EXPECT_EQ(index.stats().documents, 2u);
}

TEST_F(IndexOnDisk, AddsOneOfAThousandEqualTextsThatComeAtTheSameTime) {
  Index index = make();
  constexpr int kThreads = 20, kEach = 50;
  std::atomic<int> added = 0;
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < kThreads; ++t) {
      threads.emplace_back([&, t] {
        for (int i = 0; i < kEach; ++i) {
          const std::string key = fmt::format("{}-{}", t, i);
          const IndexDocument document = page(key, kText);
          if (index.check_or_add(std::span(&document, 1)).front().status == AddStatus::added) ++added;
        }
      });
    }
  }
  EXPECT_EQ(added, 1);
  EXPECT_EQ(index.stats().documents, 1u);
}

TEST_F(IndexOnDisk, LetsOneProcessWriteAndOthersRead) {
  Index index = make();
  add_one(index, "a", kText);
  error_of(ErrorCode::locked, [&] { Index::open(path, {}, {}); });
  const Index reader = Index::open(path, {.read_only = true}, {});
  EXPECT_EQ(check_one(reader, kText)->key, "a");
  add_one(index, "b", "a text that came after the reader had opened the index");
  EXPECT_FALSE(reader.get("b"));
}

TEST_F(IndexOnDisk, RefusesToWriteWhenItIsOpenedForReading) {
  make();
  Index reader = Index::open(path, {.read_only = true}, {});
  EXPECT_NE(error_of(ErrorCode::usage, [&] { add_one(reader, "a", kText); }).find("read-only"), std::string::npos);
}

TEST_F(IndexOnDisk, RefusesAFolderThatExistsAndOneThatIsNoIndex) {
  make();
  error_of(ErrorCode::output, [&] { Index::create(path, {}, {}); });
  error_of(ErrorCode::input, [&] { Index::open(scratch.path(), {}, {}); });
}

TEST_F(IndexOnDisk, RefusesDocumentsWithoutAKey) {
  Index index = make();
  error_of(ErrorCode::usage, [&] { add_one(index, "", kText); });
  error_of(ErrorCode::usage, [&] { add_one(index, std::string(1025, 'x'), kText); });
  error_of(ErrorCode::usage, [&] { add_one(index, "\xff", kText); });
}

TEST_F(IndexOnDisk, KeepsClusterIdsWhenClustersGrow) {
  Index index = make();
  const ClusterId first = add_one(index, "a", kText).cluster;
  EXPECT_EQ(add_one(index, "b", kNearly).cluster, first);
  EXPECT_EQ(add_one(index, "c", kText).cluster, first);
  const auto cluster = index.cluster(first, 10);
  ASSERT_TRUE(cluster);
  EXPECT_EQ(cluster->summary.documents, 3u);
  EXPECT_EQ(cluster->summary.kept, "a");
  ASSERT_EQ(cluster->members.size(), 3u);
  EXPECT_EQ(cluster->members[1].key, "c");
  EXPECT_DOUBLE_EQ(*cluster->members[2].score, 11.0 / 13);
}

TEST_F(IndexOnDisk, ListsMembersAndClustersPageByPage) {
  Index index = make();
  std::vector<std::string> keys;
  for (int i = 0; i < 9; ++i) {
    add_one(index, fmt::format("x{}", i), i % 2 == 0 ? kText : kNearly);
    add_one(index, fmt::format("y{}", i),
            fmt::format("page {} of a book about numbers and nothing but numbers", i / 3));
  }
  std::set<std::string> found;
  std::string after;
  do {
    const auto page = index.cluster(index.get("x0")->cluster, 2, after);
    for (const ClusterMember& member : page->members) EXPECT_TRUE(found.insert(member.key).second);
    after = page->next;
  } while (!after.empty());
  EXPECT_EQ(found.size(), 9u);
  std::set<ClusterId> clusters;
  do {
    const auto page = index.clusters(1, after);
    for (const ClusterSummary& cluster : page.clusters) EXPECT_TRUE(clusters.insert(cluster.id).second);
    after = page.next;
  } while (!after.empty());
  EXPECT_EQ(clusters.size(), index.stats().clusters);
}

TEST_F(IndexOnDisk, ReportsChangesSoThatATableCanFollow) {
  Index index = make();
  add_one(index, "a", kText);
  EXPECT_TRUE(index.changes(0, 100).empty());
  add_one(index, "b", kText);
  const auto changes = index.changes(0, 100);
  ASSERT_EQ(changes.size(), 3u);
  EXPECT_EQ(to_string(changes[0].kind) + " " + changes[0].document, "joined a");
  EXPECT_EQ(to_string(changes[1].kind) + " " + changes[1].document, "joined b");
  EXPECT_EQ(to_string(changes[2].kind) + " " + changes[2].document, "kept a");
  const std::string_view key = "a";
  EXPECT_EQ(index.remove(std::span(&key, 1)), 1u);
  const auto later = index.changes(changes.back().token, 100);
  ASSERT_EQ(later.size(), 2u);
  EXPECT_EQ(to_string(later[0].kind) + " " + later[0].document + " " + later[0].reason, "left a remove");
  EXPECT_EQ(to_string(later[1].kind) + " " + later[1].document, "kept b");
}

TEST_F(IndexOnDisk, SeparatesDocumentsThatAPersonSaysAreDifferent) {
  Index index = make();
  add_one(index, "a", kText);
  add_one(index, "b", kText);
  const std::uint64_t decision = index.decide({.kind = Decision::Kind::separate, .a = "a", .b = "b", .author = "me"});
  EXPECT_NE(index.get("a")->cluster, index.get("b")->cluster);
  EXPECT_TRUE(index.get("b")->kept);
  EXPECT_EQ(index.decisions().front().author, "me");
  EXPECT_TRUE(index.withdraw(decision));
  EXPECT_FALSE(index.withdraw(decision));
  EXPECT_EQ(index.get("a")->cluster, index.get("b")->cluster);
  error_of(ErrorCode::usage, [&] { index.decide({.kind = Decision::Kind::note, .a = "nobody"}); });
}

TEST_F(IndexOnDisk, KeepsTheDocumentThatAPersonChooses) {
  Index index = make();
  add_one(index, "a", kText);
  add_one(index, "b", kNearly);
  index.decide({.kind = Decision::Kind::keep, .a = "b"});
  EXPECT_TRUE(index.get("b")->kept);
  EXPECT_FALSE(index.get("a")->kept);
  EXPECT_EQ(check_one(index, kText)->key, "a");
}

TEST_F(IndexOnDisk, AnswersTheSameFromFilesAsFromMemory) {
  Index index = make();
  std::vector<std::string> texts;
  for (int i = 0; i < 2000; ++i) {
    std::string text;
    for (int w = 0; w < 30; ++w) text += fmt::format("word{} ", (i / 2 * 31 + w * 7 + (w == 29 ? i % 2 : 0)) % 5000);
    texts.push_back(text);
  }
  for (std::size_t i = 0; i < texts.size(); ++i) add_one(index, std::to_string(i), texts[i]);
  const auto answers = [&] {
    std::vector<std::string> keys;
    for (const std::string& text : texts) keys.push_back(check_one(index, text)->key);
    return keys;
  };
  const auto before = answers();
  index.flush();
  EXPECT_GT(index.stats().segments, 0u);
  EXPECT_EQ(index.stats().recent, 0u);
  EXPECT_EQ(answers(), before);
  index.compact({});
  EXPECT_EQ(answers(), before);
  EXPECT_EQ(Index::verify(path, {}).problems, std::vector<std::string>{});
}

TEST_F(IndexOnDisk, HoldsReadyFingerprints) {
  Index index = make({.definition = {.measure = Measure::hamming, .threshold = {3, 1}}, .store_texts = false});
  const IndexDocument batch[] = {{"a", Fingerprint{0xFF}}, {"b", Fingerprint{0xFE}}, {"c", Fingerprint{0xFF00}}};
  const auto results = index.add(batch);
  EXPECT_EQ(results[0].cluster, results[1].cluster);
  EXPECT_NE(results[0].cluster, results[2].cluster);
  EXPECT_EQ(index.get("b")->fingerprint, Fingerprint{0xFE});
  const IndexDocument again = batch[0];
  EXPECT_EQ(index.add(std::span(&again, 1)).front().status, AddStatus::unchanged);
  const IndexDocument other("a", Fingerprint{1});
  EXPECT_EQ(index.add(std::span(&other, 1)).front().status, AddStatus::conflict);
  const IndexDocument query("", Fingerprint{0xFD});
  EXPECT_EQ(index.check(std::span(&query, 1)).front()->key, "a");
}

TEST_F(IndexOnDisk, ChecksManyFingerprintsLikeOneAfterTheOther) {
  Index index = make({.definition = {.measure = Measure::hamming, .threshold = {3, 1}}, .store_texts = false});
  base::Random random(9);
  std::vector<std::string> keys;
  std::vector<IndexDocument> documents;
  for (int i = 0; i < 600; ++i) keys.push_back(fmt::format("d{}", i));
  for (const std::string& key : keys)
    documents.emplace_back(key,
                           Fingerprint{std::uint64_t{1} << random.below(64) | random.below(4) << random.below(60)});
  for (std::size_t at = 0; at < documents.size(); at += 200) {
    index.add(std::span<const IndexDocument>(documents).subspan(at, 200));
    if (at == 200) index.flush();
  }
  const auto together = index.check(documents);
  for (std::size_t i = 0; i < documents.size(); ++i) {
    const auto alone = index.check(std::span(&documents[i], 1)).front();
    ASSERT_TRUE(alone && together[i]);
    EXPECT_EQ(alone->key, together[i]->key);
    EXPECT_EQ(alone->score, 0);
    const auto near = index.matches(documents[i], SIZE_MAX);
    std::size_t expected = 0;
    for (const IndexDocument& other : documents)
      expected += std::popcount(other.fingerprint->bits ^ documents[i].fingerprint->bits) <= 3 ? 1 : 0;
    EXPECT_EQ(near.size(), expected);
  }
}

TEST_F(IndexOnDisk, AnswersWhileOthersAddFlushAndRemove) {
  Index index = make();
  constexpr int kDocuments = 600;
  const auto text_of = [](int i) {
    return fmt::format("text {} has the words {} and {} of its own", i, i * 7, i * 13);
  };
  add_one(index, "fixed", kText);
  std::atomic<int> added = 0;
  std::atomic<bool> is_done = false;
  std::vector<std::jthread> threads;
  for (int reader = 0; reader < 3; ++reader) {
    threads.emplace_back([&, reader] {
      for (int i = reader; !is_done; ++i) {
        EXPECT_EQ(check_one(index, kNearly)->key, "fixed");
        // What was acknowledged before the question is found.
        if (const int known = added; known > 0) {
          const int asked = i % known;
          EXPECT_TRUE(check_one(index, text_of(asked))) << asked;
          EXPECT_TRUE(index.get(std::to_string(asked)));
        }
      }
    });
  }
  threads.emplace_back([&] {
    for (int i = 0; !is_done; ++i) {
      add_one(index, "passing", fmt::format("{} goes as it came and leaves nothing behind {}", i, i),
              OnConflict::replace);
      const std::string_view key = "passing";
      index.remove(std::span(&key, 1));
      if (i % 20 == 0) index.flush();
    }
  });
  for (int i = 0; i < kDocuments; ++i) {
    add_one(index, std::to_string(i), text_of(i));
    added = i + 1;
  }
  is_done = true;
  threads.clear();
  EXPECT_EQ(index.stats().documents, kDocuments + 1u);
  EXPECT_EQ(Index::verify(path, {}).problems, std::vector<std::string>{});
}

TEST_F(IndexOnDisk, MakesSnapshotsThatCanBeOpenedAndRestored) {
  Index index = make();
  add_one(index, "a", kText);
  index.flush();
  add_one(index, "b", "a second text, which is not in any segment when the snapshot is made");
  index.snapshot(scratch / "copy", {});
  add_one(index, "c", "a third text, which came too late for the snapshot");
  Index::restore(scratch / "copy", scratch / "restored", {});
  for (const char* name : {"copy", "restored"}) {
    const Index copy = Index::open(scratch / name, {}, {});
    EXPECT_TRUE(copy.get("a") && copy.get("b") && !copy.get("c"));
    EXPECT_EQ(check_one(copy, kNearly)->key, "a");
  }
}

TEST_F(IndexOnDisk, ErasesTheTextsOfRemovedDocumentsWhenItIsCompacted) {
  Index index = make();
  const std::string secret = "correcthorsebatterystaple";
  add_one(index, "a", kText + secret);
  const std::string_view key = "a";
  index.remove(std::span(&key, 1));
  index.compact({});
  for (const auto& [name, bytes] : everything_in(path)) EXPECT_EQ(bytes.find(secret), std::string::npos) << name;
}

TEST_F(IndexOnDisk, NamesTheFileThatIsDamagedAndRebuildsIt) {
  {
    Index index = make();
    add_one(index, "a", kText);
    index.flush();
  }
  const std::filesystem::path segment = path / "segments" / "1.seg";
  std::string bytes = bytes_of(segment);
  bytes[bytes.size() / 2] ^= 1;
  write_bytes(segment, bytes);
  EXPECT_FALSE(Index::verify(path, {}).problems.empty());
  EXPECT_NE(error_of(ErrorCode::corrupt,
                     [&] {
                       const Index index = Index::open(path, {}, {});
                       check_one(index, kText);
                     })
                .find("1.seg"),
            std::string::npos);
  Index::rebuild(path, {}, {});
  EXPECT_EQ(check_one(Index::open(path, {}, {}), kNearly)->key, "a");
  EXPECT_EQ(Index::verify(path, {}).problems, std::vector<std::string>{});
}

TEST_F(IndexOnDisk, CanComputeEverythingAgainFromTexts) {
  {
    Index index = make();
    add_one(index, "a", kText);
    add_one(index, "b", kNearly);
    index.decide({.kind = Decision::Kind::separate, .a = "a", .b = "b"});
  }
  Index::rebuild(path, {.from_texts = true}, {});
  const Index index = Index::open(path, {}, {});
  EXPECT_NE(index.get("a")->cluster, index.get("b")->cluster);
  EXPECT_EQ(index.get("a")->text, kText);
  EXPECT_EQ(Index::verify(path, {}).problems, std::vector<std::string>{});
}

TEST_F(IndexOnDisk, RefusesANewerFormat) {
  make();
  std::string json = bytes_of(path / "manifest.json");
  const std::string version = "\"version\": 1";
  json.replace(json.find(version), version.size(), "\"version\": 2");
  const std::size_t end = json.rfind(",\n  \"checksum\"");
  json = json.substr(0, end) +
         fmt::format(",\n  \"checksum\": \"{:016x}\"\n}}\n", indexing::checksum(json.substr(0, end)));
  write_bytes(path / "manifest.json", json);
  EXPECT_NE(error_of(ErrorCode::usage, [&] { Index::open(path, {}, {}); }).find("version 2"), std::string::npos);
}

TEST_F(IndexOnDisk, RefusesWhatItDoesNotSupport) {
  const auto refused = [&](const IndexOptions& options) {
    return option_of([&] { Index::create(path, options, {}); });
  };
  EXPECT_EQ(refused({.definition = {.measure = Measure::edit, .threshold = {2, 1}}}), "measure");
  EXPECT_EQ(refused({.definition = {.measure = Measure::hamming, .threshold = {3, 1}, .weights = Weights::tfidf}}),
            "weights");
  EXPECT_EQ(refused({.finder = "magic"}), "finder");
  EXPECT_EQ(refused({.keep = {KeepRule{.kind = KeepRule::Kind::authority}}}), "keep");
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST_F(IndexOnDisk, ExportsDocumentsInTheOrderOfAddition) {
  Index index = make();
  add_one(index, "z", kText);
  add_one(index, "a", "another text");
  std::vector<std::string> keys;
  index.export_documents(
      [&](const StoredDocument& document) {
        keys.push_back(document.key + ": " + *document.text);
        return true;
      },
      {});
  EXPECT_EQ(keys, (std::vector<std::string>{std::string("z: ") + kText, "a: another text"}));
}

}  // namespace
}  // namespace neardup::test
