#include <algorithm>
#include <unordered_map>
#include <utility>

#include "index/clusterer.h"
#include "neardup/cluster.h"

namespace neardup::indexing {

using Change = IndexChange::Kind;

// Connected units with all their pairs.
struct Clusterer::Component {
  std::vector<UnitId> units;
  std::vector<KeepPlace> best;  // by unit
  std::vector<Pair> pairs;      // of places in `units`
};

// A cluster as it was, as far as it is in the component.
struct Clusterer::OldGroup {
  GroupRow row;
  bool is_plain = false;
  std::vector<std::size_t> members;                      // places in Component::units
  std::map<std::size_t, std::vector<UnitId>> went_to{};  // by leader of the cluster that they are in now
  std::size_t heir = SIZE_MAX;                           // the leader of the cluster that may keep its name
};

struct Clusterer::NewCluster {
  std::vector<std::size_t> members{};  // places in Component::units
  GroupId group = 0;
  GroupRow row{};
  GroupId named_by = 0;  // the old group whose name it keeps; 0: its name is new
  std::vector<UnitId> units{};
};

Clusterer::Component Clusterer::explore(std::span<const UnitId> seeds) const {
  Component component;
  std::unordered_map<UnitId, std::size_t> place_of;
  const auto visit = [&](UnitId unit) {
    const auto [found, is_new] = place_of.emplace(unit, component.units.size());
    if (is_new) component.units.push_back(unit);
    return found->second;
  };
  for (const UnitId seed : seeds) visit(seed);
  for (std::size_t i = 0; i < component.units.size(); ++i) {
    const UnitId unit = component.units[i];
    const std::optional<Content> content = ledger_.content(unit);
    component.best.push_back(ledger_.best(unit));
    for (const Neighbour& neighbour : allowed(unit, find_neighbours(ledger_, search_, *content, unit))) {
      const std::size_t other = visit(neighbour.unit);
      if (other > i) component.pairs.push_back({i, other, neighbour.score});
    }
  }
  return component;
}

void Clusterer::recompute(std::span<const UnitId> seeds) {
  if (seeds.empty()) return;
  const Component component = explore(seeds);
  ClusterBuilder builder(component.units.size(), ledger_.rules().options.clusters,
                         [&](DocId a, DocId b) { return component.best[a] < component.best[b]; });
  builder.accept(component.pairs);
  const Clusters clusters = builder.finish();
  std::vector<std::size_t> leader_of;
  for (std::size_t i = 0; i < component.units.size(); ++i) leader_of.push_back(clusters.representative(i));
  reassign(component, leader_of);
}

std::map<GroupId, Clusterer::OldGroup> Clusterer::old_groups(const Component& component) const {
  std::map<GroupId, OldGroup> groups;
  for (std::size_t i = 0; i < component.units.size(); ++i) {
    const GroupId id = ledger_.place(component.units[i]).group;
    OldGroup& group = groups[id];
    if (group.members.empty()) {
      group.row = ledger_.group(id);
      group.is_plain = !ledger_.explicit_group(id);
    }
    group.members.push_back(i);
  }
  return groups;
}

// Every old group leaves its name to the cluster of its kept document, or of its oldest unit; of several names a
// cluster keeps the oldest.
void Clusterer::claim_names(const Component& component, std::span<const std::size_t> leader_of,
                            const std::map<GroupId, OldGroup>& old, std::map<std::size_t, NewCluster>& clusters) {
  for (const auto& [id, group] : old) {
    NewCluster& heir = clusters[group.heir];
    if (heir.named_by == 0 || group.row.name < heir.row.name) {
      heir.named_by = id;
      heir.group = id;
      heir.row.name = group.row.name;
    }
  }
  for (std::size_t i = 0; i < leader_of.size(); ++i) {
    NewCluster& cluster = clusters[leader_of[i]];
    cluster.members.push_back(i);
    cluster.units.push_back(component.units[i]);
  }
  for (auto& [leader, cluster] : clusters) {
    if (cluster.named_by == 0) cluster.group = cluster.row.name = ledger_.next_number();
  }
}

void Clusterer::reassign(const Component& component, std::span<const std::size_t> leader_of) {
  std::map<GroupId, OldGroup> old = old_groups(component);
  for (auto& [id, group] : old) {
    const auto oldest = std::min_element(group.members.begin(), group.members.end(), [&](std::size_t a, std::size_t b) {
      return component.units[a] < component.units[b];
    });
    group.heir = leader_of[*oldest];
    const std::optional<DocumentRow> kept = ledger_.document(group.row.kept);
    for (const std::size_t member : group.members) {
      if (kept && kept->unit == component.units[member]) group.heir = leader_of[member];
      group.went_to[leader_of[member]].push_back(component.units[member]);
    }
  }
  std::map<std::size_t, NewCluster> clusters;  // by leader
  claim_names(component, leader_of, old, clusters);
  rewrite(component, old, clusters);
  report(old, clusters);
}

// A plain unit that stays alone keeps having no rows; everything else gets them anew.
void Clusterer::rewrite(const Component& component, const std::map<GroupId, OldGroup>& old,
                        std::map<std::size_t, NewCluster>& clusters) {
  const auto stays_plain = [&](GroupId id, const OldGroup& group) {
    const NewCluster& heir = clusters.at(group.heir);
    return group.is_plain && heir.members.size() == 1 && heir.named_by == id;
  };
  for (const auto& [id, group] : old) {
    if (stays_plain(id, group)) continue;
    if (group.is_plain) ledger_.make_explicit(id);
    for (const std::size_t member : group.members) ledger_.unlink(id, component.units[member]);
    ledger_.erase_group(id, group.row);
  }
  for (auto& [leader, cluster] : clusters) {
    const KeepPlace& best = component.best[leader];
    cluster.row.kept = best.document;
    cluster.row.kept_order = best.order;
    cluster.row.units = cluster.members.size();
    cluster.row.documents = 0;
    for (const UnitId unit : cluster.units) cluster.row.documents += ledger_.place(unit).documents;
    if (const auto from = old.find(cluster.named_by); from != old.end() && stays_plain(from->first, from->second))
      continue;
    for (const UnitId unit : cluster.units) {
      UnitPlace place = ledger_.place(unit);
      place.group = cluster.group;
      ledger_.put_place(unit, place);
      ledger_.link(cluster.group, unit);
    }
    ledger_.put_group(cluster.group, cluster.row, 0);
  }
}

void Clusterer::report(const std::map<GroupId, OldGroup>& old, const std::map<std::size_t, NewCluster>& clusters) {
  for (const auto& [id, group] : old) report_moves(group, clusters);
  for (const auto& [leader, cluster] : clusters) {
    const auto from = old.find(cluster.named_by);
    const bool was_alone = from != old.end() && from->second.row.documents == 1;
    if (cluster.row.documents >= 2 && was_alone)
      note_members(cluster.row.name, from->second.went_to.at(leader).front());
    const bool is_new = from == old.end() || was_alone;
    if (is_new ? cluster.row.documents >= 2 : from->second.row.kept != cluster.row.kept)
      note(Change::kept, cluster.row.name, 0, cluster.row.kept);
  }
}

// What became of the members that are no longer in the cluster with their old name.
void Clusterer::report_moves(const OldGroup& group, const std::map<std::size_t, NewCluster>& clusters) {
  const ClusterId name = group.row.name;
  const bool survives = clusters.at(group.heir).row.name == name;
  if (!survives && group.went_to.size() == 1 && group.row.documents > 1)
    return note(Change::merged, clusters.at(group.heir).row.name, name, 0);
  for (const auto& [leader, units] : group.went_to) {
    const ClusterId now = clusters.at(leader).row.name;
    if (now == name) continue;
    if (survives) note(Change::split, name, now, 0);
    for (const UnitId unit : units) note_members(now, unit);
  }
  if (!survives && group.row.documents > 1) note(Change::dissolved, name, 0, 0);
}

}  // namespace neardup::indexing
