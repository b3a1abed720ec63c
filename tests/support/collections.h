// Small random collections of different kinds, for holding clever code against naive code.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "base/random.h"

namespace neardup::test {

inline std::string random_words(base::Random& random, std::size_t count, std::uint64_t vocabulary) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += (i == 0 ? "w" : " w") + std::to_string(random.below(vocabulary));
  return text;
}

// Each word is replaced with probability `percent` / 100.
inline std::string edited(base::Random& random, const std::string& text, std::uint64_t percent) {
  std::string out;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const bool changes = random.below(100) < percent;
    out += (out.empty() ? "" : " ") +
           (changes ? "x" + std::to_string(random.below(1000)) : text.substr(begin, end - begin));
    begin = end + 1;
  }
  return out;
}

using Generator = std::vector<std::string> (*)(base::Random&, std::size_t count);

inline std::vector<std::string> random_documents(base::Random& random, std::size_t count) {
  std::vector<std::string> texts;
  while (texts.size() < count) texts.push_back(random_words(random, random.below(12), 15));
  return texts;
}

inline std::vector<std::string> near_copies(base::Random& random, std::size_t count) {
  std::vector<std::string> texts;
  while (texts.size() < count) {
    const std::string original = random_words(random, 10 + random.below(40), 500);
    texts.push_back(original);
    for (const std::uint64_t percent : {1, 3, 10, 30}) texts.push_back(edited(random, original, percent));
  }
  texts.resize(count);
  return texts;
}

inline std::vector<std::string> shared_boilerplate(base::Random& random, std::size_t count) {
  const std::string boilerplate = random_words(random, 30, 1000);
  std::vector<std::string> texts;
  while (texts.size() < count) texts.push_back(boilerplate + " " + random_words(random, random.below(15), 1000));
  return texts;
}

inline std::vector<std::string> heavy_duplicates(base::Random& random, std::size_t count) {
  const std::array<std::string, 5> originals{random_words(random, 8, 20), random_words(random, 8, 20), "", "one",
                                             random_words(random, 9, 20)};
  std::vector<std::string> texts;
  while (texts.size() < count) texts.push_back(originals[random.below(originals.size())]);
  return texts;
}

inline std::vector<std::string> tiny_alphabet(base::Random& random, std::size_t count) {
  std::vector<std::string> texts;
  while (texts.size() < count) {
    std::string text;
    for (std::uint64_t i = random.below(10); i > 0; --i) text += "ab "[random.below(3)];
    texts.push_back(text);
  }
  return texts;
}

inline std::vector<std::string> size_skew(base::Random& random, std::size_t count) {
  std::vector<std::string> texts;
  std::string longest = random_words(random, 300, 100'000);
  while (texts.size() < count) {
    const std::size_t share = 1 + random.below(16);
    texts.push_back(longest.substr(0, longest.find(' ', longest.size() * share / 17)));
  }
  return texts;
}

struct NamedGenerator {
  const char* name;
  Generator generate;
};
inline constexpr std::array<NamedGenerator, 6> kGenerators{{{"random", random_documents},
                                                            {"near copies", near_copies},
                                                            {"shared boilerplate", shared_boilerplate},
                                                            {"heavy duplicates", heavy_duplicates},
                                                            {"tiny alphabet", tiny_alphabet},
                                                            {"size skew", size_skew}}};

}  // namespace neardup::test
