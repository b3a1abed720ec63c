#include "text/language.h"

#include <unicode/uchar.h>
#include <unicode/uscript.h>

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/utf8.h"
#include "simd/dispatch.h"
#include "text/fold.h"
#include "text/stop_words.h"

namespace neardup::text {
namespace {

constexpr std::size_t kMostBytes = 64u << 10;
constexpr std::size_t kLeastLanguageWords = 8;  // fewer say too little
constexpr double kLeastShare = 0.12;      // of the words are function words in running text of any of these languages
constexpr double kClearlyAhead = 1.3;     // of the next language
constexpr std::size_t kSmallSample = 40;  // words; below that the lead must be larger
constexpr double kLeadOfFew = 1.6;

// Languages without a list for `stop_words`: enough frequent words to recognise them.
constexpr std::array<StopWordList, 9> kMoreLists{{
    {"pl", "polish",
     "i w na z do się nie że to jest o jak po co ale od za przez był była było są tego tym który która które dla"
     " oraz czy już tylko ich jego jej może także przy ten ta te we ze"},
    {"cs", "czech",
     "a v na se je že s z do o i to k ve pro za by jako po ale nebo jsou byl byla bylo který která které"
     " tak od jeho při aby co však už jen ze není také si"},
    {"hu", "hungarian",
     "a az és hogy nem is egy volt meg ez csak de ha vagy mint már még ki mi azt ezt ezek nagyon"
     " után el van lehet kell minden fel le be"},
    {"tr", "turkish",
     "ve bir bu da de için ile olarak çok daha gibi en ne olan o ya ama kadar sonra var mi her değil"
     " ki olduğu tarafından ise hem"},
    {"ro", "romanian",
     "și în de la cu pe nu este o un din că a al ale care pentru mai prin sau sunt fost ca după când"
     " dar fi lui se au"},
    {"id", "indonesian",
     "yang dan di dengan untuk pada dari dalam ini itu tidak akan oleh ke adalah sebagai juga bahwa"
     " atau telah karena mereka dapat lebih ada saya"},
    {"vi", "vietnamese",
     "và của là có được cho không trong các một những với này đã người để khi về từ cũng như đến"
     " ra tại vào"},
    {"uk", "ukrainian",
     "і в на не що з до та це як за у він вона його від для але про який яка які було був бути або"
     " також є ще"},
    {"bg", "bulgarian",
     "и на в да се за от не с че е по като са това до си или които му към един която през той"
     " след има бе"},
}};

struct LanguageName {
  std::string_view code, name;
};
constexpr std::array kLanguageNames = std::to_array<LanguageName>({
    {"ar", "Arabic"},     {"bg", "Bulgarian"},  {"cs", "Czech"},    {"da", "Danish"},    {"de", "German"},
    {"el", "Greek"},      {"en", "English"},    {"es", "Spanish"},  {"fa", "Persian"},   {"fi", "Finnish"},
    {"fr", "French"},     {"he", "Hebrew"},     {"hi", "Hindi"},    {"hu", "Hungarian"}, {"hy", "Armenian"},
    {"id", "Indonesian"}, {"it", "Italian"},    {"ja", "Japanese"}, {"ka", "Georgian"},  {"km", "Khmer"},
    {"ko", "Korean"},     {"lo", "Lao"},        {"my", "Burmese"},  {"nl", "Dutch"},     {"no", "Norwegian"},
    {"pl", "Polish"},     {"pt", "Portuguese"}, {"ro", "Romanian"}, {"ru", "Russian"},   {"sv", "Swedish"},
    {"ta", "Tamil"},      {"th", "Thai"},       {"tr", "Turkish"},  {"uk", "Ukrainian"}, {"vi", "Vietnamese"},
    {"zh", "Chinese"},
});

// Function words of all languages: a bit for each language that has the word.
struct WordTable {
  std::vector<std::string_view> codes;
  std::unordered_map<std::string, std::uint32_t> languages;

  WordTable() {
    for (const StopWordList& list : stop_word_lists()) add(list);
    for (const StopWordList& list : kMoreLists) add(list);
  }
  void add(const StopWordList& list) {
    const std::uint32_t bit = 1u << codes.size();
    codes.push_back(list.code);
    constexpr std::string_view kBlank = " \t\r\n";
    for (std::size_t at = list.words.find_first_not_of(kBlank); at != list.words.npos;) {
      const std::size_t end = std::min(list.words.find_first_of(kBlank, at), list.words.size());
      languages[std::string(list.words.substr(at, end - at))] |= bit;
      at = list.words.find_first_not_of(kBlank, end);
    }
  }
};

const WordTable& word_table() {
  static const WordTable table;
  return table;
}

char32_t decode(std::string_view character) {
  const auto lead = static_cast<unsigned char>(character.front());
  if (character.size() == 1) return lead;
  char32_t point = lead & (0x7Fu >> character.size());
  for (const char next : character.substr(1)) point = point << 6 | (static_cast<unsigned char>(next) & 0x3Fu);
  return point;
}

struct LetterCounts {
  std::map<UScriptCode, std::size_t> by_script;
  std::size_t letters = 0, persian = 0;

