#include <fmt/format.h>

#include "index/changes.h"
#include "index/clusterer.h"
#include "neardup/error.h"

namespace neardup::indexing {
namespace {

// Stores a document again with the same text, so that the decisions of today apply: it leaves its unit and joins, or
// founds, the one that it belongs to now. It keeps its place in the order of addition.
class Refiling {
 public:
  explicit Refiling(Changing& changing)
      : ledger_(changing.ledger),
        search_(changing.search),
        decisions_(changing.decisions),
        clusterer_(changing.ledger, changing.search, changing.decisions, "decision") {}

  void refile(const std::string& key) {
    const std::optional<Sequence> sequence = ledger_.find(key);
    if (!sequence) return;
    DocumentRow row = ledger_.document_at(*sequence);
    const bool is_chosen = decisions_.is_chosen(key), is_solo = decisions_.is_solo(key);
    if (row.unit == 0 || (row.is_chosen == is_chosen && ledger_.place(row.unit).is_solo == is_solo)) return;
    const std::optional<Content> content = ledger_.content(row.unit);
    std::string text;
    const bool has_text = ledger_.store().get(Table::texts, key_of(*sequence), text);
    clusterer_.remove(*sequence, row);
    ++ledger_.counts().documents;
    row.is_chosen = is_chosen;
    const std::vector<Neighbour> neighbours = find_neighbours(ledger_, search_, *content);
    row.unit = 0;
    for (const Neighbour& neighbour : neighbours)
      if (!is_solo && neighbour.is_equal && !ledger_.place(neighbour.unit).is_solo) row.unit = neighbour.unit;
    const bool is_copy = row.unit != 0;
    if (!is_copy) row.unit = ledger_.next_number();
    if (!ledger_.rules().content.compares_sets()) row.content = content;
    ledger_.put_document(*sequence, row);
    if (has_text) ledger_.put_text(*sequence, text);
    const KeepPlace place{ledger_.rules().order.key(row, *sequence), *sequence};
    if (is_copy) return clusterer_.add_copy(row.unit, place);
    found_unit(row.unit, *content, is_solo, place);
    clusterer_.add_unit(row.unit, neighbours);
  }

 private:
  // Its number is not that of the document, so it is explicit from the beginning.
  void found_unit(UnitId unit, const Content& content, bool is_solo, const KeepPlace& member) {
    ++ledger_.counts().units;
    ledger_.put_content(unit, content);
    search_.insert(unit, content);
    ledger_.put_place(unit, {.group = unit, .documents = 1, .is_solo = is_solo});
    ledger_.add_member(unit, member);
    ledger_.link(unit, unit);
    ledger_.put_group(
        unit, {.name = unit, .units = 1, .documents = 1, .kept = member.document, .kept_order = member.order}, 0);
  }

  Ledger& ledger_;
  UnitSearch& search_;
  DecisionBook& decisions_;
  Clusterer clusterer_;
};

// Documents that a decision is about are stored again; where a pair is allowed or forbidden between units that stay as
// they are, their components are clustered again.
void apply_decision(Changing& changing, const Decision& decision) {
  if (decision.kind != Decision::Kind::separate && decision.kind != Decision::Kind::keep) return;
  Refiling refiling(changing);
  refiling.refile(decision.a);
  if (decision.kind != Decision::Kind::separate) return;
  refiling.refile(decision.b);
  std::vector<UnitId> seeds;
  for (const std::string& key : {decision.a, decision.b}) {
    const std::optional<Sequence> sequence = changing.ledger.find(key);
    if (!sequence) continue;
    if (const UnitId unit = changing.ledger.document_at(*sequence).unit; unit != 0) seeds.push_back(unit);
  }
  Clusterer(changing.ledger, changing.search, changing.decisions, "decision").recompute(seeds);
}

void require_document(const Ledger& ledger, const std::string& key) {
  if (!ledger.find(key)) throw Error(ErrorCode::usage, fmt::format("no document of the index has the key \"{}\"", key));
}

}  // namespace

std::uint64_t decide(Changing& changing, const Decision& given) {
  Decision decision = given;
  require_document(changing.ledger, decision.a);
  const bool has_two = decision.kind == Decision::Kind::separate || decision.kind == Decision::Kind::same;
  if (has_two) require_document(changing.ledger, decision.b);
  if (!has_two && !decision.b.empty())
    throw Error(ErrorCode::usage, fmt::format("the decision \"{}\" is about one document", to_string(decision.kind)));
  if (has_two && decision.a == decision.b)
    throw Error(ErrorCode::usage, "a decision about a document and itself: name two documents");
  decision.time = std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
  const std::uint64_t id = changing.ledger.put_decision(decision);
  changing.decisions.add(decision);
  apply_decision(changing, decision);
  return id;
}

bool withdraw(Changing& changing, std::uint64_t id) {
  std::string row;
  if (!changing.ledger.store().get(Table::decisions, key_of(id), row)) return false;
  const Decision decision = decode_decision(id, row);
  changing.ledger.erase_decision(id);
  changing.decisions.remove(decision);
  apply_decision(changing, decision);
  return true;
}

}  // namespace neardup::indexing
