// Folding equals a plain reading of the definition: normalise the whole text with ICU, then look at one code point
// after the other.
#include "text/fold.h"

#include <gtest/gtest.h>
#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>
#include <unicode/uscript.h>

#include <random>
#include <string>
#include <thread>
#include <vector>

#include "base/utf8.h"
#include "simd/dispatch.h"

namespace neardup::text {
namespace {

std::string utf8(const std::u32string& code_points) {
  std::string out;
  for (const char32_t c : code_points) {
    char bytes[4];
    out.append(bytes, base::encode(c, bytes));
  }
  return out;
}

bool written_without_spaces(UChar32 c) {
  UErrorCode status = U_ZERO_ERROR;
  const UScriptCode script = uscript_getScript(c, &status);
  for (const UScriptCode spaceless :
       {USCRIPT_HAN, USCRIPT_HIRAGANA, USCRIPT_KATAKANA, USCRIPT_THAI, USCRIPT_LAO, USCRIPT_KHMER, USCRIPT_MYANMAR}) {
    if (script == spaceless) return true;
  }
  return false;
}

// The words of a text (Spacing::words), or its folded form cut at spaces (Spacing::plain), in the plainest way.
std::vector<std::string> expected(const std::u32string& text, Spacing spacing) {
  UErrorCode status = U_ZERO_ERROR;
  const icu::UnicodeString folded = icu::Normalizer2::getNFKCCasefoldInstance(status)->normalize(
      icu::UnicodeString::fromUTF32(reinterpret_cast<const UChar32*>(text.data()), static_cast<int>(text.size())),
      status);
  std::vector<std::string> words;
  bool open = false;      // the next letter or mark continues the last word
  bool own_word = false;  // the last word is one of a spaceless script: only marks continue it
  for (int i = 0; i < folded.length(); i = folded.moveIndex32(i, 1)) {
    const UChar32 c = folded.char32At(i);
    const std::uint32_t category = U_GET_GC_MASK(c);
    if ((category & (U_GC_L_MASK | U_GC_M_MASK | U_GC_N_MASK)) == 0) {
      open = own_word = false;
      continue;
    }
    const bool mark = (category & U_GC_M_MASK) != 0;
    const bool spaceless = !mark && spacing == Spacing::words && written_without_spaces(c);
    if (!open || (!mark && (spaceless || own_word))) {
      words.emplace_back();
      own_word = spaceless;
    }
    open = true;
    words.back() += utf8({static_cast<char32_t>(c)});
  }
  return words;
}

std::vector<std::string> actual(const std::u32string& text, Folder& folder) {
  const std::string bytes = utf8(text);
  std::vector<std::string> words;
  bool open = false;
  for (const char c : folder.fold(bytes)) {
    if (c == ' ') {
      open = false;
      continue;
    }
    if (!open) words.emplace_back();
    open = true;
    words.back() += c;
  }
  return words;
}

std::string shown(const std::u32string& text) {
  std::string out;
  char hex[16];
  for (const char32_t c : text) {
    std::snprintf(hex, sizeof hex, "U+%04X ", static_cast<unsigned>(c));
    out += hex;
  }
  return out;
}

class Folding : public testing::TestWithParam<Spacing> {
 protected:
  Folding() {
    for (const neardup_kernels* set : simd::available()) folders_.emplace_back(GetParam(), *set);
  }
  // Only the vectors over ASCII differ between sets, so that checks of single code points need one.
  void check(const std::u32string& text) {
    ASSERT_EQ(actual(text, folders_.back()), expected(text, GetParam())) << shown(text);
  }
  void check_every_set(const std::u32string& text) {
    const auto wanted = expected(text, GetParam());
    for (Folder& folder : folders_) ASSERT_EQ(actual(text, folder), wanted) << shown(text);
  }
  void check_all_code_points(const std::u32string& before, const std::u32string& after) {
    for (char32_t c = 0; c <= 0x10FFFF; ++c) {
      if (c >= 0xD800 && c <= 0xDFFF) continue;
      check(before + std::u32string(1, c) + after);
      if (HasFatalFailure()) return;
    }
  }
  std::vector<Folder> folders_;
};

TEST_P(Folding, AgreesWithIcuOnEveryCodePointAlone) { check_all_code_points(U"", U""); }
TEST_P(Folding, AgreesWithIcuOnEveryCodePointBetweenLetters) { check_all_code_points(U"x", U"y"); }
TEST_P(Folding, AgreesWithIcuOnEveryCodePointBeforeACombiningMark) { check_all_code_points(U"", U"\u0301"); }
TEST_P(Folding, AgreesWithIcuOnEveryCodePointBeforeAMarkBelow) { check_all_code_points(U"a", U"\u0323b"); }
TEST_P(Folding, AgreesWithIcuOnEveryCodePointAfterAnAcute) { check_all_code_points(U"E\u0301", U"\u0327"); }
TEST_P(Folding, AgreesWithIcuOnEveryCodePointAfterAHanCharacter) { check_all_code_points(U"\u6F22", U"z"); }
TEST_P(Folding, AgreesWithIcuOnEveryCodePointAfterAThaiCharacterWithAMark) {
  check_all_code_points(U"\u0E01\u0E48", U"\u0E38");
}
TEST_P(Folding, AgreesWithIcuOnEveryCodePointAfterAHangulSyllable) { check_all_code_points(U"\uAC00", U"\u11A8"); }

// Code points whose neighbours matter, and ordinary ones around them.
std::u32string pool() {
  std::u32string all =
      U"abzAZ059 .,<>=\n\u00E9\u00C5\u00DF\u00BD\u2019\u201C\u2026\u00AD\u200B\u200D\uFE0F\uFEFF\u034F";
  all += U"\u0300\u0301\u0308\u0323\u0327\u0328\u0338\u0345\u0344\u0340\u0591\u05B0\u0315\u031B\u1DCE\u20D0";
  all += U"\u1100\u1161\u11A8\u11A7\uAC00\uAC01\uD55C\u3131\uFFA1\u115F\u1160";
  all += U"\u4E00\u6F22\u3042\u30AB\u3099\u309A\uFF76\uFF9E\u30FC\u3300\u3316\uF900\U00020000\U0002F800";
  all += U"\u0E01\u0E33\u0E48\u0E38\u0E3A\u0EB3\u1780\u17B6\u17D2\u1000\u1031\u1037\u1039\u17B4";
  all += U"\u0915\u093C\u094D\u0958\u09C7\u09BE\u0DD9\u0DCF\u0DCA\u0CC6\u0CC2\u0CD5\u0B47\u0B56";
  all += U"\U00011131\U00011127\U000110A5\U000110BA\U0001D15E\U0001D165\U0001D16E\U0001F600\U0001F1E9\U000E0041";
  all +=
      U"\u0391\u03B1\u1FB3\u1F80\u03C9\u0130\u0131\uFB03\uFDFA\uFDFB\uFEFB\u0627\u0653\u0654\u0F71\u0F72\u0F74\u0F73";
  all += U"\uFFFD\uFFFF\U0010FFFF\u00A0\u3000\u2126\u212B\u1E9B\u0378";
  return all;
}

TEST_P(Folding, AgreesWithIcuOnEveryPairAndManyTriplesOfInteractingCodePoints) {
  const std::u32string all = pool();
  for (const char32_t a : all) {
    for (const char32_t b : all) {
      ASSERT_NO_FATAL_FAILURE(check({a, b}));
      ASSERT_NO_FATAL_FAILURE(check({U'e', a, b, 0x0301}));
    }
  }
}

TEST_P(Folding, AgreesWithIcuOnRandomMixtures) {
  const std::u32string all = pool();
  std::mt19937_64 random{11};
  for (int round = 0; round < 30000; ++round) {
    std::u32string text;
    const std::size_t pieces = 1 + random() % 12;
    for (std::size_t i = 0; i < pieces; ++i) {
      switch (random() % 4) {
        case 0:
          for (std::size_t k = random() % 100; k != 0; --k) text += static_cast<char32_t>(random() % 128);
          break;
        case 1:
          for (std::size_t k = random() % 8; k != 0; --k) text += static_cast<char32_t>(0x300 + random() % 0x70);
          break;
        case 2:
          text += static_cast<char32_t>(random() % 0xD800);
          break;
        default:
          for (std::size_t k = random() % 6; k != 0; --k) text += all[random() % all.size()];
      }
    }
    ASSERT_NO_FATAL_FAILURE(check_every_set(text));
  }
}

TEST_P(Folding, AgreesWithIcuOnALongRunOfUnorderedMarks) {
  std::u32string text = U"a";
  for (int i = 0; i < 2000; ++i) text += i % 3 == 0 ? U'\u0323' : i % 3 == 1 ? U'\u0301' : U'\u0338';
  check(text + U"b");
}

TEST_P(Folding, TakesTextThatGrowsWhenFolded) {
  std::u32string text;
  for (int i = 0; i < 1000; ++i) text += U"\uFDFA\u3316\u6F22a\u0E01";
  check_every_set(text);
}

// Quadratic work would take hours here.
TEST_P(Folding, StaysFastOnMillionsOfMarks) {
  std::string marks = "a";
  for (int i = 0; i < 1000000; ++i) marks += i % 2 == 0 ? "\u0301" : "\u0323";
  EXPECT_GT(folders_.back().fold(marks).size(), 1900000u);
}

TEST_P(Folding, FoldsTheSameAfterGivingMemoryBack) {
  const std::string text = "Caf\u00E9 e\u0301";
  Folder& folder = folders_.back();
  const std::string before{folder.fold(text)};
  folder.shrink(0);
  EXPECT_EQ(folder.fold(text), before);
}

TEST_P(Folding, ReadsInvalidBytesAsSeparatorsAndNothingPastTheEnd) {
  std::mt19937_64 random{3};
  for (int round = 0; round < 20000; ++round) {
    std::vector<char> text(1 + random() % 40);
    for (char& c : text) c = static_cast<char>(random());
    std::string repaired;
    for (const char *at = text.data(), *end = at + text.size(); at != end;) repaired += utf8({base::decode(at, end)});
    const std::string folded{folders_.back().fold({text.data(), text.size()})};
    ASSERT_EQ(folded, folders_.back().fold(repaired));
  }
}

TEST_P(Folding, GivesEveryThreadTheSameWhileTheTableIsBeingMade) {
  std::u32string all;
  for (char32_t c = 0x80; c < 0x30000; c += 61) {
    if (c < 0xD800 || c > 0xDFFF) all += c;
  }
  const std::string text = utf8(all);
  std::vector<std::string> folded(4);
  std::vector<std::thread> threads;
  for (std::string& out : folded) {
    threads.emplace_back([&out, &text] { out = Folder{GetParam(), simd::kernels()}.fold(text); });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::string& out : folded) EXPECT_EQ(out, folded[0]);
}

INSTANTIATE_TEST_SUITE_P(Text, Folding, testing::Values(Spacing::words, Spacing::plain),
                         [](const auto& mode) { return mode.param == Spacing::words ? "Words" : "Plain"; });

TEST(Utf8, DecodesWhatItEncodes) {
  for (char32_t c = 0; c <= 0x10FFFF; ++c) {
    if (c >= 0xD800 && c <= 0xDFFF) continue;
    const std::string bytes = utf8({c});
    const char* at = bytes.data();
    ASSERT_EQ(base::decode(at, at + bytes.size()), c);
    ASSERT_EQ(at, bytes.data() + bytes.size());
  }
}

TEST(Utf8, TakesNoOverlongFormNoSurrogateAndNothingBeyondUnicode) {
  for (const std::string& bytes :
       {std::string{"\xC0\x80"}, std::string{"\xC1\xBF"}, std::string{"\xE0\x9F\xBF"}, std::string{"\xED\xA0\x80"},
        std::string{"\xF0\x8F\xBF\xBF"}, std::string{"\xF4\x90\x80\x80"}, std::string{"\xF8\x88\x80\x80"}}) {
    const char* at = bytes.data();
    EXPECT_EQ(base::decode(at, at + bytes.size()), base::kReplacement);
    EXPECT_EQ(at, bytes.data() + 1);
  }
}

}  // namespace
}  // namespace neardup::text
