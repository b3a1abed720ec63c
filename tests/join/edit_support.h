// The textbook's edit distance, joins by it without any cleverness, and strings to join.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <numeric>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "base/random.h"
#include "base/utf8.h"
#include "neardup/join.h"

namespace neardup::test {

inline std::uint32_t plain_distance(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b) {
  std::vector<std::uint32_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (const std::uint32_t x : a) {
    std::uint32_t diagonal = row[0]++;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::uint32_t replaced = diagonal + (x == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

inline std::vector<std::uint32_t> code_points(const std::string& text) {
  std::vector<std::uint32_t> points;
  for (const char *at = text.data(), *end = at + text.size(); at != end;) points.push_back(base::decode(at, end));
  return points;
}

using Found = std::tuple<DocId, DocId, double>;  // left, right, distance
using Texts = std::vector<std::string>;

// Every pair, worked out once for all thresholds. Two texts whose lengths differ by more than `most` are left out.
class PlainJoin {
 public:
  PlainJoin(const Texts& left, const Texts& right, std::uint64_t most) {
    const bool within_one = &left == &right;
    for (std::size_t i = 0; i < left.size(); ++i) {
      for (std::size_t j = within_one ? i + 1 : 0; j < right.size(); ++j) {
        const auto a = code_points(left[i]), b = code_points(right[j]);
        if (a.empty() || b.empty() || std::max(a.size(), b.size()) - std::min(a.size(), b.size()) > most) continue;
        pairs_.emplace_back(i, j, plain_distance(a, b));
      }
    }
  }
  [[nodiscard]] std::vector<Found> within(std::uint64_t most) const {
    std::vector<Found> found;
    std::ranges::copy_if(pairs_, std::back_inserter(found),
                         [&](const Found& pair) { return std::get<2>(pair) <= static_cast<double>(most); });
    return found;
  }

 private:
  std::vector<Found> pairs_;
};

inline std::vector<Found> plain_join(const Texts& left, const Texts& right, std::uint64_t most) {
  return PlainJoin(left, right, most).within(most);
}

class FoundPairs : public PairSink {
 public:
  bool accept(std::span<const Pair> pairs) override {
    for (const Pair& pair : pairs) found.emplace_back(pair.left, pair.right, pair.score);
    return true;
  }
  [[nodiscard]] std::vector<Found> sorted() {
    std::sort(found.begin(), found.end());
    return found;
  }
  std::vector<Found> found;  // as they came
};

inline JoinOptions options(std::uint64_t most, const std::string& algorithm) {
  JoinOptions options;
  options.measure = Measure::edit;
  options.threshold = {most, 1};
  options.algorithm = algorithm;
  return options;
}

// Strings as different as a test needs: an alphabet of code points, a common start, random edits of each other.
struct Recipe {
  std::vector<std::string> alphabet;
  std::string start;
  std::size_t shortest, longest;
};

inline Texts cook(const Recipe& recipe, std::size_t count, std::uint64_t seed) {
  base::Random random(seed);
  std::vector<std::vector<std::string>> made;
  const auto letter = [&] { return recipe.alphabet[random.below(recipe.alphabet.size())]; };
  for (std::size_t i = 0; i < count; ++i) {
    if (!made.empty() && random.below(2) == 0) {  // a variant of one that is there
      auto text = made[random.below(made.size())];
      for (std::uint64_t edits = random.below(6); edits > 0; --edits) {
        const auto at = static_cast<std::ptrdiff_t>(random.below(text.size() + 1));
        if (random.below(2) == 0 || at == std::ssize(text)) {
          text.insert(text.begin() + at, letter());
        } else {
          text.erase(text.begin() + at);
        }
      }
      made.push_back(text);
    } else {
      std::vector<std::string> text;
      for (std::size_t n = recipe.shortest + random.below(recipe.longest - recipe.shortest + 1); n > 0; --n) {
        text.push_back(letter());
      }
      made.push_back(text);
    }
  }
  Texts texts;
  for (const auto& parts : made) {
    texts.push_back(parts.empty() ? "" : recipe.start);
    for (const std::string& part : parts) texts.back() += part;
  }
  return texts;
}

inline std::vector<std::string> letters(const std::string& ascii) {
  std::vector<std::string> parts;
  for (const char c : ascii) parts.emplace_back(1, c);
  return parts;
}

inline std::map<std::string, Recipe> recipes() {
  std::vector<std::string> many;  // more than 256 code points
  for (char32_t c = 0x4E00; c < 0x4E00 + 400; ++c) {
    char bytes[4];
    many.emplace_back(bytes, base::encode(c, bytes));
  }
  return {
      {"TwoLetters", {letters("ab"), "", 0, 12}},
      {"Names", {letters("abcdefghijklmnopqrstuvwxyz0123456789-"), "", 1, 25}},
      {"SharedStart", {letters("abcdefgh"), "react-native-", 0, 9}},
      {"AroundOneWord", {letters("abcdef"), "", 55, 70}},
      {"Long", {letters("acgt"), "", 120, 200}},
      {"Accents", {{"a", "e", "\xC3\xA9", "\xC3\xBC", "\xC3\x9F"}, "", 0, 15}},
      {"Astral", {{"\xF0\x9F\x98\x80", "\xF0\x9F\x98\x81", "x"}, "", 0, 10}},
      {"ManyCodePoints", {many, "", 2, 12}},
  };
}

}  // namespace neardup::test
