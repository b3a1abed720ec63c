#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/guard.h"
#include "base/tsv.h"
#include "index/index_impl.h"
#include "neardup/error.h"

namespace neardup {

using indexing::DocumentRow;
using indexing::GroupRow;
using indexing::KeepPlace;
using indexing::LedgerView;
using indexing::OpenIndex;
using indexing::Sequence;
using indexing::UnitId;

namespace {

[[noreturn]] void refuse_cursor(std::string_view after) {
  throw Error(ErrorCode::usage, fmt::format("\"{}\" is not a place where a page ended", after));
}

constexpr char kHex[] = "0123456789abcdef";

std::string to_hex_digits(std::string_view bytes) {
  std::string out;
  for (const char c : bytes) {
    out += kHex[static_cast<unsigned char>(c) >> 4];
    out += kHex[static_cast<unsigned char>(c) & 15];
  }
  return out;
}

std::string from_hex_digits(std::string_view digits, std::string_view after) {
  std::string out;
  if (digits.size() % 2 != 0) refuse_cursor(after);
  for (std::size_t i = 0; i < digits.size(); i += 2) {
    const auto* high = std::find(kHex, kHex + 16, digits[i]);
    const auto* low = std::find(kHex, kHex + 16, digits[i + 1]);
    if (high == kHex + 16 || low == kHex + 16) refuse_cursor(after);
    out += static_cast<char>((high - kHex) << 4 | (low - kHex));
  }
  return out;
}

// Where a page of members ended: a unit, and the order of the next document in it.
struct MemberCursor {
  UnitId unit = 0;
  std::string order{};

  static MemberCursor parse(std::string_view after) {
    if (after.empty()) return {};
    const std::size_t dash = after.find('-');
    const std::optional<std::uint64_t> unit =
        dash == after.npos ? std::nullopt : base::parse_whole(after.substr(0, dash));
    if (!unit) refuse_cursor(after);
    return {*unit, from_hex_digits(after.substr(dash + 1), after)};
  }
  [[nodiscard]] std::string text() const { return fmt::format("{}-{}", unit, to_hex_digits(order)); }
};

// Lists the members of one cluster from a place on.
class MemberLister {
 public:
  MemberLister(const LedgerView& ledger, const GroupRow& group) : ledger_(ledger), group_(group) {
    kept_unit_ = ledger.document_at(group.kept).unit;
    kept_content_ = ledger.content(kept_unit_);
  }

  void list(indexing::GroupId id, const MemberCursor& from, std::size_t limit, ClusterPage& page) {
    ledger_.each_unit(id, from.unit, [&](UnitId unit) {
      const std::optional<double> score = score_of(unit);
      ledger_.each_member(unit, unit == from.unit ? from.order : std::string(), [&](const KeepPlace& member) {
        if (page.members.size() == limit) {
          page.next = MemberCursor{unit, member.order}.text();
          return false;
        }
        page.members.push_back({.key = ledger_.document_at(member.document).key,
                                .sequence = member.document,
                                .kept = member.document == group_.kept,
                                .score = score});
        return true;
      });
      return page.next.empty();
    });
  }

