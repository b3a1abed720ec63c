#include "synonyms.h"

#include <algorithm>
#include <array>

namespace neardup::cli {
namespace {

constexpr std::array kSynonyms = std::to_array<Synonym>({
    {"text-field", "text", Synonymy::same},
    {"text-column", "text", Synonymy::same},
    {"text-key", "text", Synonymy::same},
    {"column", "text", Synonymy::same},
    {"field", "text", Synonymy::similar},  // one letter from --fields
    {"id-field", "id", Synonymy::same},
    {"id-column", "id", Synonymy::same},
    {"id-key", "id", Synonymy::same},
    {"against-text-field", "against-text", Synonymy::same},
    {"against-text-column", "against-text", Synonymy::same},
    {"against-id-field", "against-id", Synonymy::same},
    {"against-id-column", "against-id", Synonymy::same},
    {"reference", "against", Synonymy::same},
    {"input-format", "format", Synonymy::same},
    {"sep", "delimiter", Synonymy::same},
    {"separator", "delimiter", Synonymy::same},
    {"no-headers", "no-header", Synonymy::same},
    {"glob", "include", Synonymy::same},
    {"ext", "include", Synonymy::similar},
    {"output-file", "output", Synonymy::same},
    {"out", "output", Synonymy::same},
    {"overwrite", "force", Synonymy::same},
    {"ngram", "features", Synonymy::similar},
    {"ngrams", "features", Synonymy::similar},
    {"ngram-size", "features", Synonymy::similar},
    {"shingle", "features", Synonymy::similar},
    {"shingles", "features", Synonymy::similar},
    {"shingle-size", "features", Synonymy::similar},
    {"similarity", "threshold", Synonymy::same},
    {"min-similarity", "threshold", Synonymy::same},
    {"similarity-threshold", "threshold", Synonymy::same},
    {"jaccard-threshold", "threshold", Synonymy::similar},  // the measure may be another one
    {"cutoff", "threshold", Synonymy::same},
    {"max-distance", "distance", Synonymy::same},
    {"hamming-distance", "distance", Synonymy::same},
    {"k", "distance", Synonymy::same},
    {"k-by-results", "distance-by-results", Synonymy::same},
    {"threshold", "distance", Synonymy::same},  // in verbs without --threshold
    {"num-perm", "target-recall", Synonymy::similar},
    {"permutations", "target-recall", Synonymy::similar},
    {"bands", "target-recall", Synonymy::similar},
    {"jobs", "threads", Synonymy::same},
    {"n-jobs", "threads", Synonymy::same},
    {"workers", "threads", Synonymy::same},
    {"num-workers", "threads", Synonymy::same},
    {"num-proc", "threads", Synonymy::same},
    {"num-threads", "threads", Synonymy::same},
    {"max-memory", "memory", Synonymy::same},
    {"memory-limit", "memory", Synonymy::same},
    {"tmp-dir", "temp", Synonymy::same},
    {"temp-dir", "temp", Synonymy::same},
    {"silent", "quiet", Synonymy::same},
    {"colour", "color", Synonymy::same},
});

}  // namespace

std::span<const Synonym> synonyms() { return kSynonyms; }

std::string with_hyphens(std::string_view name) {
  std::string out(name);
  std::ranges::replace(out, '_', '-');
  return out;
}

}  // namespace neardup::cli
