#include "index/changes.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/utf8.h"
#include "index/clusterer.h"
#include "neardup/error.h"

namespace neardup::indexing {
namespace {

// Adds documents one after the other.
class Adding {
 public:
  Adding(Changing& changing, AddMode mode)
      : ledger_(changing.ledger),
        search_(changing.search),
        decisions_(changing.decisions),
        mode_(mode),
        adding_(changing.ledger, changing.search, changing.decisions, "add"),
        replacing_(changing.ledger, changing.search, changing.decisions, "replace") {}

  // The cluster is filled in later: the rest of the batch may change it.
  AddResult add(const PreparedDocument& document) {
    AddResult result;
    if (const std::optional<Sequence> there = ledger_.find(document.key)) {
      const DocumentRow row = ledger_.document_at(*there);
      if (is_same(row, document)) return {.status = AddStatus::unchanged};
      if (mode_ != AddMode::replace) return {.status = AddStatus::conflict};
      replacing_.remove(*there, row);
      result.status = AddStatus::replaced;
    }
    std::vector<Neighbour> neighbours;
    if (document.has_features) neighbours = find_neighbours(ledger_, search_, document.content);
    if (mode_ == AddMode::check_first && !neighbours.empty()) {
      result.status = AddStatus::duplicate;
      result.match = best_match(ledger_, neighbours);
      return result;
    }
    insert(document, neighbours);
    return result;
  }

 private:
  [[nodiscard]] static bool is_same(const DocumentRow& row, const PreparedDocument& document) {
    if (row.hash != document.hash) return false;
    return !row.content || *row.content == document.content;
  }

  void insert(const PreparedDocument& document, std::span<const Neighbour> neighbours) {
    const Sequence sequence = ledger_.next_number();
    DocumentRow row{.key = document.key,
                    .is_chosen = decisions_.is_chosen(document.key),
                    .hash = document.hash,
                    .features = document.features,
                    .keep = document.keep};
    ++ledger_.counts().documents;
    if (ledger_.rules().options.store_texts && !document.text_row.empty())
      ledger_.put_text(sequence, document.text_row);
    if (!document.has_features) {
      ++ledger_.counts().without_features;
      ledger_.put_document(sequence, row);
      return;
    }
    if (!ledger_.rules().content.compares_sets()) row.content = document.content;
    const bool is_solo = decisions_.is_solo(document.key);
    const UnitId copied = is_solo ? 0 : equal_unit(neighbours);
    row.unit = copied != 0 ? copied : sequence;
    ledger_.put_document(sequence, row);
    if (copied != 0) return adding_.add_copy(copied, {ledger_.rules().order.key(row, sequence), sequence});
    found_unit(sequence, document.content, is_solo);
    adding_.add_unit(sequence, neighbours);
  }

  [[nodiscard]] UnitId equal_unit(std::span<const Neighbour> neighbours) const {
    for (const Neighbour& neighbour : neighbours)
      if (neighbour.is_equal && !ledger_.place(neighbour.unit).is_solo) return neighbour.unit;
    return 0;
  }

  void found_unit(UnitId unit, const Content& content, bool is_solo) {
    ++ledger_.counts().units;
    if (ledger_.rules().content.compares_sets()) ledger_.put_content(unit, content);
    search_.insert(unit, content);
    if (!is_solo) return;
    ledger_.make_explicit(unit);
    UnitPlace place = ledger_.place(unit);
    place.is_solo = true;
    ledger_.put_place(unit, place);
  }

