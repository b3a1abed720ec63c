// What does an index know of its documents, units and clusters?
//
// Typed reading (LedgerView) and writing (Ledger) of the rows of records.h. A unit that is one document alone in its
// cluster has no rows in places, members, groups and names: it is called *plain*, its group and its cluster have its
// own number. Most documents stay so, and cost nothing there.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "index/content.h"
#include "index/records.h"
#include "index/store.h"

namespace neardup::indexing {

// What follows from the options of an index. Threads: const members may run concurrently.
struct IndexRules {
  explicit IndexRules(const IndexOptions& given) : options(given), content(given.definition), order(given.keep) {}
  IndexOptions options;
  ContentRules content;
  KeepOrder order;
};

// Where a document stands in the order of preference.
struct KeepPlace {
  std::string order;  // smaller is preferred
  Sequence document = 0;
  friend bool operator<(const KeepPlace& a, const KeepPlace& b) { return a.order < b.order; }
};

// Threads: one at a time.
class LedgerView {
 public:
  LedgerView(const StoreView& view, const IndexRules& rules) : view_(view), rules_(rules) {}

  [[nodiscard]] const IndexRules& rules() const { return rules_; }
  [[nodiscard]] const StoreView& store() const { return view_; }

  [[nodiscard]] std::optional<Sequence> find(std::string_view key) const;
  [[nodiscard]] std::optional<DocumentRow> document(Sequence) const;
  // Throws Error{corrupt} when there is none.
  [[nodiscard]] DocumentRow document_at(Sequence) const;

  // Nothing when there is no such unit any more.
  [[nodiscard]] std::optional<Content> content(UnitId) const;
  // Nothing for a plain unit.
  [[nodiscard]] std::optional<UnitPlace> explicit_place(UnitId) const;
  [[nodiscard]] UnitPlace place(UnitId) const;
  // Documents of a unit, the most preferred first, from `order` on, until `visit` returns false.
  void each_member(UnitId, std::string_view order, const std::function<bool(const KeepPlace&)>& visit) const;
  // The most preferred document of a unit, and the one that was added first.
  [[nodiscard]] KeepPlace best(UnitId) const;
  [[nodiscard]] Sequence earliest(UnitId) const;

  // Nothing for the group of a plain unit.
  [[nodiscard]] std::optional<GroupRow> explicit_group(GroupId) const;
  // A plain unit's group is made up.
  [[nodiscard]] GroupRow group(GroupId) const;
  // From `first` on, ascending, until `visit` returns false.
  void each_unit(GroupId, UnitId first, const std::function<bool(UnitId)>& visit) const;
  [[nodiscard]] std::vector<UnitId> units(GroupId) const;
  // The group that has this name; nothing when no cluster has it.
  [[nodiscard]] std::optional<GroupId> named(ClusterId) const;
  // Of a document: its cluster and whether that keeps it.
  struct Standing {
    ClusterId cluster = 0;
    bool kept = true;
  };
  [[nodiscard]] Standing standing(Sequence, const DocumentRow&) const;

  [[nodiscard]] Counters counters() const;

 protected:
  [[nodiscard]] bool get(Table, std::string_view key) const;  // into row_
  const StoreView& view_;
  const IndexRules& rules_;
  mutable std::string row_;
};

// Threads: one at a time.
class Ledger : public LedgerView {
 public:
  // `counters` are written by commit's caller (save_counters).
  Ledger(StoreBatch& batch, const IndexRules& rules, Counters& counters)
      : LedgerView(batch, rules), batch_(batch), counters_(counters) {}

  [[nodiscard]] std::uint64_t next_number() { return counters_.next++; }
  [[nodiscard]] Counters& counts() { return counters_; }
  void save_counters();

  // The rows of a document itself, without its unit.
  void put_document(Sequence, const DocumentRow&);
  void put_text(Sequence, std::string_view row);
  void erase_document(Sequence, const DocumentRow&);

  void put_content(UnitId, const Content&);
  void erase_content(UnitId);

  // Gives a plain unit and its group rows of their own; nothing changes for users.
  void make_explicit(UnitId);
  void put_place(UnitId, const UnitPlace&);
  void erase_place(UnitId);
  void add_member(UnitId, const KeepPlace&);
  void erase_member(UnitId, const KeepPlace&);
  // Also counts clusters: `before` is how many documents the group had.
  void put_group(GroupId, const GroupRow&, std::uint64_t documents_before);
  void erase_group(GroupId, const GroupRow&);
  void link(GroupId, UnitId);
  void unlink(GroupId, UnitId);

  void put_change(IndexChange);
  void put_pending(const PendingRun&);
  void erase_pending();
  std::uint64_t put_decision(const Decision&);
  void erase_decision(std::uint64_t id);

 private:
  void count_cluster(std::uint64_t before, std::uint64_t after);
  StoreBatch& batch_;
  Counters& counters_;
};

}  // namespace neardup::indexing
