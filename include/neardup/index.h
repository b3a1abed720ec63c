// Have I seen a near-duplicate of this document? A persistent index answers, and remembers new documents.
//
//   neardup::Index::create("seen", {.definition = definition}, context);
//   neardup::Index index = neardup::Index::open("seen", {}, context);
//   neardup::DocumentView page("some text");
//   page.key = "https://example.org/1";
//   const neardup::IndexDocument batch[] = {page};
//   if (!index.check_or_add(batch)[0].match) std::puts("new");
//
// An index is a folder. What a call acknowledged is in it, whatever happens to the process. Answers are exact: a match
// was verified against the definition, and with the finder `exact` none is missed. docs/index.md has the guarantees and
// the files byte by byte.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/choice.h"
#include "neardup/cluster.h"
#include "neardup/collection.h"
#include "neardup/context.h"
#include "neardup/definition.h"
#include "neardup/document.h"
#include "neardup/known.h"
#include "neardup/report.h"
#include "neardup/sketch.h"

namespace neardup {

class Index;

namespace indexing {
// Internal.
struct OpenIndex;
OpenIndex& open_of(const Index&);
}  // namespace indexing

// What is fixed when an index is created.
struct IndexOptions {
  Definition definition{};
  std::string finder = "exact";  // one of index_finder_names()
  ClusterKind clusters = ClusterKind::components;
  std::vector<KeepRule> keep{KeepRule{}};
  std::vector<std::string> fields{};  // stored with every document, in addition to those of keep rules
  Html html = Html::automatic;        // automatic: documents that IndexDocument::is_html declares as HTML
  bool store_texts = true;            // false: no texts and fields; export and rebuilding from texts are not possible

  // Throws Error{usage} for an option that an index does not support: Measure::edit, Weights::tfidf, the keep rule
  // `authority` without a field, an unknown finder.
  void validate() const;
};
std::vector<std::string> index_finder_names();

// When a call that changes the index returns.
enum class Durability {
  sync,   // the change survives a loss of power. Concurrent calls share one sync.
  batch,  // the change survives the end of the process; at most one second later also a loss of power
};
Durability parse_durability(std::string_view);  // "sync", "batch"; throws Error{usage}
std::string to_string(Durability);
std::span<const Choice<Durability>> durability_choices();

struct OpenIndexOptions {
  // True: works beside a process that writes, and sees the index as it was when it was opened. Calls that change
  // the index throw Error{usage}.
  bool read_only = false;
  Durability durability = Durability::sync;
};

// Opaque and stable: adding never renames a cluster. Every document is in a cluster, often alone.
using ClusterId = std::uint64_t;
// A place in the sequence of changes. 0: before the first one.
using ChangeToken = std::uint64_t;

// One document for an index. Views must stay valid during the call. `document.key` is required, 1 to 1,024 bytes of
// UTF-8; `document.fields` are Index::fields(), in that order.
struct IndexDocument {
  DocumentView document{};
  std::optional<Fingerprint> fingerprint{};  // only for Measure::hamming: replaces text and tokens
  bool is_html = false;                      // with Html::automatic: strip the tags of this text

