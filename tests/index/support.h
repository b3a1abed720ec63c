// An index in memory, with every part small, and the answer it must give.
#pragma once

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "index/changes.h"
#include "index/index_impl.h"
#include "index/ledger.h"
#include "index/preparing.h"
#include "index/segment_folder.h"
#include "index/unit_search.h"
#include "index/writer.h"
#include "neardup/dedup.h"
#include "neardup/index.h"
#include "support/held_documents.h"
#include "support/losing_files.h"

namespace neardup::test {

// The store on plain maps.
using StoreTables = std::array<std::map<std::string, std::string, std::less<>>, indexing::kTables>;

template <class Base>
class MapView : public Base {
 public:
  explicit MapView(StoreTables given = {}) : tables(std::move(given)) {}
  bool get(indexing::Table table, std::string_view key, std::string& value) const override {
    const auto& rows = tables[static_cast<std::size_t>(table)];
    const auto found = rows.find(key);
    if (found == rows.end()) return false;
    value = found->second;
    return true;
  }
  void scan(indexing::Table table, std::string_view prefix, std::string_view from,
            const indexing::StoreView::Visit& visit) const override {
    const auto& rows = tables[static_cast<std::size_t>(table)];
    for (auto at = rows.lower_bound(std::max(prefix, from)); at != rows.end() && at->first.starts_with(prefix); ++at)
      if (!visit(at->first, at->second)) return;
  }
  StoreTables tables;
};

class MapBatch final : public MapView<indexing::StoreBatch> {
 public:
  using MapView::MapView;
  void put(indexing::Table table, std::string_view key, std::string_view value) override {
    tables[static_cast<std::size_t>(table)].insert_or_assign(std::string(key), std::string(value));
    changed_ = true;
  }
  void erase(indexing::Table table, std::string_view key) override {
    auto& rows = tables[static_cast<std::size_t>(table)];
    if (const auto found = rows.find(key); found != rows.end()) rows.erase(found);
    changed_ = true;
  }
  void mark() override { marked_ = tables; }
  void take_back() override { tables = marked_; }
  [[nodiscard]] bool empty() const override { return !changed_; }

 private:
  StoreTables marked_;
  bool changed_ = false;
};

class MapStore final : public MapView<indexing::Store> {
 public:
  [[nodiscard]] std::unique_ptr<indexing::StoreView> snapshot() const override {
    return std::make_unique<MapView<indexing::StoreView>>(tables);
  }
  [[nodiscard]] std::unique_ptr<indexing::StoreBatch> begin() override { return std::make_unique<MapBatch>(tables); }
  void commit(indexing::StoreBatch& batch, bool) override {
    if (fails) throw Error(ErrorCode::output, "the disk is full");
    tables = static_cast<MapBatch&>(batch).tables;
  }
  void sync() override {}
  [[nodiscard]] bool is_broken() const override { return false; }
  void compact() override {}
  void checkpoint(const std::filesystem::path&) const override {}
  [[nodiscard]] std::uint64_t bytes() const override { return 0; }
  void verify() const override {}
  bool fails = false;
};

// Parts of a few units, so that a few dozen documents make segments, files and merges.
inline indexing::SearchLimits tiny_limits() {
  return {.recent_units = 3,
          .recent_features = 1000,
          .recent_codes = 4,
          .parts_to_merge = 3,
          .least_file_units = 12,
          .most_features = 100000};
}

// Everything but the disk.
class MapIndex {
 public:
  explicit MapIndex(const IndexOptions& options)
      : manifest_(indexing::new_manifest(options)),
        rules_(manifest_.options),
        preparer_(rules_, indexing::stored_fields(manifest_.options), {.threads = 1}) {
    store_.tables[static_cast<std::size_t>(indexing::Table::meta)]["counters"] = indexing::encode(indexing::Counters{});
    files_.create_folders("/segments");
    open();
  }

  // As after a crash: what was in memory is gone.
  void open() {
    writer_.reset();
    search_.reset();
    folder_ = std::make_unique<indexing::SegmentFolder>(files_, "/segments", indexing::FolderAccess::write,
                                                        manifest_.definition);
    const indexing::SearchParts parts{store_, rules_.content, *folder_, {.threads = 1}, tiny_limits()};
    search_ = rules_.content.compares_sets() ? indexing::make_set_search(parts) : indexing::make_code_search(parts);
    writer_ = std::make_unique<indexing::Writer>(store_, rules_, *search_, Durability::sync);
  }
  void maintain() {
    while (search_->has_work()) search_->maintain();
  }
  void flush() {
    search_->seal();
    search_->flush();
  }
  void compact() {
    flush();
    search_->compact();
  }

