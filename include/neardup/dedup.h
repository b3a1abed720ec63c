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
  bool against_only = false;  // with another collection to hold against: near-duplicates among themselves stay
  std::string pairs{};  // a file of pairs that are known already: no search, and definition and finder do not matter
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
  std::string removed_key, removed_text;  // texts are cut to their first few hundred code points
  std::string kept_key, kept_text;
  std::optional<double> score;
};

// What became of a search for pairs.
struct FinderReport {
  std::string name;                    // what "auto" became
  std::string parameters;              // for people: "15 bands of 7 rows"
  std::uint64_t candidates = 0;        // pairs that were verified
  std::optional<std::uint64_t> pairs;  // of distinct feature sets; absent when not all were needed
  std::optional<Recall> recall;        // for finders that may miss pairs
};

struct AgainstReport {
  std::uint64_t records = 0;  // of the other collection, bad ones included
  std::uint64_t removed = 0;  // near something in it; among DedupReport::removed
  BadRecords bad;
};

struct DedupReport : ReadFacts, RunFacts {
  std::uint64_t kept = 0, removed = 0;
  AgainstReport against;
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
