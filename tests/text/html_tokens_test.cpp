#include "text/html_tokens.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "text/html_doctype.h"
#include "text/html_references.h"
#include "text/repeated.h"

namespace neardup::text {
namespace {

using namespace std::string_view_literals;

// A token a line: `text`, <name a=v>, </name>, <!--comment-->.
std::string tokens_of(std::string_view html, HtmlMode mode = HtmlMode::data, std::string_view element = {}) {
  HtmlTokens tokens;
  std::string out;
  for (tokens.start(html, mode, element); tokens.next();) {
    switch (tokens.kind()) {
      case HtmlTokens::Kind::text:
        out += "`" + std::string{tokens.text()} + "`";
        break;
      case HtmlTokens::Kind::start_tag:
        out += '<';
        append_html_name(out, tokens.raw());
        for (const HtmlAttribute& attribute : tokens.attributes()) {
          out += ' ';
          append_html_name(out, attribute.name);
          out += '=';
          HtmlTokens::append_value(out, attribute.value);
        }
        out += tokens.is_self_closing() ? "/>" : ">";
        break;
      case HtmlTokens::Kind::end_tag:
        out += "</";
        append_html_name(out, tokens.raw());
        out += '>';
        break;
      case HtmlTokens::Kind::comment:
        out += "<!--" + std::string{tokens.text()} + "-->";
        break;
      case HtmlTokens::Kind::doctype:
        out += "<!doctype>";
        break;
    }
  }
  return out;
}

std::size_t count_tokens(std::string_view html) {
  HtmlTokens tokens;
  std::size_t count = 0;
  for (tokens.start(html); tokens.next();) ++count;
  return count;
}

TEST(HtmlTokens, AreTagsTextsCommentsAndDoctypes) {
  EXPECT_EQ(tokens_of("<!DOCTYPE html><P Class='x y' id=z>a<br/>b</P ><!-- c -->"),
            "<!doctype><p class=x y id=z>`a`<br/>`b`</p><!-- c -->");
}

TEST(HtmlTokens, KeepALessThanSignThatOpensNothing) {
  EXPECT_EQ(tokens_of("a < b <3 <"), "`a < b <3 <`");
  EXPECT_EQ(tokens_of("a</"), "`a</`");
}

TEST(HtmlTokens, AreViewsOfThePage) {
  const std::string page = "<p>some text</p>";
  HtmlTokens tokens;
  tokens.start(page);
  ASSERT_TRUE(tokens.next() && tokens.next());
  EXPECT_EQ(tokens.raw().data(), page.data() + 3);
}

TEST(HtmlTokens, FindAnAttributeByNameAndDecodeItsValue) {
  HtmlTokens tokens;
  tokens.start("<a HREF='?a=1&amp;b=2&copy=3' href=second>");
  ASSERT_TRUE(tokens.next());
  std::string value;
  EXPECT_TRUE(tokens.append_attribute(value, "href"));
  EXPECT_EQ(value, "?a=1&b=2&copy=3");
  EXPECT_FALSE(tokens.append_attribute(value, "title"));
}

TEST(HtmlTokens, DropATagThatThePageCutsOff) {
  EXPECT_EQ(tokens_of("a<b"), "`a`");
  EXPECT_EQ(tokens_of("a<b c='>"), "`a`");
  EXPECT_EQ(tokens_of("a</b "), "`a`");
}

TEST(HtmlTokens, EndRawTextAtItsOwnEndTagOnly) {
  EXPECT_EQ(tokens_of("<b>&amp;</i></Title x>&lt;", HtmlMode::rcdata, "title"), "`<b>&</i>`</title>`<`");
  EXPECT_EQ(tokens_of("&amp;</styles></style", HtmlMode::rawtext, "style"), "`&amp;</styles></style`");
  EXPECT_EQ(tokens_of("a</plaintext>", HtmlMode::plaintext, "plaintext"), "`a</plaintext>`");
}

TEST(HtmlTokens, HideAScriptEndBehindACommentWithAScriptInIt) {
  EXPECT_EQ(tokens_of("<!--<script></script>--></script>x", HtmlMode::script, "script"),
            "`<!--<script></script>-->`</script>`x`");
  EXPECT_EQ(tokens_of("<!-- </script>x", HtmlMode::script, "script"), "`<!-- `</script>`x`");
  EXPECT_EQ(tokens_of("<!--><script></script>x", HtmlMode::script, "script"), "`<!--><script>`</script>`x`");
}

TEST(HtmlTokens, ReadCdataOnlyInForeignContent) {
  EXPECT_EQ(tokens_of("<![CDATA[a]]>"), "<!--[CDATA[a]]-->");
  HtmlTokens tokens;
  tokens.start("<![CDATA[<a>]]>b");
  tokens.set_foreign(true);
  ASSERT_TRUE(tokens.next());
  EXPECT_EQ(tokens.text(), "<a>");
  ASSERT_TRUE(tokens.next());
  EXPECT_EQ(tokens.text(), "b");
}

TEST(HtmlTokens, KeepABoundedNumberOfAttributes) {
  HtmlTokens tokens;
  const std::string page = "<a first=1 " + repeated("x=y ", 200000) + "last=1>";
  tokens.start(page);
  ASSERT_TRUE(tokens.next());
  std::string value;
  EXPECT_TRUE(tokens.append_attribute(value, "first"));
  EXPECT_FALSE(tokens.append_attribute(value, "last"));
  EXPECT_EQ(tokens.attributes().size(), HtmlTokens::kMaxAttributes);
  EXPECT_FALSE(tokens.next());
}

TEST(HtmlTokens, AreAsManyAsThePagePutsThere) {
  constexpr std::size_t kMany = 1000000;
  EXPECT_EQ(count_tokens(repeated("<b>", kMany)), kMany);
  EXPECT_EQ(count_tokens(repeated("<", kMany)), 1u);
  EXPECT_EQ(count_tokens(repeated("&", kMany)), 1u);
  EXPECT_EQ(count_tokens(repeated("<!--", kMany)), 1u);
  EXPECT_EQ(count_tokens(repeated("</", kMany)), 1u);
  EXPECT_EQ(count_tokens(repeated("<a ", kMany)), 0u);
  EXPECT_EQ(count_tokens(repeated("</>", kMany)), 0u);
  EXPECT_EQ(count_tokens("<!-- " + repeated("->", kMany)), 1u);
  EXPECT_EQ(count_tokens("<" + repeated("a", kMany) + ">"), 1u);
  EXPECT_EQ(count_tokens("<a b=\"" + repeated("'>", kMany)), 0u);
}

// Each raw-text element that is never closed takes the rest of the page, so nothing is searched twice.
TEST(HtmlTokens, TakeTheRestOfThePageForAnUnclosedScript) {
  const std::string page = repeated("<script>", 1000000);
  HtmlTokens tokens;
  tokens.start(page);
  ASSERT_TRUE(tokens.next());
  tokens.enter(HtmlMode::script);
  ASSERT_TRUE(tokens.next());
  EXPECT_EQ(tokens.raw().size(), page.size() - 8);
  EXPECT_FALSE(tokens.next());
}

TEST(HtmlTokens, CoverEveryByteOfRandomMarkup) {
  constexpr std::string_view kPieces[] = {"<",    ">",         "/",   "!",          "--",   "-",      "a",     "script",
                                          " ",    "=",         "\"",  "'",          "&amp", ";",      "\r",    "\n",
                                          "\0"sv, "<![CDATA[", "]]>", "<!doctype ", "?",    "\u20AC", "&#x41", "style"};
  std::mt19937 random{5};
  HtmlTokens tokens;
  for (int round = 0; round < 3000; ++round) {
    std::string page;
    for (std::size_t k = random() % 40; k > 0; --k) page += kPieces[random() % std::size(kPieces)];
    const char* at = page.data();
    tokens.start(page, static_cast<HtmlMode>(random() % 6), "script");
    tokens.set_foreign(random() % 2 == 0);
    while (tokens.next()) {
      ASSERT_GE(tokens.raw().data(), at) << page;
      at = tokens.raw().data() + tokens.raw().size();
      ASSERT_LE(at, page.data() + page.size()) << page;
      ASSERT_LE(tokens.text().size(), 3 * tokens.raw().size()) << page;
      if (tokens.kind() == HtmlTokens::Kind::start_tag && random() % 3 == 0) tokens.enter(HtmlMode::script);
    }
    EXPECT_TRUE(tokens.rest().empty()) << page;
  }
}

std::string reference(std::string_view text, ReferenceIn where = ReferenceIn::text) {
  const Reference read = read_reference(text, where);
  return std::string{read.utf8, read.size} + "|" + std::string{text.substr(read.length)};
}

TEST(HtmlReferences, AreTheLongestNameThatFits) {
  EXPECT_EQ(reference("&notin;x"), "∉|x");
  EXPECT_EQ(reference("&notit;"), "¬|it;");
  EXPECT_EQ(reference("&amp"), "&|");
  EXPECT_EQ(reference("&hellip"), "|&hellip");
  EXPECT_EQ(reference("&AMP;"), "&|");
  EXPECT_EQ(reference("&NotEqualTilde;"), "≂̸|");
}

TEST(HtmlReferences, MayBeNumbers) {
  EXPECT_EQ(reference("&#65;"), "A|");
  EXPECT_EQ(reference("&#x20acz"), "€|z");
  EXPECT_EQ(reference("&#150;"), "–|") << "windows-1252, as browsers take it";
  EXPECT_EQ(reference("&#0;"), "\uFFFD|");
  EXPECT_EQ(reference("&#xD800;"), "\uFFFD|");
  EXPECT_EQ(reference("&#" + repeated("9", 100000) + ";"), "\uFFFD|");
  EXPECT_EQ(reference("&#x;"), "|&#x;");
  EXPECT_EQ(reference("&#"), "|&#");
}

TEST(HtmlReferences, InAnAttributeAreNotCutOutOfAWord) {
  EXPECT_EQ(reference("&copy=1", ReferenceIn::attribute), "|&copy=1");
  EXPECT_EQ(reference("&copyright", ReferenceIn::attribute), "|&copyright");
  EXPECT_EQ(reference("&copy;=1", ReferenceIn::attribute), "©|=1");
  EXPECT_EQ(reference("&copyright"), "©|right");
}

TEST(HtmlReferences, OfNoKnownNameAreText) {
  EXPECT_EQ(reference("&"), "|&");
  EXPECT_EQ(reference("& "), "|& ");
  EXPECT_EQ(reference("&\u20AC;"), "|&\u20AC;");
  EXPECT_EQ(read_reference("&" + repeated("a", 1000000), ReferenceIn::text).length, 0u);
}

TEST(HtmlDoctype, HasANameAndTwoIds) {
  const HtmlDoctype doctype = read_html_doctype(" HTML PUBLIC \"-//W3C//DTD\" 'x.dtd'", false);
  EXPECT_EQ(doctype.name, "html");
  EXPECT_EQ(doctype.public_id, "-//W3C//DTD");
  EXPECT_EQ(doctype.system_id, "x.dtd");
  EXPECT_FALSE(doctype.force_quirks);
  EXPECT_TRUE(read_html_doctype("", false).force_quirks);
}

}  // namespace
}  // namespace neardup::text