  IndexDocument() = default;
  IndexDocument(const DocumentView& view) : document(view) {}  // NOLINT: a document is one without a fingerprint
  IndexDocument(std::string_view key, Fingerprint bits) : fingerprint(bits) { document.key = key; }
};

// The most similar document of an index: best score, and among ties the one added first.
struct IndexMatch {
  std::string key;
  double score = 0;
  ClusterId cluster = 0;
};

enum class AddStatus {
  added,
  unchanged,  // the key was there with the same content
  replaced,   // the key was there with other content, which is gone
  conflict,   // the key is there with other content, and OnConflict::refuse applies: nothing was changed
  duplicate,  // check_or_add: a near-duplicate is in the index; nothing was added
};
std::string to_string(AddStatus);

enum class OnConflict { refuse, replace };

struct AddResult {
  AddStatus status = AddStatus::added;
  // check_or_add: the near-duplicate, present exactly when status is `duplicate`.
  std::optional<IndexMatch> match{};
  // The document's cluster; of a conflict the stored document's, of a duplicate the match's.
  ClusterId cluster = 0;
  // Whether the document is the one that its cluster keeps, once the whole batch was added.
  bool kept = true;
};

// A stored document. Without IndexOptions::store_texts `text` and `fields` are absent.
struct StoredDocument {
  std::string key;
  std::uint64_t sequence = 0;  // documents are ordered by it; adding a key again gives it a new one
  ClusterId cluster = 0;
  bool kept = true;
  std::optional<std::string> text{};                 // as it was compared: HTML is stripped, fields are joined
  std::vector<std::optional<std::string>> fields{};  // as Index::fields()
  std::vector<std::uint64_t> tokens{};               // of FeatureKind::tokens
  std::optional<Fingerprint> fingerprint{};          // of Measure::hamming
  std::uint64_t features = 0;                        // the size of its feature set
};

struct ClusterSummary {
  ClusterId id = 0;
  std::uint64_t documents = 0;
  std::string kept;  // the key of the document that is kept
};

struct ClusterMember {
  std::string key;
  std::uint64_t sequence = 0;
  bool kept = false;
  std::optional<double> score{};  // with the kept document; none when only others link the two
};

struct ClusterPage {
  ClusterSummary summary;
  std::vector<ClusterMember> members;  // in the order of the keep rules within each distinct feature set
  std::string next{};                  // pass it as `after` to go on; empty: this was the last page
};

struct ClustersPage {
  std::vector<ClusterSummary> clusters;  // in no particular order, each once unless it changes meanwhile
  std::string next{};
};

// A change of the clusters. Documents that are added and resemble nothing are not a change of this kind: a document
// that was never named here is alone in its cluster.
struct IndexChange {
  enum class Kind {
    joined,     // `document` is now in `cluster`
    left,       // `document` is no longer in `cluster`: it was removed from the index, or follows as `joined`
    merged,     // the members of `other` are now in `cluster`, and `other` no longer exists
    split,      // some members of `cluster` are now in `other`; their documents follow as `joined`
    kept,       // `cluster` now keeps `document`
    dissolved,  // `cluster` has no documents any more
  };
  ChangeToken token = 0;  // ascending; pass the last one to continue after it
  std::chrono::sys_time<std::chrono::milliseconds> time{};
  Kind kind = Kind::joined;
  ClusterId cluster = 0;
  ClusterId other = 0;
  std::string document{};
  std::string reason{};  // a word: "add", "replace", "remove", "decision"
};
std::string to_string(IndexChange::Kind);

// What a person decided about documents of the index. Decisions are stored in it and apply from then on.
struct Decision {
  enum class Kind {
    separate,  // `a` and `b` are not near-duplicates: their pair does not count (docs/index.md says what follows)
    same,      // `a` and `b` are near-duplicates: recorded, without effect
    keep,      // `a` is preferred to all documents of its cluster that were not chosen so
    note,      // about `a`
  };
  std::uint64_t id = 0;  // assigned by Index::decide()
  Kind kind = Kind::note;
  std::string a{}, b{};  // keys; `b` only for separate and same
  std::string author{}, note{};
  std::chrono::sys_time<std::chrono::milliseconds> time{};  // assigned by Index::decide()
};
Decision::Kind parse_decision_kind(std::string_view);
std::string to_string(Decision::Kind);

struct IndexStats {
  std::uint64_t documents = 0;         // all
  std::uint64_t without_features = 0;  // of these, documents that nothing can match
  std::uint64_t units = 0;             // distinct feature sets (fingerprints)
  std::uint64_t clusters = 0;          // of two documents and more
  std::uint64_t clustered = 0;         // documents in these
  std::uint64_t kept = 0;              // documents that their clusters keep, including those that are alone
  std::uint64_t segments = 0;          // files
  std::uint64_t recent = 0;            // units that are searched in memory
  std::uint64_t truth_bytes = 0, segment_bytes = 0;  // on disk
  std::uint64_t memory_bytes = 0;                    // of search structures, without mapped files
  ChangeToken last_change = 0;
  std::optional<double> recall{};  // of a finder that may miss matches, measured on stored documents
};

struct VerifyReport {
  std::uint64_t documents = 0, units = 0, segments = 0;
  std::vector<std::string> problems;  // "segments/12.seg: block 3: wrong checksum"; empty: all is well
};

struct RebuildOptions {
  // Compute features again from the stored texts, which is needed after a change of ICU's version. Otherwise only the
  // search structures are built again.
  bool from_texts = false;
};

// Threads: all members may run concurrently. Searches do not wait for changes to be written, nor for flushing and
// merging in the background. Changes that come at the same time are committed together.
//
// Errors: Error{corrupt} names a damaged file. After a failed write or sync of the disk every further change throws
// Error{output}; searches go on, and opening the index again continues after the last acknowledged change.
class Index {
 public:
  // Makes the folder; its parent must exist. Throws Error{output} when it is there already, Error{usage} for options
  // that do not fit.
  static void create(const std::filesystem::path&, const IndexOptions&, const Context&);
  // Throws Error{locked} when another process has it open for writing, Error{corrupt} for damage, Error{usage} when it
  // was made by a newer version or with another version of ICU. The context's file system, memory and threads are used
  // as long as the index is open.
  static Index open(const std::filesystem::path&, const OpenIndexOptions&, const Context&);
  ~Index();  // waits for work in the background; everything acknowledged is on disk
  Index(Index&&) noexcept;
  Index& operator=(Index&&) noexcept;

