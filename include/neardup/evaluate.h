// How good is a result, when the truth is known? And when it is not?
//
//   const neardup::Grouping found = neardup::read_grouping("out", {}, context);
//   const neardup::Grouping truth = neardup::read_grouping("labels.csv", {}, context);
//   std::cout << neardup::evaluate(found, truth, {}, context).f1.value << "\n";
//
// docs/algorithms/evaluate.md defines every figure.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/collection.h"
#include "neardup/context.h"
#include "neardup/definition.h"
#include "neardup/report.h"

namespace neardup {

// What a tool or a person says about which documents belong together: clusters, or a list of pairs.
struct Grouping {
  enum class Kind { clusters, pairs };
  struct Membership {
    std::string id;
    std::string cluster;  // empty: the document is in a cluster of its own
  };
  struct JudgedPair {
    std::string left, right;
    std::optional<double> score{};
    bool is_same = true;  // false: the two do not belong together
  };

  Kind kind = Kind::clusters;
  std::string shape{};                // what a file was recognised as, for people
  std::vector<Membership> members{};  // of clusters
  std::vector<JudgedPair> pairs{};    // otherwise
  bool scores_are_distances = false;
};

struct GroupingOptions {
  std::string format = "auto";        // a name from grouping_formats()
  bool is_two_sided = false;          // the ids of the two columns of pairs belong to two collections
  bool scores_are_distances = false;  // a lower score is the stronger
  // Of the output folder of a run: its pairs instead of its clusters.
  bool prefers_pairs = false;
};
std::vector<std::string> grouping_formats();

// Reads the output folder of a run, or a file of one of the shapes that docs/algorithms/evaluate.md lists: TSV, CSV,
// JSONL, Parquet, compressed or not. Throws Error{input} when it is none of them.
Grouping read_grouping(const std::string& path, const GroupingOptions&, const Context&);

struct EvaluateOptions {
  std::uint64_t seed = 42;  // of the bootstrap
  std::size_t shown = 10;   // false merges and misses to list, of each
  void validate() const;
};

// How two partitions of the same documents agree. All between 0 and 1, but for `ari`, which can be negative.
struct PartitionScores {
  double bcubed_precision = 1, bcubed_recall = 1, bcubed_f1 = 1;
  double ari = 1;  // adjusted Rand index
  double homogeneity = 1, completeness = 1, v_measure = 1;
  double purity = 1, inverse_purity = 1;
};

// Two documents that show a mistake, and how many wrong pairs there are in the same place.
struct Mistake {
  std::string left, right;
  std::string place{};            // the found cluster of a false merge, the true cluster of a miss; empty for pairs
  std::uint64_t pairs = 1;        // wrong pairs there
  std::optional<double> score{};  // of a found pair
  std::string left_text{}, right_text{};  // beginnings, after add_texts()
};

struct Evaluation {
  std::string result_shape, truth_shape;
  std::uint64_t documents = 0;          // that are evaluated
  std::uint64_t unknown_documents = 0;  // in the result only, where the truth names all documents: left out
  std::uint64_t missing_documents = 0;  // in the truth only: alone in the result
  std::uint64_t repeated_ids = 0;       // a document that is in several clusters counts with its first
  std::uint64_t contradictions = 0;     // true pairs that are also listed as not belonging together: left out
  std::uint64_t implied_pairs = 0;      // not listed in the truth, but implied by a chain of true pairs

  std::uint64_t found_pairs = 0, true_pairs = 0, common_pairs = 0;
  Estimate precision{}, recall{}, f1{};
  std::uint64_t blocks =
      0;  // that the bootstrap draws: groups of documents that no cluster or pair of either side leaves
  PartitionScores clusters{};
  std::uint64_t false_merges_in_all = 0, misses_in_all = 0;  // places with mistakes
  std::vector<Mistake> false_merges{}, misses{};             // the worst first
  std::vector<std::string> warnings{};
};

// Throws Error{usage} when the truth names no document, or nothing is in common.
Evaluation evaluate(const Grouping& result, const Grouping& truth, const EvaluateOptions&, const Context&);

// The mistakes' texts, from the documents they are about. Returns how many documents were not found.
std::uint64_t add_texts(Evaluation&, const Collection&, const Context&);

// The result of clustering (components) only the pairs that reach a threshold.
struct SweepPoint {
  double threshold = 0;
  std::uint64_t found_pairs = 0, common_pairs = 0, true_pairs = 0;
  [[nodiscard]] double precision() const;
  [[nodiscard]] double recall() const;
  [[nodiscard]] double f1() const;
};
struct Sweep {
  std::vector<SweepPoint> points{};  // from the strongest threshold to the weakest; at most about a hundred
  SweepPoint best{};                 // the highest F1 among all thresholds; among ties the strongest
  bool scores_are_distances = false;
};
// Throws Error{usage} when the pairs have no scores.
Sweep sweep_thresholds(const Grouping& scored_pairs, const Grouping& truth, const Context&);
// A drawing of precision, recall and F1 over the threshold.
std::string sweep_svg(const Sweep&);
void write_sweep_svg(const Sweep&, const std::string& path, Overwrite, const Context&);

struct SampleOptions {
  Definition definition{};
  std::uint64_t documents = 1000;  // to draw; all when there are no more
  std::uint64_t seed = 42;
  OnBadRecord on_bad_record = OnBadRecord::skip;
  void validate() const;
};

// How good clusters are by a definition, without a truth: sampled documents are compared with all documents, exactly.
struct SampledEvaluation {
  std::string result_shape;
  Definition definition{};      // as applied
  std::uint64_t documents = 0;  // that were read
  std::uint64_t sampled = 0;
  std::uint64_t unknown_documents = 0;  // in the result, but not in the input
  std::uint64_t found_pairs = 0;        // of a sampled document with another one of its cluster
  std::uint64_t true_pairs = 0;         // of a sampled document with any other one, by the definition
  std::uint64_t common_pairs = 0;
  Estimate precision{}, recall{};
  BadRecords bad{};
  std::vector<std::string> warnings{};
};
SampledEvaluation evaluate_sample(const Collection&, const Grouping& result, const SampleOptions&, const Context&);

std::string to_json(const Evaluation&, const Sweep* = nullptr);
std::string to_json(const SampledEvaluation&);

}  // namespace neardup
