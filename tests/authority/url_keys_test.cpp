#include "authority/url_keys.h"

#include <gtest/gtest.h>

#include "neardup/error.h"

namespace neardup::authority {
namespace {

TEST(UrlKeys, DropWhatDoesNotChangeThePage) {
  const UrlRules rules = default_url_rules();
  const std::string key = url_key("http://a.org/p?a=1&b=2", rules);
  for (const char* url : {"HTTP://A.ORG:80/p?b=2&a=1", "http://a.org/x/../p?b=2&&a=1&#f", " http://a.org/p?a=1&b=2\n",
                          "http://a.org/p?UTM_Source=x&a=1&gclid=&b=2", "http://a.org/%70?a=1&b=2"})
    EXPECT_EQ(url_key(url, rules), key) << url;
  for (const char* url : {"https://a.org/p?a=1&b=2", "http://a.org/P?a=1&b=2", "http://a.org/p/?a=1&b=2",
                          "http://www.a.org/p?a=1&b=2", "http://a.org/p?a=1", "http://a.org:81/p?a=1&b=2"})
    EXPECT_NE(url_key(url, rules), key) << url;
  EXPECT_EQ(url_key("http://a.org/?utm_source=x", rules), url_key("http://a.org", rules));
  EXPECT_EQ(url_key(" mailto:x ", rules), "mailto:x");
}

TEST(UrlKeys, HaveRulesOfOnesOwn) {
  const UrlRules rules =
      parse_url_rules("ignore-www # a\n\nignore-scheme\r\nignore-slash\nignore-case\ndrop Sid x_*\nkeep utm_id", "r");
  EXPECT_EQ(url_key("https://www.a.org/P/?SID=1&x_1=2&utm_id=3", rules), url_key("http://a.org/p?utm_id=3", rules));
  EXPECT_EQ(url_key("http://a.org/?a=1", parse_url_rules("drop-query", "r")), "http://a.org/");
  EXPECT_EQ(url_key("http://a.org/?utm_id=1", parse_url_rules("no-defaults", "r")), "http://a.org/?utm_id=1");
  for (const char* wrong : {"drop", "ignore-www yes", "forget a"})
    EXPECT_THROW(parse_url_rules(wrong, "r"), Error) << wrong;
}

}  // namespace
}  // namespace neardup::authority
