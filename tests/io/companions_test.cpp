// Requests and metadata of a web archive go where the pages go that they belong to.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "support.h"

namespace neardup::test {
namespace {

using ::testing::ElementsAre;

struct Headers {
  std::string id, uri{}, names{};  // names: the id of a record that it is written with
};

std::string record(const std::string& type, const Headers& headers, const std::string& block = "x") {
  std::string out = "WARC/1.0\r\nWARC-Type: " + type + "\r\nWARC-Record-ID: <" + headers.id + ">\r\n";
  if (!headers.uri.empty()) out += "WARC-Target-URI: " + headers.uri + "\r\n";
  if (!headers.names.empty()) out += "WARC-Concurrent-To: <" + headers.names + ">\r\n";
  return out + "Content-Length: " + std::to_string(block.size()) + "\r\n\r\n" + block + "\r\n\r\n";
}

std::string page(const std::string& id, const std::string& names = "") {
  return record("resource", {.id = id, .uri = "http://" + id, .names = names}, "page " + id);
}

// Which records are written when the pages with these ids are kept, batches being as small as can be.
std::vector<std::string> written(const std::string& archive, const std::vector<std::string>& kept,
                                 std::size_t batch_bytes) {
  Disk disk(std::map<std::string, std::string>{{"a.warc", archive}});
  const Collection collection = disk.open("a.warc", {}, batch_bytes);
  const auto writer = io::make_writer(collection, io::open_sink(disk.files, "b.warc", io::plain_codec()), nullptr, {});
  const io::CollectionImpl& impl = io::impl_of(collection);
  const auto reader = impl.batches(impl.options, disk.context);
  for (io::RecordBatch batch; reader->next(batch);) {
    std::vector<std::uint8_t> chosen;
    for (std::size_t place = 0; place < batch.size(); ++place) {
      const std::string raw(batch.raw(place));
      chosen.push_back(std::ranges::any_of(
          kept, [&](const std::string& id) { return raw.find("Record-ID: <" + id + ">") != raw.npos; }));
    }
    writer->write(batch, chosen);
  }
  writer->close();
  const std::string bytes = disk.files.contents["b.warc"];
  std::vector<std::string> ids;
  for (std::size_t at = bytes.find("Record-ID: <"); at != bytes.npos; at = bytes.find("Record-ID: <", at + 1))
    ids.push_back(bytes.substr(at + 12, bytes.find('>', at) - at - 12));
  return ids;
}

class Companions : public ::testing::TestWithParam<std::size_t> {
 protected:
  std::vector<std::string> written(const std::string& archive, const std::vector<std::string>& kept) {
    return test::written(archive, kept, GetParam());
  }
};
INSTANTIATE_TEST_SUITE_P(WhereverBatchesEnd, Companions, ::testing::Values(1, 64, 400, 1 << 20));

TEST_P(Companions, GoWithThePageTheyNameOrThatNamesThem) {
  // As Common Crawl writes: the response names the request, and the metadata names the response.
  const std::string archive = record("warcinfo", {.id = "info"}) + record("request", {.id = "q1"}) + page("p1", "q1") +
                              record("metadata", {.id = "m1", .names = "p1"}) + record("request", {.id = "q2"}) +
                              page("p2", "q2") + record("metadata", {.id = "m2", .names = "p2"}) +
                              record("request", {.id = "q3"}) + page("p3", "q3") +
                              record("metadata", {.id = "m3", .names = "p3"});
  EXPECT_THAT(written(archive, {"p1", "p3"}), ElementsAre("info", "q1", "p1", "m1", "q3", "p3", "m3"));
  EXPECT_THAT(written(archive, {"p2"}), ElementsAre("info", "q2", "p2", "m2"));
  EXPECT_THAT(written(archive, {}), ElementsAre());
}

TEST_P(Companions, MayAllFollowThePage) {
  const std::string archive = page("p1") + record("request", {.id = "q1", .names = "p1"}) +
                              record("metadata", {.id = "m1", .names = "p1"}) + page("p2") +
                              record("request", {.id = "q2", .names = "p2"});
  EXPECT_THAT(written(archive, {"p1"}), ElementsAre("p1", "q1", "m1"));
  EXPECT_THAT(written(archive, {"p2"}), ElementsAre("p2", "q2"));
}

TEST_P(Companions, ThatNameNobodyGoByTheirAddress) {
  const std::string archive = record("request", {.id = "q1", .uri = "http://p1"}) + page("p1") +
                              record("metadata", {.id = "m1", .uri = "http://p1"}) +
                              record("request", {.id = "q2", .uri = "http://p2"}) + page("p2");
  EXPECT_THAT(written(archive, {"p1"}), ElementsAre("q1", "p1", "m1"));
  EXPECT_THAT(written(archive, {"p2"}), ElementsAre("q2", "p2"));
}

TEST_P(Companions, OfNobodyAreDropped) {
  const std::string archive = record("metadata", {.id = "m0"}) + page("p1") +
                              record("metadata", {.id = "m1", .names = "elsewhere"}) +
                              record("continuation", {.id = "c1"}) + page("p2");
  EXPECT_THAT(written(archive, {"p1", "p2"}), ElementsAre("p1", "p2"));
}

TEST(Companions, HoldABoundedNumberOfBytes) {
  std::string archive;
  for (int i = 0; i < 100; ++i)
    archive += record("metadata", {.id = "m" + std::to_string(i), .names = "p"}, std::string(100'000, 'x'));
  archive += page("p");
  Disk disk(std::map<std::string, std::string>{{"a.warc", archive}});
  const Collection collection = disk.open("a.warc");
  const auto reader = io::impl_of(collection).batches({}, disk.context);
  std::size_t held = 0, count = 0;
  for (io::RecordBatch batch; reader->next(batch);) {
    count += batch.companions.size();
    for (const io::Companion& companion : batch.companions) held += companion.bytes.size();
  }
  EXPECT_EQ(count, 100u);
  EXPECT_LE(held, std::size_t{4} << 20);
  EXPECT_GT(held, std::size_t{3} << 20);
}

}  // namespace
}  // namespace neardup::test
