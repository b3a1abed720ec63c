#include "index/decision_book.h"

namespace neardup::indexing {
namespace {

// Takes one of possibly several equal keys out.
template <class Keys>
void erase_one(Keys& keys, const std::string& key) {
  if (const auto found = keys.find(key); found != keys.end()) keys.erase(found);
}

}  // namespace

std::vector<Decision> all_decisions(const StoreView& store) {
  std::vector<Decision> decisions;
  store.scan(Table::decisions, {}, {}, [&](std::string_view key, std::string_view row) {
    decisions.push_back(decode_decision(number_at(key), row));
    return true;
  });
  return decisions;
}

void DecisionBook::load(const StoreView& store) {
  for (const Decision& decision : all_decisions(store)) add(decision);
}

void DecisionBook::add(const Decision& decision) {
  if (decision.kind == Decision::Kind::keep) chosen_.insert(decision.a);
  if (decision.kind != Decision::Kind::separate) return;
  separated_[decision.a].insert(decision.b);
  separated_[decision.b].insert(decision.a);
}

void DecisionBook::remove(const Decision& decision) {
  if (decision.kind == Decision::Kind::keep) erase_one(chosen_, decision.a);
  if (decision.kind != Decision::Kind::separate) return;
  for (const auto& [key, other] : {std::pair(decision.a, decision.b), std::pair(decision.b, decision.a)}) {
    const auto found = separated_.find(key);
    if (found == separated_.end()) continue;
    erase_one(found->second, other);
    if (found->second.empty()) separated_.erase(found);
  }
}

bool DecisionBook::allows(const LedgerView& ledger, UnitId a, UnitId b) const {
  if (separated_.empty() || !ledger.place(a).is_solo || !ledger.place(b).is_solo) return true;
  const auto found = separated_.find(ledger.document_at(ledger.best(a).document).key);
  return found == separated_.end() ||
         found->second.find(ledger.document_at(ledger.best(b).document).key) == found->second.end();
}

}  // namespace neardup::indexing
