#include "cluster/keep_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "neardup/error.h"

namespace neardup::cluster {
namespace {

using Kind = KeepRule::Kind;
using testing::HasSubstr;

std::string usage_error(std::string_view rules) {
  try {
    parse_keep_rules(rules);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage);
    return error.what();
  }
  return "no error";
}

TEST(ParseKeepRules, ReadsAListOfRules) {
  EXPECT_EQ(parse_keep_rules("longest,max:score,prefer:lang=en"),
            (std::vector<KeepRule>{{Kind::longest}, {Kind::max, "score"}, {Kind::prefer, "lang", "en"}}));
}

TEST(ParseKeepRules, IsTheInverseOfToString) {
  for (const std::string text : {"first", "last", "longest", "shortest", "max:a", "min:a.b", "newest:d", "oldest:d",
                                 "prefer:lang=en", "prefer:url=http://x/?a=b", "prefer:flag="}) {
    const auto rules = parse_keep_rules(text);
    ASSERT_EQ(rules.size(), 1u);
    EXPECT_EQ(to_string(rules[0]), text);
  }
}

TEST(ParseKeepRules, ListsTheRulesWhenItDoesNotKnowOne) {
  for (const std::string text : {"", "longst", "First", "first,", ",first", "first,,last", "max score", ":", " first"})
    EXPECT_THAT(usage_error(text), testing::AllOf(HasSubstr("is not a keep rule"), HasSubstr("prefer:FIELD=VALUE"),
                                                  HasSubstr("newest:FIELD")))
        << text;
}

TEST(ParseKeepRules, WantsAFieldWhereTheRuleNeedsOneAndNoneElsewhere) {
  for (const std::string text : {"max", "max:", "min:", "newest", "oldest:", "prefer:=en"})
    EXPECT_THAT(usage_error(text), HasSubstr("names no field")) << text;
  for (const std::string text : {"prefer", "prefer:", "prefer:lang"})
    EXPECT_THAT(usage_error(text), HasSubstr("names no value")) << text;
  for (const std::string text : {"first:x", "longest:", "last:"})
    EXPECT_THAT(usage_error(text), HasSubstr("takes no field")) << text;
}

TEST(ParseKeepRules, AuthorityTakesNoField) {
  EXPECT_EQ(parse_keep_rules("authority").front().kind, KeepRule::Kind::authority);
  EXPECT_THAT(usage_error("longest,authority:rank"), HasSubstr("takes no field"));
}

TEST(KeepTable, AuthorityComesOnceAllDocumentsAreKnown) {
  KeepTable table(parse_keep_rules("authority"));
  EXPECT_TRUE(table.wants_authority());
  for (int row = 0; row < 4; ++row) table.append(DocumentView{}, {});
  table.set_authority(std::vector<double>{0.25, -std::numeric_limits<double>::infinity(), 0.5, 0.25});
  EXPECT_TRUE(table.prefers(2, 0));
  EXPECT_TRUE(table.prefers(0, 1)) << "a missing score loses";
  EXPECT_TRUE(table.prefers(0, 3)) << "ties go to the earlier one";
  EXPECT_EQ(table.deciding_rule(2, 0), "authority");
  EXPECT_EQ(table.deciding_rule(0, 3), "first");
}

TEST(KeepTable, AuthorityOfAFieldNeedsNobodyElse) {
  KeepTable table({{.kind = KeepRule::Kind::authority, .field = "score"}});
  EXPECT_FALSE(table.wants_authority());
  const std::vector<std::string> names{"score"};
  for (const char* value : {"2", "10", "x"}) {
    const std::optional<std::string_view> fields[] = {value};
    DocumentView document;
    document.fields = fields;
    table.append(document, names);
  }
  EXPECT_TRUE(table.prefers(1, 0));
  EXPECT_TRUE(table.prefers(0, 2));
}

TEST(FieldsOf, NamesEachFieldOnce) {
  EXPECT_EQ(fields_of(parse_keep_rules("max:b,longest,newest:a,min:b")), (std::vector<std::string>{"b", "a"}));
}

// Rows with one field each, `f`.
struct Row {
  std::string text;
  std::optional<std::string> field = std::nullopt;
};

KeepTable table(std::string_view rules, const std::vector<Row>& rows) {
  KeepTable keep{parse_keep_rules(rules)};
  const std::vector<std::string> names{"unrelated", "f"};
  for (const Row& row : rows) {
    DocumentView document = row.text;
    const std::optional<std::string_view> fields[] = {std::nullopt, row.field};
    document.fields = fields;
    keep.append(document, names);
  }
  return keep;
}

// The most preferred of the rows.
std::size_t kept(std::string_view rules, const std::vector<Row>& rows) {
  const KeepTable keep = table(rules, rows);
  std::size_t best = 0;
  for (std::size_t row = 1; row < rows.size(); ++row)
    if (keep.prefers(row, best)) best = row;
  return best;
}

TEST(KeepTable, MeasuresFieldsAsTheTextThatTheyAreJoinedTo) {
  KeepTable keep{parse_keep_rules("longest")};
  const std::string_view fields[] = {"ab", "cd"};
  keep.append("abcd", {});
  keep.append(DocumentView::of_fields(fields), {});
  keep.append("ab cd", {});
  EXPECT_TRUE(keep.prefers(1, 0)) << "a newline stands between the fields";
  EXPECT_EQ(keep.deciding_rule(1, 2), "first");
}

TEST(KeepTable, KeepsTheFirstOrTheLast) {
  EXPECT_EQ(kept("first", {{"a"}, {"b"}, {"c"}}), 0u);
  EXPECT_EQ(kept("last", {{"a"}, {"b"}, {"c"}}), 2u);
}

TEST(KeepTable, CountsCodePointsNotBytes) {
  EXPECT_EQ(kept("longest", {{"ääää"}, {"abcde"}, {"𝄞𝄞"}}), 1u);
  EXPECT_EQ(kept("shortest", {{"ääää"}, {"abcde"}, {"𝄞𝄞"}}), 2u);
}

TEST(KeepTable, CountsAnEmptyTextAsShort) {
  EXPECT_EQ(kept("longest", {{""}, {"a"}}), 1u);
  EXPECT_EQ(kept("shortest", {{"a"}, {""}}), 1u);
}

TEST(KeepTable, ComparesFieldsAsNumbers) {
  const std::vector<Row> rows{{"", "9"}, {"", "10"}, {"", "-3.5e2"}, {"", "1e1"}};
  EXPECT_EQ(kept("max:f", rows), 1u);
  EXPECT_EQ(kept("min:f", rows), 2u);
}

TEST(KeepTable, ComparesFieldsAsMomentsInTime) {
  const std::vector<Row> rows{
      {"", "2024-05-01T00:00:00Z"}, {"", "2024-05-01T01:00:00+02:00"}, {"", "2024-05-01T00:00:00.5Z"}};
  EXPECT_EQ(kept("newest:f", rows), 2u);
  EXPECT_EQ(kept("oldest:f", rows), 1u);
}

TEST(KeepTable, LetsAMissingOrUnreadableValueLoseToEveryOther) {
  for (const std::string rule : {"max:f", "min:f"}) {
    EXPECT_EQ(kept(rule, {{"", std::nullopt}, {"", "-1e308"}}), 1u) << rule;
    EXPECT_EQ(kept(rule, {{"", "many"}, {"", "1e308"}}), 1u) << rule;
  }
  for (const std::string rule : {"newest:f", "oldest:f"}) {
    EXPECT_EQ(kept(rule, {{"", std::nullopt}, {"", "0000-01-01"}}), 1u) << rule;
    EXPECT_EQ(kept(rule, {{"", "yesterday"}, {"", "9999-12-31T23:59:60-23:59"}}), 1u) << rule;
  }
  EXPECT_EQ(kept("prefer:f=en", {{"", std::nullopt}, {"", "fr"}}), 1u);
}

TEST(KeepTable, AsksTheNextRuleWhenBothValuesAreMissing) {
  EXPECT_EQ(kept("max:f,longest", {{"a", std::nullopt}, {"abc", "n/a"}, {"ab", std::nullopt}}), 1u);
}

TEST(KeepTable, TreatsAFieldThatWasNotReadAsMissing) {
  EXPECT_EQ(kept("max:other,longest", {{"a", "9"}, {"ab", "1"}}), 1u);
}

TEST(KeepTable, PrefersAFieldThatEqualsTheValueExactly) {
  EXPECT_EQ(kept("prefer:f=en", {{"", "EN"}, {"", "en "}, {"", "en"}}), 2u);
  EXPECT_EQ(kept("prefer:f=1.0", {{"", "1"}, {"", "1.0"}}), 1u);
  EXPECT_EQ(kept("prefer:f=true", {{"", "false"}, {"", "true"}}), 1u);
  EXPECT_EQ(kept("prefer:f=", {{"", "x"}, {"", ""}}), 1u);
}

TEST(KeepTable, GivesTheFinalTieToTheEarliest) { EXPECT_EQ(kept("longest", {{"ab"}, {"cd"}, {"e"}}), 0u); }

TEST(KeepTable, SaysWhichRuleDecided) {
  const KeepTable keep = table("longest,max:f", {{"abc", "1"}, {"abc", "2"}, {"ab", "9"}, {"abc", "2"}});
  EXPECT_EQ(keep.deciding_rule(1, 2), "longest");
  EXPECT_EQ(keep.deciding_rule(1, 0), "max:f");
  EXPECT_EQ(keep.deciding_rule(1, 3), "first");
  EXPECT_EQ(table("last", {{"a"}, {"b"}}).deciding_rule(1, 0), "last");
}

TEST(KeepTable, TakesRowsOfBadRecordsAndValuesComputedElsewhere) {
  KeepTable keep{parse_keep_rules("longest,first,max:f")};
  keep.append_bad();
  std::vector<RuleCounts> counts = keep.no_counts();
  const auto values = keep.values_of("abc", {}, counts);
  EXPECT_EQ(values.size(), 2u);
  keep.append_values(values);
  EXPECT_TRUE(keep.prefers(1, 0));
}

TEST(KeepTable, OrdersRowsStrictlyAndTotally) {
  std::mt19937_64 random{5};
  for (const std::string rules : {"longest,max:f", "prefer:f=1,shortest", "newest:f,last", "min:f,first,longest"}) {
    std::vector<Row> rows;
    for (int i = 0; i < 24; ++i) {
      Row row{.text = std::string(random() % 3, 'x')};
      if (random() % 3) row.field = std::to_string(random() % 3);
      if (random() % 5 == 0) row.field = "2024-01-0" + std::to_string(1 + random() % 9);
      rows.push_back(row);
    }
    const KeepTable keep = table(rules, rows);
    for (DocId a = 0; a < rows.size(); ++a) {
      EXPECT_FALSE(keep.prefers(a, a));
      for (DocId b = 0; b < rows.size(); ++b) {
        EXPECT_EQ(keep.prefers(a, b) + keep.prefers(b, a), a != b);
        for (DocId c = 0; c < rows.size(); ++c)
          EXPECT_TRUE(keep.prefers(a, c) || !keep.prefers(a, b) || !keep.prefers(b, c));
      }
    }
  }
}

}  // namespace
}  // namespace neardup::cluster
