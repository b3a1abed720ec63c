// Which definition and which finder suit these documents, and what will a run cost? Reads a bounded sample.
//
//   auto pages = neardup::Collection::open({"pages.jsonl"}, {}, context);
//   const neardup::Advice advice = neardup::advise(pages, nullptr, {}, context);
//   std::cout << to_string(advice.threshold.suggested) << '\n';
//
// docs/algorithms/advise.md says how each number is found and how good it is.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "neardup/collection.h"
#include "neardup/context.h"
#include "neardup/definition.h"
#include "neardup/report.h"

namespace neardup {

struct AdviseOptions {
  std::optional<FeatureSpec> features{};  // absent: chosen by the lengths of the texts
  std::optional<Threshold> threshold{};   // of Jaccard; absent: suggested
  TextRules text{};
  // Read at most this much of the inputs (as they are on disk, from the beginning of each file), and examine at most
  // this much text of it. Larger inputs are sampled.
  std::uint64_t read_bytes = std::uint64_t{4} << 30;
  std::uint64_t text_bytes = std::uint64_t{512} << 20;
  std::uint64_t max_features = std::uint64_t{32}
                               << 20;  // in memory; 8 bytes each, and about as much again to join them
  std::uint64_t seed = 42;
  OnBadRecord on_bad_record = OnBadRecord::skip;  // not quarantine

  void validate() const;  // throws Error{usage}
};

struct LengthSummary {  // of texts, in words
  std::uint64_t p10 = 0, median = 0, p90 = 0, longest = 0;
};

struct NamedShare {
  std::string name;
  double share = 0;
};

// What a run at this threshold would do to the whole collection.
struct ThresholdOutcome {
  Threshold threshold{};
  Estimate clusters{};       // of two documents and more
  Estimate removed{};        // documents
  double largest_share = 0;  // of the documents, in the largest cluster
};

struct ScoreBin {
  double from = 0;     // similarity; bins have a width of kScoreBinWidth
  double pairs = 0;    // of distinct documents in the whole collection, estimated
  double nearest = 0;  // share of the documents whose most similar document lies in this bin
};
inline constexpr double kScoreBinWidth = 0.05;

enum class Confidence { low, medium, high };
std::string to_string(Confidence);

struct ThresholdAdvice {
  Threshold suggested{};
  bool given = false;  // by AdviseOptions::threshold
  Confidence confidence = Confidence::low;
  std::string reason{};
  std::optional<double> valley{};          // where pairs are rarest between unrelated documents and near-duplicates
  double valley_low = 0, valley_high = 0;  // 95% interval of its place, by bootstrap over documents
};

struct SimhashPoint {
  unsigned distance = 0;
  double recall = 0, precision = 0;  // of candidates against the suggested definition
};
struct SimhashAdvice {
  std::optional<unsigned> distance;  // smallest with a recall of 95%; absent: no pairs, or none up to 24
  std::uint64_t pairs = 0;           // true pairs behind it
  std::vector<SimhashPoint> points;  // distances 0 to 24
};

struct FinderCost {
  std::string finder;              // a name of finder_names()
  double cpu_seconds = 0;          // of all threads together
  double seconds = 0;              // with the context's threads, on an idle machine
  double memory_bytes = 0;         // the peak of the process
  std::optional<double> recall{};  // expected; absent: there are no pairs to measure it on
  bool suits = false;              // the one to use
  std::string remark{};
};

// What the cost model is calibrated with: the work done on the sample, on this machine.
struct SampleWork {
  double reading_cpu_seconds = 0;
  double joining_cpu_seconds = 0;                           // at the suggested threshold
  std::uint64_t documents = 0, distinct = 0, features = 0;  // features of distinct documents
};

// A passage that many documents contain.
struct TemplateText {
  std::string text;
  double share = 0;  // of the documents
};

// For two collections whose records should match one to one.
struct MatchAdvice {
  double matches = 0;             // expected, at the suggested threshold
  double expected_precision = 0;  // of a one-to-one matching
  double expected_f1 = 0;
};

// ReadFacts are of what was read; `documents` and `text_size` are of the whole.
struct Advice : ReadFacts {
  double examined_share = 1;      // of the documents
  bool is_complete = true;        // everything was read and examined
  unsigned feature_sampling = 1;  // one feature in this many was compared
  Estimate all_documents;         // in the collection
  double all_text_bytes = 0;
  LengthSummary words;
  std::vector<NamedShare> scripts, languages;  // of texts, largest first
  Estimate exact_copies;                       // documents whose text is the same as an earlier one's
  Estimate feature_copies;                     // documents whose features are
  Definition definition{};                     // suggested, with the suggested threshold
  std::string features_reason;
  ThresholdAdvice threshold;
  std::vector<ScoreBin> scores;
  std::vector<ThresholdOutcome> outcomes;  // at .7, .8, .9, and at the suggested threshold where it is another
  std::optional<MatchAdvice> matching;     // with a second collection
  SimhashAdvice simhash;
  SampleWork work;
  std::vector<FinderCost> finders;
  std::vector<TemplateText> templates;
  double template_pairs_share = 0;  // of similar pairs, similar only because of passages that many documents contain
  std::vector<std::string> warnings;
  double seconds = 0;
};

// `other`: a second collection to match with; null: within the collection. Throws Error{input} when there is nothing
// to read.
Advice advise(const Collection&, const Collection* other, const AdviseOptions&, const Context&);
std::string to_json(const Advice&, const std::string& command = {});

}  // namespace neardup
