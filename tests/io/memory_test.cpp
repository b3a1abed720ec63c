// Documents that the caller holds, as a collection.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "io/pass.h"
#include "support.h"
#include "support/held_documents.h"
#include "support/no_files.h"

namespace neardup::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Optional;

HeldList three() {
  return {{.key = "a", .texts = {"one"}, .fields = {{"date", "2020"}}},
          {.texts = {"two", "fields"}},
          {.key = "c", .texts = {""}, .fields = {{"rank", "3"}, {"date", "2021"}}}};
}

std::vector<Seen> read_held(const HeldList& documents, const ReadOptions& options = {}, std::size_t batch = 7) {
  NoFiles files;
  return read_all(Collection::from(std::make_shared<HeldDocuments>(documents, batch), "memory", options),
                  {.files = &files});
}

std::vector<std::string> keys(const std::vector<Seen>& all) {
  std::vector<std::string> out;
  for (const Seen& seen : all) out.push_back(seen.key);
  return out;
}

TEST(Memory, JoinsTextFieldsAndNamesDocumentsWithoutAKeyByTheirRow) {
  for (const std::size_t batch : {1u, 2u, 7u}) {
    const auto all = read_held(three(), {}, batch);
    EXPECT_THAT(texts(all), ElementsAre("one", "two\nfields", ""));
    EXPECT_THAT(keys(all), ElementsAre("a", "1", "c"));
  }
}

TEST(Memory, GivesTheFieldsThatWereAskedForInThatOrder) {
  const auto all = read_held(three(), {.extra_fields = {"rank", "date"}});
  EXPECT_THAT(all[0].fields, ElementsAre(std::nullopt, Optional(std::string("2020"))));
  EXPECT_THAT(all[2].fields, ElementsAre(Optional(std::string("3")), Optional(std::string("2021"))));
}

TEST(Memory, GivesTokensAsTheyStand) {
  EXPECT_THAT(read_held({{.tokens = {3, 1, 3}}}).front().tokens, ElementsAre(3, 1, 3));
}

TEST(Memory, GivesNoMoreDocumentsHoweverOftenItIsAskedAtTheEnd) {
  const auto reader = Collection::from_texts({"one", "two"}).read({});
  Document document;
  EXPECT_TRUE(reader->next(document) && reader->next(document));
  for (int i = 0; i < 3; ++i) EXPECT_FALSE(reader->next(document));
}

TEST(Memory, SaysWhyADocumentIsBad) {
  const auto all = read_held({{.texts = {"x"}}, {.problem = "the cell is null"}, {.texts = {"y"}}});
  EXPECT_THAT(texts(all), ElementsAre("x", "BAD: the cell is null", "y"));
  EXPECT_EQ(all[1].number, 2u);
  EXPECT_EQ(all[2].key, "2") << "bad documents count";
}

TEST(Memory, RepairsWhatIsNotUtf8AndSaysSo) {
  const auto all =
      read_held({{.key = "k\xFF", .texts = {"fine", "t\xFFwo"}, .fields = {{"f", "\xC3"}}}, {.texts = {"fine"}}},
                {.extra_fields = {"f", "g"}});
  EXPECT_EQ(all[0].key, "k\uFFFD");
  EXPECT_EQ(all[0].text, "fine\nt\uFFFDwo");
  EXPECT_THAT(all[0].fields, ElementsAre(Optional(std::string("\uFFFD")), std::nullopt));
  EXPECT_TRUE(all[0].repaired);
  EXPECT_FALSE(all[1].repaired);
}

TEST(Memory, MayHoldNothing) {
  EXPECT_TRUE(read_held({}).empty());
  Document document;
  EXPECT_FALSE(Collection::from_texts({}).read({})->next(document));
}

TEST(Memory, TakesALimitAndASampleAsFilesDo) {
  HeldList documents;
  for (int i = 0; i < 200; ++i) documents.push_back({.key = std::to_string(i), .texts = {"x"}});
  EXPECT_THAT(keys(read_held(documents, {.limit = 3}, 2)), ElementsAre("0", "1", "2"));
  for (const std::size_t batch : {1u, 7u, 200u}) {
    const auto sampled = keys(read_held(documents, {.limit = 50, .sample = 0.5, .seed = 3}, batch));
    const auto from_file = keys(read_bytes("a.jsonl", as_json_lines(documents),
                                           {.text_fields = {{"text0"}}, .limit = 50, .sample = 0.5, .seed = 3}));
    EXPECT_EQ(sampled, from_file);
  }
}

TEST(Memory, IsCalledByItsPlaceInTheSourceWhateverTheSample) {
  const auto all = read_held(HeldList(100, {.texts = {"x"}}), {.sample = 0.3});
  ASSERT_FALSE(all.empty());
  for (const Seen& seen : all) EXPECT_EQ(seen.key, std::to_string(seen.number - 1));
  EXPECT_LT(all.size(), std::stoul(all.back().key));
}

TEST(Memory, HasItsTagsTakenOutOnRequest) {
  const HeldList documents{{.texts = {"<b>bold</b> &amp; plain", "<i>x</i>"}}};
  EXPECT_THAT(texts(read_held(documents)), ElementsAre("<b>bold</b> &amp; plain\n<i>x</i>"));
  EXPECT_THAT(texts(read_held(documents, {.html = Html::all})), ElementsAre("bold & plain\nx"));
}

