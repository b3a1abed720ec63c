#include "neardup/trim.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "neardup/decontaminate.h"
#include "neardup/error.h"

namespace neardup {
namespace {

// What is left of texts that the caller holds.
std::vector<std::string> trimmed(std::vector<std::string> texts, TrimOptions options) {
  std::vector<std::string> left = texts;
  options.visit = [&](const TrimmedDocument& document) {
    std::string& text = left[document.row];
    if (document.outcome == TrimOutcome::kept_whole) return;
    for (auto cut = document.cuts.rbegin(); cut != document.cuts.rend(); ++cut)
      text.erase(cut->from, cut->to - cut->from);
  };
  trim(Collection::from_texts(std::move(texts)), options, {});
  return left;
}

TEST(Trim, CutsTextsInMemory) {
  EXPECT_THAT(trimmed({"a b c d", "a b c d e"}, {.unit = {TrimUnit::Kind::spans, 3}, .cut_edges = true}),
              testing::ElementsAre("a b c d", "e"));
}

TEST(Trim, NeverCutsWithinACharacterOrATag) {
  const TrimUnit pairs{TrimUnit::Kind::spans, 2};
  // One character that folds to four words, of which the other text has two.
  EXPECT_THAT(trimmed({"\u682a\u5f0f", "\u337f"}, {.unit = pairs, .cut_edges = true}),
              testing::ElementsAre("\u682a\u5f0f", "\u337f"));
  EXPECT_THAT(trimmed({"x class y", "x <p class=z>"}, {.unit = pairs, .cut_edges = true}),
              testing::ElementsAre("x class y", "x <p class=z>"));
  // A mark belongs to the comma before it, which goes with it.
  EXPECT_THAT(trimmed({"\u0301b c", "a,\u0301b c"}, {.unit = pairs, .cut_edges = true}),
              testing::ElementsAre("\u0301b c", "a"));
}

TEST(Trim, CutsTextsWithoutSpacesByCharacter) {
  EXPECT_THAT(trimmed({"\u4e2d\u6587\u5b57\u7b26", "x\u4e2d\u6587\u5b57\u7b26y"},
                      {.unit = {TrimUnit::Kind::spans, 3}, .cut_edges = true}),
              testing::ElementsAre("\u4e2d\u6587\u5b57\u7b26", "xy"));
}

TEST(Trim, CutsWholeSentencesOnlyIfAsked) {
  EXPECT_THAT(trimmed({"One two. Three four five.", "Zero two. Three four five."},
                      {.unit = {TrimUnit::Kind::spans, 3}, .cut = CutAt::sentence, .cut_edges = true}),
              testing::ElementsAre("One two. Three four five.", "Zero two. "));
}

TEST(Trim, LeavesLongPassagesToDedup) {
  EXPECT_THAT(trimmed({"a b c d", "a b c d"}, {.unit = {TrimUnit::Kind::spans, 2}, .max_passage = 3}),
              testing::ElementsAre("a b c d", "a b c d"));
}

TEST(Trim, RefusesOptionsThatContradictEachOther) {
  EXPECT_THROW(trimmed({"a"}, {.unit = {TrimUnit::Kind::spans, 0}}), Error);
  EXPECT_THROW(trimmed({"a"}, {.min_copies = 1}), Error);
  EXPECT_THROW(parse_trim_unit("spans:x"), Error);
  EXPECT_EQ(to_string(parse_trim_unit("sentences:4")), "sentences:4");
}

TEST(Decontaminate, FindsItemsInTextsInMemory) {
  std::vector<std::string> hits;
  DecontaminateOptions options;
  options.min_words = 3;
  options.window = 4;
  options.visit = [&](const ContaminationHit& hit) {
    hits.push_back(std::to_string(hit.row) + " " + std::to_string(hit.windows) + "/" + std::to_string(hit.of) + " " +
                   hit.longest);
  };
  const auto report = decontaminate(Collection::from_texts({"nothing", "so A b, c d e f it is", "x y z"}),
                                    Collection::from_texts({"a b c d e q", "x y z", "a b"}), options, {});
  EXPECT_THAT(hits, testing::ElementsAre("1 2/3 A b, c d e", "2 1/1 x y z"));
  EXPECT_EQ(report.too_short, 1u);
}

}  // namespace
}  // namespace neardup
