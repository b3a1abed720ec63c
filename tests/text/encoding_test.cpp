#include "text/encoding.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "base/utf8.h"

namespace neardup::text {
namespace {

using namespace std::string_literals;
using namespace std::string_view_literals;

constexpr std::string_view kNames[] = {
    "UTF-8",        "IBM866",       "ISO-8859-2",   "ISO-8859-3",   "ISO-8859-4",   "ISO-8859-5",   "ISO-8859-6",
    "ISO-8859-7",   "ISO-8859-8",   "ISO-8859-8-I", "ISO-8859-10",  "ISO-8859-13",  "ISO-8859-14",  "ISO-8859-15",
    "KOI8-R",       "KOI8-U",       "macintosh",    "windows-874",  "windows-1250", "windows-1251", "windows-1252",
    "windows-1253", "windows-1254", "windows-1255", "windows-1256", "windows-1257", "windows-1258", "x-mac-cyrillic",
    "gb18030",      "Big5",         "EUC-JP",       "ISO-2022-JP",  "Shift_JIS",    "EUC-KR",       "UTF-16BE",
    "UTF-16LE",     "UTF-32BE",     "UTF-32LE",     "ISO-2022-KR",  "ISO-2022-CN",  "HZ-GB-2312",   "IBM852"};

const Encoding& named(std::string_view label) {
  const Encoding* encoding = encoding_named(label);
  EXPECT_NE(encoding, nullptr) << label;
  return encoding != nullptr ? *encoding : utf8();
}

std::string decoded(std::string_view bytes, std::string_view label) {
  Decoder decoder;
  std::string out;
  decoder.append(out, bytes, named(label));
  return out;
}

std::string encoded(std::string_view text, std::string_view label) {
  StreamEncoder encoder{named(label)};
  std::string out;
  EXPECT_FALSE(encoder.append(out, text, true)) << label;
  return out;
}

bool is_valid(std::string_view text) {
  while (!text.empty()) {
    const base::Utf8Step step = base::utf8_step(text);
    if (!step.valid) return false;
    text.remove_prefix(step.size);
  }
  return true;
}

TEST(Encoding, IsFoundByTheLabelsOfTheWebInAnyCaseAndWithSpacesAround) {
  EXPECT_EQ(named("latin1").name, "windows-1252");
  EXPECT_EQ(named("ISO-8859-1").name, "windows-1252");
  EXPECT_EQ(named("US-ASCII").name, "windows-1252");
  EXPECT_EQ(named(" \tUtf-8\n").name, "UTF-8");
  EXPECT_EQ(named("gb2312").name, "gb18030");
  EXPECT_EQ(named("GBK").name, "gb18030");
  EXPECT_EQ(named("ks_c_5601-1987").name, "EUC-KR");
  EXPECT_EQ(named("x-sjis").name, "Shift_JIS");
  EXPECT_EQ(named("iso-8859-9").name, "windows-1254");
  EXPECT_EQ(named("utf-16").name, "UTF-16LE");
}

TEST(Encoding, IsNullForAnUnknownLabel) {
  EXPECT_EQ(encoding_named(""), nullptr);
  EXPECT_EQ(encoding_named("klingon"), nullptr);
  EXPECT_EQ(encoding_named("utf-8 utf-8"), nullptr);
  EXPECT_EQ(encoding_named(std::string(100000, 'u')), nullptr);
}

TEST(Encoding, IsFoundByItsOwnName) {
  for (const std::string_view name : kNames) EXPECT_EQ(named(name).name, name);
}

TEST(Encoding, SaysWhetherBytesCanBeCutIntoLines) {
  EXPECT_TRUE(named("utf-16be").wide);
  EXPECT_TRUE(named("utf-32le").wide);
  EXPECT_FALSE(named("shift_jis").wide);
  EXPECT_TRUE(named("shift_jis").ascii_trails);
  EXPECT_TRUE(named("gb18030").ascii_trails);
  EXPECT_TRUE(named("big5").ascii_trails);
  EXPECT_FALSE(named("euc-jp").ascii_trails);
  EXPECT_FALSE(named("windows-1251").ascii_trails);
}

TEST(ByteOrderMark, TellsTheEncodingAndItsOwnSize) {
  const auto mark = [](std::string_view bytes) {
    const Mark found = byte_order_mark(bytes);
    return std::pair{found.encoding == nullptr ? "none"sv : found.encoding->name, static_cast<unsigned>(found.size)};
  };
  EXPECT_EQ(mark("\xEF\xBB\xBFx"), (std::pair{"UTF-8"sv, 3u}));
  EXPECT_EQ(mark("\xFF\xFEx\0"sv), (std::pair{"UTF-16LE"sv, 2u}));
  EXPECT_EQ(mark("\xFE\xFF\0x"sv), (std::pair{"UTF-16BE"sv, 2u}));
  EXPECT_EQ(mark("\xFF\xFE\0\0x\0\0\0"sv), (std::pair{"UTF-32LE"sv, 4u}));
  EXPECT_EQ(mark("\0\0\xFE\xFF"sv), (std::pair{"UTF-32BE"sv, 4u}));
  EXPECT_EQ(mark("\xEF\xBB"), (std::pair{"none"sv, 0u}));
  EXPECT_EQ(mark(""), (std::pair{"none"sv, 0u}));
}

std::string_view declared(std::string_view html) {
  const Encoding* encoding = declared_in_html(html);
  return encoding == nullptr ? "none" : encoding->name;
}

TEST(Declaration, IsTheCharsetOfAMetaElement) {
  EXPECT_EQ(declared("<html><head><meta charset=koi8-r>"), "KOI8-R");
  EXPECT_EQ(declared("<META  CharSet = 'Shift_JIS' />"), "Shift_JIS");
  EXPECT_EQ(declared(R"(<meta http-equiv="Content-Type" content="text/html; charset=big5">)"), "Big5");
  EXPECT_EQ(declared(R"(<meta content='text/html;charset = "EUC-KR"' http-equiv=content-type>)"), "EUC-KR");
  EXPECT_EQ(declared("<meta charset=windows-1251"), "windows-1251");
}

TEST(Declaration, NeedsThePragmaForContent) {
  EXPECT_EQ(declared(R"(<meta content="text/html; charset=big5">)"), "none");
  EXPECT_EQ(declared(R"(<meta name=description content="charset=big5"><meta charset=utf8>)"), "UTF-8");
}

TEST(Declaration, IsNotLookedForInCommentsAttributesAndOtherTags) {
  EXPECT_EQ(declared("<!-- <meta charset=big5> --><meta charset=euc-jp>"), "EUC-JP");
  EXPECT_EQ(declared("<a title='<meta charset=big5>'><meta charset=euc-jp>"), "EUC-JP");
  EXPECT_EQ(declared("<metadata charset=big5>"), "none");
  EXPECT_EQ(declared("</meta charset=big5>"), "none");
  EXPECT_EQ(declared("<meta charset=nonsense>"), "none");
  EXPECT_EQ(declared("<!--"), "none");
  EXPECT_EQ(declared(""), "none");
}

TEST(Declaration, OfUtf16ThatCanBeReadMeansUtf8) {
  EXPECT_EQ(declared("<meta charset=utf-16>"), "UTF-8");
  EXPECT_EQ(declared("<?xml version='1.0' encoding='UTF-16'?>"), "UTF-8");
}

TEST(Declaration, IsAlsoTheEncodingOfAnXmlDeclaration) {
  EXPECT_EQ(declared("<?xml version=\"1.0\" encoding=\"ISO-8859-2\"?><html>"), "ISO-8859-2");
  EXPECT_EQ(declared("<?xml version=\"1.0\"?><meta charset=big5>"), "Big5");
  EXPECT_EQ(declared_in_xml("<meta charset=big5>"), nullptr);
  EXPECT_EQ(declared_in_xml("<\0?\0x\0"sv), encoding_named("utf-16le"));
}

TEST(Declaration, StandsInTheFirstBytesOnly) {
  EXPECT_EQ(declared(std::string(5000, ' ') + "<meta charset=big5>"), "none");
}

TEST(Decoder, ReadsWhatTheEncodingSays) {
  EXPECT_EQ(decoded("Stra\xDF"
                    "e \x80\x93",
                    "latin1"),
            "Straße €“");
  EXPECT_EQ(decoded("\xCF\xF0\xE8\xE2\xE5\xF2", "windows-1251"), "Привет");
  EXPECT_EQ(decoded("\xF0\xD2\xC9\xD7\xC5\xD4", "koi8-r"), "Привет");
  EXPECT_EQ(decoded("\x93\xFA\x96\x7B\x8C\xEA \\", "shift_jis"), "日本語 \\");
  EXPECT_EQ(decoded("\xC6\xFC\xCB\xDC\xB8\xEC", "euc-jp"), "日本語");
  EXPECT_EQ(decoded("\x1B$BF|K\\8l\x1B(B", "iso-2022-jp"), "日本語");
  EXPECT_EQ(decoded("\xD6\xD0\xCE\xC4", "gb2312"), "中文");
  EXPECT_EQ(decoded("\xA4\xA4\xA4\xE5", "big5"), "中文");
  EXPECT_EQ(decoded("\xC7\xD1\xB1\xDB", "euc-kr"), "한글");
  EXPECT_EQ(decoded("\x3D\xD8\x00\xDE"sv, "utf-16"), "😀");
}

TEST(Decoder, PutsTheReplacementCharacterForWhatIsNotValidAndSaysSo) {
  Decoder decoder;
  std::string out = "kept ";
  EXPECT_TRUE(decoder.append(out, "a\xFF\xE2\x82z", utf8()));
  EXPECT_EQ(out, "kept a\uFFFD\uFFFDz");
  out.clear();
  EXPECT_TRUE(decoder.append(out, "\x93\xFA\x96", named("shift_jis")));
  EXPECT_EQ(out, "日\uFFFD");
  out.clear();
  EXPECT_TRUE(decoder.append(out, "x\0\0\xDCy\0z"sv, named("utf-16le")));
  EXPECT_EQ(out, "x\uFFFDy\uFFFD");
  out.clear();
  EXPECT_FALSE(decoder.append(out, "\x93\xFA", named("shift_jis")));
  EXPECT_EQ(out, "日") << "what was broken before is forgotten";
}

TEST(Decoder, GivesValidUtf8ForRandomBytesInEveryEncoding) {
  std::mt19937 random{7};
  Decoder decoder;
  for (const std::string_view name : kNames) {
    for (int round = 0; round < 20; ++round) {
      std::string bytes(random() % 3000, '\0'), out;
      for (char& c : bytes) c = static_cast<char>(random());
      decoder.append(out, bytes, named(name));
      EXPECT_TRUE(is_valid(out)) << name;
      EXPECT_LE(out.size(), 8 * bytes.size() + 16) << name;
    }
  }
}

TEST(StreamDecoder, GivesTheSameWhereverThePiecesEnd) {
  std::mt19937 random{11};
  for (const std::string_view name : kNames) {
    std::string bytes = encoded("plain text, ", name);
    for (int k = 0; k < 200; ++k) bytes += static_cast<char>(random());
    std::string whole;
    StreamDecoder one{named(name)};
    const bool damaged = one.append(whole, bytes, true);
    for (int round = 0; round < 5; ++round) {
      StreamDecoder decoder{named(name)};
      std::string out;
      bool any = false;
      for (std::string_view rest = bytes; !rest.empty();) {
        const std::size_t size = std::min<std::size_t>(random() % 7, rest.size());
        any |= decoder.append(out, rest.substr(0, size), false);
        rest.remove_prefix(size);
      }
      any |= decoder.append(out, {}, true);
      EXPECT_EQ(out, whole) << name;
      EXPECT_EQ(any, damaged) << name;
    }
  }
}

TEST(StreamEncoder, IsUndoneByTheDecoder) {
  const std::vector<std::pair<std::string, std::string>> texts = {{"windows-1252", "naïve Straße – “quoted”"},
                                                                  {"windows-1251", "Съешь ещё этих булок"},
                                                                  {"shift_jis", "日本語の文"},
                                                                  {"big5", "繁體中文"},
                                                                  {"gb18030", "简体 😀"},
                                                                  {"euc-kr", "한글 글자"},
                                                                  {"utf-16le", "wide 😀"},
                                                                  {"iso-2022-jp", "a日本b"},
                                                                  {"utf-8", "日本 😀"}};
  for (const auto& [label, text] : texts) {
    StreamEncoder encoder{named(label)};
    std::string bytes;
    for (std::size_t at = 0; at < text.size(); ++at) {
      EXPECT_FALSE(encoder.append(bytes, std::string_view{text}.substr(at, 1), at + 1 == text.size())) << label;
    }
    EXPECT_EQ(decoded(bytes, label), text);
  }
}

TEST(StreamEncoder, SaysWhenSomethingCannotBeWritten) {
  StreamEncoder encoder{named("windows-1252")};
  std::string out;
  EXPECT_FALSE(encoder.append(out, "fine ", false));
  EXPECT_TRUE(encoder.append(out, "日", true));
  EXPECT_EQ(out, "fine \x1A");
}

TEST(Detection, KnowsTheUsualEncodingsOfEachLanguage) {
  const std::vector<std::pair<std::string, std::string>> texts = {
      {"windows-1252", "Die Straße führt über die Brücke; später wird sie schmäler, und größere Wagen müssen warten."},
      {"windows-1252",
       "Il était une fois, dans un royaume très éloigné, une forêt où personne n'osait pénétrer à la nuit."},
      {"windows-1250", "Příliš žluťoučký kůň úpěl ďábelské ódy a všichni lidé se šťastně smáli, když přišel večer."},
      {"windows-1251", "Съешь ещё этих мягких французских булок, да выпей чаю, пока он не остыл совсем."},
      {"koi8-r", "Съешь ещё этих мягких французских булок, да выпей чаю, пока он не остыл совсем."},
      {"koi8-u", "Щастям б'єш жук їх глицю в фон й ґедзь пріч, а потім усі йдуть додому їсти вечерю."},
      {"ibm866", "Съешь ещё этих мягких французских булок, да выпей чаю, пока он не остыл совсем."},
      {"windows-1253", "Ξεσκεπάζω την ψυχοφθόρα βδελυγμία και πηγαίνω στο σπίτι μου πριν από τη βροχή."},
      {"shift_jis", "これは日本語の文章です。文字コードを正しく判定できるかどうかを確かめます。"},
      {"euc-jp", "これは日本語の文章です。文字コードを正しく判定できるかどうかを確かめます。"},
      {"gb18030", "这是一段中文文字，用来检查程序能不能正确地认出它的编码，请大家不要担心。"},
      {"big5", "這是一段中文文字，用來檢查程式能不能正確地認出它的編碼，請大家不要擔心。"},
      {"euc-kr", "이것은 한국어로 쓴 글입니다. 프로그램이 문자 집합을 올바르게 알아내는지 확인합니다."},
      {"utf-16le", "A text without a mark in front of it."},
      {"utf-16be", "Съешь ещё этих мягких французских булок."},
      {"utf-16le", "これは日本語の文章です。文字コードを確かめます。"},
      {"utf-32le", "A text without a mark in front of it."},
  };
  for (const auto& [label, text] : texts) {
    EXPECT_EQ(decoded(encoded(text, label), detect(encoded(text, label)).name), text) << label;
  }
}

TEST(Detection, TakesDamagedUtf8ForUtf8) {
  EXPECT_EQ(detect("Съешь ещё этих мягких\xFF французских булок, да выпей ча\xD1").name, "UTF-8");
}

TEST(Detection, AnswersWindows1252WhenNothingFits) {
  EXPECT_EQ(detect("").name, "windows-1252");
  EXPECT_EQ(detect("\xFF").name, "windows-1252");
}

TEST(Detection, AlwaysGivesTheSameAnswerAndLooksAtAPartOnly) {
  std::mt19937 random{3};
  for (int round = 0; round < 30; ++round) {
    std::string bytes(random() % 2000, '\0');
    for (char& c : bytes) c = static_cast<char>(random());
    EXPECT_EQ(&detect(bytes), &detect(std::string{bytes}));
  }
  std::string text = "Stra\xDF"s + "en und Br\xFC" + "cken f\xFC" + "r gr\xF6\xDF" + "ere Wagen. ";
  while (text.size() < (64 << 10)) text += text;
  const std::string_view name = detect(text).name;
  EXPECT_EQ(detect(text + std::string(1 << 20, '\xC0')).name, name);
}

}  // namespace
}  // namespace neardup::text