 private:
  [[nodiscard]] std::optional<double> score_of(UnitId unit) const {
    const std::optional<indexing::Content> content = ledger_.content(unit);
    return content && kept_content_ ? ledger_.rules().content.score(*kept_content_, *content) : std::nullopt;
  }
  const LedgerView& ledger_;
  const GroupRow& group_;
  UnitId kept_unit_ = 0;
  std::optional<indexing::Content> kept_content_;
};

}  // namespace

std::optional<StoredDocument> Index::get(std::string_view key) const {
  return base::guarded([&]() -> std::optional<StoredDocument> {
    const std::unique_ptr<indexing::StoreView> view = impl_->open->store->snapshot();
    const LedgerView ledger(*view, impl_->open->rules);
    const std::optional<Sequence> sequence = ledger.find(key);
    if (!sequence) return std::nullopt;
    return impl_->open->stored(ledger, *sequence, ledger.document_at(*sequence));
  });
}

std::optional<ClusterPage> Index::cluster(ClusterId id, std::size_t limit, std::string_view after) const {
  return base::guarded([&]() -> std::optional<ClusterPage> {
    const std::unique_ptr<indexing::StoreView> view = impl_->open->store->snapshot();
    const LedgerView ledger(*view, impl_->open->rules);
    const MemberCursor from = MemberCursor::parse(after);
    ClusterPage page;
    const std::optional<indexing::GroupId> group = ledger.named(id);
    if (!group) {
      // A document that nothing can match is a cluster of its own.
      const std::optional<DocumentRow> row = ledger.document(id);
      if (!row || row->unit != 0) return std::nullopt;
      page.summary = {.id = id, .documents = 1, .kept = row->key};
      if (limit > 0 && after.empty()) page.members.push_back({.key = row->key, .sequence = id, .kept = true});
      return page;
    }
    const GroupRow row = ledger.group(*group);
    page.summary = {.id = id, .documents = row.documents, .kept = ledger.document_at(row.kept).key};
    MemberLister(ledger, row).list(*group, from, limit, page);
    return page;
  });
}

ClustersPage Index::clusters(std::size_t limit, std::string_view after, std::uint64_t min_documents) const {
  return base::guarded([&] {
    const std::unique_ptr<indexing::StoreView> view = impl_->open->store->snapshot();
    const LedgerView ledger(*view, impl_->open->rules);
    const std::optional<std::uint64_t> from = after.empty() ? 0 : base::parse_whole(after);
    if (!from) refuse_cursor(after);
    ClustersPage page;
    view->scan(indexing::Table::names, {}, indexing::key_of(*from), [&](std::string_view key, std::string_view value) {
      const GroupRow group = ledger.group(indexing::RowReader(value, "names").varint());
      if (group.documents < std::max<std::uint64_t>(min_documents, 2)) return true;
      if (page.clusters.size() == limit) {
        page.next = std::to_string(indexing::number_at(key));
        return false;
      }
      page.clusters.push_back(
          {.id = group.name, .documents = group.documents, .kept = ledger.document_at(group.kept).key});
      return true;
    });
    return page;
  });
}

std::vector<IndexChange> Index::changes(ChangeToken since, std::size_t limit) const {
  return base::guarded([&] {
    std::vector<IndexChange> changes;
    if (limit == 0 || since == UINT64_MAX) return changes;
    impl_->open->store->snapshot()->scan(indexing::Table::events, {}, indexing::key_of(since + 1),
                                         [&](std::string_view key, std::string_view row) {
                                           changes.push_back(indexing::decode_change(indexing::number_at(key), row));
                                           return changes.size() < limit;
                                         });
    return changes;
  });
}

std::vector<Decision> Index::decisions() const {
  return base::guarded([&] { return indexing::all_decisions(*impl_->open->store->snapshot()); });
}

IndexStats Index::stats() const {
  return base::guarded([&] {
    const OpenIndex& open = *impl_->open;
    const indexing::Counters counters = LedgerView(*open.store, open.rules).counters();
    const indexing::SearchFacts search = open.search->facts();
    return IndexStats{.documents = counters.documents,
                      .without_features = counters.without_features,
                      .units = counters.units,
                      .clusters = counters.clusters,
                      .clustered = counters.clustered,
                      .kept = counters.documents - counters.clustered + counters.clusters,
                      .segments = search.segments,
                      .recent = search.recent,
                      .truth_bytes = open.store->bytes(),
                      .segment_bytes = search.segment_bytes,
                      .memory_bytes = search.memory_bytes,
                      .last_change = counters.next_event - 1};
  });
}

void Index::export_documents(const std::function<bool(const StoredDocument&)>& visit, const Context& context) const {
  base::guarded(context, [&](const Context& call) {
    const OpenIndex& open = *impl_->open;
    if (!open.rules.options.store_texts)
      throw Error(ErrorCode::usage, fmt::format("{}: the index stores no texts to export", open.path.string()));
    const std::unique_ptr<indexing::StoreView> view = open.store->snapshot();
    const LedgerView ledger(*view, open.rules);
    view->scan(indexing::Table::documents, {}, {}, [&](std::string_view key, std::string_view row) {
      base::check_stop(call);
      const Sequence sequence = indexing::number_at(key);
      return visit(open.stored(ledger, sequence, indexing::decode_document(sequence, row, open.rules.content)));
    });
  });
}

}  // namespace neardup
