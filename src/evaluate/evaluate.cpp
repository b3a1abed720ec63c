#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "base/counted.h"
#include "base/guard.h"
#include "base/utf8.h"
#include "cluster/cluster.h"
#include "evaluate/mistakes.h"
#include "evaluate/partition.h"
#include "neardup/error.h"

namespace neardup {
namespace evaluation {
namespace {

// Adds up pairs by block: documents that are connected by clusters or pairs of either side.
class BlockCounts {
 public:
  explicit BlockCounts(const Compared& compared) : links_(compared.is_in.size()), by_root_(compared.is_in.size()) {
    for (const NumberedGrouping* side : {&compared.truth, &compared.found}) {
      constexpr std::uint32_t kNobody = 0xffffffff;
      std::vector<std::uint32_t> first(side->group.size() + side->labels.size(), kNobody);
      for (const std::uint32_t document : compared.documents) {
        std::uint32_t& leader = first[side->group[document]];
        if (leader == kNobody) leader = document;
        links_.unite(leader, document);
      }
      for (const DocumentPair& pair : side->different) links_.unite(pair.first, pair.second);
    }
  }

  PairCounts& of(std::uint32_t document) { return by_root_[links_.find(document)]; }

  // Those in which there is a pair.
  [[nodiscard]] std::vector<PairCounts> blocks() const {
    std::vector<PairCounts> out;
    std::ranges::copy_if(by_root_, std::back_inserter(out),
                         [](const PairCounts& counts) { return counts.found + counts.truth > 0; });
    return out;
  }

