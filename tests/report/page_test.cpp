#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <string>
#include <vector>

#include "neardup/error.h"
#include "report/page/bounded_json.h"
#include "report/page/page_diff.h"
#include "report/page/page_examples.h"
#include "report/page/report_page.h"

namespace neardup::test {
namespace {

using report::bounded_json;
using report::page_diff;
using report::script_safe;
using testing::HasSubstr;
using testing::Not;

TEST(ScriptSafe, LeavesNothingThatEndsAScript) {
  EXPECT_EQ(script_safe(R"({"a":"</script><!-- <script>"})"), R"({"a":"\u003c/script>\u003c!-- \u003cscript>"})");
  EXPECT_EQ(script_safe("\"\xE2\x80\xA8\xE2\x80\xA9\xE2\x80\xAA\""), "\"\\u2028\\u2029\xE2\x80\xAA\"");
  EXPECT_EQ(script_safe("\xE2\x80"), "\xE2\x80") << "the end of a text is not looked behind";
}

TEST(BoundedJson, CopiesWhatIsSmall) {
  EXPECT_EQ(bounded_json(R"({"a": [1, 2.5, null], "b": {"c": "x\n"}, "d": true})", "it"),
            R"({"a":[1,2.5,null],"b":{"c":"x\n"},"d":true})");
}

TEST(BoundedJson, CutsArraysAndStringsAndSaysSo) {
  EXPECT_EQ(bounded_json(R"({"a":[1,2,3,4],"b":"äöü"})", "it", {.elements = 2, .string_bytes = 3}),
            R"({"a":[1,2],"a_left_out":2,"b":"ä…"})");
}

TEST(BoundedJson, StaysSmallWhateverItIsGiven) {
  std::string json = "{\"inputs\":[";
  for (int i = 0; i < 100'000; ++i) json += (i == 0 ? "{\"path\":\"" : ",{\"path\":\"") + std::string(50, 'x') + "\"}";
  json += "],\"more\":{";
  for (int i = 0; i < 50'000; ++i) json += (i == 0 ? "\"" : ",\"") + std::to_string(i) + std::string(40, 'y') + "\":1";
  EXPECT_LT(bounded_json(json + "}}", "it").size(), (std::size_t{1} << 20) + 2000);
}

TEST(BoundedJson, RefusesWhatIsNoObject) {
  for (const char* text : {"", "[1]", "{\"a\":", "nonsense"}) EXPECT_THROW((void)bounded_json(text, "it"), Error);
}

TEST(PageDiff, MarksWordsThatDiffer) {
  const std::string diff = page_diff("The bridge opens on Monday.", "The bridge opened on Monday!", true, {});
  EXPECT_THAT(diff, HasSubstr(R"(["=","The bridge "],["~","opens ","opened "],["=","on Monday.","on Monday!"])"));
  EXPECT_THAT(diff, HasSubstr(R"("equal":4,"removed":1,"added":1)"));
}

TEST(PageDiff, LeavesOutEqualWordsFarFromADifference) {
  std::string text;
  for (int i = 0; i < 100; ++i) text += "w" + std::to_string(i) + " ";
  const std::string diff = page_diff(text + "a " + text, text + "b " + text, true, {});
  EXPECT_THAT(diff, HasSubstr(R"([">",88],["=","w88 )"));
  EXPECT_THAT(diff, HasSubstr(R"(w11 "],[">",88]])"));
}

TEST(PageDiff, IsBoundedForHostileTexts) {
  const std::string line(1 << 20, 'x');
  std::string controls, all_different_a, all_different_b;
  for (int i = 0; i < 30'000; ++i) {
    controls += "\x01\x02 a";
    all_different_a += "a" + std::to_string(i) + " ";
    all_different_b += "b" + std::to_string(i) + " same ";
  }
  const std::vector<std::string> texts{
      "", line, controls, all_different_a, all_different_b, "<script>alert(1)</script>"};
  for (const std::string& a : texts) {
    for (const std::string& b : texts) {
      const std::string diff = page_diff(a, b, true, {});
      EXPECT_LT(diff.size(), 100'000u);
      EXPECT_EQ(diff, page_diff(a, b, true, {}));
    }
  }
  EXPECT_THAT(page_diff(line, "a", true, {}), HasSubstr("\"whole\":false"));
}

// A list of clusters with scores by row.
struct Lists {
  Clusters clusters;
  std::vector<double> scores;
  [[nodiscard]] report::PageLists lists() const {
    return {.clusters = clusters,
            .score = [this](Row row) { return scores[index(row)]; },
            .rule = [](Row) { return std::string("first"); },
            .name = [](Row row) { return "d" + std::to_string(index(row)); }};
  }
};

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

TEST(PageExamples, AreTheLargestClustersAndTheLeastSimilarRemovals) {
  // 0 1 2 3 | 4 5 | 6 7 | 8 9
  const Lists lists{Clusters({0, 0, 0, 0, 4, 4, 6, 6, 8, 8}),
                    {kNone, .9, .8, .95, kNone, .85, kNone, kNone, kNone, .99}};
  const report::PageExamples chosen =
      report::choose_examples(lists.lists(), false, {.largest = 1, .doubtful = 2, .removed = 2});
  ASSERT_EQ(chosen.largest.size(), 1u);
  EXPECT_EQ(chosen.largest[0].documents, 4u);
  EXPECT_EQ(chosen.largest[0].removed, (std::vector{Row{2}, Row{3}})) << "the least and the most similar one";
  ASSERT_EQ(chosen.doubtful.size(), 2u);
  EXPECT_EQ(chosen.doubtful[0].kept, Row{6}) << "no score: linked through others";
  EXPECT_EQ(chosen.doubtful[1].kept, Row{4});
  EXPECT_EQ(chosen.rows(), (std::vector{Row{0}, Row{2}, Row{3}, Row{4}, Row{5}, Row{6}, Row{7}}));
}

TEST(PageExamples, TakeTheLargestDistanceForTheLeastSimilar) {
  const Lists lists{Clusters({0, 0, 2, 2}), {kNone, 1, kNone, 3}};
  const auto chosen = report::choose_examples(lists.lists(), true, {.largest = 0, .doubtful = 1, .removed = 1});
  EXPECT_EQ(chosen.doubtful.at(0).kept, Row{2});
}

std::string page_of(const std::vector<std::string>& texts, const std::string& record = "{\"verb\":\"dedup\"}") {
  const std::size_t rows = texts.size();
  std::vector<Clusters::Member> representatives;
  for (std::size_t row = 0; row < rows; ++row) representatives.push_back(static_cast<Clusters::Member>(row / 2 * 2));
  const Lists lists{Clusters(representatives), std::vector<double>(rows, .9)};
  report::ReportPage page({.threshold = Threshold{4, 5}, .counts_clusters = true, .rows = rows}, {});
  for (std::size_t row = 1; row < rows; row += 2) page.add_pair({row - 1, row, .9});
  std::map<Row, report::ShownDocument> shown;
  for (const Row row : page.choose(lists.lists())) shown[row] = {.name = "d", .text = texts[index(row)]};
  page.show(lists.lists(), shown, {});
  return page.html(record, {{.path = "in<b>", .number = 3, .reason = "</script>"}});
}

TEST(ReportPage, HasOneScriptOneStyleAndAPolicyThatAllowsOnlyThese) {
  const std::string page = page_of({"a b c </script><script>alert(1)</script>", "a b d <img src=x onerror=alert(1)>"});
  const std::size_t data = page.find("id=\"data\">");
  const std::string block = page.substr(data + 10, page.find("</script>", data) - data - 10);
  EXPECT_THAT(block, Not(HasSubstr("<")));
  EXPECT_THAT(block, HasSubstr("\\u003c/script>"));
  EXPECT_TRUE(block.ends_with("}")) << "the block ends where the data does";
  const auto count = [&](const std::string& what) {
    std::size_t found = 0;
    for (std::size_t at = page.find(what); at != page.npos; at = page.find(what, at + 1)) ++found;
    return found;
  };
  EXPECT_EQ(count("<script"), 2u);
  EXPECT_EQ(count("</script>"), 2u);
  EXPECT_EQ(count("<style"), 1u);
  EXPECT_THAT(page, HasSubstr("default-src 'none'; script-src 'sha256-"));
  for (const char* foreign : {"src=\"", "@import", "url(", "innerHTML", "{{", "eval("})
    EXPECT_THAT(page.substr(0, data) + page.substr(page.find("</script>", data)), Not(HasSubstr(foreign)));
}

TEST(ReportPage, StaysBelowItsLimitForAnyRun) {
  std::string controls;
  while (controls.size() < 200'000) controls += "<\x01> w" + std::to_string(controls.size() % 977) + " ";
  std::vector<std::string> texts;
  for (int i = 0; i < 200; ++i) texts.push_back(std::to_string(i) + controls);
  std::string record = "{\"verb\":\"dedup\",\"inputs\":[";
  for (int i = 0; i < 50'000; ++i) record += (i == 0 ? "\"" : ",\"") + std::string(700, '<') + "\"";
  const std::string page = page_of(texts, record + "]}");
  EXPECT_LE(page.size(), report::kMostPageBytes);
  EXPECT_THAT(page, HasSubstr("\"inputs_left_out\":"));
}

TEST(ReportPage, IsTheSameEachTime) {
  const std::vector<std::string> texts{"a b c", "a b d", "e f", "e g"};
  EXPECT_EQ(page_of(texts), page_of(texts));
}

}  // namespace
}  // namespace neardup::test
