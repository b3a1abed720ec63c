#include "text/word_rules.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <libstemmer.h>
#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/choices.h"
#include "base/json.h"
#include "base/random.h"
#include "base/utf8.h"
#include "neardup/error.h"
#include "neardup/text_rules.h"
#include "simd/dispatch.h"
#include "text/fold.h"

namespace neardup {
namespace {

constexpr std::size_t kMostExpressions = 100;
constexpr std::size_t kMostStopWords = 100'000;
constexpr unsigned kLongestMinWord = 1000;
constexpr std::int64_t kExpressionBytes = std::int64_t{8} << 20;  // an expression that needs more runs slower
// Longer words belong to no language, and some stemmers move the rest of a word for every letter they take out.
constexpr std::size_t kLongestStemmed = 256;
constexpr std::size_t kReadable = 64;  // what kernels may read behind a text

[[noreturn]] void refuse(const std::string& message, const char* option) {
  throw Error{ErrorCode::usage, message, option};
}

struct DeleteStemmer {
  void operator()(sb_stemmer* stemmer) const { sb_stemmer_delete(stemmer); }
};
using Stemmer = std::unique_ptr<sb_stemmer, DeleteStemmer>;

Stemmer make_stemmer(const std::string& language) {
  if (language.empty()) return nullptr;
  Stemmer stemmer{sb_stemmer_new(language.c_str(), nullptr)};
  if (stemmer == nullptr) {
    refuse(fmt::format("no stemmer for \"{}\"; there are: {}, and their ISO 639 codes", language,
                       fmt::join(stem_languages(), ", ")),
           "stem");
  }
  return stemmer;
}

std::unique_ptr<RE2> make_expression(const std::string& pattern) {
  RE2::Options options;
  options.set_log_errors(false);
  options.set_max_mem(kExpressionBytes);
  auto expression = std::make_unique<RE2>(pattern, options);
  if (!expression->ok()) refuse(fmt::format("`strip` {}: {}", pattern, expression->error()), "strip");
  return expression;
}

// Lets std::unordered_set look for a view without making a string of it.
struct WordHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view word) const { return std::hash<std::string_view>{}(word); }
};
using WordSet = std::unordered_set<std::string, WordHash, std::equal_to<>>;

struct Word {
  std::size_t first = 0, last = 0;  // its bytes
  std::size_t code_points = 0;
  bool only_numbers = true;
  bool spaceless = false;  // of a script without spaces
};

// Calls `visit` with every word of folded text, in order. Finds the borders that Spacing::words would mark also where
// Spacing::plain does not.
template <typename Visit>
void for_each_word(std::string_view folded, const Visit& visit) {
  using text::Kind;
  Word word;
  const auto close = [&](std::size_t at) {
    word.last = at;
    if (word.code_points != 0) visit(std::as_const(word));
    word = Word{.first = at};
  };
  const char* const begin = folded.data();
  for (const char *at = begin, *end = begin + folded.size(); at != end;) {
    const auto place = static_cast<std::size_t>(at - begin);
    const char32_t c = base::decode(at, end);
    const bool ascii = c < 0x80;
    const Kind kind = !ascii ? text::kind_of(c) : c == ' ' ? Kind::separator : Kind::letter;
    if (kind == Kind::separator) {
      close(place);
      continue;
    }
    if (kind == Kind::spaceless || (kind == Kind::letter && word.spaceless)) close(place);
    if (word.code_points == 0) {
      word.first = place;
      word.spaceless = kind == Kind::spaceless;
    }
    ++word.code_points;
    word.only_numbers = word.only_numbers && (ascii ? c >= '0' && c <= '9' : text::is_number(c));
  }
  close(folded.size());
}

}  // namespace

namespace text {

struct WordRules::State {
  std::vector<std::unique_ptr<RE2>> expressions;
  Numbers numbers;
  std::size_t min_word;
  WordSet stop_words;
  Stemmer stemmer;
  bool changes_words = false;
  std::array<std::string, 2> stripped;
  std::string ruled;

