#include "io/formats/csv.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support.h"

namespace neardup::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Optional;

TEST(Csv, FindsFieldsByTheirHeader) {
  const auto all = read_bytes("a.csv", "x,text,id\n1,hello,k1\n2,bye,k2\n", {.extra_fields = {"x", "y"}});
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[1].text, "bye");
  EXPECT_EQ(all[1].key, "k2");
  EXPECT_THAT(all[1].fields, ElementsAre(Optional(std::string("2")), std::nullopt));
}

TEST(Csv, UnquotesFieldsWithSeparatorsNewlinesAndDoubledQuotes) {
  EXPECT_THAT(
      texts(read_bytes("a.csv", "id,text\n1,\"a,b\"\n2,\"say \"\"hi\"\"\"\n3,\"two\nlines\"\n4,\"\"\n5,pl\"ain\n")),
      ElementsAre("a,b", "say \"hi\"", "two\nlines", "", "pl\"ain"));
}

TEST(Csv, NumbersRowsByTheLineTheyStartOn) {
  const auto all = read_bytes("a.csv", "text\n\"a\nb\nc\"\nd\n");
  EXPECT_EQ(all[0].number, 2u);
  EXPECT_EQ(all[1].number, 5u);
}

TEST(Csv, AcceptsBothLineEnds) {
  EXPECT_THAT(texts(read_bytes("a.csv", "id,text\r\n1,a\r\n2,\"b\r\nc\"\r\n3,d")), ElementsAre("a", "b\r\nc", "d"));
}

TEST(Csv, SkipsBlankLines) { EXPECT_THAT(texts(read_bytes("a.csv", "\ntext\n\na\n\r\nb\n\n")), ElementsAre("a", "b")); }

TEST(Csv, QuotedHeadersAreNamesToo) {
  EXPECT_THAT(texts(read_bytes("a.csv", "\"my \"\"id\"\"\",\"text\"\n1,a\n")), ElementsAre("a"));
}

TEST(Csv, ReportsRowsWithAnotherNumberOfFields) {
  EXPECT_THAT(
      texts(read_bytes("a.csv", "id,text\n1\n1,a,b\n1,ok\n")),
      ElementsAre("BAD: the row has 1 field, the header 2", "BAD: the row has more fields than the header", "ok"));
}

TEST(Csv, ReportsTextBehindAClosingQuote) {
  EXPECT_THAT(texts(read_bytes("a.csv", "id,text\n1,\"a\"b\n2,ok\n")), ElementsAre(HasSubstr("closing quote"), "ok"));
}

TEST(Csv, ReportsAQuoteThatIsNeverClosed) {
  EXPECT_THAT(texts(read_bytes("a.csv", "id,text\n1,ok\n2,\"open\n3,x\n")), ElementsAre("ok", HasSubstr("not closed")));
}

