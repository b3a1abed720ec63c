#include "text/main_text.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "text/furniture.h"
#include "text/page_names.h"
#include "text/page_text_reader.h"
#include "text/repeated.h"

namespace neardup::text {
namespace {

struct Extracted {
  std::string text;
  MainTextFound found;
  std::size_t steps, size;  // blocks and elements
};

Extracted extracted(std::string_view html) {
  PageReader reader;
  Page page;
  reader.read(html, Links::ignore, page, Blocks::collect);
  MainText main;
  Extracted out;
  out.found = main.extract(page, out.text);
  out.steps = main.steps();
  out.size = page.blocks.size() + page.elements.size();
  return out;
}

const std::string kSentence =
    "The quick brown fox jumps over the lazy dog that sleeps in the sun of the long afternoon.";

// An article of this many sentences, each in a paragraph.
std::string article(int sentences = 5) {
  std::string out;
  for (int i = 0; i < sentences; ++i) out += "<p>" + std::to_string(i) + " " + kSentence + "</p>";
  return out;
}
std::string article_text(int sentences = 5) {
  std::string out;
  for (int i = 0; i < sentences; ++i) out += (i > 0 ? "\n" : "") + std::to_string(i) + " " + kSentence;
  return out;
}

TEST(MainText, LeavesOutNavigationFootersCommentsAndNotices) {
  const std::string page =
      "<nav><ul><li><a href=1>Home</a><li><a href=2>News</a></ul></nav><div class=cookie-notice>We use cookies to "
      "improve your experience on this site, and so do all of our partners.</div><div id=story>" +
      article() +
      "</div><div id=comments><p>I like this article very much and read it twice to my family.</p></div>"
      "<footer>All rights reserved by the owners of this site and by nobody else.</footer>";
  const Extracted found = extracted(page);
  EXPECT_EQ(found.text, article_text());
  EXPECT_EQ(found.found, MainTextFound::article);
}

TEST(MainText, LeavesOutWhatIsHidden) {
  for (const std::string_view how :
       {"hidden", "style='color:red; DISPLAY : none'", "aria-hidden=true", "role=dialog"}) {
    const std::string page = article() + "<div " + std::string(how) +
                             "><p>This is not shown to anybody who reads the page at all.</p></div>";
    EXPECT_EQ(extracted(page).text, article_text()) << how;
  }
}

TEST(MainText, KeepsAnElementWithABadNameThatContainsMostOfTheText) {
  EXPECT_EQ(extracted("<div class=sidebar>" + article() + "</div><p>x</p>").text, article_text());
}

TEST(MainText, LeavesOutButtonsAndChoicesEvenIfTheyAreLong) {
  EXPECT_EQ(extracted(article() + "<select><option>" + kSentence + kSentence + "</select><button>Send</button>").text,
            article_text());
}

TEST(MainText, KeepsHeadingsWithWhatTheyHead) {
  const std::string page =
      "<div><h2>First</h2>" + article() + "<h2>Second</h2><p>" + kSentence + "</p><h2>Alone</h2></div>";
  EXPECT_EQ(extracted(page).text, "First\n" + article_text() + "\nSecond\n" + kSentence);
}

TEST(MainText, KeepsShortParagraphsBetweenLongOnes) {
  EXPECT_EQ(extracted("<div>" + article() + "<p>Why?</p>" + article() + "</div>").text,
            article_text() + "\nWhy?\n" + article_text());
}

TEST(MainText, LeavesOutListsOfLinksBetweenParagraphs) {
  const std::string page = "<div>" + article() +
                           "<ul><li><a href=1>Another story that you could read instead</a></ul>" + article() +
                           "</div>";
  EXPECT_EQ(extracted(page).text, article_text() + "\n" + article_text());
}

TEST(MainText, LeavesOutDatesCountersAndBylines) {
  const std::string page =
      "<div><p>By Jane Doe</p><p>5 April 2013 Last updated at 08:43 GMT</p><p>12 comments</p>" + article() + "</div>";
  EXPECT_EQ(extracted(page).text, article_text());
}

TEST(MainText, ReadsScriptsWithoutSpaces) {
  std::string text;
  for (int i = 0; i < 12; ++i) text += "これは日本語の文章であり、本文として扱われるべきものです。";
  EXPECT_EQ(extracted("<nav><a href=1>ホーム</a></nav><div><p>" + text + "</p></div><footer>著作権</footer>").text,
            text);
}

TEST(MainText, OfAListAProductAndAForumIsNotEmpty) {
  const Extracted list = extracted(
      "<nav><a href=1>Home</a></nav><h1>Rivers</h1><ul><li>Amazon, 6400 km<li>Nile, 6650 km<li>Rhine, 1233 km</ul>");
  EXPECT_EQ(list.text, "Rivers\nAmazon, 6400 km\nNile, 6650 km\nRhine, 1233 km");
  const Extracted product = extracted(
      "<nav><a href=1>Shop</a></nav><h1>Kettle</h1><p>1.7 l, steel</p><table><tr><td>Power<td>2200 "
      "W<tr><td>Weight<td>0.9 kg</table><button>Buy</button>");
  EXPECT_EQ(product.text, "Kettle\n1.7 l, steel\nPower\t2200 W\nWeight\t0.9 kg");
  std::string posts, expected;
  for (int i = 0; i < 6; ++i) {
    posts += "<div class=post><div class=who><a href=u>user" + std::to_string(i) + "</a></div><div class=body>Answer " +
             std::to_string(i) + " " + kSentence + "</div></div>";
    expected += (i > 0 ? "\n" : "") + ("Answer " + std::to_string(i) + " " + kSentence);
  }
  EXPECT_EQ(extracted("<nav><a href=1>Board</a></nav>" + posts).text, expected);
}

TEST(MainText, IsTheWholePageWhenNothingQualifies) {
  const Extracted links = extracted("<ul><li><a href=1>One</a><li><a href=2>Two</a></ul>");
  EXPECT_EQ(links.found, MainTextFound::whole_page);
  EXPECT_EQ(links.text, "One\nTwo");
  const Extracted empty = extracted("<p></p>");
  EXPECT_EQ(empty.text, "");
}

TEST(MainText, KeepsTheSeparatorsOfCells) {
  const std::string rows = "<table><tr><td>" + kSentence + kSentence + "<td>12<tr><td>" + kSentence + kSentence +
                           "<td>13<tr><td>" + kSentence + "</table>";
  EXPECT_EQ(extracted("<div>" + rows + "</div>").text,
            kSentence + kSentence + "\t12\n" + kSentence + kSentence + "\t13\n" + kSentence);
}

TEST(PageNames, AreComparedByWords) {
  for (const std::string_view name :
       {"share", "shareBar", "post_share-box", "SHARE", "nav2", "a breadcrumbs b", "most-read", "seeAlso", "ads"}) {
    EXPECT_EQ(hint_of_name(name), PageHint::weak) << name;
  }
  for (const std::string_view name : {"comments", "siteFooter", "relatedPosts", "gdpr_banner", "x sidebar y"}) {
    EXPECT_EQ(hint_of_name(name), PageHint::strong) << name;
  }
  for (const std::string_view name :
       {"", "commentary", "footerless", "shadow", "heads", "download", "story", "--__  "}) {
    EXPECT_EQ(hint_of_name(name), PageHint::none) << name;
  }
  EXPECT_EQ(hint_of_name(repeated("footer", 100000)), PageHint::none);
}

TEST(Furniture, IsADateACounterABylineOrAnInvitation) {
  for (const std::string_view line :
       {"5 April 2013 Last updated at 08:43 GMT", "3 min read", "1,204 shares", "By Jane O'Brien BBC, Washington",
        "Share this", "Advertisement", "Follow us on Twitter", "Follow @x on Twitter.", "© 2019 Someone",
        "Read more: another story"}) {
    EXPECT_TRUE(is_furniture(line)) << line;
  }
  for (const std::string_view line :
       {"", "May", "By the time he came, it was over.", "Share prices fell on Monday after the news.",
        "In 2013 it rained.", "Read the whole story"}) {
    EXPECT_FALSE(is_furniture(line)) << line;
  }
}

TEST(HtmlTags, AreFoundInTextsThatHaveThem) {
  EXPECT_TRUE(has_html_tag("a <p> b"));
  EXPECT_TRUE(has_html_tag("a</DIV>"));
  EXPECT_FALSE(has_html_tag("if a<b and c>d then x<<1"));
  EXPECT_FALSE(has_html_tag("<john@example.org> wrote:"));
  EXPECT_FALSE(has_html_tag(""));
}

// What must hold of every page: linear work, and kept blocks are blocks of the page.
void expect_main_text_sound(std::string_view html) {
  PageReader reader;
  Page page;
  reader.read(html, Links::ignore, page);
  const Extracted found = extracted(html);
  ASSERT_LE(found.text.size(), page.text.size());
  ASSERT_LE(found.steps, 16 * found.size + 64);
  ASSERT_EQ(found.text.empty(), page.text.empty());
}

TEST(HostilePages, HaveAMainTextInLinearTime) {
  const std::size_t many = 1000000;
  expect_main_text_sound(repeated("<b>", many) + "x");
  expect_main_text_sound(repeated("<div>", many) + "x");
  expect_main_text_sound(repeated("<div>x", 200000));
  expect_main_text_sound(repeated("<a href=x><b><i><div>x", 50000));
  expect_main_text_sound("<div " + repeated("a=b ", 200000) + ">" + kSentence);
  expect_main_text_sound(repeated("<span>", 20000) + "x");
  expect_main_text_sound(repeated("<div class='" + repeated("nav-", 100) + "'>" + kSentence, 1000));
  expect_main_text_sound(repeated("<p>" + kSentence + "</div>", 20000));
}

TEST(HostilePages, OfRandomPiecesHaveAMainText) {
  const std::vector<std::string> pieces{"<div>",
                                        "</div>",
                                        "<p>",
                                        "</p>",
                                        "<nav>",
                                        "</nav>",
                                        "<li>",
                                        "<ul>",
                                        "</ul>",
                                        "<td>",
                                        "<table>",
                                        "</table>",
                                        "<a href=x>",
                                        "</a>",
                                        "<h1>",
                                        "</h1>",
                                        "<div class=footer>",
                                        "<button>",
                                        "</button>",
                                        "<article>",
                                        "</article>",
                                        "<pre>",
                                        "</pre>",
                                        "<br>",
                                        "x ",
                                        kSentence,
                                        "5 May 2020",
                                        "<blockquote>",
                                        "<div hidden>",
                                        "&nbsp;",
                                        "漢字"};
  std::mt19937 random{5};
  for (int round = 0; round < 5000; ++round) {
    std::string html;
    for (std::size_t k = random() % 60; k > 0; --k) html += pieces[random() % pieces.size()];
    expect_main_text_sound(html);
    if (HasFatalFailure()) {
      ADD_FAILURE() << html;
      return;
    }
  }
}

}  // namespace
}  // namespace neardup::text
