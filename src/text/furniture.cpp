#include "text/furniture.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "base/ascii.h"

namespace neardup::text {

namespace {

// Words of a block in lower case, cut at everything that is neither an ASCII letter or digit nor beyond ASCII.
// More words than kMax are not listed.
struct ShortWords {
  static constexpr std::size_t kMax = 24;
  std::array<char, kMaxFurnitureBytes> bytes{};
  std::array<std::string_view, kMax> words{};
  std::size_t count = 0;
  bool is_complete = true;

  explicit ShortWords(std::string_view block) {
    std::transform(block.begin(), block.end(), bytes.begin(), base::lower);
    const auto is_part = [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || static_cast<unsigned char>(c) >= 0x80;
    };
    for (std::size_t at = 0; at < block.size();) {
      std::size_t end = at;
      while (end < block.size() && is_part(bytes[end])) ++end;
      if (end > at) {
        if (count == kMax) {
          is_complete = false;
          return;
        }
        words[count++] = {bytes.data() + at, end - at};
      }
      at = end + 1;
    }
  }
};

constexpr std::string_view kDateWords[] = {
    "a",         "ago",       "am",       "and",      "april",      "apr",      "at",       "aug",    "august",
    "bst",       "cet",       "comment",  "comments", "created",    "date",     "day",      "days",   "dec",
    "december",  "est",       "edt",      "et",       "feb",        "february", "fri",      "friday", "gmt",
    "hour",      "hours",     "hrs",      "ist",      "jan",        "january",  "jul",      "july",   "jun",
    "june",      "last",      "likes",    "m",        "mar",        "march",    "may",      "min",    "mins",
    "minute",    "minutes",   "modified", "mon",      "monday",     "month",    "months",   "nov",    "november",
    "oct",       "october",   "of",       "on",       "originally", "p",        "pdt",      "pm",     "posted",
    "pst",       "published", "pt",       "read",     "replies",    "sat",      "saturday", "sep",    "sept",
    "september", "shares",    "st",       "sun",      "sunday",     "th",       "thu",      "thurs",  "thursday",
    "time",      "tue",       "tues",     "tuesday",  "updated",    "utc",      "views",    "wed",    "wednesday",
    "week",      "weeks",     "year",     "years"};

bool has_digit(std::string_view word) {
  return std::ranges::any_of(word, [](char c) { return c >= '0' && c <= '9'; });
}

// A number, and nothing but numbers and words of dates and counters.
bool is_date_or_counter(const ShortWords& block) {
  bool any = false;
  for (std::size_t i = 0; i < block.count; ++i) {
    const std::string_view word = block.words[i];
    if (has_digit(word)) {
      any = true;
    } else if (std::ranges::find(kDateWords, word) == std::end(kDateWords)) {
      return false;
    }
  }
  return any;
}

// Beginnings, each up to a space after it or the end of the block; the number is the most words such a block has.
struct Opening {
  std::string_view words;
  std::size_t most_words;
};
constexpr Opening kOpenings[] = {
    {"ad", 1},
    {"advert", 2},
    {"advertisement", 4},
    {"advertising", 2},
    {"also read", 20},
    {"click here", 12},
    {"continue reading", 12},
    {"don t miss", 12},
    {"filed under", 20},
    {"follow us", 16},
    {"image credit", 12},
    {"photo credit", 12},
    {"photo by", 12},
    {"like us on", 12},
    {"more on this story", 6},
    {"most read", 6},
    {"next article", 12},
    {"read also", 20},
    {"read more", 20},
    {"read next", 20},
    {"recommended", 2},
    {"related articles", 4},
    {"related stories", 4},
    {"related topics", 4},
    {"share", 1},
    {"share on", 8},
    {"share this", 8},
    {"share with", 8},
    {"sign up for", 16},
    {"story continues below", 6},
    {"subscribe now", 12},
    {"subscribe to", 16},
    {"you may also be interested", 8},
    {"you may also like", 8},
    {"you might also like", 8},
};

bool opens_with(const ShortWords& block, std::string_view opening) {
  for (std::size_t i = 0; !opening.empty(); ++i) {
    const std::size_t end = std::min(opening.find(' '), opening.size());
    if (i >= block.count || block.words[i] != opening.substr(0, end)) return false;
    opening.remove_prefix(std::min(end + 1, opening.size()));
  }
  return true;
}

// "By" and a name. A sentence may begin so too, but then it ends like one.
bool is_byline(std::string_view text, const ShortWords& block) {
  if (block.count < 2 || block.count > 10 || block.words[0] != "by" || text.size() < 4) return false;
  const char next = text[3];
  const char last = text.back();
  return next >= 'A' && next <= 'Z' && last != '.' && last != '?' && last != '!' && last != ':' && last != ',';
}

bool asks_to_follow(const ShortWords& block) {
  if (block.count == 0 || (block.words[0] != "follow" && block.words[0] != "like")) return false;
  return std::any_of(
      block.words.begin(), block.words.begin() + static_cast<std::ptrdiff_t>(block.count),
      [](std::string_view word) { return word == "twitter" || word == "facebook" || word == "instagram"; });
}

}  // namespace

bool is_furniture(std::string_view text) {
  if (text.size() > kMaxFurnitureBytes) return false;
  if (text.starts_with("©")) return true;
  const ShortWords block{text};
  if (!block.is_complete || block.count == 0) return false;
  if (is_date_or_counter(block) || is_byline(text, block) || asks_to_follow(block)) return true;
  return std::ranges::any_of(kOpenings, [&](const Opening& opening) {
    return block.count <= opening.most_words && opens_with(block, opening.words);
  });
}

}  // namespace neardup::text
