#include "base/json.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "base/json_writer.h"

namespace neardup::base {
namespace {

std::string as_json(std::string_view text) {
  std::string out;
  append_json_string(out, text);
  return out;
}

TEST(JsonString, EscapesWhatJsonDemandsAndNothingElse) {
  EXPECT_EQ(as_json(""), "\"\"");
  EXPECT_EQ(as_json("a/b <é> 東京 😀 \x7f"), "\"a/b <é> 東京 😀 \x7f\"");
  EXPECT_EQ(as_json("\"\\"), "\"\\\"\\\\\"");
  EXPECT_EQ(as_json("\n\r\t"), "\"\\n\\r\\t\"");
}

TEST(JsonString, EscapesEveryControlCharacter) {
  for (int byte = 0; byte < 0x20; ++byte) {
    const std::string text = as_json(std::string("a") + static_cast<char>(byte) + "b");
    EXPECT_EQ(text.substr(0, 3), "\"a\\") << byte;
    EXPECT_TRUE(text.ends_with("b\"")) << byte;
  }
  EXPECT_EQ(as_json(std::string("\0", 1)), "\"\\u0000\"");
  EXPECT_EQ(as_json("\x1f"), "\"\\u001f\"");
}

TEST(JsonString, AppendsToWhatIsThere) {
  std::string out = "x:";
  append_json_string(out, "y");
  EXPECT_EQ(out, "x:\"y\"");
}

TEST(JsonWriter, WritesAnObjectWithEveryKindOfMember) {
  JsonWriter json;
  json.begin_object();
  json.member("text", "a\"b");
  json.members({{"yes", true}, {"no", false}, {"largest", UINT64_MAX}, {"smallest", -1}, {"number", 0.1}});
  json.members({{"nothing", std::optional<double>()}, {"something", std::optional<double>(2)}});
  json.members({{"seconds", JsonValue::rounded(1.5, 3)}, {"raw", JsonValue::raw("[1]")}});
  json.strings("list", std::vector<std::string>{"x", "y"});
  json.end_object();
  EXPECT_EQ(json.text(), R"({
  "text": "a\"b",
  "yes": true,
  "no": false,
  "largest": 18446744073709551615,
  "smallest": -1,
  "number": 0.1,
  "nothing": null,
  "something": 2,
  "seconds": 1.500,
  "raw": [1],
  "list": [
    "x",
    "y"
  ]
}
)");
}

TEST(JsonWriter, WritesEmptyObjectsAndArraysOnOneLine) {
  JsonWriter json;
  json.begin_object();
  json.begin_object("object");
  json.end_object();
  json.begin_array("array");
  json.end_array();
  json.strings("strings", {});
  json.end_object();
  EXPECT_EQ(json.text(), "{\n  \"object\": {},\n  \"array\": [],\n  \"strings\": []\n}\n");
}

TEST(JsonWriter, PutsACommaAfterANestedObject) {
  JsonWriter json;
  json.objects("", std::vector{1, 2}, [&](int a) { json.member("a", a); });
  EXPECT_EQ(json.text(), "[\n  {\n    \"a\": 1\n  },\n  {\n    \"a\": 2\n  }\n]\n");
}

TEST(JsonWriter, PrintsTheShortestNumberThatReadsBackAsTheSame) {
  for (const double value : {0.0, 1.0, 0.97, 1.0 / 3, 1e-300, 123456789.125}) {
    JsonWriter json;
    json.member("", value);
    EXPECT_EQ(std::stod(json.text()), value);
  }
  JsonWriter json;
  json.member("", 0.3);
  EXPECT_EQ(json.text(), "0.3");
}

}  // namespace
}  // namespace neardup::base