  // What an index was created with, without opening it. Throws Error{corrupt} and Error{usage} as open() does.
  static IndexOptions options_of(const std::filesystem::path&, const Context&);

  [[nodiscard]] const IndexOptions& options() const noexcept;
  // What DocumentView::fields must be: the fields of keep rules and IndexOptions::fields, each once.
  [[nodiscard]] const std::vector<std::string>& fields() const noexcept;
  // False after a failed write: changes are refused.
  [[nodiscard]] bool writable() const noexcept;

  // Each call is atomic: after a crash all of its documents are there, or none. Documents of a batch see those before
  // them. Throws Error{usage} for a document without a key and for one that does not fit the definition; then nothing
  // is changed.
  std::vector<AddResult> add(std::span<const IndexDocument>, OnConflict = OnConflict::refuse);
  // Adds a document only if no document of the index is a near-duplicate. A key that is there already is `unchanged`
  // or a `conflict`. Of concurrent calls with the same text exactly one adds it.
  std::vector<AddResult> check_or_add(std::span<const IndexDocument>);
  // The number of documents that were there.
  std::uint64_t remove(std::span<const std::string_view> keys);

  // The most similar document for each; keys are ignored and may be empty. Documents of the batch do not see each
  // other.
  [[nodiscard]] std::vector<std::optional<IndexMatch>> check(std::span<const IndexDocument>) const;
  // All near-duplicates of one document, best first, at most `limit`. Copies of a text are listed each.
  [[nodiscard]] std::vector<IndexMatch> matches(const IndexDocument&, std::size_t limit) const;

  [[nodiscard]] std::optional<StoredDocument> get(std::string_view key) const;
  // Nothing when there is no such cluster. `after` is ClusterPage::next of the page before.
  [[nodiscard]] std::optional<ClusterPage> cluster(ClusterId, std::size_t limit, std::string_view after = {}) const;
  // Clusters with at least `min_documents`, which is at least 2.
  [[nodiscard]] ClustersPage clusters(std::size_t limit, std::string_view after = {},
                                      std::uint64_t min_documents = 2) const;
  // Changes after a token, oldest first, at most `limit`.
  [[nodiscard]] std::vector<IndexChange> changes(ChangeToken since, std::size_t limit) const;

