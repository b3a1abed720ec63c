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
using StoreTables = std::array<std::map<std::string, std::string, std::less<>>, index::kTables>;

template <class Base>
class MapView : public Base {
 public:
  explicit MapView(StoreTables given = {}) : tables(std::move(given)) {}
  bool get(index::Table table, std::string_view key, std::string& value) const override {
    const auto& rows = tables[static_cast<std::size_t>(table)];
    const auto found = rows.find(key);
    if (found == rows.end()) return false;
    value = found->second;
    return true;
  }
  void scan(index::Table table, std::string_view prefix, std::string_view from,
            const index::StoreView::Visit& visit) const override {
    const auto& rows = tables[static_cast<std::size_t>(table)];
    for (auto at = rows.lower_bound(std::max(prefix, from)); at != rows.end() && at->first.starts_with(prefix); ++at)
      if (!visit(at->first, at->second)) return;
  }
  StoreTables tables;
};

class MapBatch final : public MapView<index::StoreBatch> {
 public:
  using MapView::MapView;
  void put(index::Table table, std::string_view key, std::string_view value) override {
    tables[static_cast<std::size_t>(table)].insert_or_assign(std::string(key), std::string(value));
    changed_ = true;
  }
  void erase(index::Table table, std::string_view key) override {
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

class MapStore final : public MapView<index::Store> {
 public:
  [[nodiscard]] std::unique_ptr<index::StoreView> snapshot() const override {
    return std::make_unique<MapView<index::StoreView>>(tables);
  }
  [[nodiscard]] std::unique_ptr<index::StoreBatch> begin() override { return std::make_unique<MapBatch>(tables); }
  void commit(index::StoreBatch& batch, bool) override {
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
inline index::SearchLimits tiny_limits() {
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
      : manifest_(index::new_manifest(options)),
        rules_(manifest_.options),
        preparer_(rules_, index::stored_fields(manifest_.options), {.threads = 1}) {
    store_.tables[static_cast<std::size_t>(index::Table::meta)]["counters"] = index::encode(index::Counters{});
    files_.create_folders("/segments");
    open();
  }

  // As after a crash: what was in memory is gone.
  void open() {
    writer_.reset();
    search_.reset();
    folder_ =
        std::make_unique<index::SegmentFolder>(files_, "/segments", index::FolderAccess::write, manifest_.definition);
    const index::SearchParts parts{store_, rules_.content, *folder_, {.threads = 1}, tiny_limits()};
    search_ = rules_.content.compares_sets() ? index::make_set_search(parts) : index::make_code_search(parts);
    writer_ = std::make_unique<index::Writer>(store_, rules_, *search_, Durability::sync);
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

  std::vector<AddResult> add(std::span<const IndexDocument> documents, index::AddMode mode) {
    const auto prepared = preparer_.prepare(documents);
    std::vector<AddResult> results;
    writer_->run([&](index::Changing& changing) { results = index::add_documents(changing, prepared, mode); });
    return results;
  }
  std::uint64_t remove(std::string_view key) {
    std::uint64_t removed = 0;
    writer_->run([&](index::Changing& changing) { removed = index::remove_documents(changing, std::span(&key, 1)); });
    return removed;
  }
  std::uint64_t decide(const Decision& decision) {
    std::uint64_t id = 0;
    writer_->run([&](index::Changing& changing) { id = index::decide(changing, decision); });
    return id;
  }
  void withdraw(std::uint64_t id) {
    writer_->run([&](index::Changing& changing) { index::withdraw(changing, id); });
  }
  std::optional<IndexMatch> check(const IndexDocument& document) {
    std::optional<IndexMatch> match;
    preparer_.each_content(std::span(&document, 1), [&](std::size_t, const index::Content& content) {
      const index::LedgerView ledger(store_, rules_);
      const auto found = index::find_neighbours(ledger, *search_, content);
      if (!found.empty()) match = index::best_match(ledger, found);
    });
    return match;
  }

  [[nodiscard]] index::LedgerView ledger() const { return {store_, rules_}; }
  [[nodiscard]] const std::vector<std::string>& fields() const { return preparer_.fields(); }
  [[nodiscard]] const index::UnitSearch& search() const { return *search_; }
  MapStore& store() { return store_; }
  LosingFiles& files() { return files_; }

 private:
  index::Manifest manifest_;
  index::IndexRules rules_;
  index::Preparer preparer_;
  LosingFiles files_;
  MapStore store_;
  std::unique_ptr<index::SegmentFolder> folder_;
  std::unique_ptr<index::UnitSearch> search_;
  std::unique_ptr<index::Writer> writer_;
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
inline Partition partition_of(const index::LedgerView& ledger) {
  std::map<ClusterId, Membership> clusters;
  std::map<std::string, ClusterId> cluster_of;
  ledger.store().scan(index::Table::documents, {}, {}, [&](std::string_view key, std::string_view bytes) {
    const index::Sequence sequence = index::number_at(key);
    const index::DocumentRow row = index::decode_document(sequence, bytes, ledger.rules().content);
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
