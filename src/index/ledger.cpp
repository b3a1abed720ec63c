#include "index/ledger.h"

#include <utility>

#include "index/known_documents.h"

namespace neardup::indexing {
namespace {

std::string varint_row(std::uint64_t value) {
  std::string row;
  append_varint(row, value);
  return row;
}

}  // namespace

void Ledger::save_counters() { batch_.put(Table::meta, "counters", encode(counters_)); }

void Ledger::put_document(Sequence sequence, const DocumentRow& row) {
  batch_.put(Table::documents, key_of(sequence), encode(sequence, row, rules_.content));
  batch_.put(Table::keys, row.key, varint_row(sequence));
}

void Ledger::put_text(Sequence sequence, std::string_view row) { batch_.put(Table::texts, key_of(sequence), row); }

void Ledger::erase_document(Sequence sequence, const DocumentRow& row) {
  batch_.erase(Table::documents, key_of(sequence));
  batch_.erase(Table::keys, row.key);
  if (rules_.options.store_texts) batch_.erase(Table::texts, key_of(sequence));
}

void Ledger::put_content(UnitId unit, const Content& content) {
  std::string row;
  rules_.content.append(row, content);
  batch_.put(Table::units, key_of(unit), row);
}

void Ledger::erase_content(UnitId unit) { batch_.erase(Table::units, key_of(unit)); }

void Ledger::make_explicit(UnitId unit) {
  if (explicit_place(unit)) return;
  const GroupRow own = group(unit);
  put_place(unit, {.group = unit, .documents = 1});
  add_member(unit, {own.kept_order, unit});
  put_group(unit, own, 1);
  link(unit, unit);
}

void Ledger::put_place(UnitId unit, const UnitPlace& place) { batch_.put(Table::places, key_of(unit), encode(place)); }
void Ledger::erase_place(UnitId unit) { batch_.erase(Table::places, key_of(unit)); }

void Ledger::add_member(UnitId unit, const KeepPlace& member) {
  batch_.put(Table::members, key_of(unit) + member.order, varint_row(member.document));
  if (!rules_.order.is_by_arrival()) batch_.put(Table::arrivals, key_of(unit, member.document), {});
}

void Ledger::erase_member(UnitId unit, const KeepPlace& member) {
  batch_.erase(Table::members, key_of(unit) + member.order);
  if (!rules_.order.is_by_arrival()) batch_.erase(Table::arrivals, key_of(unit, member.document));
}

void Ledger::count_cluster(std::uint64_t before, std::uint64_t after) {
  const auto clusters = [](std::uint64_t documents) { return documents >= 2 ? 1u : 0u; };
  const auto clustered = [](std::uint64_t documents) { return documents >= 2 ? documents : 0; };
  counters_.clusters += clusters(after) - std::uint64_t{clusters(before)};
  counters_.clustered += clustered(after) - clustered(before);
}

void Ledger::put_group(GroupId id, const GroupRow& row, std::uint64_t documents_before) {
  batch_.put(Table::groups, key_of(id), encode(row));
  batch_.put(Table::names, key_of(row.name), varint_row(id));
  count_cluster(documents_before, row.documents);
}

void Ledger::erase_group(GroupId id, const GroupRow& row) {
  batch_.erase(Table::groups, key_of(id));
  batch_.erase(Table::names, key_of(row.name));
  count_cluster(row.documents, 0);
}

void Ledger::link(GroupId group, UnitId unit) { batch_.put(Table::group_units, key_of(group, unit), {}); }
void Ledger::unlink(GroupId group, UnitId unit) { batch_.erase(Table::group_units, key_of(group, unit)); }

void Ledger::put_change(IndexChange change) {
  change.time = std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
  batch_.put(Table::events, key_of(counters_.next_event++), encode(change));
}

void Ledger::put_pending(const PendingRun& run) { batch_.put(Table::meta, kPendingRow, encode(run)); }
void Ledger::erase_pending() { batch_.erase(Table::meta, kPendingRow); }

std::uint64_t Ledger::put_decision(const Decision& decision) {
  const std::uint64_t id = counters_.next_decision++;
  batch_.put(Table::decisions, key_of(id), encode(decision));
  return id;
}

void Ledger::erase_decision(std::uint64_t id) { batch_.erase(Table::decisions, key_of(id)); }

}  // namespace neardup::indexing
