#include "evaluate/mistakes.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <utility>

namespace neardup::evaluation {
namespace {

bool is_listed(const std::vector<ScoredPair>& pairs, const DocumentPair& pair) {
  return std::ranges::binary_search(pairs, pair, {}, &ScoredPair::pair);
}

bool says_same(const NumberedGrouping& side, const DocumentPair& pair) {
  return side.kind == Grouping::Kind::clusters ? side.group[pair.first] == side.group[pair.second]
                                               : is_listed(side.pairs, pair);
}

std::vector<std::uint32_t> groups_of(const NumberedGrouping& side, const std::vector<std::uint32_t>& documents) {
  std::vector<std::uint32_t> out;
  for (const std::uint32_t document : documents) out.push_back(side.group[document]);
  return out;
}

// Groups of one side, what the other side makes of them, and which of them are worst.
class WrongGroups {
 public:
  enum class Side { truth, found };
  WrongGroups(const Compared& compared, Side side) : compared_(compared), side_(side) {
    const Contingency& table = compared.table;
    const auto& sizes = side == Side::truth ? table.true_sizes : table.found_sizes;
    for (const std::uint64_t size : sizes) wrong_.push_back(pairs_of(size));
    if (other().kind == Grouping::Kind::clusters) {
      for (const Cell& cell : table.cells) wrong_[group_of(cell)] -= pairs_of(cell.documents);
    } else {
      for (const ScoredPair& scored : other().pairs) {
        const std::uint32_t group = own().group[scored.pair.first];
        if (compared.has_both(scored.pair) && group == own().group[scored.pair.second]) --wrong_[group];
      }
    }
  }

  [[nodiscard]] MistakeList worst(std::size_t shown) const {
    MistakeList out;
    std::vector<std::uint32_t> groups;
    for (std::uint32_t group = 0; group < wrong_.size(); ++group)
      if (wrong_[group] > 0) groups.push_back(group);
    out.in_all = groups.size();
    const auto worse = [&](std::uint32_t a, std::uint32_t b) {
      return wrong_[a] != wrong_[b] ? wrong_[a] > wrong_[b] : a < b;
    };
    const std::size_t count = std::min(shown, groups.size());
    std::partial_sort(groups.begin(), groups.begin() + static_cast<std::ptrdiff_t>(count), groups.end(), worse);
    groups.resize(count);
    const std::map<std::uint32_t, DocumentPair> examples = examples_of(groups);
    for (const std::uint32_t group : groups) {
      const DocumentPair pair = examples.at(group);
      const auto& labels = own().labels;
      out.shown.push_back({.left = std::string(compared_.names.name(pair.first)),
                           .right = std::string(compared_.names.name(pair.second)),
                           .place = group < labels.size() ? std::string(labels[group]) : "",
                           .pairs = wrong_[group]});
    }
    return out;
  }

 private:
  [[nodiscard]] const NumberedGrouping& own() const { return side_ == Side::truth ? compared_.truth : compared_.found; }
  [[nodiscard]] const NumberedGrouping& other() const {
    return side_ == Side::truth ? compared_.found : compared_.truth;
  }
  [[nodiscard]] std::uint32_t group_of(const Cell& cell) const {
    return side_ == Side::truth ? cell.truth : cell.found;
  }

  // The first documents of the two largest parts; where there is only one part, a pair that the other side does not
  // list.
  [[nodiscard]] std::map<std::uint32_t, DocumentPair> examples_of(const std::vector<std::uint32_t>& groups) const {
    std::map<std::uint32_t, std::pair<const Cell*, const Cell*>> largest;
    for (const std::uint32_t group : groups) largest[group] = {nullptr, nullptr};
    for (const Cell& cell : compared_.table.cells) {
      const auto at = largest.find(group_of(cell));
      if (at == largest.end()) continue;
      auto& [first, second] = at->second;
      if (first == nullptr || cell.documents > first->documents) {
        second = std::exchange(first, &cell);
      } else if (second == nullptr || cell.documents > second->documents) {
        second = &cell;
      }
    }
    std::map<std::uint32_t, DocumentPair> out;
    for (const auto& [group, cells] : largest) {
      out[group] = cells.second == nullptr
                       ? unlisted_pair(group)
                       : DocumentPair(compared_.first_of(*cells.first), compared_.first_of(*cells.second));
    }
    return out;
  }