  std::vector<AddResult> add(std::span<const IndexDocument> documents, indexing::AddMode mode) {
    const auto prepared = preparer_.prepare(documents);
    std::vector<AddResult> results;
    writer_->run([&](indexing::Changing& changing) { results = indexing::add_documents(changing, prepared, mode); });
    return results;
  }
  std::uint64_t remove(std::string_view key) {
    std::uint64_t removed = 0;
    writer_->run(
        [&](indexing::Changing& changing) { removed = indexing::remove_documents(changing, std::span(&key, 1)); });
    return removed;
  }
  std::uint64_t decide(const Decision& decision) {
    std::uint64_t id = 0;
    writer_->run([&](indexing::Changing& changing) { id = indexing::decide(changing, decision); });
    return id;
  }
  void withdraw(std::uint64_t id) {
    writer_->run([&](indexing::Changing& changing) { indexing::withdraw(changing, id); });
  }
  std::optional<IndexMatch> check(const IndexDocument& document) {
    std::optional<IndexMatch> match;
    preparer_.each_content(std::span(&document, 1), [&](std::size_t, const indexing::Content& content) {
      const indexing::LedgerView ledger(store_, rules_);
      const auto found = indexing::find_neighbours(ledger, *search_, content);
      if (!found.empty()) match = indexing::best_match(ledger, found);
    });
    return match;
  }

  [[nodiscard]] indexing::LedgerView ledger() const { return {store_, rules_}; }
  [[nodiscard]] const std::vector<std::string>& fields() const { return preparer_.fields(); }
  [[nodiscard]] const indexing::UnitSearch& search() const { return *search_; }
  MapStore& store() { return store_; }
  LosingFiles& files() { return files_; }

 private:
  indexing::Manifest manifest_;
  indexing::IndexRules rules_;
  indexing::Preparer preparer_;
  LosingFiles files_;
  MapStore store_;
  std::unique_ptr<indexing::SegmentFolder> folder_;
  std::unique_ptr<indexing::UnitSearch> search_;
  std::unique_ptr<indexing::Writer> writer_;
};

// A held document as the index takes it; valid as long as the held one.
struct IndexView {
  IndexView(const HeldDocument& held, const std::vector<std::string>& names)
      : texts(held.texts.begin(), held.texts.end()) {
    for (const std::string& name : names) {
      const auto found = held.fields.find(name);
      fields.push_back(found == held.fields.end() ? std::nullopt : std::optional<std::string_view>(found->second));
    }
    document.document.key = held.key;
    document.document.text = texts.empty() ? std::string_view{} : texts.front();
    document.document.tokens = held.tokens;
    document.document.fields = fields;
  }
  IndexView(const IndexView&) = delete;
  std::vector<std::string_view> texts;
  std::vector<std::optional<std::string_view>> fields;
  IndexDocument document;
};

// By key: the keys of the cluster, and the kept one.
struct Membership {
  std::set<std::string> members;
  std::string kept;
  friend bool operator==(const Membership&, const Membership&) = default;
};
using Partition = std::map<std::string, Membership>;

inline void PrintTo(const Membership& membership, std::ostream* out) {
  *out << "{";
  for (const std::string& key : membership.members) *out << key << (key == membership.kept ? "* " : " ");
  *out << "}";
}

// What `deduplicate` makes of the documents in this order.
inline Partition deduplicated(const HeldList& documents, const IndexOptions& options) {
  auto source = std::make_shared<HeldDocuments>(documents);
  source->tokens = options.definition.features.kind == FeatureKind::tokens;
  DedupOptions how{.definition = options.definition, .clusters = options.clusters, .keep = options.keep};
  const DedupResult result = deduplicate(Collection::from(source), how, {.threads = 1});
  std::map<DocId, std::set<std::string>> members;
  for (std::size_t row = 0; row < documents.size(); ++row)
    members[result.clusters.representative(row)].insert(documents[row].key);
  Partition partition;
  for (std::size_t row = 0; row < documents.size(); ++row) {
    const DocId kept = result.clusters.representative(row);
    partition[documents[row].key] = {members[kept], documents[kept].key};
  }
  return partition;
}

// What the rows of an index say.
inline Partition partition_of(const indexing::LedgerView& ledger) {
  std::map<ClusterId, Membership> clusters;
  std::map<std::string, ClusterId> cluster_of;
  ledger.store().scan(indexing::Table::documents, {}, {}, [&](std::string_view key, std::string_view bytes) {
    const indexing::Sequence sequence = indexing::number_at(key);
    const indexing::DocumentRow row = indexing::decode_document(sequence, bytes, ledger.rules().content);
    const auto standing = ledger.standing(sequence, row);
    cluster_of[row.key] = standing.cluster;
    clusters[standing.cluster].members.insert(row.key);
    if (standing.kept) clusters[standing.cluster].kept += row.key;
    return true;
  });
  Partition partition;
  for (const auto& [key, cluster] : cluster_of) partition[key] = clusters[cluster];
  return partition;
}

}  // namespace neardup::test