  explicit State(const TextRules& rules)
      : numbers(rules.numbers), min_word(rules.min_word), stemmer(make_stemmer(rules.stem)) {
    if (rules.strip.size() > kMostExpressions) {
      refuse(fmt::format("{} expressions to strip; {} is the most", rules.strip.size(), kMostExpressions), "strip");
    }
    if (rules.min_word > kLongestMinWord) {
      refuse(fmt::format("words of at least {} characters; {} is the most", rules.min_word, kLongestMinWord),
             "min_word");
    }
    if (rules.stop_words.size() > kMostStopWords) {
      refuse(fmt::format("{} stop words; {} is the most", rules.stop_words.size(), kMostStopWords), "stop_words");
    }
    for (const std::string& pattern : rules.strip) expressions.push_back(make_expression(pattern));
    for (const std::string& word : rules.stop_words) {
      std::string folded = single_word(word);
      if (folded.empty()) refuse(fmt::format("the stop word \"{}\" is not one word", word), "stop_words");
      stop_words.insert(std::move(folded));
    }
    changes_words = numbers != Numbers::keep || min_word > 1 || !stop_words.empty() || stemmer != nullptr;
  }

  // What becomes of a word; empty: it is left out.
  std::string_view kept(const Word& word, std::string_view bytes) {
    std::size_t code_points = word.code_points;
    if (numbers != Numbers::keep && word.only_numbers) {
      if (numbers == Numbers::drop) return {};
      bytes = "0";
      code_points = 1;
    }
    if (code_points < min_word && !word.spaceless) return {};
    if (!stop_words.empty() && stop_words.contains(bytes)) return {};
    return stemmer == nullptr ? bytes : stem(bytes);
  }

  std::string_view stem(std::string_view word) {
    if (word.size() > kLongestStemmed) return word;
    const sb_symbol* found =
        sb_stemmer_stem(stemmer.get(), reinterpret_cast<const sb_symbol*>(word.data()), static_cast<int>(word.size()));
    if (found == nullptr) throw Error{ErrorCode::limit, "there is no memory left for stemming words"};
    const int length = sb_stemmer_length(stemmer.get());
    return length == 0 ? word
                       : std::string_view{reinterpret_cast<const char*>(found), static_cast<std::size_t>(length)};
  }
};

WordRules::WordRules(const TextRules& rules) : state_(std::make_unique<State>(rules)) {}
WordRules::~WordRules() = default;

namespace {

// Appends `in` to `out` with a space for every match that is not empty.
void cut_matches(const RE2& expression, std::string_view in, std::string& out) {
  const re2::StringPiece whole{in.data(), in.size()};
  std::size_t copied = 0;
  for (std::size_t at = 0; at <= in.size();) {
    re2::StringPiece match;
    if (!expression.Match(whole, at, in.size(), RE2::UNANCHORED, &match, 1)) break;
    const auto first = static_cast<std::size_t>(match.data() - in.data());
    at = first + match.size();
    if (match.empty()) {  // look on behind the next code point
      for (++at; at < in.size() && base::is_continuation(in[at]);) ++at;
      continue;
    }
    out.append(in, copied, first - copied);
    out += ' ';
    copied = at;
  }
  out.append(in, copied);
}

}  // namespace

std::string_view WordRules::strip(std::string_view text) {
  std::size_t turn = 0;
  for (const auto& expression : state_->expressions) {
    std::string& out = state_->stripped[turn++ % 2];  // `text` may lie in the other
    out.clear();
    cut_matches(*expression, text, out);
    text = out;
  }
  return text;
}

std::string_view WordRules::apply(std::string_view folded) {
  if (!state_->changes_words) return folded;
  std::string& out = state_->ruled;
  out.clear();
  constexpr std::size_t kNowhere = std::string_view::npos;
  std::size_t kept_until = kNowhere;
  for_each_word(folded, [&](const Word& word) {
    const std::string_view kept = state_->kept(word, folded.substr(word.first, word.last - word.first));
    if (kept.empty()) return;
    const bool became_zero = word.only_numbers && state_->numbers == Numbers::fold;  // which would join its neighbours
    if (!out.empty() && (word.first != kept_until || became_zero)) out += ' ';
    out += kept;
    kept_until = became_zero ? kNowhere : word.last;
  });
  const std::size_t size = out.size();
  out.append(kReadable, ' ');
  return std::string_view{out}.substr(0, size);
}

void WordRules::shrink(std::size_t max_bytes) {
  for (std::string* buffer : {&state_->stripped[0], &state_->stripped[1], &state_->ruled}) {
    if (buffer->capacity() > max_bytes) std::string{}.swap(*buffer);
  }
}

std::string single_word(std::string_view text) {
  Folder folder{Spacing::plain, simd::kernels()};
  const std::string_view folded = folder.fold(text);
  std::string found;
  std::size_t count = 0;
  for_each_word(folded, [&](const Word& word) {
    found = folded.substr(word.first, word.last - word.first);
    ++count;
  });
  return count == 1 ? found : std::string{};
}

}  // namespace text

