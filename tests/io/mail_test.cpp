#include "io/formats/mail_parts.h"

#include <gtest/gtest.h>

#include "io/support.h"
#include "support/scratch.h"

namespace neardup::io {
namespace {

std::string text_of(const std::string& message) {
  std::string all;
  for (const MailPart& part : text_parts(message)) all += "[" + part.bytes + "]";
  return all;
}

TEST(Mail, SplitsHeadersFromTheBodyAndUnfoldsThem) {
  const MailEntity mail = parse_entity("Subject: one\r\n two\r\nFrom: a@b\r\n\r\nHello\r\n");
  EXPECT_EQ(mail.header("subject"), "one two");
  EXPECT_EQ(mail.header("from"), "a@b");
  EXPECT_EQ(mail.header("to"), "");
  EXPECT_EQ(mail.body, "Hello\r\n");
}

TEST(Mail, TakesALineThatIsNoHeaderForTheBody) {
  EXPECT_EQ(parse_entity("Subject: x\nno header at all\nmore\n").body, "no header at all\nmore\n");
  EXPECT_EQ(parse_entity("").body, "");
}

TEST(Mail, DecodesBase64AndQuotedPrintable) {
  EXPECT_EQ(decode_base64("SGVs\nbG8="), "Hello");
  EXPECT_EQ(decode_base64("!!"), "");
  EXPECT_EQ(decode_quoted_printable("a=3Db=\nc=\r\nd=ZZ="), "a=bcd=ZZ=");
}

TEST(Mail, DecodesWordsInHeaders) {
  EXPECT_EQ(decode_words("=?iso-8859-1?Q?Gr=FC=DFe_aus?= =?UTF-8?B?IELDtmhtZW4=?="), "Grüße aus Böhmen");
  EXPECT_EQ(decode_words("plain =?broken"), "plain =?broken");
  EXPECT_EQ(decode_words("=?no-such-charset?Q?x?="), "=?no-such-charset?Q?x?=");
}

TEST(Mail, PrefersThePlainAlternativeAndLeavesOutAttachments) {
  const std::string mail =
      "Content-Type: multipart/mixed; boundary=\"x\"\n\npreamble\n--x\n"
      "Content-Type: multipart/alternative; boundary=y\n\n--y\nContent-Type: text/plain\n\nplain\n"
      "--y\nContent-Type: text/html\n\n<p>html\n--y--\n"
      "--x\nContent-Type: text/plain\nContent-Disposition: attachment\n\nsecret\n"
      "--x\nContent-Type: image/png\n\nbytes\n--x\n\nlast\n--x--\nepilogue\n";
  EXPECT_EQ(text_of(mail), "[plain\n][last\n]");
}

TEST(Mail, TakesAMultipartWithoutBoundaryAsText) {
  EXPECT_EQ(text_of("Content-Type: multipart/mixed\n\nwords\n"), "[words\n]");
}

TEST(Mail, EntersNestedMessagesOnlyAFewLevelsDeep) {
  std::string mail = "Subject: x\n\ninnermost\n";
  for (int i = 0; i < 100; ++i) mail = "Content-Type: message/rfc822\n\n" + mail;
  EXPECT_EQ(text_of(mail), "");
  EXPECT_EQ(text_of("Content-Type: message/rfc822\n\nSubject: x\n\ninner\n"), "[inner\n]");
}

constexpr std::string_view kMbox =
    "From a@b Mon Jan  1 00:00:00 2007\nSubject: first\nX-Id: 1\n\nMail\n>From here\n\n"
    "From c@d Tue Jan  2 00:00:00 2007\nSubject: =?utf-8?Q?z=C3=BCrich?=\nX-Id: 2\nContent-Type: text/html; "
    "charset=iso-8859-1\n\n<p>caf\xE9<script>x</script>\n\n"
    "From e@f Wed Jan  3 00:00:00 2007\n\nno headers\n";

TEST(Mbox, CutsMessagesAtSeparatorsBehindBlankLines) {
  for (const std::size_t batch_bytes : {std::size_t{1}, std::size_t{7}, std::size_t{64}, std::size_t{1} << 20}) {
    const auto seen = test::read_bytes("mail.mbox", std::string(kMbox),
                                       {.id_field = "X-Id", .extra_fields = {"subject"}}, batch_bytes);
    ASSERT_EQ(seen.size(), 3u) << batch_bytes;
    EXPECT_EQ(seen[0].key, "1");
    EXPECT_EQ(seen[0].text, "Mail\nFrom here\n");
    EXPECT_EQ(seen[0].number, 1u);
    EXPECT_EQ(seen[1].text, "café");
    EXPECT_EQ(seen[1].fields[0], "zürich");
    EXPECT_EQ(seen[1].number, 8u);
    EXPECT_EQ(seen[2].reason, "not a mail: it has no headers");
  }
}

TEST(Mbox, IsRecognisedByItsContent) {
  const auto seen = test::read_bytes("inbox", "From a Mon Jan  1 00:00:00 2007\nFrom: a\nSubject: s\n\nbody\n");
  ASSERT_EQ(seen.size(), 1u);
  EXPECT_EQ(seen[0].text, "body");
  EXPECT_EQ(test::read_one("letter", "From where I stand\n").text, "From where I stand\n");
}

TEST(Mbox, GivesBackEveryByte) {
  test::Disk disk({{"m.mbox", std::string(kMbox)}});
  EXPECT_EQ(test::write_all(disk.open("m.mbox"), disk.context, "out.mbox"), kMbox);
}

TEST(Mbox, FindsTheNextMessageBehindOneThatIsTooLong) {
  const std::string mbox = "From a\nA: b\n\n" + std::string(500, 'x') + "\n\nFrom b\nA: b\n\nshort\n";
  for (std::size_t batch_bytes = 16; batch_bytes < 80; ++batch_bytes) {
    const auto seen = test::read_bytes("m.mbox", mbox, {.max_record_bytes = 100}, batch_bytes);
    ASSERT_EQ(seen.size(), 2u);
    EXPECT_NE(seen[0].reason, "");
    EXPECT_EQ(seen[1].text, "short");
  }
}

TEST(Eml, IsAFileWithHeadersAsFields) {
  const auto seen = test::read_one("a.eml", "Subject: hello\nDate: today\n\nbody", {.extra_fields = {"Date", "title"}});
  EXPECT_EQ(seen.text, "body");
  EXPECT_EQ(seen.fields[0], "today");
  EXPECT_EQ(seen.fields[1], "hello");
}

TEST(Eml, ReadsNamedHeadersAsTextToo) {
  const auto seen = test::read_one("a.eml", "Subject: hello\n\nbody", {.text_fields = {{"subject", "text"}}});
  EXPECT_EQ(seen.text, "hello\nbody");
}

}  // namespace
}  // namespace neardup::io