TEST(Memory, RefusesOptionsThatTheSourceAnswers) {
  const auto source = std::make_shared<HeldDocuments>(three());
  const auto refused = [&](const ReadOptions& options) {
    return option_of([&] { (void)Collection::from(source, "memory", options); });
  };
  EXPECT_EQ(refused({.format = "jsonl"}), "format");
  EXPECT_EQ(refused({.text_fields = {{"a"}}}), "text_fields");
  EXPECT_EQ(refused({.id_field = "a"}), "id_field");
  EXPECT_EQ(refused({.encoding = "latin1"}), "encoding");
  EXPECT_EQ(refused({.sample = 2}), "sample");
  source->no_fields = {"nope"};
  EXPECT_EQ(refused({.extra_fields = {"date", "nope"}}), "extra_fields");
}

TEST(Memory, ShowsTextsWhereTheyAre) {
  const auto source = std::make_shared<HeldDocuments>(three());
  const Collection collection = Collection::from(source);
  const io::CollectionImpl& impl = io::impl_of(collection);
  const Context context;
  const auto reader = impl.batches(impl.options, context);
  const auto parser = impl.parser(impl.options);
  io::RecordBatch batch;
  std::size_t seen = 0;
  while (reader->next(batch)) {
    for (std::size_t place = 0; place < batch.size(); ++place) {
      DocumentView view;
      ASSERT_EQ(parser->parse(batch, place, view), nullptr);
      EXPECT_TRUE(view.is_valid_utf8);
      for (const std::string_view text : view.texts) EXPECT_TRUE(source->holds(text)) << ++seen;
    }
  }
}

TEST(Memory, KeepsOnlyAFewBatchesAliveAndNoneInTheEnd) {
  const auto source = std::make_shared<HeldDocuments>(HeldList(1000, {.texts = {"x"}}), 1);
  const Collection collection = Collection::from(source);
  for (const unsigned threads : {1u, 4u}) {
    std::size_t taken = 0;
    io::run_pass<int>(
        collection, {}, {.threads = threads}, "reading", [] { return [](const io::RecordBatch&, int&) {}; },
        [&](const io::RecordBatch& batch, int) { taken += batch.size(); });
    EXPECT_EQ(taken, 1000u);
    EXPECT_EQ(source->alive(), 0);
    EXPECT_LE(source->most_alive(), 8);
  }
}

TEST(Memory, TellsProgressInItsOwnBytes) {
  class Bytes final : public Observer {
   public:
    void stage(std::string_view, std::uint64_t total, std::string_view) override { expected = total; }
    void advance(std::uint64_t amount) override { seen += amount; }
    void warning(std::string_view) override {}
    std::uint64_t expected = 0, seen = 0;
  };
  const auto source = std::make_shared<HeldDocuments>(three(), 1);
  source->total = 14;
  Bytes bytes;
  const Collection collection = Collection::from(source);
  io::run_pass<int>(
      collection, {}, {.observer = &bytes}, "reading", [] { return [](const io::RecordBatch&, int&) {}; },
      [](const io::RecordBatch&, int) {});
  EXPECT_EQ(bytes.expected, 14u);
  EXPECT_EQ(bytes.seen, 12u) << "what the batches said";
}

// A number for a reading of the whole collection, as a corpus makes it.
std::vector<std::uint64_t> hashes(const HeldList& documents, std::size_t batch_size,
                                  const std::vector<std::string>& fields = {}) {
  const Collection collection = Collection::from(std::make_shared<HeldDocuments>(documents, batch_size));
  const io::CollectionImpl& impl = io::impl_of(collection);
  const Context context;
  const auto reader = impl.batches(impl.with_fields(fields), context);
  io::RecordBatch batch;
  std::vector<std::uint64_t> out;
  while (reader->next(batch)) {
    EXPECT_FALSE(batch.has_raw());
    for (std::size_t place = 0; place < batch.size(); ++place) out.push_back(batch.hash(place));
  }
  return out;
}

TEST(RecordHash, OfADocumentDependsOnWhatItSaysAndNotOnHowItIsRead) {
  const std::vector<std::uint64_t> expected = hashes(three(), 3);
  EXPECT_EQ(hashes(three(), 1), expected);
  EXPECT_EQ(hashes(three(), 2, {"date", "rank"}), expected);
  const auto changed = [&](const std::function<void(HeldDocument&)>& change) {
    HeldList documents = three();
    change(documents[1]);
    const std::vector<std::uint64_t> now = hashes(documents, 3);
    return now[0] == expected[0] && now[1] != expected[1] && now[2] == expected[2];
  };
  EXPECT_TRUE(changed([](HeldDocument& document) { document.key = "b"; }));
  EXPECT_TRUE(changed([](HeldDocument& document) { document.texts = {"two fields"}; }));
  EXPECT_TRUE(changed([](HeldDocument& document) { document.texts = {"twof", "ields"}; }));
  EXPECT_TRUE(changed([](HeldDocument& document) { document.tokens = {1}; }));
  EXPECT_TRUE(changed([](HeldDocument& document) { document.problem = "gone"; }));
}

// A format whose records have no bytes only brings a reader of its own.
TEST(Format, IsAReaderOfBatches) {
  const io::Format& format = io::memory_format();
  EXPECT_EQ(format.cutter, nullptr);
  EXPECT_TRUE(format.has_fields());
  EXPECT_EQ(io::format_named("jsonl").open, io::open_cut);
}

}  // namespace
}  // namespace neardup::test