namespace {

constexpr std::array kNumbers{
    Choice<Numbers>{"keep", Numbers::keep, "treated like other words"},
    Choice<Numbers>{"fold", Numbers::fold, "each becomes 0, so that only their positions count"},
    Choice<Numbers>{"drop", Numbers::drop, "ignored"},
};

}  // namespace

Numbers parse_numbers(std::string_view text) { return base::parse_choice<Numbers>("numbers", text, kNumbers); }
std::string to_string(Numbers numbers) { return base::choice_name<Numbers>(numbers, kNumbers); }
std::span<const Choice<Numbers>> numbers_choices() { return kNumbers; }

std::vector<std::string> stem_languages() {
  std::vector<std::string> names;
  for (const char** name = sb_stemmer_list(); *name != nullptr; ++name) names.emplace_back(*name);
  return names;
}

bool has_stem_language(const std::string& name_or_code) {
  return Stemmer{sb_stemmer_new(name_or_code.c_str(), nullptr)} != nullptr;
}

void check_rules(const TextRules& rules) { text::WordRules{rules}; }

bool has_rules(const TextRules& rules) {
  return !rules.strip.empty() || rules.min_word > 1 || rules.numbers != Numbers::keep || !rules.stop_words.empty() ||
         !rules.stem.empty();
}

std::string describe(const TextRules& rules) {
  std::string out;
  const auto begin = [&](std::string_view name) {
    out += out.empty() ? "" : " ";
    out += name;
    out += '=';
  };
  for (const std::string& pattern : rules.strip) {
    begin("strip");
    base::append_json_string(out, pattern);  // no line breaks, no doubt where it ends
  }
  if (rules.numbers != Numbers::keep) {
    begin("numbers");
    out += to_string(rules.numbers);
  }
  if (rules.min_word > 1) {
    begin("min-word");
    out += std::to_string(rules.min_word);
  }
  if (!rules.stop_words.empty()) {
    std::vector<std::string> words = rules.stop_words;
    std::sort(words.begin(), words.end());
    words.erase(std::unique(words.begin(), words.end()), words.end());
    std::uint64_t hash = words.size();
    for (const std::string& word : words) {
      for (const char byte : word) hash = base::mix64(hash ^ static_cast<unsigned char>(byte));
      hash = base::mix64(hash ^ '\n');
    }
    begin("stop-words");
    out += fmt::format("{}:{:016x}", words.size(), hash);
  }
  if (!rules.stem.empty()) {
    begin("stem");
    out += rules.stem;
  }
  return out;
}

}  // namespace neardup