TEST(Csv, AnOpenQuoteDoesNotSwallowMemory) {
  const auto all = read_bytes("a.csv", "text\nok\n\"" + std::string(100'000, 'x'), {.max_record_bytes = 1000});
  EXPECT_THAT(texts(all), ElementsAre("ok", HasSubstr("longer than 1000 bytes")));
}

TEST(Csv, AHostileRowOfSeparatorsIsOneBadRecord) {
  EXPECT_THAT(texts(read_bytes("a.csv", "id,text\n" + std::string(1'000'000, ',') + "\n")),
              ElementsAre(HasSubstr("more fields")));
}

TEST(Csv, NamesTheColumnsWhenTheTextIsNotAmongThem) {
  EXPECT_EQ(error_of([] { read_bytes("data.csv", "id,body\n1,x\n"); }, ErrorCode::input),
            "data.csv: no column \"text\"; it has: id, body; did you mean `text_fields=body`?");
  EXPECT_EQ(error_of([] { read_bytes("data.csv", "text\nx\n", {.id_field = "uid"}); }, ErrorCode::input),
            "data.csv: no column \"uid\"; it has: text");
}

TEST(Csv, RepairsInvalidUtf8) {
  const Seen seen = read_one("a.csv", "text\na\xFF\n");
  EXPECT_EQ(seen.text, "a\uFFFD");
  EXPECT_TRUE(seen.repaired);
}

TEST(Csv, JoinsSeveralTextColumns) {
  EXPECT_EQ(read_one("a.csv", "b,a\n2,1\n", {.text_fields = {{"a", "b"}}}).text, "1\n2");
}

TEST(Tsv, SeparatesWithTabs) {
  EXPECT_THAT(texts(read_bytes("a.tsv", "id\ttext\n1\ta,b\n2\t\"c\td\"\n")), ElementsAre("a,b", "c\td"));
}

TEST(Csv, WritesFieldsThatItReadsBackUnchanged) {
  for (const std::string field : {"", "plain", "a,b", "\"", "a\"b", "x\ny", "x\r\ny", " blank ", "\t"}) {
    std::string row;
    io::append_csv_field(row, field, {});
    row += ",";
    io::append_csv_field(row, field, {});
    std::vector<std::string> fields;
    EXPECT_EQ(io::split_csv_row(row, {}, 2, fields), nullptr);
    EXPECT_THAT(fields, ElementsAre(field, field));
  }
}

TEST(Csv, ReadsAnyDelimiter) {
  const ReadOptions bar{.rows = {.delimiter = '|'}};
  EXPECT_THAT(texts(read_bytes("a.csv", "id|text\n1|a,b\n2|\"c|d\"\n", bar)), ElementsAre("a,b", "c|d"));
  EXPECT_THAT(texts(read_bytes("a", "id|text\n1|x\n", bar)), ElementsAre("x")) << "who names a delimiter means rows";
}

TEST(Csv, ReadsQuotesAsTheUserSays) {
  const ReadOptions none{.rows = {.quote = Quote::none}}, single{.rows = {.quote = Quote::single_quote}};
  EXPECT_THAT(texts(read_bytes("a.tsv", "id\ttext\n1\t\"Unclosed\n2\tsay \"hi\"\n", none)),
              ElementsAre("\"Unclosed", "say \"hi\""));
  EXPECT_THAT(texts(read_bytes("a.csv", "id,text\n1,'a,b'\n2,it''s\n3,'it''s'\n", single)),
              ElementsAre("a,b", "it''s", "it's"));
}

TEST(Csv, NumbersColumnsWhereThereIsNoHeader) {
  const auto all =
      read_bytes("a.csv", "k1,one\nk2,two\n", {.rows = {.has_header = false}, .text_fields = {{"2"}}, .id_field = "1"});
  EXPECT_THAT(texts(all), ElementsAre("one", "two"));
  EXPECT_EQ(all[1].key, "k2");
  EXPECT_EQ(error_of([] { read_bytes("a.csv", "a,b\n", {.rows = {.has_header = false}}); }, ErrorCode::input),
            "a.csv: no column \"text\"; without a header, columns are called 1 to 2");
}

TEST(Csv, GuessesWhatWasMeantWhenAColumnIsMissing) {
  const auto said = [](const std::string& header, const std::string& column) {
    return error_of([&] { read_bytes("a.csv", header + "\n", {.text_fields = {{column}}}); }, ErrorCode::input);
  };
  EXPECT_THAT(said("id|name|price", "name"), HasSubstr("separated by '|' (`delimiter='|'`)"));
  EXPECT_THAT(said("id;name;price", "nme"), HasSubstr("`delimiter=';'`"));
  EXPECT_THAT(said("id\tname", "name"), HasSubstr("`delimiter=tab`"));
  EXPECT_THAT(said("id,name,price", "nme"), HasSubstr("did you mean name?"));
  EXPECT_THAT(said("id,Body,price", "text"), HasSubstr("did you mean `text_fields=Body`?"));
}

TEST(Csv, WritesRowsBackAsTheyStood) {
  const std::string rows = "1|'a|b'\r\n2|c\n";
  const ReadOptions options{.rows = {.delimiter = '|', .quote = Quote::single_quote, .has_header = false},
                            .text_fields = {{"2"}}};
  Disk disk(std::map<std::string, std::string>{{"a.csv", rows}});
  const Collection collection = disk.open("a.csv", options);
  EXPECT_EQ(write_all(collection, disk.context, "b.csv"), rows);
  EXPECT_EQ(write_all(collection, disk.context, "b.tsv"), "1\ta|b\r\n2\tc\n");
  EXPECT_EQ(write_all(collection, disk.context, "b.jsonl"), "{\"1\":\"1\",\"2\":\"a|b\"}\n{\"1\":\"2\",\"2\":\"c\"}\n");
  const io::Annotation note{"it's", "true", ""};
  EXPECT_EQ(write_all(collection, disk.context, "b.csv", &note), "1|'a|b'|'it''s'|true|\r\n2|c|'it''s'|true|\n");
}

TEST(Csv, RefusesToBeToldAboutRowsWhereThereAreNone) {
  EXPECT_THAT(
      error_of([] { read_bytes("a.jsonl", "{\"text\":\"x\"}", {.rows = {.delimiter = ';'}}); }, ErrorCode::usage),
      HasSubstr("`delimiter` is for CSV and TSV"));
  for (const char* wrong : {"", "ab", "\n", "\"", "\xC3\xA9"}) {
    EXPECT_THAT(error_of([&] { parse_delimiter(wrong); }, ErrorCode::usage), HasSubstr("`delimiter`")) << wrong;
  }
  EXPECT_EQ(parse_delimiter("\\t"), '\t');
  EXPECT_EQ(parse_delimiter("tab"), '\t');
}

}  // namespace
}  // namespace neardup::test
