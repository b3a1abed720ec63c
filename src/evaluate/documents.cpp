#include "evaluate/documents.h"

#include <algorithm>
#include <cassert>
#include <iterator>
#include <limits>

#include "cluster/cluster.h"

namespace neardup::evaluation {
namespace {

constexpr std::uint32_t kNoGroup = 0xffffffff;

void append_names(const Grouping& grouping, std::vector<std::string_view>& out) {
  for (const Grouping::Membership& member : grouping.members) out.push_back(member.id);
  for (const Grouping::JudgedPair& pair : grouping.pairs) {
    out.push_back(pair.left);
    out.push_back(pair.right);
  }
}

double strength_or_least(const ScoredPair& pair) {
  return pair.strength.value_or(-std::numeric_limits<double>::infinity());
}

}  // namespace

NameNumbers::NameNumbers(const Grouping& first, const Grouping& second) {
  append_names(first, names_);
  append_names(second, names_);
  std::ranges::sort(names_);
  names_.erase(std::unique(names_.begin(), names_.end()), names_.end());
  names_.shrink_to_fit();
}

std::optional<std::uint32_t> NameNumbers::find(std::string_view name) const {
  const auto at = std::ranges::lower_bound(names_, name);
  if (at == names_.end() || *at != name) return std::nullopt;
  return static_cast<std::uint32_t>(at - names_.begin());
}

std::uint32_t NameNumbers::operator[](std::string_view name) const {
  const auto number = find(name);
  assert(number);
  return *number;
}

NumberedGrouping::NumberedGrouping(const Grouping& grouping, const NameNumbers& names)
    : kind(grouping.kind),
      group(names.size(), kNoGroup),
      is_named(names.size()),
      scores_are_distances(grouping.scores_are_distances) {
  if (kind == Grouping::Kind::clusters) {
    take_clusters(grouping, names);
  } else {
    take_pairs(grouping, names);
  }
}

void NumberedGrouping::take_clusters(const Grouping& grouping, const NameNumbers& names) {
  for (const Grouping::Membership& member : grouping.members)
    if (!member.cluster.empty()) labels.push_back(member.cluster);
  std::ranges::sort(labels);
  labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
  for (const Grouping::Membership& member : grouping.members) {
    const std::uint32_t document = names[member.id];
    if (is_named[document]) {
      ++repeated;
      continue;
    }
    is_named[document] = true;
    if (!member.cluster.empty()) {
      group[document] = static_cast<std::uint32_t>(std::ranges::lower_bound(labels, std::string_view(member.cluster)) -
                                                   labels.begin());
    }
  }
  auto next = static_cast<std::uint32_t>(labels.size());
  for (std::uint32_t& each : group)
    if (each == kNoGroup) each = next++;
}

void NumberedGrouping::take_pairs(const Grouping& grouping, const NameNumbers& names) {
  const double sign = grouping.scores_are_distances ? -1 : 1;
  for (const Grouping::JudgedPair& judged : grouping.pairs) {
    const DocumentPair pair = std::minmax({names[judged.left], names[judged.right]});
    is_named[pair.first] = is_named[pair.second] = true;
    if (pair.first == pair.second) continue;
    if (!judged.is_same) {
      different.push_back(pair);
    } else {
      pairs.push_back({pair, judged.score ? std::optional(sign * *judged.score) : std::nullopt});
    }
  }
  std::ranges::sort(pairs, [](const ScoredPair& a, const ScoredPair& b) {
    return a.pair != b.pair ? a.pair < b.pair : strength_or_least(a) > strength_or_least(b);
  });
  pairs.erase(std::unique(pairs.begin(), pairs.end(),
                          [](const ScoredPair& a, const ScoredPair& b) { return a.pair == b.pair; }),
              pairs.end());
  std::ranges::sort(different);
  different.erase(std::unique(different.begin(), different.end()), different.end());
  std::vector<DocumentPair> both;
  std::vector<DocumentPair> same;
  for (const ScoredPair& scored : pairs) same.push_back(scored.pair);
  std::ranges::set_intersection(same, different, std::back_inserter(both));
  contradictions = both.size();
  std::erase_if(pairs, [&](const ScoredPair& scored) { return std::ranges::binary_search(both, scored.pair); });
  std::erase_if(different, [&](const DocumentPair& pair) { return std::ranges::binary_search(both, pair); });
  cluster::UnionFind links(names.size());
  for (const ScoredPair& scored : pairs) links.unite(scored.pair.first, scored.pair.second);
  std::uint32_t next = 0;
  for (std::uint32_t document = 0; document < names.size(); ++document) {
    const std::uint32_t root = links.find(document);  // the smallest member, so it has its group already
    group[document] = root == document ? next++ : group[root];
  }
}

}  // namespace neardup::evaluation
