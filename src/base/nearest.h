// Which of many words is most similar to a mistyped one?
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace neardup::base {

// Looks at candidates as they come; the first among equals is it. A third of the letters may be wrong, whatever their
// case, and a swap of neighbours is one mistake. Cheap for candidates of another length.
class Nearest {
 public:
  explicit Nearest(std::string_view word);

  void offer(std::string_view candidate);
  [[nodiscard]] const std::string& best() const { return best_; }  // empty when none is near

 private:
  std::size_t distance(std::string_view candidate);

  std::string word_;  // in small letters
  std::string best_;
  std::size_t best_distance_;  // one more than what is near enough, at first
  std::vector<std::size_t> before_, last_, row_;
};

}  // namespace neardup::base