 private:
  cluster::UnionFind links_;
  std::vector<PairCounts> by_root_;
};

// Pairs of documents in one cluster, where a side has clusters.
void count_clusters(const Compared& compared, BlockCounts& blocks) {
  const Contingency& table = compared.table;
  const bool true_clusters = compared.truth.kind == Grouping::Kind::clusters,
             found_clusters = compared.found.kind == Grouping::Kind::clusters;
  std::vector<bool> seen_true(table.true_sizes.size()), seen_found(table.found_sizes.size());
  for (const Cell& cell : table.cells) {
    PairCounts& counts = blocks.of(compared.first_of(cell));
    if (true_clusters && found_clusters) counts.common += pairs_of(cell.documents);
    if (true_clusters && !seen_true[cell.truth]) counts.truth += pairs_of(table.true_sizes[cell.truth]);
    if (found_clusters && !seen_found[cell.found] && !compared.truth.judges_only_listed())
      counts.found += pairs_of(table.found_sizes[cell.found]);
    seen_true[cell.truth] = seen_found[cell.found] = true;
  }
}

// Listed pairs, where a side has those.
void count_listed(const Compared& compared, BlockCounts& blocks) {
  const NumberedGrouping &truth = compared.truth, &found = compared.found;
  const bool only_listed = truth.judges_only_listed();
  for (const ScoredPair& scored : truth.pairs) {
    PairCounts& counts = blocks.of(scored.pair.first);
    ++counts.truth;
    if (!compared.is_found(scored.pair)) continue;
    ++counts.common;
    if (only_listed) ++counts.found;
  }
  for (const DocumentPair& pair : truth.different)
    if (compared.is_found(pair)) ++blocks.of(pair.first).found;
  if (only_listed) return;
  for (const ScoredPair& scored : found.pairs) {
    if (!compared.has_both(scored.pair)) continue;
    PairCounts& counts = blocks.of(scored.pair.first);
    ++counts.found;
    if (truth.kind == Grouping::Kind::clusters && compared.is_true(scored.pair)) ++counts.common;
  }
}

void count_documents(const Compared& compared, Evaluation& out) {
  out.documents = compared.documents.size();
  std::uint64_t shared = 0;
  for (std::uint32_t document = 0; document < compared.is_in.size(); ++document) {
    const bool is_true = compared.truth.is_named[document], is_found = compared.found.is_named[document];
    shared += is_true && is_found ? 1 : 0;
    out.unknown_documents += is_found && !compared.is_in[document] ? 1 : 0;
    out.missing_documents += is_true && !is_found ? 1 : 0;
  }
  out.repeated_ids = compared.truth.repeated + compared.found.repeated;
  out.contradictions = compared.truth.contradictions;
  const bool has_result = std::ranges::find(compared.found.is_named, true) != compared.found.is_named.end();
  if (has_result && shared == 0) {
    throw Error(ErrorCode::usage, "the result and the truth have no document in common: are their ids the same?",
                "truth");
  }
}

void add_warnings(Evaluation& out) {
  const auto warn = [&](std::uint64_t count, const char* one, const char* many) {
    if (count > 0) out.warnings.push_back(base::counted(count, one, many));
  };
  warn(out.unknown_documents, "document of the result is not in the truth, and is left out",
       "documents of the result are not in the truth, and are left out");
  warn(out.repeated_ids, "id is repeated: only its first cluster counts",
       "ids are repeated: only the first cluster of each counts");
  warn(out.contradictions, "pair of the truth is listed as belonging together and as not: it is left out",
       "pairs of the truth are listed as belonging together and as not: they are left out");
  warn(out.implied_pairs,
       "pair is implied by a chain of true pairs but not listed: it counts as wrong when it is found",
       "pairs are implied by chains of true pairs but not listed: they count as wrong when they are found");
}

Evaluation evaluate_sides(const Grouping& result, const Grouping& truth, const EvaluateOptions& options,
                          const Context& context) {
  if (truth.members.empty() && truth.pairs.empty())
    throw Error(ErrorCode::usage, "the truth is empty: there is nothing to evaluate against", "truth");
  const NameNumbers names(truth, result);
  const NumberedGrouping true_side(truth, names), found_side(result, names);
  const Compared compared(true_side, found_side, names);
  Evaluation out{.result_shape = result.shape, .truth_shape = truth.shape};
  count_documents(compared, out);
  BlockCounts counts(compared);
  count_clusters(compared, counts);
  count_listed(compared, counts);
  const std::vector<PairCounts> blocks = counts.blocks();
  for (const PairCounts& block : blocks) {
    out.found_pairs += block.found;
    out.true_pairs += block.truth;
    out.common_pairs += block.common;
  }
  out.blocks = blocks.size();
  if (true_side.kind == Grouping::Kind::pairs && !true_side.judges_only_listed())
    out.implied_pairs = compared.table.true_pairs() - true_side.pairs.size();
  const PairEstimates estimates = estimate_pairs(blocks, options.seed, context);
  out.precision = estimates.precision;
  out.recall = estimates.recall;
  out.f1 = estimates.f1;
  out.clusters = score_partitions(compared.table);
  MistakeList merged = false_merges(compared, options.shown), missed = misses(compared, options.shown);
  out.false_merges_in_all = merged.in_all;
  out.false_merges = std::move(merged.shown);
  out.misses_in_all = missed.in_all;
  out.misses = std::move(missed.shown);
  add_warnings(out);
  return out;
}

std::uint64_t fill_texts(Evaluation& evaluation, const Collection& collection, const Context& context) {
  constexpr std::size_t kShownBytes = 400;
  std::multimap<std::string, std::string*, std::less<>> wanted;
  for (auto* mistakes : {&evaluation.false_merges, &evaluation.misses}) {
    for (Mistake& mistake : *mistakes) {
      wanted.emplace(mistake.left, &mistake.left_text);
      wanted.emplace(mistake.right, &mistake.right_text);
    }
  }
  std::set<std::string, std::less<>> missing;
  for (const auto& [name, text] : wanted) missing.insert(name);
  const auto reader = collection.read(context);
  for (Document document; !missing.empty() && reader->next(document);) {
    const auto first = missing.find(document.key);
    if (first == missing.end()) continue;
    missing.erase(first);
    const std::string_view beginning = base::cut_to_code_point(document.text, kShownBytes);
    const auto [begin, end] = wanted.equal_range(document.key);
    for (auto each = begin; each != end; ++each)
      *each->second = std::string(beginning) + (beginning.size() < document.text.size() ? "…" : "");
  }
  return missing.size();
}

}  // namespace
}  // namespace evaluation

void EvaluateOptions::validate() const {
  constexpr std::size_t kMostShown = 100000;
  if (shown > kMostShown) throw Error(ErrorCode::usage, "`show` must be at most 100,000", "show");
}

Evaluation evaluate(const Grouping& result, const Grouping& truth, const EvaluateOptions& options,
                    const Context& given) {
  return base::guarded(given, [&](const Context& context) {
    options.validate();
    return evaluation::evaluate_sides(result, truth, options, context);
  });
}

std::uint64_t add_texts(Evaluation& evaluated, const Collection& collection, const Context& given) {
  return base::guarded(given,
                       [&](const Context& context) { return evaluation::fill_texts(evaluated, collection, context); });
}

}  // namespace neardup
