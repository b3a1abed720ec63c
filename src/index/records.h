// Which rows make up an index, and what does each say?
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cluster/keep_rules.h"
#include "index/content.h"
#include "neardup/cluster.h"
#include "neardup/index.h"

namespace neardup::indexing {

// Documents, units, groups and clusters take their numbers from one counter, which never gives one twice. The number of
// a document is its place in the order of addition.
using Sequence = std::uint64_t;
using UnitId = std::uint64_t;   // the sequence of the document that founded it
using GroupId = std::uint64_t;  // what a cluster is called inside: merging keeps the larger group and the older name

// A row of Table::documents.
struct DocumentRow {
  std::string key;
  UnitId unit = 0;         // 0: there is nothing to compare
  bool is_chosen = false;  // a decision prefers it
  std::uint64_t hash = 0;  // of everything the caller gave
  std::uint64_t features = 0;
  std::vector<std::uint64_t> keep{};  // by keep rule that needs a value
  std::optional<Content> content{};   // of hamming
};

// A row of Table::places.
struct UnitPlace {
  GroupId group = 0;
  std::uint64_t documents = 1;
  // A document that a decision separates from another is a unit of its own, whatever else has the same content.
  bool is_solo = false;
};

// A row of Table::groups.
struct GroupRow {
  ClusterId name = 0;
  std::uint64_t units = 1;
  std::uint64_t documents = 1;
  Sequence kept = 0;
  std::string kept_order{};  // KeepOrder::key of the kept document
};

// The row of Table::meta called "counters".
struct Counters {
  std::uint64_t next = 1;        // sequence, group or cluster
  std::uint64_t next_event = 1;  // token
  std::uint64_t next_decision = 1;
  std::uint64_t documents = 0, without_features = 0, units = 0;
  std::uint64_t clusters = 0, clustered = 0;  // of two documents and more, and how many are in them
};

// A row of Table::texts: what the caller gave.
struct TextRow {
  std::string text{};
  std::vector<std::uint64_t> text_ends{};  // where each text field ends; empty: there are no fields
  std::vector<std::uint64_t> tokens{};
  std::vector<std::optional<std::string>> fields{};
};

std::string encode(Sequence, const DocumentRow&, const ContentRules&);
DocumentRow decode_document(Sequence, std::string_view, const ContentRules&);
std::string encode(const UnitPlace&);
UnitPlace decode_place(std::string_view);
std::string encode(const GroupRow&);
GroupRow decode_group(std::string_view);
std::string encode(const Counters&);
Counters decode_counters(std::string_view);
std::string encode(const TextRow&);
TextRow decode_text(std::string_view);
std::string encode(const IndexChange&);  // all but the token
IndexChange decode_change(ChangeToken, std::string_view);
std::string encode(const Decision&);  // all but the id
Decision decode_decision(std::uint64_t id, std::string_view);

// The order of preference among documents, as bytes: the smaller key is preferred, and no two documents have the same.
class KeepOrder {
 public:
  explicit KeepOrder(const std::vector<KeepRule>& rules) : table_(rules) {}
  // Values for DocumentRow::keep. `field_names` are those behind DocumentView::fields.
  [[nodiscard]] std::vector<std::uint64_t> values(const DocumentView&, std::span<const std::string> field_names) const;
  [[nodiscard]] std::string key(const DocumentRow&, Sequence) const;
  [[nodiscard]] std::size_t columns() const { return table_.columns(); }
  // Earlier documents are always preferred.
  [[nodiscard]] bool is_by_arrival() const { return table_.rules().front().kind == KeepRule::Kind::first; }

 private:
  cluster::KeepTable table_;
};

}  // namespace neardup::indexing
