#include <gtest/gtest.h>

#include "cluster/keep_rules.h"

namespace neardup::cluster {
namespace {

std::string warning(std::string_view rule, const std::vector<std::optional<std::string>>& values) {
  KeepTable keep{parse_keep_rules(rule)};
  const std::vector<std::string> names{"f"};
  for (const auto& value : values) {
    const std::optional<std::string_view> fields[] = {value};
    DocumentView document = "text";
    document.fields = fields;
    keep.append(document, names);
  }
  return keep_warning(keep.rules().front(), keep.counts(0));
}

TEST(KeepWarning, SaysNothingOfRulesThatCanDecide) {
  for (const std::string rule : {"first", "last", "longest", "shortest"}) EXPECT_EQ(warning(rule, {{}, {}}), "");
  EXPECT_EQ(warning("max:f", {"1", "2", {}}), "");
  EXPECT_EQ(warning("newest:f", {"2024-05-01", "26-FEB-1987 15:01:01.79"}), "");
  EXPECT_EQ(warning("prefer:f=x", {"x", "y"}), "");
  EXPECT_EQ(warning("max:f", {}), "") << "nothing was read";
}

TEST(KeepWarning, CountsValuesThatCannotBeRead) {
  EXPECT_EQ(warning("newest:f", {"soon", "2024-05-01", {}}),
            "`keep=newest:f`: 1 of 2 values could not be read as dates, for example \"soon\"");
  EXPECT_EQ(warning("min:f", {"many"}),
            "`keep=min:f`: 1 of 1 value could not be read as numbers, for example \"many\"");
  std::vector<std::optional<std::string>> mostly(100, "1");
  for (int i = 0; i < 10; ++i) mostly[static_cast<std::size_t>(i)] = "x";
  EXPECT_EQ(warning("max:f", mostly), "") << "a tenth is tolerated";
  mostly[10] = "y";
  EXPECT_NE(warning("max:f", mostly), "");
}

TEST(KeepWarning, NamesAFieldThatNoneOrFewHave) {
  EXPECT_EQ(warning("max:f", {{}, {}}), "`keep=max:f`: no record has a field \"f\"");
  std::vector<std::optional<std::string>> few(1000);
  few[7] = "1";
  EXPECT_EQ(warning("oldest:f", few), "`keep=oldest:f`: only 1 of 1,000 documents have a field \"f\"");
  EXPECT_EQ(warning("prefer:f=x", {"y", "z"}),
            "`keep=prefer:f=x`: no record has the value \"x\"; the first one has \"y\"");
}

}  // namespace
}  // namespace neardup::cluster
