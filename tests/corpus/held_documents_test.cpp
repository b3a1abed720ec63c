// Reading documents that the caller holds: what a census and its columns see.
#include "corpus/census.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <variant>

#include "corpus/names.h"
#include "corpus/reread.h"
#include "support/held_documents.h"
#include "support/scratch.h"

namespace neardup::corpus {
namespace {

using test::error_of;
using test::HeldDocuments;
using test::HeldList;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const Definition kWords{.features = {.kind = FeatureKind::words, .length = 1}};

HeldList documents() {
  return {{.key = "a", .texts = {"one two"}},
          {.key = "b", .texts = {"two", "one"}},
          {.key = "a", .texts = {"three"}},
          {.problem = "null"},
          {.key = "c",
           .texts = {"thr\xFF"
                     "ee"}},
          {.key = "d", .texts = {"!"}}};
}

Corpus census(const Collection& collection, std::span<Column* const> columns = {}) {
  BadRecordLog bad(OnBadRecord::skip, {}, {});
  return take_census(collection, kWords, {}, bad, columns, {});
}

TEST(HeldCensus, CountsWhatItMeetsInMemory) {
  for (const std::size_t batch : {1u, 4u, 100u}) {
    const Corpus corpus = census(Collection::from(std::make_shared<HeldDocuments>(documents(), batch)));
    EXPECT_EQ(corpus.units.units(), 3u) << "fields are one text: a and b are the same set";
    EXPECT_EQ(corpus.facts.records, 6u);
    EXPECT_EQ(corpus.facts.repaired_texts, 1u);
    EXPECT_EQ(corpus.facts.without_features, 1u);
    EXPECT_EQ(corpus.facts.repeated_ids, 1u);
    EXPECT_EQ(corpus.facts.text_bytes, 7u + 7u + 5u + 8u + 1u);
    ASSERT_EQ(corpus.facts.bad.count, 1u);
    EXPECT_EQ(corpus.facts.bad.first[0].path, "memory");
    EXPECT_EQ(corpus.facts.bad.first[0].number, 4u);
    EXPECT_EQ(corpus.facts.bad.first[0].reason, "null");
  }
}

TEST(HeldCensus, NamesRepeatedKeysAsThoseOfFiles) {
  const Corpus corpus = census(Collection::from(std::make_shared<HeldDocuments>(documents())));
  const RowTexts names =
      collect_names(corpus, PerRow<bool>(std::vector<bool>{true, false, true, false, true, true}), {});
  EXPECT_EQ(names[Row{0}], "a");
  EXPECT_EQ(names[Row{2}], "a#2");
}

// Remembers whether the views that it is shown lead into the source.
class PointerColumn final : public ColumnOf<std::monostate> {
 public:
  explicit PointerColumn(const HeldDocuments& source) : source_(source) {}
  [[nodiscard]] std::vector<std::string> fields() const override { return {"date"}; }
  std::unique_ptr<Worker> worker(const std::vector<std::string>&) override {
    class Looking final : public TypedWorker {
     public:
      explicit Looking(PointerColumn& column) : column_(column) {}
      void add(const CensusRecord& record) override {
        for (const std::string_view text : record.document->texts)
          (column_.source_.holds(text) ? column_.in_place : column_.copied) += 1;
      }

     private:
      PointerColumn& column_;
    };
    return std::make_unique<Looking>(*this);
  }
  int in_place = 0, copied = 0;

 private:
  void take_part(std::monostate&, const FiledBatch&) override {}
  const HeldDocuments& source_;
};

TEST(HeldCensus, ShowsColumnsTheCallersOwnTexts) {
  const auto source =
      std::make_shared<HeldDocuments>(HeldList{{.texts = {"one two"}}, {.texts = {"a", "b"}}, {.texts = {"\xFF"}}});
  PointerColumn column(*source);
  Column* const columns[] = {&column};
  BadRecordLog bad(OnBadRecord::skip, {}, {});
  take_census(Collection::from(source), kWords, {}, bad, columns, {.threads = 1});
  EXPECT_EQ(column.in_place, 3);
  EXPECT_EQ(column.copied, 1) << "what was not UTF-8";
}

TEST(HeldCensus, AsksForTheFieldsOfItsColumnsAndNoOthers) {
  const auto source = std::make_shared<HeldDocuments>(HeldList{{.texts = {"x"}}});
  PointerColumn column(*source);
  Column* const columns[] = {&column};
  const Collection collection = Collection::from(source, "memory", {.extra_fields = {"ignored"}});
  const Corpus corpus = census(collection, columns);
  (void)collect_names(corpus, PerRow<bool>(std::vector<bool>{true}), {"title", "url"}, {});
  EXPECT_THAT(source->asked(), ElementsAre(ElementsAre("date"), ElementsAre("title", "url")));
}

TEST(HeldReread, RefusesASourceThatGivesOtherDocumentsTheSecondTime) {
  const auto changed = [](const std::function<void(HeldList&)>& change) {
    const auto source = std::make_shared<HeldDocuments>(HeldList{}, 2);
    source->other = [&](std::size_t reading) {
      HeldList list = documents();
      if (reading > 0) change(list);
      return list;
    };
    const Corpus corpus = census(Collection::from(source, "my table"));
    return error_of(ErrorCode::input, [&] {
      (void)collect_names(corpus, PerRow<bool>(std::vector<bool>{true, true, true, false, true, true}), {});
    });
  };
  const auto message = HasSubstr("my table changed while it was being read");
  EXPECT_THAT(changed([](HeldList& list) { list[1].texts[1] = "won"; }), message);
  EXPECT_THAT(changed([](HeldList& list) { list[1].key = "z"; }), message);
  EXPECT_THAT(changed([](HeldList& list) { std::swap(list[0], list[2]); }), message);
  EXPECT_THAT(changed([](HeldList& list) { list.pop_back(); }), message);
  EXPECT_THAT(changed([](HeldList& list) { list.push_back({.texts = {"more"}}); }), message);
  EXPECT_THAT(changed([](HeldList& list) { list[0].problem = "gone"; }), message);
}

TEST(HeldReread, TakesOtherFieldsForTheSameDocuments) {
  const auto source = std::make_shared<HeldDocuments>(HeldList{}, 2);
  source->other = [&](std::size_t reading) {
    HeldList list = documents();
    if (reading > 0) list[0].fields = {{"url", "u"}};
    return list;
  };
  const Corpus corpus = census(Collection::from(source));
  const NamedRows named =
      collect_names(corpus, PerRow<bool>(std::vector<bool>{true, false, false, false, false, false}), {"url"}, {});
  EXPECT_EQ(named.fields.front()[Row{0}], "u");
}

}  // namespace
}  // namespace neardup::corpus
