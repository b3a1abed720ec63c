#include <fmt/format.h>

#include "index/ledger.h"
#include "neardup/error.h"

namespace neardup::indexing {

bool LedgerView::get(Table table, std::string_view key) const { return view_.get(table, key, row_); }

std::optional<Sequence> LedgerView::find(std::string_view key) const {
  if (!get(Table::keys, key)) return std::nullopt;
  return RowReader(row_, "keys").varint();
}

std::optional<DocumentRow> LedgerView::document(Sequence sequence) const {
  if (!get(Table::documents, key_of(sequence))) return std::nullopt;
  return decode_document(sequence, row_, rules_.content);
}

DocumentRow LedgerView::document_at(Sequence sequence) const {
  std::optional<DocumentRow> row = document(sequence);
  if (!row) throw Error(ErrorCode::corrupt, fmt::format("the index is damaged: document {} is missing", sequence));
  return *std::move(row);
}

// A fingerprint is in the row of the document that founded the unit, as long as that is there.
std::optional<Content> LedgerView::content(UnitId unit) const {
  if (!rules_.content.compares_sets()) {
    std::optional<DocumentRow> founder = document(unit);
    if (founder && founder->unit == unit) return std::move(founder->content);
  }
  if (!get(Table::units, key_of(unit))) return std::nullopt;
  RowReader in(row_, "units");
  Content content = rules_.content.read(in);
  in.finish();
  return content;
}

std::optional<UnitPlace> LedgerView::explicit_place(UnitId unit) const {
  if (!get(Table::places, key_of(unit))) return std::nullopt;
  return decode_place(row_);
}

UnitPlace LedgerView::place(UnitId unit) const {
  return explicit_place(unit).value_or(UnitPlace{.group = unit, .documents = 1});
}

void LedgerView::each_member(UnitId unit, std::string_view order,
                             const std::function<bool(const KeepPlace&)>& visit) const {
  if (!explicit_place(unit)) {
    const KeepPlace founder{rules_.order.key(document_at(unit), unit), unit};
    if (founder.order >= order) visit(founder);
    return;
  }
  const std::string prefix = key_of(unit);
  view_.scan(Table::members, prefix, prefix + std::string(order), [&](std::string_view key, std::string_view row) {
    return visit({std::string(key.substr(prefix.size())), RowReader(row, "members").varint()});
  });
}

KeepPlace LedgerView::best(UnitId unit) const {
  KeepPlace best;
  each_member(unit, {}, [&](const KeepPlace& member) {
    best = member;
    return false;
  });
  if (best.document == 0) throw Error(ErrorCode::corrupt, fmt::format("the index is damaged: unit {} is empty", unit));
  return best;
}

Sequence LedgerView::earliest(UnitId unit) const {
  if (!explicit_place(unit)) return unit;
  if (rules_.order.is_by_arrival()) {
    // A chosen document comes first whenever it was added; there are few of those.
    Sequence least = 0;
    each_member(unit, {}, [&](const KeepPlace& member) {
      if (least == 0 || member.document < least) least = member.document;
      return member.order.front() == '\0';
    });
    return least;
  }
  Sequence first = 0;
  const std::string prefix = key_of(unit);
  view_.scan(Table::arrivals, prefix, prefix, [&](std::string_view key, std::string_view) {
    first = number_at(key.substr(prefix.size()));
    return false;
  });
  return first;
}

std::optional<GroupRow> LedgerView::explicit_group(GroupId group) const {
  if (!get(Table::groups, key_of(group))) return std::nullopt;
  return decode_group(row_);
}

GroupRow LedgerView::group(GroupId id) const {
  if (std::optional<GroupRow> row = explicit_group(id)) return *std::move(row);
  return {.name = id, .units = 1, .documents = 1, .kept = id, .kept_order = rules_.order.key(document_at(id), id)};
}

void LedgerView::each_unit(GroupId group, UnitId first, const std::function<bool(UnitId)>& visit) const {
  if (!explicit_group(group)) {
    if (group >= first) visit(group);
    return;
  }
  const std::string prefix = key_of(group);
  view_.scan(Table::group_units, prefix, key_of(group, first),
             [&](std::string_view key, std::string_view) { return visit(number_at(key.substr(prefix.size()))); });
}

std::vector<UnitId> LedgerView::units(GroupId group) const {
  std::vector<UnitId> units;
  each_unit(group, 0, [&](UnitId unit) {
    units.push_back(unit);
    return true;
  });
  return units;
}

std::optional<GroupId> LedgerView::named(ClusterId name) const {
  if (get(Table::names, key_of(name))) return RowReader(row_, "names").varint();
  const std::optional<DocumentRow> founder = document(name);
  if (!founder || founder->unit != name || explicit_place(name)) return std::nullopt;
  return name;
}

LedgerView::Standing LedgerView::standing(Sequence sequence, const DocumentRow& row) const {
  if (row.unit == 0) return {.cluster = sequence, .kept = true};
  const std::optional<UnitPlace> place = explicit_place(row.unit);
  if (!place) return {.cluster = row.unit, .kept = true};
  const GroupRow own = group(place->group);
  return {.cluster = own.name, .kept = own.kept == sequence};
}

Counters LedgerView::counters() const {
  if (!get(Table::meta, "counters")) throw Error(ErrorCode::corrupt, "the index is damaged: the counters are missing");
  return decode_counters(row_);
}

}  // namespace neardup::indexing
