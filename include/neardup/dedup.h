// The front door: documents in, one of each near-duplicate group out. Start reading here.
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

// How pairs are looked for.
struct FinderOptions {
  std::string name = "auto";    // one of finder_names()
  double target_recall = 0.97;  // for finders that may miss pairs: at the threshold itself
  unsigned distance = 3;        // for the finder simhash: the largest distance of a candidate pair
  bool measure_recall = true;   // of finders that may miss pairs, on a sample
  std::uint64_t seed = 42;
};

struct DedupOptions {
  Definition definition{};
  FinderOptions finder{};
  bool against_only = false;  // with another collection: near-duplicates within the first one stay
  std::string pairs{};  // a file of pairs that are known already: no search, and definition and finder do not matter
  // Only those of `pairs` count that reach it (distances: at most so far); definition.measure says what their scores
  // are.
  std::optional<Threshold> pairs_threshold{};
  ClusterKind clusters = ClusterKind::components;
  std::vector<KeepRule> keep{KeepRule{}};
  AuthorityOptions authority{};  // for the keep rule `authority`
  bool keep_evidence = false;    // fill DedupResult::scores and for_each_pair, which costs finding every pair
  OnBadRecord on_bad_record = OnBadRecord::skip;
  OutputOptions output{};

  void validate() const;
};

struct Recall {
  double value = 1, low = 1, high = 1;
  std::uint64_t documents = 0, pairs = 0;
};

// A removed document beside the one that stands for it, for people to judge.
struct Example {
  enum class Same {
    no,
    words,      // the same words: case, white space or punctuation differ, or nothing that is shown
    text,       // the very same text
    beginning,  // texts too long to look at whole do not differ at their beginnings
  };
  // Passages of a few hundred code points that begin shortly before the first word that differs ("…" stands for what
  // comes before); the beginnings of the texts when none does.
  std::string removed_key, removed_text;
  std::string kept_key, kept_text;
  std::size_t removed_differs = 0, kept_differs = 0;  // where that word stands in each passage
  Same same = Same::no;
  std::optional<double> score{};  // none: the two are linked only through others
  bool is_against = false;        // the kept one is a document of the other collection
};

// What became of a search for pairs.
struct FinderReport {
  std::string name;                               // what "auto" became
  std::string parameters;                         // for people: "15 bands of 7 rows"
  std::uint64_t candidates = 0;                   // pairs that were verified
  std::optional<std::uint64_t> pairs;             // of distinct feature sets; absent when not all were needed
  std::optional<std::uint64_t> document_pairs{};  // of documents, copies included: what list_pairs() lists
  std::optional<Recall> recall;                   // for finders that may miss pairs
};

struct AgainstReport {
  std::uint64_t records = 0;  // of the other collection, bad ones included
  std::uint64_t removed = 0;  // near something in it; among DedupReport::removed
  BadRecords bad;
};

// How documents came to be removed, those of AgainstReport aside.
struct RemovalReport {
  std::uint64_t copies = 0;   // have the same features as the document that stays
  std::uint64_t similar = 0;  // all others
  // Of `similar`, those that do not meet the threshold with the document that stays: a chain of pairs links them to it.
  // Absent: not counted, because not every pair was looked for. `chained_at_most` is known in any case.
  std::optional<std::uint64_t> chained{};
  std::uint64_t chained_at_most = 0;
  // Of all documents as they stand in the inputs, decompressed. Both are 0 when nothing was removed, or documents are
  // held in memory.
  std::uint64_t bytes = 0, removed_bytes = 0;
};

struct DedupReport : ReadFacts, RunFacts {
  std::uint64_t kept = 0, removed = 0;
  AgainstReport against;
  RemovalReport removal;
  std::uint64_t copies = 0;  // documents whose features equal an earlier document's
  std::uint64_t clusters = 0, largest_cluster = 0;
  FinderReport finder;
  Definition definition{};  // as it was applied: `sets` inputs bring their own features
  std::vector<Example> examples;
  std::optional<AuthorityReport> authority;  // when a keep rule asked for it
  std::vector<std::string> resumed;          // stages that an interrupted run had finished
};

// A document that is near something in the other collection: the highest score, and among equals the first partner.
struct AgainstMatch {
  DocId row = 0;    // in the collection itself
  DocId other = 0;  // in the other one
  double score = 0;
};

struct DedupResult {
  DedupReport report;
  Clusters clusters;                  // by row: who is kept, and who stands for whom
  std::vector<AgainstMatch> against;  // by row; these rows are set aside in `clusters`
  // Only with DedupOptions::keep_evidence. By row: the score with the document that stands for it; NaN for a kept
  // document, and for one that is linked to it only through others.
  std::vector<double> scores{};
  // Likewise: calls its argument with every pair of rows, in ascending order, as often as it is asked. A distinct
  // feature set stands for its first document, and every further copy is a pair with that one. The context's file
  // system must still be there.
  std::function<void(const std::function<void(const Pair&)>&)> for_each_pair{};
};

// Writes files only when DedupOptions::output names any.
DedupResult deduplicate(const Collection&, const DedupOptions&, const Context&);

// First removes what is near something in `against`, which is neither changed nor compared with itself, then one of
// each among the rest (unless DedupOptions::against_only).
DedupResult deduplicate(const Collection&, const Collection& against, const DedupOptions&, const Context&);

// The report as one JSON object.
std::string to_json(const DedupReport&);

std::vector<std::string> finder_names();

}  // namespace neardup