  explicit LetterCounts(std::string_view text) {
    while (!text.empty()) {
      const base::Utf8Step step = base::utf8_step(text);
      if (step.valid) add(decode(text.substr(0, step.size)));
      text.remove_prefix(step.size);
    }
  }
  void add(char32_t point) {
    const auto c = static_cast<UChar32>(point);
    if (!u_isalpha(c)) return;
    UErrorCode error = U_ZERO_ERROR;
    const UScriptCode script = uscript_getScript(c, &error);
    if (U_FAILURE(error) != 0 || script == USCRIPT_COMMON || script == USCRIPT_INHERITED) return;
    ++letters;
    ++by_script[script];
    persian += point == 0x067E || point == 0x0686 || point == 0x0698 || point == 0x06AF ? 1 : 0;
  }
  [[nodiscard]] std::size_t of(UScriptCode script) const {
    const auto found = by_script.find(script);
    return found == by_script.end() ? 0 : found->second;
  }
  // Chinese characters with kana between them are Japanese.
  [[nodiscard]] std::size_t kana() const { return of(USCRIPT_HIRAGANA) + of(USCRIPT_KATAKANA); }
};

std::string by_function_words(std::string_view text) {
  Folder folder(Spacing::words, simd::kernels());
  const std::string_view folded = folder.fold(text);
  const WordTable& table = word_table();
  std::vector<double> hits(table.codes.size()), weights(table.codes.size());  // a word of many languages weighs little
  std::size_t words = 0;
  for (std::size_t at = folded.find_first_not_of(' '); at != folded.npos;) {
    const std::size_t end = std::min(folded.find(' ', at), folded.size());
    const auto found = table.languages.find(std::string(folded.substr(at, end - at)));
    ++words;
    if (found != table.languages.end()) {
      for (std::size_t i = 0; i < hits.size(); ++i) {
        if ((found->second >> i & 1) == 0) continue;
        hits[i] += 1;
        weights[i] += 1.0 / std::popcount(found->second);
      }
    }
    at = folded.find_first_not_of(' ', end);
  }
  if (words < kLeastLanguageWords) return {};
  const auto best = static_cast<std::size_t>(std::ranges::max_element(weights) - weights.begin());
  double second = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) second = i == best ? second : std::max(second, weights[i]);
  const double lead = words < kSmallSample ? kLeadOfFew : kClearlyAhead;
  if (hits[best] < kLeastShare * static_cast<double>(words) || weights[best] < lead * second) return {};
  return std::string(table.codes[best]);
}

std::string language_of(UScriptCode script, const LetterCounts& counts, std::string_view text) {
  switch (script) {
    case USCRIPT_HIRAGANA:
    case USCRIPT_KATAKANA:
      return "ja";
    case USCRIPT_HAN:
      return counts.kana() * 20 >= counts.letters ? "ja" : counts.letters >= kLeastLanguageWords ? "zh" : "";
    case USCRIPT_HANGUL:
      return "ko";
    case USCRIPT_THAI:
      return "th";
    case USCRIPT_LAO:
      return "lo";
    case USCRIPT_KHMER:
      return "km";
    case USCRIPT_MYANMAR:
      return "my";
    case USCRIPT_GREEK:
      return "el";
    case USCRIPT_HEBREW:
      return "he";
    case USCRIPT_ARMENIAN:
      return "hy";
    case USCRIPT_GEORGIAN:
      return "ka";
    case USCRIPT_TAMIL:
      return "ta";
    case USCRIPT_ARABIC:
      return counts.persian * 100 >= counts.letters ? "fa" : "ar";
    case USCRIPT_LATIN:
    case USCRIPT_CYRILLIC:
      return by_function_words(text);
    default:
      return {};
  }
}

}  // namespace

LanguageGuess guess_language(std::string_view utf8) {
  const std::string_view text = base::cut_to_code_point(utf8, kMostBytes);
  const LetterCounts counts(text);
  if (counts.letters == 0) return {};
  const auto most = std::ranges::max_element(counts.by_script, {}, [](const auto& entry) { return entry.second; });
  // A text in which no script has a clear majority has no language.
  const bool is_clear =
      most->second * 2 > counts.letters || counts.kana() + counts.of(USCRIPT_HAN) * 2 > counts.letters;
  return {.script = uscript_getName(most->first),
          .language = is_clear ? language_of(most->first, counts, text) : std::string()};
}

std::string language_name(std::string_view code) {
  const auto* const found = std::ranges::find(kLanguageNames, code, &LanguageName::code);
  return std::string(found == kLanguageNames.end() ? code : found->name);
}

}  // namespace neardup::text
