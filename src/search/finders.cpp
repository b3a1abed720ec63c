#include <array>
#include <string>

#include "neardup/error.h"
#include "search/finder.h"

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

std::unique_ptr<Finder> make_finder(const Definition& definition, const FinderOptions& options) {
  std::string known;
  for (const FinderKind& kind : kFinders) {
    if (kind.name == options.name) return kind.make(definition, options);
    known += (known.empty() ? "" : ", ") + std::string(kind.name);
  }
  throw Error(ErrorCode::usage, "unknown finder \"" + options.name + "\"; there are: auto, exact, " + known, "finder");
}

bool searches_exactly(std::string_view finder, Measure measure) {
  // Distances of simhashes are searched exactly, under whichever name.
  return finder == "auto" || finder == "exact" || (finder == "simhash" && measure == Measure::hamming);
}

}  // namespace neardup::search
