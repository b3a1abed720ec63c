#include <array>
#include <string>

#include "search/finder.h"
#include "search/kinds.h"
#include "neardup/error.h"

namespace neardup::search {
namespace {

constexpr std::array<FinderKind, 2> kFinders{{
    {"minhash", make_minhash_bands},
    {"simhash", make_simhash_distance},
}};

}  // namespace

PerUnit<Unit> groups_of(cluster::UnionFind& links) {
  PerUnit<Unit> groups(links.size());
  for (const Unit unit : groups.numbers()) groups[unit] = unit_of(links.find(index(unit)));
  return groups;
}

std::span<const FinderKind> finders() { return kFinders; }

std::unique_ptr<Finder> make_finder(std::string_view name, const FinderOptions& options) {
  std::string known;
  for (const FinderKind& kind : kFinders) {
    if (kind.name == name) return kind.make(options);
    known += (known.empty() ? "" : ", ") + std::string(kind.name);
  }
  throw Error(ErrorCode::usage, "unknown finder \"" + std::string(name) + "\"; there are: auto, exact, " + known);
}

}  // namespace neardup::search
