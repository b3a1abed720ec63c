// The front door: documents in, one of each near-duplicate group out. Start reading here.
//
//   neardup::Context context;
//   auto documents = neardup::Collection::open({"pages.jsonl"}, {}, context);
//   auto report = neardup::deduplicate(documents, {.output = {.path = "kept.jsonl"}}, context);
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "neardup/authority.h"
#include "neardup/cluster.h"
#include "neardup/context.h"
#include "neardup/definition.h"
#include "neardup/document.h"

namespace neardup {

struct OutputOptions {
  std::string path{};     // empty: only report; "-": standard output; a known extension: a file; else a folder
  bool dry_run = false;   // check and report, write nothing
  bool annotate = false;  // keep every record and add neardup_cluster, neardup_kept, neardup_score
  bool save_removed = false;
  bool resume = false;  // save finished stages beside the output, and continue from those of an interrupted run
  Overwrite overwrite = Overwrite::refuse;
};

struct DedupOptions {
  Definition definition{};
  bool features_named = false;  // the user chose definition.features: an error for `sets` inputs, which have their own
  std::string finder = "auto";  // a name from finder_names()
  double target_recall = 0.97;  // for finders that may miss pairs: at the threshold itself
  unsigned distance = 3;        // for the finder simhash: the largest distance of a candidate pair
  bool measure_recall = true;
  bool against_only = false;  // with another collection to hold against: near-duplicates among themselves stay
  std::string pairs{};  // a file of pairs that are known already: no search, and definition and finder do not matter
  ClusterKind clusters = ClusterKind::components;
  std::vector<KeepRule> keep{KeepRule{}};
  AuthorityOptions authority{};  // for the keep rule `authority`
  std::uint64_t seed = 42;
  OnBadRecord on_bad_record = OnBadRecord::skip;
  OutputOptions output{};
  std::vector<std::string> command_line{};  // recorded in run.json

  void validate() const;
};

struct Recall {
  double value = 1, low = 1, high = 1;
  std::uint64_t documents = 0, pairs = 0;
};

struct StageTime {
  std::string name;
  double seconds = 0;
};

// A removed document beside the one that stands for it, for people to judge.
struct Example {
  std::string removed_key, removed_text;  // texts are cut to their first few hundred code points
  std::string kept_key, kept_text;
  std::optional<double> score;
};

struct DedupReport {
  std::uint64_t records = 0, bytes = 0;  // read, bad ones included
  std::uint64_t kept = 0, removed = 0;
  std::uint64_t against_records = 0;     // of the other collection, bad ones included
  std::uint64_t against_removed = 0;     // near something in it; among `removed`
  std::uint64_t without_features = 0;    // kept, in no pair
  std::uint64_t repaired_texts = 0;      // had invalid UTF-8
  std::vector<EncodingCount> encodings;  // those other than UTF-8, by name
  std::uint64_t repeated_ids = 0;
  std::uint64_t copies = 0;  // documents whose features equal an earlier document's
  std::uint64_t clusters = 0, largest_cluster = 0;
  std::optional<std::uint64_t> pairs;  // of distinct feature sets; absent when not all were needed
  std::uint64_t candidates = 0;        // pairs that were verified
  Definition definition{};             // as it was applied: `sets` inputs bring their own features
  std::string finder;                  // what "auto" became
  std::string finder_parameters;       // for people: "15 bands of 7 rows"
  std::optional<Recall> recall;        // for finders that may miss pairs
  BadRecords bad, against_bad;
  std::vector<std::string> warnings;
  std::vector<std::string> outputs;  // paths written, the main one first
  std::vector<Example> examples;
  std::optional<AuthorityReport> authority;  // when a keep rule asked for it
  std::vector<StageTime> stages;
  std::vector<std::string> resumed;  // stages that an interrupted run had finished
  double seconds = 0;
  std::uint64_t peak_memory_bytes = 0;

  std::vector<bool> is_kept;  // by row; false for bad records
};

DedupReport deduplicate(const Collection&, const DedupOptions&, const Context&);

// First removes what is near something in `against`, which is neither changed nor compared with itself, then one of
// each among the rest (unless DedupOptions::against_only).
DedupReport deduplicate(const Collection&, const Collection& against, const DedupOptions&, const Context&);

// Everything in the report but is_kept, as one JSON object.
std::string to_json(const DedupReport&);

std::vector<std::string> finder_names();

}  // namespace neardup