  // Stores a decision and applies it. Throws Error{usage} when a key is not in the index. Returns the decision's id.
  std::uint64_t decide(const Decision&);
  // Takes a decision back. False when there is none with this id.
  bool withdraw(std::uint64_t decision);
  [[nodiscard]] std::vector<Decision> decisions() const;

  [[nodiscard]] IndexStats stats() const;
  // Writes what is searched in memory into a segment.
  void flush();
  // One segment without removed documents; texts of removed documents are erased from the disk.
  void compact(const Context&);
  // Calls `visit` with every document in order of addition, until it returns false. Throws Error{usage} without stored
  // texts.
  void export_documents(const std::function<bool(const StoredDocument&)>& visit, const Context&) const;
  // A copy of the index in a new folder, as it is at one moment; on the same disk large files are shared (hard links).
  void snapshot(const std::filesystem::path&, const Context&) const;

  // Reads everything: every block's checksum, and whether search structures, keys, units and clusters fit together.
  // Damage is reported, not thrown. Works beside a writer.
  static VerifyReport verify(const std::filesystem::path&, const Context&);
  // Builds search structures again from what is stored, also when they are damaged. The index must not be open.
  static void rebuild(const std::filesystem::path&, const RebuildOptions&, const Context&);
  // Makes a new index from a snapshot, which stays as it is.
  static void restore(const std::filesystem::path& snapshot, const std::filesystem::path&, const Context&);

 private:
  friend indexing::OpenIndex& indexing::open_of(const Index&);
  struct Impl;
  explicit Index(std::unique_ptr<Impl>);
  std::unique_ptr<Impl> impl_;
};

// For deduplicate(): compares a collection with an index, whose documents always win, and adds what is kept. The index
// must outlive the answer. A document whose key is there with other content is added as KEY#2, KEY#3, ...
std::unique_ptr<KnownDocuments> known_documents(Index&);

enum class IndexAction { add, check_or_add };

struct IndexCollectionOptions {
  IndexAction action = IndexAction::add;
  OnConflict conflicts = OnConflict::refuse;  // only for IndexAction::add
  OnBadRecord on_bad_record = OnBadRecord::skip;
};

// What became of the records of a collection.
struct IndexReport : ReadFacts {
  std::uint64_t added = 0, unchanged = 0, replaced = 0, conflicts = 0;
  std::uint64_t duplicates = 0;  // of check_or_add and check: documents that have a match
  double seconds = 0;
};
std::string to_json(const IndexReport&);
std::string to_json(const IndexStats&, const IndexOptions&);

// Reads a collection once and adds its documents, a few hundred at a time; what was added stays when the call fails. A
// key is a record's id, or PATH:NUMBER; a repeated id is the same key again. The collection must have been opened with
// the index's html and with its fields among ReadOptions::extra_fields. `visit` may be empty; it is called in input
// order.
IndexReport add_collection(Index&, const Collection&, const IndexCollectionOptions&,
                           const std::function<void(std::string_view key, const AddResult&)>& visit, const Context&);
// The same without adding anything; documents of the collection do not see each other.
IndexReport check_collection(const Index&, const Collection&, OnBadRecord,
                             const std::function<void(std::string_view key, const std::optional<IndexMatch>&)>& visit,
                             const Context&);

// The same for a file of ready fingerprints, .fps or text (16 hex digits, perhaps TAB and an id; also compressed), and
// an index of Measure::hamming. Throws Error{usage} for a .fps file whose fingerprints were made in another way.
bool is_fingerprint_file(const std::string& path);  // by its name
IndexReport add_fingerprints(Index&, const std::string& path, const IndexCollectionOptions&,
                             const std::function<void(std::string_view key, const AddResult&)>& visit, const Context&);
IndexReport check_fingerprints(const Index&, const std::string& path,
                               const std::function<void(std::string_view key, const std::optional<IndexMatch>&)>& visit,
                               const Context&);

}  // namespace neardup