  [[nodiscard]] DocumentPair unlisted_pair(std::uint32_t group) const {
    std::vector<std::uint32_t> members;
    for (const std::uint32_t document : compared_.documents)
      if (own().group[document] == group) members.push_back(document);
    for (std::size_t i = 0; i < members.size(); ++i) {
      for (std::size_t j = i + 1; j < members.size(); ++j) {
        const DocumentPair pair(members[i], members[j]);
        if (!is_listed(other().pairs, pair)) return pair;
      }
    }
    return {members.front(), members.back()};
  }

  const Compared& compared_;
  Side side_;
  std::vector<std::uint64_t> wrong_;  // pairs, by group
};

// Pairs one by one: those that are listed and wrong, the strongest first.
MistakeList wrong_pairs(const Compared& compared, std::vector<ScoredPair> wrong, double sign, std::size_t shown) {
  MistakeList out{.in_all = wrong.size()};
  const auto strength = [](const ScoredPair& scored) {
    return scored.strength.value_or(-std::numeric_limits<double>::infinity());
  };
  const auto worse = [&](const ScoredPair& a, const ScoredPair& b) {
    return strength(a) != strength(b) ? strength(a) > strength(b) : a.pair < b.pair;
  };
  const std::size_t count = std::min(shown, wrong.size());
  std::partial_sort(wrong.begin(), wrong.begin() + static_cast<std::ptrdiff_t>(count), wrong.end(), worse);
  for (std::size_t i = 0; i < count; ++i) {
    const ScoredPair& each = wrong[i];
    out.shown.push_back({.left = std::string(compared.names.name(each.pair.first)),
                         .right = std::string(compared.names.name(each.pair.second)),
                         .score = each.strength ? std::optional(sign * *each.strength) : std::nullopt});
  }
  return out;
}

}  // namespace

Compared::Compared(const NumberedGrouping& of_truth, const NumberedGrouping& of_result, const NameNumbers& of_documents)
    : truth(of_truth),
      found(of_result),
      names(of_documents),
      is_in(truth.kind == Grouping::Kind::clusters ? truth.is_named : std::vector<bool>(names.size(), true)),
      documents([&] {
        std::vector<std::uint32_t> all;
        for (std::uint32_t document = 0; document < names.size(); ++document)
          if (is_in[document]) all.push_back(document);
        return all;
      }()),
      table(groups_of(truth, documents), groups_of(found, documents)) {}

bool Compared::is_found(const DocumentPair& pair) const { return says_same(found, pair); }
bool Compared::is_true(const DocumentPair& pair) const { return says_same(truth, pair); }

MistakeList false_merges(const Compared& compared, std::size_t shown) {
  const double sign = compared.found.scores_are_distances ? -1 : 1;
  std::vector<ScoredPair> wrong;
  if (compared.truth.judges_only_listed()) {
    for (const DocumentPair& pair : compared.truth.different)
      if (compared.is_found(pair)) wrong.push_back({pair, std::nullopt});
    return wrong_pairs(compared, std::move(wrong), sign, shown);
  }
  if (compared.found.kind == Grouping::Kind::clusters)
    return WrongGroups(compared, WrongGroups::Side::found).worst(shown);
  std::ranges::copy_if(compared.found.pairs, std::back_inserter(wrong), [&](const ScoredPair& scored) {
    return compared.has_both(scored.pair) && !compared.is_true(scored.pair);
  });
  return wrong_pairs(compared, std::move(wrong), sign, shown);
}

MistakeList misses(const Compared& compared, std::size_t shown) {
  if (compared.truth.kind == Grouping::Kind::clusters)
    return WrongGroups(compared, WrongGroups::Side::truth).worst(shown);
  std::vector<ScoredPair> wrong;
  std::ranges::copy_if(compared.truth.pairs, std::back_inserter(wrong),
                       [&](const ScoredPair& scored) { return !compared.is_found(scored.pair); });
  return wrong_pairs(compared, std::move(wrong), compared.truth.scores_are_distances ? -1 : 1, shown);
}

}  // namespace neardup::evaluation
