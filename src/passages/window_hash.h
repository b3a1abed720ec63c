// Which 64-bit number represents a window, that is N consecutive items of a document?
//
// Items are words, lines, paragraphs or sentences after folding. A window's number is a polynomial over the hashes of
// its items modulo 2^61 - 1 at a base taken from the seed. (Modulo 2^64, texts that collide at every base are easily
// made.) Equal windows have equal numbers; that equal numbers are equal windows is checked on the items themselves.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace neardup::passages {

inline constexpr char kDocumentEnd = '\0';  // behind the items of each document; folded text does not contain it

// The items of a text, which one separator parts.
struct Items {
  std::vector<std::uint32_t> starts;  // of each item, then one behind the end of the last, as if another one followed
  [[nodiscard]] std::size_t count() const { return starts.empty() ? 0 : starts.size() - 1; }
  [[nodiscard]] std::uint32_t end(std::size_t item) const { return starts[item + 1] - 1; }
};
// No item is empty. Time is linear in the text, which is shorter than 4 GiB.
void find_items(std::string_view text, char separator, Items& out);

// Threads: const members may run concurrently.
class WindowHasher {
 public:
  WindowHasher(unsigned window, std::uint64_t seed);
  // The number of every window, by its first item; none if there are fewer items. `salt` distinguishes documents that
  // are not compared with each other.
  void hash(std::string_view text, const Items&, std::uint64_t salt, std::vector<std::uint64_t>& out) const;
  // The same for windows of another length; it only has to be less than 2^31.
  void hash(std::string_view text, const Items&, unsigned window, std::uint64_t salt,
            std::vector<std::uint64_t>& out) const;

 private:
  unsigned window_;
  std::uint64_t seed_, base_;
};

}  // namespace neardup::passages
