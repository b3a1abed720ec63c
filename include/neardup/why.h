// Why was a document of an earlier run removed, or kept?
//
//   const neardup::WhyReport report = neardup::explain_document("out", "d7", {}, context);
//   if (report.outcome == neardup::WhyReport::Outcome::removed) std::cout << report.kept << " was kept in its place\n";
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "neardup/compare.h"
#include "neardup/context.h"

namespace neardup {

struct WhyOptions {
  bool compare = true;  // read both documents from the inputs of that run and compare them
  CompareOptions comparison{};
};

// A pair from the run's list. Scores are as printed there.
struct WhyLink {
  std::string from, to, score;
};

struct WhyReport {
  enum class Outcome {
    kept,     // alone, or as the representative of its cluster
    removed,  // another document of its cluster was kept in its place
    against,  // removed as a near-duplicate of a document of the other collection
    none,     // removed with every other document of its cluster (DedupOptions::copies 0)
    indexed,  // removed as a near-duplicate of a document of the index; the two are not compared
    empty,    // removed because it has nothing to compare (DedupOptions::drop_empty)
    unknown,  // in no list: kept, or not a document of that run; the inputs no longer exist
  };
  std::string id;
  Outcome outcome = Outcome::unknown;
  std::string kept{};                      // the document kept in its place
  std::string rule{};                      // the keep rule that decided between the two
  std::string score{};                     // of the two; empty: linked only through others
  std::uint64_t cluster_size = 0;          // 0: it is in no cluster
  std::vector<std::string> members{};      // the first of them, in input order
  std::vector<WhyLink> chain{};            // from the document to the kept one, by as few pairs as possible
  std::string definition{};                // "words:5, jaccard >= 0.8"; empty when the pairs were given
  std::optional<Comparison> comparison{};  // of the document (a) and the kept one (b)
  std::string no_comparison{};             // why there is none, if one was expected
};

// Reads the output folder of a run: run.json, removed.jsonl, clusters.tsv, pairs.tsv. Throws Error{input}
// when it is not such a folder, Error{usage} when there is no such document.
WhyReport explain_document(const std::string& folder, const std::string& id, const WhyOptions&, const Context&);

std::string to_json(const WhyReport&, const DiffExcerpt&);

}  // namespace neardup
