#include "text/page_facts.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "text/html_text.h"
#include "text/repeated.h"

namespace neardup::text {
namespace {

PageFacts facts_of(std::string_view html) {
  PageReader reader;
  Page page;
  reader.read("<html lang=xx><meta name=date content=1999-01-01><meta name=author content=Old><p>x", Links::ignore,
              page);
  reader.read(html, Links::ignore, page);  // nothing of the page before remains
  return page.facts;
}

TEST(PageFacts, AreEmptyWhereThePageSaysNothing) {
  const PageFacts facts = facts_of("<p>x");
  EXPECT_EQ(facts.date + facts.author + facts.language + facts.url + facts.title, "");
}

TEST(PageFacts, ComeFromMetaElements) {
  const PageFacts facts = facts_of(
      "<meta name='DC.date' content=2001-02-03><meta property=article:published_time content=' 2001-02-04 '>"
      "<meta name=author content='A &amp; B'><meta property=og:url content=http://x/><meta property=og:title content=T>"
      "<meta http-equiv=Content-Language content=fr><meta property=og:locale content=en_US>");
  EXPECT_EQ(facts.date, "2001-02-04");  // the more specific one
  EXPECT_EQ(facts.author, "A & B");
  EXPECT_EQ(facts.url, "http://x/");
  EXPECT_EQ(facts.title, "T");
  EXPECT_EQ(facts.language, "fr");
  EXPECT_EQ(facts_of("<meta property=og:locale content=en_US>").language, "en-US");
}

TEST(PageFacts, TakeTheLanguageOfThePageFirst) {
  EXPECT_EQ(facts_of("<html lang=de-AT><meta name=language content=en>").language, "de-AT");
}

TEST(PageFacts, TakeTheFirstOfSeveralOfOneKind) {
  EXPECT_EQ(facts_of("<meta name=date content=1><meta name=pubdate content=2>").date, "1");
}

TEST(PageFacts, ComeFromTimeElements) {
  EXPECT_EQ(
      facts_of("<time datetime=2001-01-01>a</time><time itemprop=datePublished datetime=2002-02-02>b</time>").date,
      "2002-02-02");
  EXPECT_EQ(facts_of("<time>a</time><time datetime=2001-01-01>b</time>").date, "2001-01-01");
}

TEST(PageFacts, ComeFromJsonLd) {
  const auto script = [](std::string_view json) {
    return facts_of("<script type='application/ld+json'>" + std::string(json) + "</script>");
  };
  const PageFacts facts = script(
      R"({"@type":"Article","publisher":{"name":"P"},"author":[{"@type":"Person","name":"J\u00e9r\u00f4me \"X\""},
      {"name":"Second"}],"datePublished":"2019-11-19T10:00:00Z","inLanguage":"en"})");
  EXPECT_EQ(facts.author, "Jérôme \"X\"");
  EXPECT_EQ(facts.date, "2019-11-19T10:00:00Z");
  EXPECT_EQ(facts.language, "en");
  EXPECT_EQ(script(R"({"author":"Plain Name","name":"Other"})").author, "Plain Name");
  EXPECT_EQ(script(R"({"author":{"@id":"x"},"name":"Other"})").author, "");
  EXPECT_EQ(script(R"({"author":"\ud83d\ude00 \ud83d"})").author, "😀 \uFFFD");
  EXPECT_EQ(facts_of("<script>{\"datePublished\":\"2019\"}</script>").date, "");
}

TEST(PageFacts, LeaveOutAuthorsThatAreAddresses) {
  EXPECT_EQ(facts_of("<meta property=article:author content=https://x/y><meta name=dc.creator content=N>").author, "N");
}

TEST(PageFacts, SurviveBrokenJson) {
  for (const std::string_view json :
       {"{\"author\":\"", "{\"author\":\"\\", "\"\\u12", "]]]\"datePublished\":\"x\"", "{\"author\"", "\\"}) {
    facts_of("<script type=application/ld+json>" + std::string(json) + "</script>");
  }
  facts_of("<script type=application/ld+json>" + repeated("[{\"author\":", 100000) + "</script>");
}

}  // namespace
}  // namespace neardup::text
