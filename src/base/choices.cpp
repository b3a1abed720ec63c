#include "base/choices.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/ascii.h"
#include "base/nearest.h"
#include "neardup/error.h"

namespace neardup {
namespace base {

Nearest::Nearest(std::string_view word) {
  constexpr std::size_t kLongestWord = 256;  // what is longer was not mistyped
  word_ = lowered(word.substr(0, kLongestWord + 1));
  best_distance_ = word.size() > kLongestWord ? 0 : std::max<std::size_t>(1, word.size() / 3) + 1;
}

void Nearest::offer(std::string_view candidate) {
  const auto [shorter, longer] = std::minmax({word_.size(), candidate.size()});
  if (longer - shorter >= best_distance_) return;
  const std::size_t d = distance(candidate);
  if (d >= best_distance_) return;
  best_distance_ = d;
  best_ = candidate;
}

// Levenshtein's, with a swap of neighbours as one step.
std::size_t Nearest::distance(std::string_view candidate) {
  const std::string_view a = word_;
  const std::string b = lowered(candidate);
  for (auto* line : {&before_, &last_, &row_}) line->resize(b.size() + 1);
  std::iota(last_.begin(), last_.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row_[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row_[j] = std::min({last_[j] + 1, row_[j - 1] + 1, last_[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row_[j] = std::min(row_[j], before_[j - 2] + 1);
    }
    std::swap(before_, last_);
    std::swap(last_, row_);
  }
  return last_[b.size()];
}

}  // namespace base

std::string nearest(std::string_view word, const std::vector<std::string>& candidates) {
  base::Nearest nearest(word);
  for (const std::string& candidate : candidates) nearest.offer(candidate);
  return nearest.best();
}

namespace base {

std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates) {
  const std::string near = nearest(word, candidates);
  return near.empty() ? near : "; did you mean " + near + "?";
}

void refuse_choice(std::string_view option, std::string_view word, const std::vector<std::string>& names) {
  throw Error(ErrorCode::usage,
              fmt::format("`{}` {}: expected {} or {}{}", option, word, fmt::join(names.begin(), names.end() - 1, ", "),
                          names.back(), did_you_mean(word, names)),
              std::string(option));
}

}  // namespace base
}  // namespace neardup
