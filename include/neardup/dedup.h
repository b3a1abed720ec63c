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
#include "neardup/context.h"
#include "neardup/definition.h"
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
  std::string pairs{};        // a file of known pairs: there is no search, and definition and finder are ignored
  // Use only those of `pairs` that reach it (for distances: at most); definition.measure says what the scores are.
  std::optional<Threshold> pairs_threshold{};
  ClusterKind clusters = ClusterKind::components;
  std::vector<KeepRule> keep{KeepRule{}};
  AuthorityOptions authority{};  // for the keep rule `authority`
  bool drop_empty = false;       // also remove documents without features; not with `pairs` or against_only
  bool keep_evidence = false;    // fill DedupResult::scores and for_each_pair, which means finding every pair
  OnBadRecord on_bad_record = OnBadRecord::skip;
  OutputOptions output{};

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
  bool is_against = false;        // the kept one is a document of the other collection
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

// Why documents were removed, except those of AgainstReport.
struct RemovalReport {
  std::uint64_t copies = 0;   // have the same features as the kept document
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
  RemovalReport removal;
  std::uint64_t copies = 0;  // documents whose features equal an earlier document's
  std::uint64_t clusters = 0, largest_cluster = 0;
  FinderReport finder;
  Definition definition{};  // as applied: `sets` inputs have features of their own
  std::vector<Example> examples;
  std::optional<AuthorityReport> authority;     // when a keep rule needed it
  std::optional<NearMissReport> near_misses{};  // when report.html was written, for ratios of sets
  std::vector<std::string> resumed;             // stages that an interrupted run had finished
};

// A near-duplicate of a document of the other collection: its highest score, and among ties the first partner.
struct AgainstMatch {
  DocId row = 0;    // in the collection itself
  DocId other = 0;  // in the other one
  double score = 0;
};

struct DedupResult {
  DedupReport report;
  Clusters clusters;                  // by row: which rows are kept, and which row represents which
  std::vector<AgainstMatch> against;  // by row; these rows are set aside in `clusters`
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

// The report as one JSON object.
std::string to_json(const DedupReport&);

std::vector<std::string> finder_names();

}  // namespace neardup
