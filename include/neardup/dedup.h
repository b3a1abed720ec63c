// The main call: documents in, one of each group of near-duplicates out. Start reading here.
//
//   neardup::Context context;
//   auto documents = neardup::Collection::open({"pages.jsonl"}, {}, context);
//   auto result = neardup::deduplicate(documents, {.output = {.path = "kept.jsonl"}}, context);
//   std::cout << result.report.kept << " kept\n";
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "neardup/authority.h"
#include "neardup/cluster.h"
#include "neardup/collection.h"
#include "neardup/conditions.h"
#include "neardup/context.h"
#include "neardup/definition.h"
#include "neardup/ignore.h"
#include "neardup/known.h"
#include "neardup/pair.h"
#include "neardup/report.h"

namespace neardup {

// How pairs are found.
struct FinderOptions {
  std::string name = "auto";    // one of finder_names()
  double target_recall = 0.97;  // for finders that may miss pairs: of pairs exactly at the threshold
  unsigned distance = 3;        // for the finder simhash: the largest distance of a candidate pair
  bool measure_recall = true;   // of finders that may miss pairs, on a sample
  std::uint64_t seed = 42;
};

struct DedupOptions {
  Definition definition{};
  FinderOptions finder{};
  bool against_only = false;  // with another collection: keep near-duplicates within the first one
  // Before anything else: of documents with an equal key one is kept, by `keep`; with another collection none whose key
  // occurs there. Several keys apply in turn.
  std::vector<SameKey> same{};
  bool same_only = false;                 // do not look for near-duplicates
  std::string url_rules{};                // a file of rules for SameKey::Kind::url; docs/clean-up.md
  std::vector<FieldCondition> require{};  // pairs count only if all of these hold
  std::string by{};                       // a field: documents of each value are a collection of their own
  std::string pairs{};  // a file of known pairs: there is no search, and definition and finder are ignored
  // Use only those of `pairs` that reach it (for distances: at most); definition.measure says what the scores are.
  std::optional<Threshold> pairs_threshold{};
  // A file of decisions, as the page of an index exports them: pairs that never count, pairs that always count,
  // documents that are preferred (docs/algorithms/clusters.md). Needs an exact search; not with against_only.
  std::string decisions{};
  std::optional<ClusterKind> clusters{};  // absent: cluster_kind() chooses
  std::vector<KeepRule> keep{KeepRule{}};
  std::uint64_t copies = 1;  // keep up to this many of each cluster, by `keep`; 0: none, and the first member names it
  AuthorityOptions authority{};  // for the keep rule `authority`
  bool drop_empty = false;       // also remove documents without features; not with `pairs` or against_only
  bool keep_evidence = false;    // fill DedupResult::scores and for_each_pair, which means finding every pair
  OnBadRecord on_bad_record = OnBadRecord::skip;
  IgnoreOptions ignore{};
  OutputOptions output{};

