#include "text/html_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <string_view>

#include "base/utf8.h"
#include "text/html_elements.h"
#include "text/repeated.h"

namespace neardup::text {
namespace {

using namespace std::string_literals;
using namespace std::string_view_literals;
using ::testing::ElementsAre;

Page page_of(std::string_view html) {
  PageReader reader;
  Page page;
  reader.read(html, Links::collect, page);
  return page;
}

std::string text_of(std::string_view html) { return page_of(html).text; }

TEST(Page, KeepsAWordTogetherAcrossInlineTags) {
  EXPECT_EQ(text_of("foo<b>bar</b> <i>b</i>az<!-- -->s"), "foobar bazs");
  EXPECT_EQ(text_of("long<wbr>word<x-y>s</x-y>"), "longwords");
}

TEST(Page, PutsEachBlockOnALineOfItsOwn) {
  EXPECT_EQ(text_of("<div><p>one<p>two</div>three<br>four<hr>five"), "one\ntwo\nthree\nfour\nfive");
  EXPECT_EQ(text_of("<ul>\n<li>a</li>\n<li>b\n</ul> <h1>c</h1>d"), "a\nb\nc\nd");
  EXPECT_EQ(text_of("<DIV>a</DIV >b"), "a\nb");
}

TEST(Page, SeparatesCellsByATabAndBoxesInALineByASpace) {
  EXPECT_EQ(text_of("<table><tr><td>a<td> b </td><th>c</th></tr><tr><td>d</table>"), "a\tb\tc\nd");
  EXPECT_EQ(text_of("<button>a</button><button>b</button>c<input>d"), "a b c d");
}

TEST(Page, CollapsesWhiteSpace) {
  EXPECT_EQ(text_of(" \t\r\n a  b\fc \n\n d "), "a b c d");
  EXPECT_EQ(text_of("a <b> b</b>"), "a b");
  EXPECT_EQ(text_of("a&nbsp; b"), "a\u00A0 b");
  EXPECT_EQ(text_of(""), "");
  EXPECT_EQ(text_of(" <p> <p> "), "");
}

TEST(Page, KeepsWhiteSpaceInPreformattedText) {
  EXPECT_EQ(text_of("x<pre>\n a\r\n  b\n</pre>y  z"), "x\n a\n  b\ny z");
  EXPECT_EQ(text_of("<textarea>\na  &amp; <b></textarea>c  d"), "a  & <b> c d");
  EXPECT_EQ(text_of("<xmp>a &amp;  <b></xmp>"), "a &amp;  <b>");
  EXPECT_EQ(text_of("<pre>a</pre></pre>b  c"), "a\nb c");
  EXPECT_EQ(text_of("a<plaintext>b <p></plaintext>"), "a\nb <p></plaintext>");
}

TEST(Page, DecodesReferences) {
  EXPECT_EQ(text_of("caf&eacute; &lt;b&gt; &#8211; &amp;amp; AT&T &unknown;"), "café <b> – &amp; AT&T &unknown;");
}

TEST(Page, DropsWhatIsNotRead) {
  EXPECT_EQ(text_of("a<script>if (x < y) \"<p>\"</script>b<style>p{}</style>c<noscript><p>n</noscript>d"), "abcd");
  EXPECT_EQ(text_of("a<template><p>t<template>u</template>v</template>b"), "ab");
  EXPECT_EQ(text_of("a<svg><title>t</title><text>u</text></svg>b<math><mi>x</math>c"), "a b c");
  EXPECT_EQ(text_of("a<object>o<object>p</object></object><iframe>i</iframe><video>v</video>b"), "a b");
  EXPECT_EQ(text_of("a<!-- c -->b<?php x ?>c<!x>d"), "abcd");
}

TEST(Page, KeepsWhatIsShownInForms) {
  EXPECT_EQ(text_of("<form><label>Name</label><select><option>a<option>b</select></form>"), "Name\na\nb");
}

TEST(Page, DropsTheRestAfterAScriptThatIsNeverClosed) { EXPECT_EQ(text_of("a<script>b<p>c"), "a"); }

TEST(Page, TakesAnUnclosedPictureForASlip) {
  EXPECT_EQ(text_of("a<svg>b<p>c"), "a b\nc");
  EXPECT_EQ(text_of("a<svg>b</svg>c<svg>d"), "a c d");
  EXPECT_EQ(text_of("a<object>b<object>c</object>d"), "a d");
  EXPECT_EQ(text_of("a<svg/>b"), "a b");
  EXPECT_EQ(text_of("a<svg><![CDATA[</svg>]]>x</svg>b"), "a b");
}

TEST(Page, GivesTheFirstTitleAndNeverInTheText) {
  const Page page = page_of("<title> A &amp;\n <b> </title>body<title>second</title>");
  EXPECT_EQ(page.title, "A & <b>");
  EXPECT_EQ(page.text, "body");
}

TEST(Page, GivesCanonicalAddressBaseAndLinks) {
  const Page page = page_of(
      "<base href=' /b/ '><base href=/c/><link rel='x CANONICAL' href=' http://x/?a&amp;b '><link rel=canonical href=y>"
      "<a href='1&amp;2'>x</a><a name=n>y</a><map><area HREF=3></map>");
  EXPECT_EQ(page.base, "/b/");
  EXPECT_EQ(page.canonical, "http://x/?a&b");
  EXPECT_THAT(page.links, ElementsAre("1&2", "3"));
}

TEST(Page, HasNoLinksWhenNobodyAskedForThem) {
  PageReader reader;
  Page page;
  reader.read("<a href=x>y", Links::ignore, page);
  EXPECT_THAT(page.links, ElementsAre());
}

TEST(Page, IsOverwrittenByTheNext) {
  PageReader reader;
  Page page;
  reader.read("<title>t</title><base href=b><link rel=canonical href=c><a href=d><pre>long text", Links::collect, page);
  reader.read("x  y", Links::collect, page);
  EXPECT_EQ(page.text, "x y");
  EXPECT_EQ(page.title + page.base + page.canonical, "");
  EXPECT_TRUE(page.links.empty());
}

TEST(Page, LosesNulAndKeepsTheWord) { EXPECT_EQ(text_of("a\0b<p>\0</p>c"s), "ab\nc"); }

TEST(HtmlElement, IsFoundInAnyCaseAndOnlyByItsWholeName) {
  EXPECT_EQ(html_element("BlockQuote").name, "blockquote");
  EXPECT_EQ(html_element("h1").around, HtmlBreak::line);
  EXPECT_EQ(html_element("H1").around, HtmlBreak::line);
  EXPECT_EQ(html_element("h").name, "");
  EXPECT_EQ(html_element("br\0"s).name, "");
  EXPECT_EQ(html_element(std::string(1000, 'b')).name, "");
  EXPECT_EQ(html_element("").name, "");
}

// Hostile pages. A quadratic reader would not end; the answers show that all was read.
constexpr std::size_t kMany = 1000000;

TEST(HostilePage, MayNestElementsWithoutEnd) {
  EXPECT_EQ(text_of(repeated("<div>", 100000) + "x" + repeated("</div>", 100000) + "y"), "x\ny");
  EXPECT_EQ(text_of(repeated("<pre>", 100000) + "x"), "x");
  EXPECT_EQ(text_of(repeated("<a><b><i><div>", 50000) + "x"), "x");
}

TEST(HostilePage, MayLeaveAMillionTagsOpen) {
  EXPECT_EQ(text_of(repeated("<b>x", kMany)).size(), kMany);
  EXPECT_EQ(text_of(repeated("<p>x", kMany)).size(), 2 * kMany - 1);
}

TEST(HostilePage, MayOpenWhatIsDroppedAMillionTimes) {
  for (const std::string_view tag : {"<script>", "<style>", "<title>", "<noscript>"}) {
    EXPECT_EQ(text_of("a" + repeated(tag, kMany)), "a") << tag;
  }
  for (const std::string_view tag : {"<textarea>", "<xmp>"}) {
    EXPECT_EQ(text_of("a" + repeated(tag, kMany)).size(), 2 + tag.size() * (kMany - 1)) << tag;
  }
  EXPECT_EQ(text_of("a" + repeated("<svg>", kMany)), "a");
  EXPECT_EQ(text_of("a" + repeated("<object>", kMany) + "b</object>c"), "a c");
  EXPECT_EQ(text_of("a" + repeated("<svg></svg>", kMany) + "b"), "a b");
  EXPECT_EQ(text_of(repeated("<svg><math><object><canvas><audio><video><template>x", kMany / 10)).size(),
            kMany / 5 - 1);
}

TEST(HostilePage, MayHaveATagWithAHundredThousandsOfAttributes) {
  std::string tag = "<a";
  for (int k = 0; k < 200000; ++k) tag += " a" + std::to_string(k) + "=x";
  const Page page = page_of("x" + tag + " href=far>y<a href=near>");
  EXPECT_EQ(page.text, "xy");
  EXPECT_THAT(page.links, ElementsAre("near"));
}

TEST(HostilePage, MayBeOneTextOfFiftyMegabytes) {
  const std::string text = repeated("0123456789 ", 50000000 / 11);
  EXPECT_EQ(text_of(text), text.substr(0, text.size() - 1));
}

TEST(HostilePage, MayBeOneComment) {
  EXPECT_EQ(text_of("<!--" + repeated("<p>-- >", kMany)), "");
  EXPECT_EQ(text_of("<!--" + repeated("x", 10 * kMany) + "-->y"), "y");
  EXPECT_EQ(text_of(repeated("<!--", kMany)), "");
}

TEST(HostilePage, MayBeAmpersandsAndAngleBrackets) {
  EXPECT_EQ(text_of(repeated("&", kMany)).size(), kMany);
  EXPECT_EQ(text_of(repeated("<", kMany)).size(), kMany);
  EXPECT_EQ(text_of(repeated("&#", kMany)).size(), 2 * kMany);
  EXPECT_EQ(text_of(repeated("&lt", kMany)).size(), kMany);
  EXPECT_EQ(text_of("&" + repeated("n", kMany) + ";").size(), kMany + 2);
  EXPECT_EQ(text_of(repeated("&nGt;", kMany)).size(), 6 * kMany);
  EXPECT_EQ(text_of(std::string(kMany, '\0')), "");
  EXPECT_EQ(text_of(repeated("\0<p>"sv, kMany / 10)), "");
}

TEST(HostilePage, GivesValidUtf8OfBoundedSizeWhateverItContains) {
  constexpr std::string_view kPieces[] = {"<",
                                          ">",
                                          "</",
                                          "<p>",
                                          "<pre>",
                                          "</pre>",
                                          "<svg>",
                                          "</svg>",
                                          "<template>",
                                          "</template>",
                                          "<title>",
                                          "</title>",
                                          "<script>",
                                          "</script>",
                                          "<!--",
                                          "-->",
                                          "<a href=",
                                          "'",
                                          "\"",
                                          " ",
                                          "\n",
                                          "\r",
                                          "&amp;",
                                          "&nGt;",
                                          "&#0",
                                          "\u20AC",
                                          "x",
                                          "<textarea>",
                                          "</textarea>",
                                          "<td>",
                                          "<link rel=canonical href=",
                                          "<base href=",
                                          "\0"sv};
  std::mt19937 random{9};
  PageReader reader;
  Page page;
  for (int round = 0; round < 5000; ++round) {
    std::string html;
    for (std::size_t k = random() % 60; k > 0; --k) html += kPieces[random() % std::size(kPieces)];
    reader.read(html, Links::collect, page);
    EXPECT_LE(page.text.size() + page.title.size(), 3 * html.size());
    for (std::string_view rest = page.text; !rest.empty();) {
      const base::Utf8Step step = base::utf8_step(rest);
      ASSERT_TRUE(step.valid) << html;
      rest.remove_prefix(step.size);
    }
  }
}

}  // namespace
}  // namespace neardup::text
