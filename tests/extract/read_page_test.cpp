#include "neardup/text.h"

#include <gtest/gtest.h>

#include <string>

namespace neardup {
namespace {

TEST(ReadPage, GivesTextAndFactsOfAPage) {
  const ReadPage page = read_page(
      "<html lang=de><title>Die  Seite</title><link rel=canonical href=http://a.de/1>"
      "<meta property='article:published_time' content='2024-05-01T10:00:00Z'><meta name=Author content='A. Autor'>"
      "<nav>Start</nav><p>Ein Satz.</p>");
  EXPECT_EQ(page.text, "Ein Satz.");
  EXPECT_EQ(page.title, "Die Seite");
  EXPECT_EQ(page.date, "2024-05-01T10:00:00Z");
  EXPECT_EQ(page.author, "A. Autor");
  EXPECT_EQ(page.language, "de");
  EXPECT_EQ(page.url, "http://a.de/1");
  EXPECT_TRUE(page.has_main_text);
}

TEST(ReadPage, GivesAllTextWhenNothingQualifiesAndSaysSo) {
  const ReadPage page = read_page("<nav><a href=1>One</a> <a href=2>Two</a></nav>");
  EXPECT_EQ(page.text, "One Two");
  EXPECT_FALSE(page.has_main_text);
}

TEST(ReadPage, GivesAllTextOnRequest) {
  const ReadPage page = read_page("<nav>Start</nav><p>Ein Satz.</p>", Html::all);
  EXPECT_EQ(page.text, "Start\nEin Satz.");
  EXPECT_TRUE(page.has_main_text);
}

TEST(ReadPage, DecodesAsThePageOrTheCallerSays) {
  EXPECT_EQ(read_page("<meta charset=windows-1251><p>\xEF\xF0\xE8").text, "при");
  EXPECT_EQ(read_page("<p>\xE9", Html::main, "latin1").text, "é");
}

}  // namespace
}  // namespace neardup
