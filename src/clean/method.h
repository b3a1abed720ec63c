// How is a repository cleaned up query by query?
//
// Pi, Fu, Zou, Guo and Han, section II.B and C, and the two ways on that their sections III.C and IV leave open:
// queries that mark in parallel, and queries chosen so that they overlap little.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "clean/grouping.h"
#include "clean/policy.h"
#include "clean/results.h"
#include "neardup/clean.h"
#include "neardup/context.h"

namespace neardup::clean {

struct MethodRequest {
  const ResultSource& results;
  const Repository& repository;
  const PairJudge* judge = nullptr;  // null: distance alone decides
  const CleanOptions& options;
  std::span<const QueryNumber> order;  // queries to process; a query's number is its rank in the log, from 0
};

struct Removal {
  DocumentNumber row, kept;  // `kept` is what the query kept; it may have gone for another one since
  QueryNumber query;         // that reached it
  std::uint32_t rank;        // in the results of the query, from 1
};

struct MethodResult {
  std::vector<Removal> removals;  // in the order of the queries, and of the results within each
  std::vector<std::pair<DocumentNumber, DocumentNumber>>
      links;                        // pairs that held together the groups something was removed from; repeats
  std::vector<QueryOutcome> steps;  // by processed query, without its text and count
  Removed removed;                  // by row
  bool out_of_time = false;         // CleanCourse::budget_seconds ended it

  // The kept document that represents each row: itself, or the end of the chain of what was kept for it.
  [[nodiscard]] std::vector<DocumentNumber> representatives() const;
};

// The same answer for every number of threads, unless time runs out.
MethodResult run_method(CleanMode, const MethodRequest&, const Context&);

// Runs `work(searcher, index)` for 0 to count - 1 on the context's threads.
void for_each_query(const ResultSource&, std::size_t count, const Context&,
                    const std::function<void(Searcher&, std::size_t index)>& work);

// What the first ten results of all queries show; counts[q] is the frequency of query q.
struct ShownResults {
  ResultQuality quality;
  double distinct = 0;  // over all searches
};
ShownResults shown_results(const MethodRequest&, std::span<const std::uint64_t> counts, const Removed&, const Context&);

// The order in which queries add most. A document weighs as often as people see it among the results of any query;
// chosen next is the query whose results hold most weight that no chosen one has, per unit of work: its results, and
// what a query costs besides. Since what a query adds only ever shrinks, an old figure is an upper bound and only the
// best few are computed again (lazy evaluation). Ties by rank. `most` 0: all; those that add nothing come last, by
// rank.
//
// Looks at the first hundred results of each query, or as many as the policy looks at: four hundred bytes a query.
std::vector<QueryNumber> order_by_coverage(const ResultSource&, const Policy&, std::span<const std::uint64_t> counts,
                                           std::size_t documents, std::size_t most, const Context&);

}  // namespace neardup::clean
