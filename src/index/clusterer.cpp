#include "index/clusterer.h"

#include <algorithm>

namespace neardup::indexing {

using Change = IndexChange::Kind;

void Clusterer::note(Change kind, ClusterId cluster, ClusterId other, Sequence document) {
  IndexChange change{.kind = kind, .cluster = cluster, .other = other, .reason = reason_};
  if (document != 0) change.document = ledger_.document_at(document).key;
  ledger_.put_change(std::move(change));
}

void Clusterer::note_members(ClusterId cluster, UnitId unit) {
  ledger_.each_member(unit, {}, [&](const KeepPlace& member) {
    note(Change::joined, cluster, 0, member.document);
    return true;
  });
}

// Pairs that no decision forbids.
std::vector<Neighbour> Clusterer::allowed(UnitId unit, std::span<const Neighbour> neighbours) const {
  std::vector<Neighbour> kept;
  for (const Neighbour& neighbour : neighbours)
    if (decisions_.allows(ledger_, unit, neighbour.unit)) kept.push_back(neighbour);
  return kept;
}

// Whether the unit comes after everything that it could change. For complete clusters that includes the members of its
// neighbours' clusters: one that ranks behind it, and is not its neighbour, would have to go if the unit joins.
bool Clusterer::ranks_last(UnitId unit, std::span<const Neighbour> neighbours) const {
  const KeepPlace own = ledger_.best(unit);
  if (ledger_.rules().order.is_by_arrival() && own.document + 1 == ledger_.counts().next && own.order.front() != '\0')
    return true;
  const auto is_before = [&](UnitId other) { return ledger_.best(other) < own; };
  std::map<GroupId, std::uint64_t> counts;
  for (const Neighbour& neighbour : neighbours) {
    if (!is_before(neighbour.unit)) return false;
    ++counts[ledger_.place(neighbour.unit).group];
  }
  if (ledger_.rules().options.clusters != ClusterKind::complete) return true;
  return std::all_of(counts.begin(), counts.end(), [&](const auto& group) {
    if (ledger_.group(group.first).units == group.second) return true;
    const std::vector<UnitId> units = ledger_.units(group.first);
    return std::all_of(units.begin(), units.end(), is_before);
  });
}

// The most preferred centre among the neighbours; 0: none of them is one.
GroupId Clusterer::star_of(std::span<const Neighbour> neighbours) const {
  GroupId found = 0;
  std::string order;
  for (const Neighbour& neighbour : neighbours) {
    const GroupId id = ledger_.place(neighbour.unit).group;
    const GroupRow group = ledger_.group(id);
    if (ledger_.document_at(group.kept).unit != neighbour.unit || (found != 0 && order < group.kept_order)) continue;
    found = id;
    order = group.kept_order;
  }
  return found;
}

// The earliest cluster all of whose units are neighbours; 0: there is none.
GroupId Clusterer::complete_of(std::span<const Neighbour> neighbours) const {
  std::map<GroupId, std::uint64_t> counts;
  for (const Neighbour& neighbour : neighbours) ++counts[ledger_.place(neighbour.unit).group];
  GroupId found = 0;
  std::string order;
  for (const auto& [id, count] : counts) {
    const GroupRow group = ledger_.group(id);
    if (group.units != count || (found != 0 && order < group.kept_order)) continue;
    found = id;
    order = group.kept_order;
  }
  return found;
}

void Clusterer::add_unit(UnitId unit, std::span<const Neighbour> all) {
  const std::vector<Neighbour> neighbours = allowed(unit, all);
  if (neighbours.empty()) return;
  const ClusterKind kind = ledger_.rules().options.clusters;
  if (kind == ClusterKind::components) {
    std::vector<GroupId> groups{ledger_.place(unit).group};
    for (const Neighbour& neighbour : neighbours) groups.push_back(ledger_.place(neighbour.unit).group);
    return merge(std::move(groups));
  }
  if (!ranks_last(unit, neighbours)) return recompute(std::span(&unit, 1));
  const GroupId group = kind == ClusterKind::star ? star_of(neighbours) : complete_of(neighbours);
  if (group != 0) merge({group, ledger_.place(unit).group});
}

void Clusterer::move_units(GroupId from, GroupId to) {
  for (const UnitId unit : ledger_.units(from)) {
    UnitPlace place = ledger_.place(unit);
    place.group = to;
    ledger_.put_place(unit, place);
    ledger_.unlink(from, unit);
    ledger_.link(to, unit);
  }
}

void Clusterer::merge(std::vector<GroupId> groups) {
  std::sort(groups.begin(), groups.end());
  groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
  if (groups.size() < 2) return;
  struct Merging {
    GroupId id;
    GroupRow row;
  };
  std::vector<Merging> merging;
  for (const GroupId id : groups) {
    if (!ledger_.explicit_group(id)) ledger_.make_explicit(id);
    merging.push_back({id, ledger_.group(id)});
  }
  const Merging oldest = *std::min_element(merging.begin(), merging.end(),
                                           [](const Merging& a, const Merging& b) { return a.row.name < b.row.name; });
  const GroupId target = std::max_element(merging.begin(), merging.end(), [](const Merging& a, const Merging& b) {
                           return a.row.units < b.row.units;
                         })->id;
  GroupRow merged{.name = oldest.row.name, .units = 0, .documents = 0};
  for (const Merging& each : merging) {
    merged.units += each.row.units;
    merged.documents += each.row.documents;
    if (merged.kept == 0 || each.row.kept_order < merged.kept_order) {
      merged.kept = each.row.kept;
      merged.kept_order = each.row.kept_order;
    }
    if (each.id != target) move_units(each.id, target);
    ledger_.erase_group(each.id, each.row);
  }
  ledger_.put_group(target, merged, 0);
  for (const Merging& each : merging) {
    if (each.row.documents == 1) {
      note(Change::joined, merged.name, 0, each.row.kept);
    } else if (each.row.name != merged.name) {
      note(Change::merged, merged.name, each.row.name, 0);
    }
  }
  if (oldest.row.documents == 1 || oldest.row.kept != merged.kept) note(Change::kept, merged.name, 0, merged.kept);
}

void Clusterer::add_copy(UnitId unit, const KeepPlace& member) {
  ledger_.make_explicit(unit);
  const KeepPlace best = ledger_.best(unit);
  UnitPlace place = ledger_.place(unit);
  ++place.documents;
  ledger_.put_place(unit, place);
  ledger_.add_member(unit, member);
  const GroupRow before = ledger_.group(place.group);
  GroupRow group = before;
  ++group.documents;
  const bool ranks_first = member < best;
  const bool is_component = ledger_.rules().options.clusters == ClusterKind::components;
  if (is_component && member.order < group.kept_order) {
    group.kept = member.document;
    group.kept_order = member.order;
  }
  ledger_.put_group(place.group, group, before.documents);
  if (before.documents == 1) note(Change::joined, group.name, 0, before.kept);
  note(Change::joined, group.name, 0, member.document);
  if (before.documents == 1 || before.kept != group.kept) note(Change::kept, group.name, 0, group.kept);
  if (!is_component && ranks_first) recompute(std::span(&unit, 1));
}

void Clusterer::remove(Sequence sequence, const DocumentRow& row) {
  Counters& counts = ledger_.counts();
  --counts.documents;
  if (row.unit == 0) {
    --counts.without_features;
    ledger_.erase_document(sequence, row);
    return;
  }
  if (const std::optional<UnitPlace> place = ledger_.explicit_place(row.unit))
    return remove_from_group(sequence, row, *place);
  // Alone, it led no one and followed no one: nothing changes for others.
  --counts.units;
  ledger_.erase_content(row.unit);
  ledger_.erase_document(sequence, row);
}

void Clusterer::remove_from_group(Sequence sequence, const DocumentRow& row, UnitPlace place) {
  const UnitId unit = row.unit;
  const std::optional<Content> content = ledger_.content(unit);
  const bool is_last = place.documents == 1;
  const bool was_best = ledger_.best(unit).document == sequence;
  std::vector<Neighbour> neighbours;
  if (is_last) neighbours = allowed(unit, find_neighbours(ledger_, search_, *content, unit));
  GroupRow group = ledger_.group(place.group);
  const bool was_kept_unit = ledger_.document_at(group.kept).unit == unit;
  note(Change::left, group.name, 0, sequence);
  ledger_.erase_member(unit, {ledger_.rules().order.key(row, sequence), sequence});
  ledger_.erase_document(sequence, row);
  const std::uint64_t documents_before = group.documents--;
  if (is_last) {
    --ledger_.counts().units;
    ledger_.erase_content(unit);
    ledger_.erase_place(unit);
    ledger_.unlink(place.group, unit);
    --group.units;
  } else {
    --place.documents;
    ledger_.put_place(unit, place);
    // A fingerprint was in the row of the document that founded the unit.
    if (sequence == unit && !ledger_.rules().content.compares_sets()) ledger_.put_content(unit, *content);
  }
  if (group.units == 0) {
    ++group.documents;  // as the row has it
    ledger_.erase_group(place.group, group);
    return note(Change::dissolved, group.name, 0, 0);
  }
  ledger_.put_group(place.group, group, documents_before);
  const ClusterKind kind = ledger_.rules().options.clusters;
  const bool may_change = kind == ClusterKind::components ? is_last && neighbours.size() > 1
                          : is_last                       ? kind == ClusterKind::complete || was_kept_unit
                                                          : was_best;
  if (!may_change) {
    if (group.kept == sequence) choose_kept(place.group, group);
    return;
  }
  std::vector<UnitId> seeds;
  for (const Neighbour& neighbour : neighbours) seeds.push_back(neighbour.unit);
  if (!is_last) seeds.push_back(unit);
  recompute(seeds);
}

// The kept document was removed, and the cluster stays as it is.
void Clusterer::choose_kept(GroupId id, GroupRow group) {
  KeepPlace best;
  ledger_.each_unit(id, 0, [&](UnitId unit) {
    KeepPlace own = ledger_.best(unit);
    if (best.document == 0 || own < best) best = std::move(own);
    return true;
  });
  group.kept = best.document;
  group.kept_order = best.order;
  ledger_.put_group(id, group, group.documents);
  note(Change::kept, group.name, 0, group.kept);
}

}  // namespace neardup::indexing
