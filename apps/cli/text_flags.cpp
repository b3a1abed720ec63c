#include "text_flags.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "flags.h"
#include "neardup/choice.h"
#include "neardup/error.h"
#include "neardup/text_rules.h"
#include "words.h"

namespace neardup::cli {
namespace {

// The end of a sentence about a language that is not there. Codes are too short to be near each other.
std::string suggestion(const std::string& word, const std::vector<std::string>& languages) {
  const std::string near = word.size() < 3 ? "" : nearest(word, languages);
  return near.empty() ? "." : fmt::format("; did you mean {}?", near);
}

bool names_file(const std::string& value) { return value.find_first_of("/.") != std::string::npos; }

void check_stop_words(const std::string& value) {
  const std::vector<std::string> languages = stop_word_languages();
  if (names_file(value) || std::find(languages.begin(), languages.end(), value) != languages.end()) return;
  usage(
      fmt::format("--stop-words {}: unknown list{} Lists: {}. A file name must contain a slash or a dot, as in "
                  "./{}",
                  value, suggestion(value, languages), fmt::join(languages, ", "), value.empty() ? "words" : value));
}

void check_stem(const std::string& value) {
  if (has_stem_language(value)) return;
  const std::vector<std::string> languages = stem_languages();
  usage(fmt::format("--stem {}: unknown language{} Languages: {}, and their ISO 639 codes", value,
                    suggestion(value, languages), fmt::join(languages, ", ")));
}

unsigned parse_weight(const std::string& item, const std::string& digits) {
  constexpr unsigned kMost = 1000;
  if (digits.size() <= 4) {
    const std::uint64_t weight = parse_count("--fields", digits);
    if (weight >= 1 && weight <= kMost) return static_cast<unsigned>(weight);
  }
  usage(fmt::format("--fields {}: a weight is 1 to {}", item, kMost));
}

// FIELD or FIELD:WEIGHT. A name that itself ends in a colon and digits needs a weight behind it.
void add_field(FieldFlags& flags, const std::string& item) {
  const std::size_t colon = item.rfind(':');
  const std::string digits = colon == std::string::npos ? "" : item.substr(colon + 1);
  const bool weighs = !digits.empty() && digits.find_first_not_of("0123456789") == std::string::npos;
  const std::string name = weighs ? item.substr(0, colon) : item;
  if (name.empty()) usage(fmt::format("--fields {}: expected FIELD or FIELD:WEIGHT", item));
  if (std::find(flags.names.begin(), flags.names.end(), name) != flags.names.end())
    usage(fmt::format("--fields names {} twice", name));
  flags.names.push_back(name);
  flags.weights.push_back(weighs ? parse_weight(item, digits) : 1);
}

}  // namespace

bool TextFlags::given() const {
  const bool changes_words = rules.min_word != 0 || rules.numbers != Numbers::keep;
  return changes_words || !rules.strip.empty() || !rules.stop_words_source.empty() || !rules.stem.empty();
}

TextRules TextFlags::loaded() const {
  TextRules all = rules;
  if (!all.stop_words_source.empty()) {
    Context context;
    all.stop_words = load_stop_words(all.stop_words_source, context);
  }
  check_rules(all);
  return all;
}

void add_text_flags(CLI::App& app, TextFlags& flags) {
  TextRules& rules = flags.rules;
  add_list(
      app, kWordsGroup,
      {.name = "--strip",
       .value = "REGEX",
       .help =
           "Replace every match of this RE2 regular expression with a space, for example timestamps; may be repeated",
       .commas = false},
      [&](const Words& expressions) { rules.strip = expressions; });
  add_value(app, kWordsGroup,
            {"--numbers", "WHAT", "Numbers: keep them, replace all of them with 0 (fold), or drop them",
             to_string(rules.numbers), names_of(numbers_choices())},
            [&](const std::string& value) { rules.numbers = parse_numbers(value); });
  add_value(app, kWordsGroup,
            {"--min-word", "N", "Ignore words with fewer characters (except in scripts without spaces)", "1"},
            [&](const std::string& value) {
              constexpr std::uint64_t kMost = 1000;
              const std::uint64_t least = parse_count("--min-word", value);
              if (least == 0 || least > kMost) usage(fmt::format("--min-word {}: expected 1 to {}", value, kMost));
              rules.min_word = static_cast<unsigned>(least);
            });
  std::vector<std::string> codes = stop_word_languages();
  std::erase_if(codes, [](const std::string& name) { return name.size() > 2; });
  add_value(app, kWordsGroup,
            {"--stop-words",
             "LIST",
             fmt::format("Ignore the function words of a language ({}), or the words of a file, one per line; a "
                         "file name must contain a slash or a dot: ./words",
                         fmt::join(codes, ", ")),
             "",
             {},
             codes},
            [&](const std::string& value) {
              check_stop_words(value);
              rules.stop_words_source = value;
            });
  add_value(app, kWordsGroup,
            {"--stem",
             "LANG",
             "Reduce words to their stems in this language: english or en, german or de, ...",
             "",
             {},
             stem_languages()},
            [&](const std::string& value) {
              check_stem(value);
              rules.stem = value;
            });
}

void add_field_flags(CLI::App& app, FieldFlags& flags) {
  add_list(app, kDefinitionGroup,
           {"--fields", "FIELD:WEIGHT",
            "Simhash only: text fields with weights instead of --text, for example title:3,body"},
           [&](const Words& items) {
             for (const std::string& item : items) add_field(flags, item);
           });
}

void FieldFlags::apply(InputFlags& input) const {
  if (names.empty()) return;
  if (!input.text_fields.empty()) usage("--fields names the text fields: leave --text out");
  input.text_fields = names;
  input.text_flag = "--fields";
}

}  // namespace neardup::cli