  Ledger& ledger_;
  UnitSearch& search_;
  DecisionBook& decisions_;
  AddMode mode_;
  Clusterer adding_, replacing_;
};

// Cut where the number would make it too long.
std::string numbered_key(std::string_view key, std::uint64_t number) {
  const std::string end = fmt::format("#{}", number);
  return std::string(base::cut_to_code_point(key, kMostKeyBytes - end.size())) + end;
}

}  // namespace

std::vector<AddResult> add_documents(Changing& changing, std::span<const PreparedDocument> documents, AddMode mode) {
  Adding adding(changing, mode);
  std::vector<AddResult> results;
  for (const PreparedDocument& document : documents) results.push_back(adding.add(document));
  for (std::size_t i = 0; i < documents.size(); ++i) {
    if (results[i].status == AddStatus::duplicate) {
      const Sequence other = changing.ledger.find(results[i].match->key).value();
      results[i].cluster = changing.ledger.standing(other, changing.ledger.document_at(other)).cluster;
      results[i].match->cluster = results[i].cluster;
      results[i].kept = false;
      continue;
    }
    const Sequence sequence = changing.ledger.find(documents[i].key).value();
    const LedgerView::Standing standing = changing.ledger.standing(sequence, changing.ledger.document_at(sequence));
    results[i].cluster = standing.cluster;
    results[i].kept = standing.kept;
  }
  return results;
}

void add_numbered(Changing& changing, std::span<const PreparedDocument> documents, NumberedAdds& adds) {
  Adding adding(changing, AddMode::refuse);
  for (const PreparedDocument& document : documents) {
    const auto known = adds.last.find(document.key);
    std::uint64_t number = known == adds.last.end() ? 1 : known->second + 1;
    PreparedDocument numbered;
    AddStatus status = AddStatus::conflict;
    if (number == 1) {
      status = adding.add(document).status;
      if (status == AddStatus::conflict) ++number;
    }
    if (status == AddStatus::conflict) numbered = document;
    for (; status == AddStatus::conflict; ++number) {
      numbered.key = numbered_key(document.key, number);
      status = adding.add(numbered).status;
      if (status != AddStatus::conflict) break;
    }
    if (number > 1) adds.last.insert_or_assign(document.key, number);
    if (status != AddStatus::added) continue;
    ++adds.added;
    adds.renamed += number > 1 ? 1 : 0;
  }
}

std::uint64_t remove_documents(Changing& changing, std::span<const std::string_view> keys) {
  Clusterer clusterer(changing.ledger, changing.search, changing.decisions, "remove");
  std::uint64_t removed = 0;
  for (const std::string_view key : keys) {
    const std::optional<Sequence> sequence = changing.ledger.find(key);
    if (!sequence) continue;
    clusterer.remove(*sequence, changing.ledger.document_at(*sequence));
    ++removed;
  }
  return removed;
}

IndexMatch best_match(const LedgerView& ledger, std::span<const Neighbour> neighbours) {
  const Neighbour* best = nullptr;
  Sequence earliest = 0;
  for (const Neighbour& neighbour : neighbours) {
    if (best != nullptr && ledger.rules().content.is_better(best->score, neighbour.score)) continue;
    const Sequence sequence = ledger.earliest(neighbour.unit);
    if (best != nullptr && best->score == neighbour.score && earliest < sequence) continue;
    best = &neighbour;
    earliest = sequence;
  }
  const DocumentRow row = ledger.document_at(earliest);
  return {.key = row.key, .score = best->score, .cluster = ledger.standing(earliest, row).cluster};
}

std::vector<IndexMatch> all_matches(const LedgerView& ledger, std::vector<Neighbour> neighbours, std::size_t limit) {
  const ContentRules& rules = ledger.rules().content;
  std::stable_sort(neighbours.begin(), neighbours.end(),
                   [&](const Neighbour& a, const Neighbour& b) { return rules.is_better(a.score, b.score); });
  std::vector<IndexMatch> matches;
  for (const Neighbour& neighbour : neighbours) {
    if (matches.size() >= limit) break;
    ledger.each_member(neighbour.unit, {}, [&](const KeepPlace& member) {
      const DocumentRow row = ledger.document_at(member.document);
      matches.push_back({row.key, neighbour.score, ledger.standing(member.document, row).cluster});
      return matches.size() < limit;
    });
  }
  return matches;
}

}  // namespace neardup::indexing
