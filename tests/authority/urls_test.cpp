#include "authority/urls.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/random.h"

namespace neardup::authority {
namespace {

TEST(CanonicalUrl, WritesSchemeAndHostInSmallLetters) {
  EXPECT_EQ(canonical_url("HTTP://Example.COM/Path"), "http://example.com/Path");
}

TEST(CanonicalUrl, DropsTheDefaultPortAndKeepsOthers) {
  EXPECT_EQ(canonical_url("http://a:80/"), "http://a/");
  EXPECT_EQ(canonical_url("https://a:443/"), "https://a/");
  EXPECT_EQ(canonical_url("https://a:80/"), "https://a:80/");
  EXPECT_EQ(canonical_url("http://a:/"), "http://a/");
  EXPECT_EQ(canonical_url("http://a:0080/"), "http://a/");
  EXPECT_EQ(canonical_url("http://[::1]:8080/"), "http://[::1]:8080/");
}

TEST(CanonicalUrl, DropsTheFragmentAndKeepsTheQuery) {
  EXPECT_EQ(canonical_url("http://a/b?c=d#e?f"), "http://a/b?c=d");
}

TEST(CanonicalUrl, GivesAHostWithoutPathTheRoot) {
  EXPECT_EQ(canonical_url("http://a"), "http://a/");
  EXPECT_EQ(canonical_url("http://a?b"), "http://a/?b");
}

TEST(CanonicalUrl, RemovesDotSegmentsAlsoEscapedOnes) {
  EXPECT_EQ(canonical_url("http://a/b/./c/../d"), "http://a/b/d");
  EXPECT_EQ(canonical_url("http://a/b/%2E%2e/d"), "http://a/d");
  EXPECT_EQ(canonical_url("http://a/../../b"), "http://a/b");
  EXPECT_EQ(canonical_url("http://a/b/.."), "http://a/");
  EXPECT_EQ(canonical_url("http://a/b//c"), "http://a/b//c");
}

TEST(CanonicalUrl, DecodesEscapesOfUnreservedCharactersAndCapitalisesOthers) {
  EXPECT_EQ(canonical_url("http://a/%7Eb%2fc%3a"), "http://a/~b%2Fc%3A");
}

TEST(CanonicalUrl, EscapesWhatMayNotStandAsItIs) {
  EXPECT_EQ(canonical_url("http://a/b c\"<\xC3\xA9"), "http://a/b%20c%22%3C%C3%A9");
  EXPECT_EQ(canonical_url("http://a/\xC3\xA9"), canonical_url("http://a/%c3%a9"));
}

TEST(CanonicalUrl, TakesABrokenEscapeForAPercentSign) {
  EXPECT_EQ(canonical_url("http://a/100%"), "http://a/100%25");
  EXPECT_EQ(canonical_url("http://a/%zz%4"), "http://a/%25zz%254");
}

TEST(CanonicalUrl, IgnoresWhiteSpaceAroundAndLineBreaksWithin) {
  EXPECT_EQ(canonical_url(" \n http://a/b\r\n\tc \t"), "http://a/bc");
}

TEST(CanonicalUrl, IsEmptyForWhatLeadsToNoPage) {
  for (const char* url : {"mailto:a@b.c", "JavaScript:alert(1)", "javascript://a/%0aalert(1)", "data:text/html,x",
                          "tel:123", "about:blank", "urn:isbn:1", "http:", "http:///x", "http://a b/", "http://a:b/",
                          "http://<a>/", "http://a\\b/", "", "   ", "#top"}) {
    EXPECT_EQ(canonical_url(url), "") << url;
  }
}

TEST(CanonicalUrl, IsEmptyForWhatIsTooLong) {
  EXPECT_EQ(canonical_url("http://a/" + std::string(10'000'000, 'x')), "");
  EXPECT_NE(canonical_url("http://a/" + std::string(8000, 'x')), "");
}

TEST(CanonicalUrl, OfAUrlIsItsOwn) {
  base::Random random(7);
  const std::string letters = "abAB01-._~:/?#[]@!$%25%2e..//  \xC3\xA9\x01\\\"";
  for (int i = 0; i < 20'000; ++i) {
    std::string url = "http://h/";
    for (auto n = random.below(20); n > 0; --n) url += letters[random.below(letters.size())];
    const std::string once = canonical_url(url);
    EXPECT_EQ(canonical_url(once), once) << url;
  }
}

TEST(CanonicalUrl, OfAPathHasNoDotSegmentsAndNoEmptyOnes) {
  EXPECT_EQ(canonical_url("wp/a/../b.htm"), "wp/b.htm");
  EXPECT_EQ(canonical_url("./wp//b.htm"), "wp/b.htm");
  EXPECT_EQ(canonical_url("/data/./b.htm#x"), "/data/b.htm");
  EXPECT_EQ(canonical_url("/../b.htm"), "/b.htm");
}

TEST(CanonicalUrl, OfAPathMayLeadAboveWhereItStarts) {
  EXPECT_EQ(canonical_url("../data/a/../../../b.htm"), "../../b.htm");
  EXPECT_EQ(canonical_url("a/../.."), "../");
}

TEST(CanonicalUrl, OfAPathIsTheSameHoweverOftenItIsEscaped) {
  const std::string file = "wp/%/%C3%81ed%C3%A1n.htm", link = "wp/%25/%25C3%2581ed%25C3%25A1n.htm";
  EXPECT_EQ(canonical_url(file), canonical_url(link));
  EXPECT_EQ(canonical_url("wp/\xC3\x81.htm"), canonical_url("wp/%C3%81.htm"));
  EXPECT_EQ(canonical_url("a b.htm"), canonical_url("a%20b.htm"));
  EXPECT_EQ(canonical_url("index.php?title=A"), canonical_url("index.php%3Ftitle=A"));
  EXPECT_EQ(canonical_url("C%23.htm"), "C#.htm");  // the name of the file, though not what its path means as a link
}

TEST(CanonicalUrl, DecodesManyLayersOfEscapesInLinearTime) {
  std::string url = "a%";
  for (int i = 0; i < 2000; ++i) url += "25";
  EXPECT_EQ(canonical_url(url + "41"), "aA");
}

// RFC 3986, sections 5.4.1 and 5.4.2; where they end in "/g;x=1/y" and the like nothing is left out. Fragments go.
TEST(ResolveUrl, AnswersTheExamplesOfTheStandard) {
  const std::vector<std::pair<std::string, std::string>> examples{{"g", "http://a/b/c/g"},
                                                                  {"./g", "http://a/b/c/g"},
                                                                  {"g/", "http://a/b/c/g/"},
                                                                  {"/g", "http://a/g"},
                                                                  {"//g", "http://g/"},
                                                                  {"?y", "http://a/b/c/d;p?y"},
                                                                  {"g?y", "http://a/b/c/g?y"},
                                                                  {"#s", "http://a/b/c/d;p?q"},
                                                                  {"g#s", "http://a/b/c/g"},
                                                                  {"g?y#s", "http://a/b/c/g?y"},
                                                                  {";x", "http://a/b/c/;x"},
                                                                  {"g;x", "http://a/b/c/g;x"},
                                                                  {"g;x?y#s", "http://a/b/c/g;x?y"},
                                                                  {"", "http://a/b/c/d;p?q"},
                                                                  {".", "http://a/b/c/"},
                                                                  {"./", "http://a/b/c/"},
                                                                  {"..", "http://a/b/"},
                                                                  {"../", "http://a/b/"},
                                                                  {"../g", "http://a/b/g"},
                                                                  {"../..", "http://a/"},
                                                                  {"../../", "http://a/"},
                                                                  {"../../g", "http://a/g"},
                                                                  {"../../../g", "http://a/g"},
                                                                  {"../../../../g", "http://a/g"},
                                                                  {"/./g", "http://a/g"},
                                                                  {"/../g", "http://a/g"},
                                                                  {"g.", "http://a/b/c/g."},
                                                                  {".g", "http://a/b/c/.g"},
                                                                  {"g..", "http://a/b/c/g.."},
                                                                  {"..g", "http://a/b/c/..g"},
                                                                  {"./../g", "http://a/b/g"},
                                                                  {"./g/.", "http://a/b/c/g/"},
                                                                  {"g/./h", "http://a/b/c/g/h"},
                                                                  {"g/../h", "http://a/b/c/h"},
                                                                  {"g;x=1/./y", "http://a/b/c/g;x=1/y"},
                                                                  {"g;x=1/../y", "http://a/b/c/y"},
                                                                  {"g?y/./x", "http://a/b/c/g?y/./x"},
                                                                  {"g?y/../x", "http://a/b/c/g?y/../x"}};
  for (const auto& [reference, expected] : examples) {
    EXPECT_EQ(resolve_url("http://a/b/c/d;p?q", reference), expected) << reference;
  }
}

TEST(ResolveUrl, FollowsAFullUrlWhateverThePage) {
  EXPECT_EQ(resolve_url("wp/a.htm", "https://B/c"), "https://b/c");
  EXPECT_EQ(resolve_url("mailto:x", "https://B/c"), "https://b/c");
}

TEST(ResolveUrl, TakesThePageForAFileWhenItHasNoHost) {
  EXPECT_EQ(resolve_url("wpcd/wp/a/Air.htm", "../../wp/b/Boat.htm#sails"), "wpcd/wp/b/Boat.htm");
  EXPECT_EQ(resolve_url("/srv/wp/a/Air.htm", "Ash.htm"), "/srv/wp/a/Ash.htm");
  EXPECT_EQ(resolve_url("../wp/Air.htm", "../Ash.htm"), "../Ash.htm");
  EXPECT_EQ(resolve_url("Air.htm", "Ash.htm"), "Ash.htm");
  EXPECT_EQ(resolve_url("wp/Air.htm", "#top"), "wp/Air.htm");
  EXPECT_EQ(resolve_url("wp/Air.htm", "?page=2"), "wp/Air.htm?page=2");
  EXPECT_EQ(resolve_url("wp/%/%C3%85land.htm", "../../wp/%25/%25C3%2589ire.htm"), canonical_url("wp/%/%C3%89ire.htm"));
}

TEST(ResolveUrl, LeadsNowhereFromWhatIsNoPage) {
  EXPECT_EQ(resolve_url("mailto:a@b.c", "x.htm"), "");
  EXPECT_EQ(resolve_url("http://a/" + std::string(9000, 'x'), "x.htm"), "");
}

TEST(ResolveUrl, SurvivesAnyBytes) {
  base::Random random(3);
  for (int i = 0; i < 20'000; ++i) {
    std::string base, reference;
    for (auto n = random.below(12); n > 0; --n) base += static_cast<char>(random.next());
    for (auto n = random.below(12); n > 0; --n) reference += ":/?#.%@[]ab\0 2e"[random.below(15)];
    for (const std::string& found : {resolve_url(base, reference), resolve_url(reference, base)}) {
      EXPECT_EQ(found.find('#'), std::string::npos) << found;
      const bool has_host = !host_of(found).empty();
      EXPECT_TRUE(has_host || !found.starts_with("http")) << found;
      if (has_host) {
        EXPECT_EQ(canonical_url(found), found);
      }
    }
  }
}

TEST(HostOf, IsWithoutUserAndPortInSmallLetters) {
  EXPECT_EQ(host_of("https://me:secret@WWW.Example.org:8080/x"), "www.example.org");
  EXPECT_EQ(host_of("//a/b"), "a");
  EXPECT_EQ(host_of("http://[2001:DB8::1]/"), "[2001:db8::1]");
  EXPECT_EQ(host_of("wp/a.htm"), "");
  EXPECT_EQ(host_of("mailto:a@b.c"), "");
  EXPECT_EQ(host_of(""), "");
}

}  // namespace
}  // namespace neardup::authority
