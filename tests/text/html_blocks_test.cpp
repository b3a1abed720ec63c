#include "text/html_blocks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "support/scratch.h"
#include "text/encoding.h"
#include "text/html_open_elements.h"
#include "text/html_text.h"
#include "text/repeated.h"

namespace neardup::text {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Page read_blocks(std::string_view html) {
  PageReader reader;
  Page page;
  reader.read(html, Links::ignore, page, Blocks::collect);
  return page;
}

std::string chain_of(const Page& page, const PageBlock& block) {
  std::string chain;
  for (std::uint32_t at = block.element; at != kNoPageElement; at = page.elements[at].parent) {
    const PageElement& element = page.elements[at];
    std::string name(element.tag);
    if (!element.id.empty()) name += "#" + std::string(element.id);
    if (!element.classes.empty()) name += "." + std::string(element.classes);
    chain = name + (chain.empty() ? "" : " " + chain);
  }
  return chain;
}

std::string_view text_of(const Page& page, const PageBlock& block) {
  return std::string_view(page.text).substr(block.begin, block.end - block.begin);
}

// "elements: text", and after it what is special: the bytes in links and their number, what it is.
std::vector<std::string> described(std::string_view html) {
  const Page page = read_blocks(html);
  std::vector<std::string> lines;
  for (const PageBlock& block : page.blocks) {
    std::string line = chain_of(page, block) + ": " + std::string(text_of(page, block));
    if (block.links > 0) line += " [" + std::to_string(block.link_bytes) + "/" + std::to_string(block.links) + "]";
    if (block.is_heading) line += " heading";
    if (block.in_item) line += " item";
    if (block.in_cell) line += " cell";
    if (block.is_preformatted) line += " pre";
    lines.push_back(line);
  }
  return lines;
}

std::string folded(const Page& page) {
  std::string text;
  for (const PageBlock& block : page.blocks) append_block(text, page.text, block);
  return text;
}

// What must hold of the blocks of any page, and that they are the text that is read without them.
void expect_sound(std::string_view html) {
  Page flat;
  PageReader reader;
  reader.read(html, Links::ignore, flat);
  const Page page = read_blocks(html);
  ASSERT_EQ(page.text, flat.text) << html;
  ASSERT_EQ(page.title, flat.title) << html;
  ASSERT_EQ(folded(page), page.text) << html;
  std::size_t end = 0;
  for (const PageBlock& block : page.blocks) {
    ASSERT_LT(block.begin, block.end) << html;
    ASSERT_LE(block.begin - end, 1u) << html;  // a separator at most
    ASSERT_LE(block.link_bytes, block.end - block.begin) << html;
    ASSERT_TRUE(block.element == kNoPageElement || block.element < page.elements.size()) << html;
    end = block.end;
  }
  ASSERT_EQ(end, page.text.size()) << html;
  for (std::uint32_t i = 0; i < page.elements.size(); ++i) {
    const PageElement& element = page.elements[i];
    ASSERT_LT(element.depth, OpenElements::kMaxDepth) << html;
    ASSERT_TRUE(element.parent == kNoPageElement || element.parent < i) << html;
    ASSERT_EQ(element.depth, element.parent == kNoPageElement ? 0 : page.elements[element.parent].depth + 1) << html;
    ASSERT_EQ(element.start_tag.front(), '<') << html;
  }
}

TEST(PageBlocks, StandInTheirElementsByTagIdAndClass) {
  EXPECT_THAT(described("<html><body class='news wide'><div id=main CLASS=x><p>One <b>two</b></div><footer>Three"),
              ElementsAre("html body.news wide div#main.x p: One two", "html body.news wide footer: Three"));
  EXPECT_THAT(described("no tags at all"), ElementsAre(": no tags at all"));
  EXPECT_THAT(described(" <p> <div></div>"), IsEmpty());
}

TEST(PageBlocks, EndAtBlockTagsAndAtTwoLineBreaks) {
  EXPECT_THAT(described("<div>a<p>b</p>c<hr>d<br>e<br> <br>f<span>g</span></div>"),
              ElementsAre("div: a", "div p: b", "div: c", "div: d\ne", "div: fg"));
  EXPECT_THAT(described("a<br>b<br/>c</br></br>d"), ElementsAre(": a\nb\nc", ": d"));
}

TEST(PageBlocks, AreHeadingsItemsCellsAndPreformattedText) {
  EXPECT_THAT(described("<h2>t</h2><ul><li>a</ul><dl><dt>b<dd>c</dl><table><tr><td>d<th>e</table><pre> f\n g</pre>"),
              ElementsAre("h2: t heading", "ul li: a item", "dl dt: b item", "dl dd: c item", "table tr td: d cell",
                          "table tr th: e cell", "pre:  f\n g pre"));
}

TEST(PageBlocks, CountTheBytesOfLinksAndTheLinks) {
  EXPECT_THAT(described("<p>see <a href=x>here  or</a> and <a href=y>there</a>."),
              ElementsAre("p: see here or and there. [12/2]"));
  EXPECT_THAT(described("<a href=x>a <b>b</b> </a>c <a name=n>d</a>"), ElementsAre(": a b c d [3/1]"));
  EXPECT_THAT(described("<a href=x><img></a><a href=y> </a>z"), ElementsAre(": z"));
}

TEST(PageBlocks, CountALinkInEveryBlockThatItCrosses) {
  EXPECT_THAT(described("<a href=x><div>one</div><div>two</div></a><div>three</div>"),
              ElementsAre("div: one [3/1]", "div: two [3/1]", "div: three"));
}

TEST(PageBlocks, EndALinkThatIsLeftOpenAtTheNextOneAndAtACell) {
  EXPECT_THAT(described("<a href=x>a <a href=y>b</a> c"), ElementsAre(": a b c [2/2]"));
  EXPECT_THAT(described("<table><td><a href=x>a<td>b</table>c"),
              ElementsAre("table td: a [1/1] cell", "table td: b cell", ": c"));
}

TEST(PageBlocks, KeepFormControlsApart) {
  EXPECT_THAT(described("<p>a <button>b</button> c<select><option>d<option>e</select> f <textarea>\ng</textarea>"),
              ElementsAre("p: a", "p button: b", "p: c", "p select option: d", "p select option: e", "p: f",
                          "p textarea: g pre"));
}

TEST(PageBlocks, LoseWhiteSpaceAtTheEndOfThePage) {
  EXPECT_THAT(described("a<pre>b \n</pre><pre> \n </pre>"), ElementsAre(": a", "pre: b pre"));
  EXPECT_THAT(described("<pre>  </pre>"), IsEmpty());
}

TEST(PageBlocks, LetOtherAttributesBeReadFromTheStartTag) {
  const Page page = read_blocks("<div hidden role='nav&amp;x' title='>'>a");
  HtmlTokens tokens;
  tokens.start(page.elements.at(0).start_tag);
  ASSERT_TRUE(tokens.next());
  std::string role;
  EXPECT_TRUE(tokens.append_attribute(role, "role"));
  EXPECT_EQ(role, "nav&x");
  EXPECT_EQ(tokens.attributes().size(), 3u);
}

TEST(PageBlocks, AreListedOnlyWhenAskedFor) {
  PageReader reader;
  Page page;
  reader.read("<p>a", Links::ignore, page, Blocks::collect);
  reader.read("<p>b", Links::ignore, page);
  EXPECT_THAT(page.blocks, IsEmpty());
  EXPECT_THAT(page.elements, IsEmpty());
}

TEST(PageBlocks, OfSomeMakeAPageOfThose) {
  const Page page = read_blocks("<nav>menu</nav><table><td>a<td>b</table><p>c");
  std::string text;
  for (const PageBlock& block : page.blocks) {
    if (page.elements[block.element].tag != "nav") append_block(text, page.text, block);
  }
  EXPECT_EQ(text, "a\tb\nc");
}

TEST(OpenElements, AreClosedByWhatFollowsThemInAListATableOrAParagraph) {
  EXPECT_THAT(described("<p>a<p>b<div>c"), ElementsAre("p: a", "p: b", "div: c"));
  EXPECT_THAT(
      described("<ul><li>a<ul><li>b<li>c</ul>d<li>e</ul>"),
      ElementsAre("ul li: a item", "ul li ul li: b item", "ul li ul li: c item", "ul li: d item", "ul li: e item"));
  EXPECT_THAT(described("<table><caption>t<tr><td>a<td>b<tr><th>c<tbody><td>d<tfoot><tr><td>e</table>f"),
              ElementsAre("table caption: t", "table tr td: a cell", "table tr td: b cell", "table tr th: c cell",
                          "table tbody td: d cell", "table tfoot tr td: e cell", ": f"));
  EXPECT_THAT(described("<h1>a<h2>b</h3>c"), ElementsAre("h1: a heading", "h2: b heading", ": c"));
}

TEST(OpenElements, DoNotReachOutOfATableCellListOrBox) {
  EXPECT_THAT(described("<div><table><tr><td>a</div>b</table>c</div>d"),
              ElementsAre("div table tr td: a cell", "div table tr td: b cell", "div: c", ": d"));
  EXPECT_THAT(described("<table><tr><td><table></td>a</table>b"),
              ElementsAre("table tr td table: a cell", "table tr td: b cell"));
  EXPECT_THAT(described("<ul><li>a<ul></li>b"), ElementsAre("ul li: a item", "ul li ul: b item"));
  EXPECT_THAT(described("<p>a<button><div>b</p>c</button>d"),
              ElementsAre("p: a", "p button div: b", "p button div: c", "p: d"));
}

TEST(OpenElements, EndWithTheOuterOneWhenTheyAreMisnested) {
  EXPECT_THAT(described("<div><form>a</div>b</form>c"), ElementsAre("div form: a", ": b", ": c"));
  EXPECT_THAT(described("<article><section><div>a</article>b"), ElementsAre("article section div: a", ": b"));
}

TEST(OpenElements, IgnoreEndTagsThatCloseNothing) {
  EXPECT_THAT(described("<div></p></li></td></section>a</div></div>b"), ElementsAre("div: a", ": b"));
}

TEST(OpenElements, IgnoreASecondBodyAndTheEndOfTheFirst) {
  EXPECT_THAT(described("<body id=a>x<body id=b>y</body></html><p>z"),
              ElementsAre("body#a: x", "body#a: y", "body#a p: z"));
}

TEST(OpenElements, BelowTheGreatestDepthAreOnlyCounted) {
  const std::size_t more = OpenElements::kMaxDepth + 100;
  const Page page = read_blocks(repeated("<div>", more) + "a<ul><li>b<li>c</ul>" + repeated("</div>", 100) + "d" +
                                repeated("</div>", OpenElements::kMaxDepth) + "e");
  ASSERT_EQ(page.blocks.size(), 5u);
  for (std::size_t block = 0; block < 4; ++block) {
    EXPECT_EQ(page.elements.at(page.blocks[block].element).depth, OpenElements::kMaxDepth - 1);
  }
  EXPECT_EQ(page.blocks[4].element, kNoPageElement);
}

// Steps that the stack takes for so many repetitions, as the reader drives it.
std::size_t steps_of(const std::vector<std::string>& tags, std::size_t count, std::string_view last) {
  OpenElements open;
  open.start();
  std::vector<PageElement> elements;
  const auto pass = [&](std::string_view tag) {
    if (tag.starts_with('/')) {
      open.close(html_element(tag.substr(1)));
    } else {
      open.open(html_element(tag), {});
      open.innermost_in(elements);
    }
  };
  while (count-- > 0) {
    for (const std::string& tag : tags) pass(tag);
  }
  pass(last);
  return open.steps();
}

TEST(OpenElements, TakeAtMostThreeStepsForATagHoweverThePageIsMade) {
  const std::vector<std::vector<std::string>> pages{{"div"},
                                                    {"p"},
                                                    {"li"},
                                                    {"ul", "li"},
                                                    {"table", "tr", "td"},
                                                    {"div", "/section"},
                                                    {"div", "/article"},
                                                    {"div", "p", "/div"},
                                                    {"td", "div", "/table", "/td"},
                                                    {"dl", "dt", "/dd", "h1", "/h2"}};
  for (const auto& tags : pages) {
    for (const std::size_t count : {1000u, 2000u, 100000u}) {
      EXPECT_LE(steps_of(tags, count, "/div"), 3 * (tags.size() * count + 1)) << tags[0];
    }
  }
  EXPECT_LE(steps_of({"article"}, 1, "/article"), 3u);
}

TEST(HostileBlocks, AreTheTextOfThePage) {
  const std::size_t many = 100000;
  expect_sound(repeated("<div>", many) + "x" + repeated("</div>", many) + "y");
  expect_sound("<article>" + repeated("<div>x", many) + "</article>y");
  expect_sound(repeated("<p>x</div>", many));
  expect_sound(repeated("<a href=x><b><i><div>x", many));
  expect_sound(repeated("<table><tr><td>x", many) + repeated("</td></tr></table>", many) + "y");
  expect_sound(repeated("<ul><li>x", many) + repeated("</li>", many) + "y");
  expect_sound(repeated("<pre> \n", many));
  expect_sound(repeated("<select><option>x", many) + repeated("</p></option>", many));
}

TEST(HostileBlocks, AreTheTextOfARandomPage) {
  constexpr std::string_view kPieces[] = {
      "<div>",     "</div>",    "<p>",       "</p>",   "<td>",    "</td>",  "<tr>",       "<table>",     "</table>",
      "<li>",      "</li>",     "<ul>",      "</ul>",  "<pre>",   "</pre>", "<textarea>", "</textarea>", "<br>",
      "<hr>",      "<a href=x", ">",         "<a>",    "</a>",    "<h1>",   "</h2>",      "<option>",    "<select>",
      "</select>", "<button>",  "</button>", "<body>", "</body>", "<svg>",  "</svg>",     "<title>",     "</title>",
      " ",         "\n",        "\r",        "x",      "yz",      "&amp;",  "&#10;",      "&nbsp;",      "<!--",
      "-->",       "<script>",  "</script>", "<dl>",   "<dd>",    "<b>",    "</b>",       "<",           "\u20AC"};
  std::mt19937 random{11};
  for (int round = 0; round < 20000; ++round) {
    std::string html;
    for (std::size_t k = random() % 60; k > 0; --k) html += kPieces[random() % std::size(kPieces)];
    expect_sound(html);
    if (HasFatalFailure()) return;
  }
}

// The pages of CleanEval, in the folder that NEARDUP_DATA names.
TEST(RealPages, HaveTheTextOfTheirBlocks) {
  const char* const folder = std::getenv("NEARDUP_DATA");
  const std::filesystem::path archive =
      std::filesystem::path(folder != nullptr ? folder : NEARDUP_DATA) / "html_cleaneval_dev.tar.xz";
  if (!std::filesystem::exists(archive)) GTEST_SKIP() << archive << " is missing";
  const test::ScratchFolder scratch;
  ASSERT_EQ(std::system(("tar -xf '" + archive.string() + "' -C '" + scratch.path().string() + "'").c_str()), 0);
  Decoder decoder;
  std::size_t pages = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(scratch.path())) {
    if (entry.path().extension() != ".html") continue;
    const std::string bytes = test::bytes_of(entry.path());
    std::string html;
    decoder.append(html, bytes, detect(bytes));
    expect_sound(html);
    if (HasFatalFailure()) return;
    ++pages;
  }
  EXPECT_GT(pages, 800u);
}

}  // namespace
}  // namespace neardup::text
