#include "io/places.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "base/random.h"
#include "base/system.h"

namespace neardup::io {
namespace {

// Paths are distinguished by 64-bit hashes: should two ever be equal, a source gets another place than it had to.
class Places {
 public:
  // Whether a file can be there: nothing else is, and no folder above it is a file.
  [[nodiscard]] bool is_free(std::string_view path) const {
    bool free = true;
    const std::uint64_t whole =
        each_folder(path, [&](std::uint64_t folder) { free = free && !files_.contains(folder); });
    return free && !files_.contains(whole) && !folders_.contains(whole);
  }

  void take(std::string_view path) {
    const std::uint64_t whole = each_folder(path, [&](std::uint64_t folder) { folders_.insert(folder); });
    files_.insert(whole);
  }

  // How many sources have wished for this path; the first one counts as one.
  int wish(std::string_view path) {
    return ++wishes_.try_emplace(each_folder(path, [](std::uint64_t) {}), 1).first->second;
  }

 private:
  // Calls `visit` with the hash of every folder above `path`; returns that of the path.
  template <class Visit>
  static std::uint64_t each_folder(std::string_view path, const Visit& visit) {
    std::uint64_t hash = 1;
    for (const char c : path) {
      if (c == '/') visit(base::mix64(hash));
      hash = base::mix64(hash + static_cast<unsigned char>(c));
    }
    return base::mix64(hash);
  }

  std::unordered_set<std::uint64_t> files_, folders_;
  std::unordered_map<std::uint64_t, int> wishes_;
};

// Whether no two sources want one place, and none wants a place below another's: so it nearly always is.
bool are_apart(const std::vector<Source>& sources) {
  std::vector<std::string_view> wished;
  for (const Source& source : sources) wished.push_back(source.relative);
  // What is below a path follows right behind it when a slash comes before everything else.
  const auto rank = [](char c) { return c == '/' ? 0 : static_cast<unsigned char>(c) + 1; };
  std::ranges::sort(wished, [&](std::string_view a, std::string_view b) {
    return std::ranges::lexicographical_compare(a, b, {}, rank, rank);
  });
  const auto collide = [](std::string_view a, std::string_view b) {
    return b.starts_with(a) && (b.size() == a.size() || b[a.size()] == '/');
  };
  return std::ranges::adjacent_find(wished, collide) == wished.end();
}

}  // namespace

void give_places(std::vector<Source>& sources, const Context& context) {
  if (are_apart(sources)) return;
  Places places;
  for (Source& source : sources) {
    base::check_stop(context);
    const std::string wished = source.relative;
    while (!places.is_free(source.relative)) {
      const int copy = places.wish(wished);
      const std::size_t name = wished.rfind('/') + 1;  // 0 where there is no folder
      source.relative = fmt::format("{}{}-{}", wished.substr(0, name), copy, wished.substr(name));
      if (places.is_free(source.relative)) break;
      // Some folder above is a file: another one takes its place.
      source.relative = fmt::format("{}-{}", copy, wished);
    }
    places.take(source.relative);
  }
}

}  // namespace neardup::io