  // `clusters`, or components; star for Measure::containment, where the kept document must contain the removed ones.
  [[nodiscard]] ClusterKind cluster_kind() const;
  void validate() const;
};

struct Recall {
  double value = 1, low = 1, high = 1;
  std::uint64_t documents = 0, pairs = 0;
};

// A removed document and the one kept in its place, for people to judge.
struct Example {
  enum class Same {
    no,
    words,      // the same words: only case, white space or punctuation differ
    text,       // exactly the same text
    beginning,  // texts too long to compare as a whole begin the same
  };
  // Passages of a few hundred code points that begin shortly before the first differing word ("…" marks omitted text);
  // the beginnings of the texts when no word differs.
  std::string removed_key, removed_text;
  std::string kept_key, kept_text;
  std::size_t removed_differs = 0, kept_differs = 0;  // the offset of that word in each passage
  Same same = Same::no;
  std::optional<double> score{};  // none: linked only through other documents
  bool is_against = false;        // the kept one is a document of the other collection, or of the index
  std::string rule{};             // "same:url": removed because of an equal key
};

// The result of a search for pairs.
struct FinderReport {
  std::string name;                               // what "auto" resolved to
  std::string parameters;                         // for people: "15 bands of 7 rows"
  std::uint64_t candidates = 0;                   // pairs that were verified
  std::optional<std::uint64_t> pairs;             // of distinct feature sets; absent when not all were needed
  std::optional<std::uint64_t> document_pairs{};  // of documents, including copies: what list_pairs() lists
  std::optional<Recall> recall;                   // for finders that may miss pairs
};

struct AgainstReport {
  std::uint64_t records = 0;  // of the other collection, including bad ones
  std::uint64_t removed = 0;  // near-duplicates of its documents; included in DedupReport::removed
  BadRecords bad;
};

// What a run had to do with an index (KnownDocuments).
struct KnownReport {
  std::uint64_t documents = 0;  // that were known before
  std::uint64_t removed = 0;    // near-duplicates of these; included in DedupReport::removed
  std::uint64_t added = 0;      // kept documents that are known now; 0 in a dry run
};

// Why documents were removed, except those of AgainstReport and KnownReport.
struct RemovalReport {
  std::uint64_t copies = 0;   // have the same features as the kept document
  std::uint64_t same = 0;     // have the same key as another document; only with DedupOptions::same
  std::uint64_t empty = 0;    // have no features; only with DedupOptions::drop_empty
  std::uint64_t similar = 0;  // all others
  // Of `similar`, those that do not meet the threshold with the kept document: a chain of pairs links them to it.
  // Absent: not counted, because not all pairs were needed. `chained_at_most` is always known.
  std::optional<std::uint64_t> chained{};
  std::uint64_t chained_at_most = 0;
  // Of all documents as they are in the inputs, decompressed. Both are 0 when nothing was removed, or when documents
  // are in memory.
  std::uint64_t bytes = 0, removed_bytes = 0;
};

// How well the members of a cluster agree with each other (docs/algorithms/clusters.md).
struct ClusterCohesion {
  std::uint64_t documents = 0;  // members that were compared: all but those with the same key (DedupOptions::same)
  std::uint64_t distinct = 0;   // different feature sets among them
  double share = 1;             // of all pairs of members: those that meet the definition
  double weakest = 0;           // the weakest score among those; NaN: fewer than two were compared
  std::uint32_t bridges = 0;    // single pairs that connect two groups of two or more distinct members
  bool is_sampled = false;      // `share` and `weakest` are estimated from some of the pairs
};

// A cluster in which fewer than half of all pairs of members meet the definition.
struct LooseCluster {
  std::string name;  // the id of its kept document
  ClusterCohesion cohesion;
  // The lowest score (for distances the highest) of any two of `compared` distinct members; none: not compared.
  std::optional<double> lowest{};
  std::uint64_t compared = 0;
};

struct CohesionReport {
  std::uint64_t examined = 0;  // clusters with at least three distinct documents; in others all members agree
  std::uint64_t loose = 0;     // those in which fewer than half of the pairs of members meet the definition
  std::optional<std::uint64_t> bridged{};  // those with bridges; absent when not all pairs were needed
  bool is_everything = true;          // false: only the largest clusters were examined, and only some of their members
  std::vector<LooseCluster> worst{};  // a few of the loose ones: those with the most pairs below the threshold
};

// Pairs below the threshold, estimated from a sample. The search does not look for them.
struct NearMissReport {
  struct Estimate {
    double threshold = 0;
    double pairs = 0, low = 0, high = 0;  // from this threshold up to the run's own one: with a 95% interval
  };
  struct Closest {
    std::string left, right;
    double score = 0;
  };
  std::uint64_t documents = 0;        // of the sample
  std::vector<Estimate> estimates{};  // of pairs whose documents are in different clusters, highest threshold first
  std::vector<Closest> closest{};     // the most similar of those that are in the sample
};

struct DedupReport : ReadFacts, RunFacts {
  std::uint64_t kept = 0, removed = 0;
  AgainstReport against;
  std::optional<KnownReport> known;  // of a run with KnownDocuments
  RemovalReport removal;
  std::uint64_t copies = 0;  // documents whose features equal an earlier document's
  std::uint64_t clusters = 0, largest_cluster = 0;
  CohesionReport cohesion;
  FinderReport finder;
  Definition definition{};  // as applied: `sets` inputs have features of their own
  std::vector<Example> examples;
  std::optional<AuthorityReport> authority;     // when a keep rule needed it
  std::optional<IgnoreReport> ignored;          // when DedupOptions::ignore asked for it
  std::optional<NearMissReport> near_misses{};  // when report.html was written, for ratios of sets
  // Stages that an interrupted run had finished; with "write" among them only adding to the index was left, and of this
  // report records, kept, removed, known and outputs are filled in.
  std::vector<std::string> resumed;
};

// A near-duplicate of a document of the other collection: its highest score, and among ties the first partner. The
// score is NaN where both have the same key.
struct AgainstMatch {
  DocId row = 0;    // in the collection itself
  DocId other = 0;  // in the other one; of an index: in DedupResult::known_keys
  double score = 0;
};

struct DedupResult {
  DedupReport report;
  Clusters clusters;                      // by row: which rows are kept, and which row represents which
  std::vector<AgainstMatch> against;      // by row; these rows are set aside in `clusters`
  std::vector<std::string> known_keys{};  // of documents of the index that are in `against`
  // By cluster. Empty when not all pairs were needed: for components without evidence or lists.
  std::vector<ClusterCohesion> cohesion{};
  // Only with DedupOptions::keep_evidence. By row: the score with the document kept in its place; NaN for a kept
  // document, and for one that is linked to it only through others.
  std::vector<double> scores{};
  // Likewise: calls its argument with every pair of rows, in ascending order; may be called repeatedly. A distinct
  // feature set is represented by its first document, and every further copy is a pair with that one. The context's
  // file system must still exist.
  std::function<void(const std::function<void(const Pair&)>&)> for_each_pair{};
};

// Writes files only when DedupOptions::output names one.
DedupResult deduplicate(const Collection&, const DedupOptions&, const Context&);

// First removes near-duplicates of documents in `against`, which is neither changed nor compared with itself, then
// keeps one of each among the rest (unless DedupOptions::against_only).
DedupResult deduplicate(const Collection&, const Collection& against, const DedupOptions&, const Context&);

// First removes near-duplicates of documents that are known, which always win, then keeps one of each among the rest,
// and makes what is kept known (unless OutputOptions::dry_run). Output and additions belong together: a run that is
// killed after its output appeared and before all was added is completed by repeating it; until then other runs with
// these documents throw Error{usage}. Not with `pairs` and against_only.
DedupResult deduplicate(const Collection&, KnownDocuments&, const DedupOptions&, const Context&);

// The report as one JSON object.
std::string to_json(const DedupReport&);

std::vector<std::string> finder_names();

}  // namespace neardup
