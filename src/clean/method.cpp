#include "clean/method.h"

#include <tbb/enumerable_thread_specific.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <numeric>
#include <queue>
#include <tuple>
#include <utility>

#include "base/parallel.h"
#include "base/system.h"

namespace neardup::clean {
namespace {

constexpr std::size_t kBatch = 64;      // queries that are searched together, on all threads
constexpr std::size_t kFirstPage = 10;  // results that people see at once

// What a query would remove, and what its step took.
struct Proposal {
  std::vector<Removal> removals;
  std::vector<std::pair<DocumentNumber, DocumentNumber>> links;
  QueryOutcome step;
};

// Turns the results of one query into proposals. One per thread.
class Cleaner {
 public:
  explicit Cleaner(const MethodRequest& request) : request_(request), grouper_(request.repository, request.judge) {}

  void clean(QueryNumber query, std::span<const Hit> results, unsigned k, Proposal& out) {
    out.removals.clear();
    out.links.clear();
    const base::Stopwatch watch;
    grouper_.group(results, k, groups_);
    for (std::size_t g = 0; g < groups_.size(); ++g) propose(query, results, groups_[g], out);
    for (const auto& [a, b] : groups_.links) {
      const DocumentNumber left = results[a].row, right = results[b].row;
      out.links.emplace_back(std::min(left, right), std::max(left, right));
    }
    out.step.rank = std::uint64_t{query} + 1;
    out.step.results = results.size();
    out.step.groups = groups_.size();
    out.step.clean_seconds = watch.seconds();
    out.step.seconds += out.step.clean_seconds;
  }

 private:
  [[nodiscard]] double authority(DocumentNumber row) const {
    return request_.repository.authority.empty() ? 0 : request_.repository.authority[row];
  }

  [[nodiscard]] bool may_go(DocumentNumber row) const {
    if (!request_.repository.is_protected.empty() && request_.repository.is_protected[row]) return false;
    const auto& below = request_.options.policy.authority_below;
    return !below || authority(row) < *below;
  }

  // The highest authority stays; among equals the one that ranks first.
  void propose(QueryNumber query, std::span<const Hit> results, std::span<const std::uint32_t> group, Proposal& out) {
    const std::uint32_t best = *std::max_element(group.begin(), group.end(), [&](std::uint32_t a, std::uint32_t b) {
      return authority(results[a].row) < authority(results[b].row);
    });
    for (const std::uint32_t place : group) {
      const DocumentNumber row = results[place].row;
      if (place != best && may_go(row)) out.removals.push_back({row, results[best].row, query, place + 1});
    }
  }

  const MethodRequest& request_;
  Grouper grouper_;
  Groups groups_;
};

// The policy's word on each query of a batch, and its results in the repository as it was when the batch began.
struct QueryHits {
  std::size_t depth = 0, asked = 0;
  unsigned k = 0;
  std::vector<Hit> hits;
  double seconds = 0;
};

// Searches as the policy says. Threads: const members may run concurrently.
class QuerySearch {
 public:
  explicit QuerySearch(const MethodRequest& request)
      : policy_(request.options.policy), nothing_(request.repository.set.size()) {}

  // `spare`: results are asked for beyond the depth, since some may go before they are looked at.
  enum class Spare { none, some };
  void search(Searcher& searcher, QueryNumber query, const Removed& removed, Spare spare, QueryHits& out) const {
    const base::Stopwatch watch;
    const std::uint64_t rank = std::uint64_t{query} + 1;
    const std::uint64_t matches = policy_.needs_matches() ? searcher.matches(query, nothing_) : 0;
    out.depth = policy_.depth(rank, matches);
    out.k = policy_.k(rank, matches);
    out.asked = out.depth + (spare == Spare::some ? 64 + out.depth / 8 : 0);
    out.hits.clear();
    if (!policy_.leaves_alone(matches)) searcher.search(query, out.asked, removed, out.hits);
    out.seconds = watch.seconds();
  }
  [[nodiscard]] const Removed& nothing() const { return nothing_; }

 private:
  Policy policy_;
  Removed nothing_;
};

void follow(Proposal& proposal, MethodResult& result) {
  for (const Removal& removal : proposal.removals) result.removed[removal.row] = true;
  proposal.step.removed = proposal.removals.size();
  result.removals.insert(result.removals.end(), proposal.removals.begin(), proposal.removals.end());
  if (!proposal.removals.empty()) result.links.insert(result.links.end(), proposal.links.begin(), proposal.links.end());
  result.steps.push_back(proposal.step);
}

// Whether the time that was granted is over.
bool is_over(const base::Stopwatch& watch, const MethodRequest& request) {
  const double granted = request.options.course.budget_seconds;
  return granted > 0 && watch.seconds() > granted;
}

MethodResult start(const MethodRequest& request, const Context& context) {
  if (context.observer != nullptr) context.observer->stage("cleaning up", request.order.size(), "queries");
  MethodResult result;
  result.removed.resize(request.repository.set.size());
  return result;
}
void advance(std::size_t queries, const Context& context) {
  base::check_stop(context);
  if (context.observer != nullptr) context.observer->advance(queries);
}

// Takes the proposals of all queries in their order. What a document is kept for may itself be proposed by another
// query; a proposal that would close a cycle, so that no member of the group would be left, is dropped.
class Marks {
 public:
  explicit Marks(std::size_t rows) : stands_for_(rows) { std::iota(stands_for_.begin(), stands_for_.end(), 0u); }

  [[nodiscard]] bool accept(const Removal& removal) {
    if (stands_for_[removal.row] != removal.row || end_of(removal.kept) == removal.row) return false;
    stands_for_[removal.row] = removal.kept;
    return true;
  }

  // Which document represents each row at the end.
  std::vector<DocumentNumber> ends() {
    for (DocumentNumber row = 0; row < stands_for_.size(); ++row) stands_for_[row] = end_of(row);
    return std::move(stands_for_);
  }

 private:
  DocumentNumber end_of(DocumentNumber row) {
    while (stands_for_[row] != row) row = stands_for_[row] = stands_for_[stands_for_[row]];
    return row;
  }
  std::vector<DocumentNumber> stands_for_;
};

}  // namespace

void for_each_query(const ResultSource& results, std::size_t count, const Context& context,
                    const std::function<void(Searcher&, std::size_t index)>& work) {
  tbb::enumerable_thread_specific<std::unique_ptr<Searcher>> searchers([&] { return results.searcher(); });
  base::parallel_for(context, count, [&](std::size_t first, std::size_t last) {
    Searcher& searcher = *searchers.local();
    for (std::size_t i = first; i < last; ++i) work(searcher, i);
  });
}

namespace {

// A later query sees a smaller repository, so queries depend on each other; searching is nine tenths of the work and
// can be done ahead anyway. Each query of a batch is searched in the repository as the batch found it, a little
// deeper than needed. Taking out what went since gives what a search now would give, as long as enough is left; if not,
// it is searched again.
MethodResult clean_sequentially(const MethodRequest& request, const Context& context) {
  const QuerySearch search(request);
  const base::Stopwatch watch;
  MethodResult result = start(request, context);
  Cleaner cleaner(request);
  Proposal proposal;
  std::vector<QueryHits> batch(kBatch);
  const auto own_searcher = request.results.searcher();
  for (std::size_t begin = 0; begin < request.order.size() && !result.out_of_time; begin += kBatch) {
    const auto queries = request.order.subspan(begin, std::min(kBatch, request.order.size() - begin));
    for_each_query(request.results, queries.size(), context, [&](Searcher& searcher, std::size_t i) {
      search.search(searcher, queries[i], result.removed, QuerySearch::Spare::some, batch[i]);
    });
    for (std::size_t i = 0; i < queries.size(); ++i) {
      if (is_over(watch, request)) {
        result.out_of_time = true;
        break;
      }
      QueryHits& searched = batch[i];
      const bool was_cut = searched.hits.size() == searched.asked;
      std::erase_if(searched.hits, [&](const Hit& hit) { return result.removed[hit.row]; });
      if (was_cut && searched.hits.size() < searched.depth)
        search.search(*own_searcher, queries[i], result.removed, QuerySearch::Spare::none, searched);
      if (searched.hits.size() > searched.depth) searched.hits.resize(searched.depth);
      proposal.step.seconds = searched.seconds;
      cleaner.clean(queries[i], searched.hits, searched.k, proposal);
      follow(proposal, result);
    }
    advance(queries.size(), context);
  }
  return result;
}

MethodResult clean_marked(const MethodRequest& request, const Context& context) {
  const QuerySearch search(request);
  const base::Stopwatch watch;
  MethodResult result = start(request, context);
  Marks marks(request.repository.set.size());
  constexpr std::size_t kMarkedBatch = 16 * kBatch;
  std::vector<Proposal> proposals(kMarkedBatch);
  struct Worker {
    std::unique_ptr<Searcher> searcher;
    Cleaner cleaner;
    QueryHits searched{};
  };
  tbb::enumerable_thread_specific<Worker> workers(
      [&] { return Worker{.searcher = request.results.searcher(), .cleaner = Cleaner(request)}; });
  for (std::size_t begin = 0; begin < request.order.size(); begin += kMarkedBatch) {
    const auto queries = request.order.subspan(begin, std::min(kMarkedBatch, request.order.size() - begin));
    base::parallel_for(context, queries.size(), [&](std::size_t first, std::size_t last) {
      auto& [searcher, cleaner, searched] = workers.local();
      for (std::size_t i = first; i < last; ++i) {
        search.search(*searcher, queries[i], search.nothing(), QuerySearch::Spare::none, searched);
        proposals[i].step.seconds = searched.seconds;
        cleaner.clean(queries[i], searched.hits, searched.k, proposals[i]);
      }
    });
    for (std::size_t i = 0; i < queries.size(); ++i) {
      Proposal& proposal = proposals[i];
      std::erase_if(proposal.removals, [&](const Removal& removal) { return !marks.accept(removal); });
      follow(proposal, result);
    }
    advance(queries.size(), context);
    if (is_over(watch, request) && begin + kMarkedBatch < request.order.size()) {
      result.out_of_time = true;
      break;
    }
  }
  return result;
}

constexpr std::size_t kLook = 100;         // results that represent all of a query's
constexpr std::uint64_t kQueryWork = 100;  // what a query costs besides its results, in results

// What a query still adds, per unit of work. Larger is better; among equals the lower rank.
struct Offer {
  double gain;
  QueryNumber query;
  std::size_t round;  // when it was reckoned
  friend bool operator<(const Offer& a, const Offer& b) {
    return std::tuple(a.gain, b.query) < std::tuple(b.gain, a.query);
  }
};

}  // namespace

std::vector<DocumentNumber> MethodResult::representatives() const {
  Marks marks(removed.size());
  for (const Removal& removal : removals) (void)marks.accept(removal);  // none of them closes a circle
  return marks.ends();
}

MethodResult run_method(CleanMode mode, const MethodRequest& request, const Context& context) {
  return mode == CleanMode::sequential ? clean_sequentially(request, context) : clean_marked(request, context);
}

std::vector<QueryNumber> order_by_coverage(const ResultSource& results, const Policy& policy,
                                           std::span<const std::uint64_t> counts, std::size_t documents,
                                           std::size_t most, const Context& context) {
  std::vector<std::vector<DocumentNumber>> shown(counts.size());
  const Removed nothing(documents);
  if (context.observer != nullptr) context.observer->stage("choosing queries", counts.size(), "queries");
  for_each_query(results, counts.size(), context, [&](Searcher& searcher, std::size_t i) {
    const auto query = static_cast<QueryNumber>(i);
    const std::uint64_t matches = policy.needs_matches() ? searcher.matches(query, nothing) : 0;
    if (policy.leaves_alone(matches)) return;
    std::vector<Hit> hits;
    searcher.search(query, std::min(kLook, policy.depth(i + 1, matches)), nothing, hits);
    for (const Hit& hit : hits) shown[i].push_back(hit.row);
  });

  std::vector<double> weight(documents);  // 0: covered
  for (std::size_t query = 0; query < counts.size(); ++query)
    for (const DocumentNumber row : shown[query]) weight[row] += static_cast<double>(counts[query]);
  const auto gain = [&](QueryNumber query) {
    double fresh = 0;
    for (const DocumentNumber row : shown[query]) fresh += weight[row];
    return fresh / static_cast<double>(kQueryWork + shown[query].size());
  };

  std::priority_queue<Offer> offers;
  for (QueryNumber query = 0; query < counts.size(); ++query) offers.push({gain(query), query, 0});
  std::vector<QueryNumber> order;
  while (!offers.empty() && (most == 0 || order.size() < most)) {
    const Offer best = offers.top();
    offers.pop();
    if (best.round != order.size() && best.gain > 0) {
      offers.push({gain(best.query), best.query, order.size()});
      continue;
    }
    order.push_back(best.query);
    for (const DocumentNumber row : shown[best.query]) weight[row] = 0;
  }
  base::check_stop(context);
  return order;
}

ShownResults shown_results(const MethodRequest& request, std::span<const std::uint64_t> counts, const Removed& removed,
                           const Context& context) {
  const unsigned k = Policy(request.options.policy).largest_k();
  struct Shown {
    std::uint32_t results = 0, duplicates = 0;
  };
  std::vector<Shown> shown(counts.size());
  if (context.observer != nullptr) context.observer->stage("measuring what is shown", 0, "queries");
  struct Worker {
    std::unique_ptr<Searcher> searcher;
    Grouper grouper;
    Groups groups{};
    std::vector<Hit> hits{};
  };
  tbb::enumerable_thread_specific<Worker> workers([&] {
    return Worker{.searcher = request.results.searcher(), .grouper = Grouper(request.repository, request.judge)};
  });
  base::parallel_for(context, counts.size(), [&](std::size_t first, std::size_t last) {
    auto& [searcher, grouper, groups, hits] = workers.local();
    for (std::size_t i = first; i < last; ++i) {
      searcher->search(static_cast<QueryNumber>(i), kFirstPage, removed, hits);
      grouper.group(hits, k, groups);
      shown[i] = {static_cast<std::uint32_t>(hits.size()),
                  static_cast<std::uint32_t>(groups.places.size() - groups.size())};
    }
  });
  double searches = 0, results = 0, duplicates = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const auto count = static_cast<double>(counts[i]);
    searches += count;
    results += count * shown[i].results;
    duplicates += count * shown[i].duplicates;
  }
  ShownResults out;
  out.distinct = results - duplicates;
  if (results > 0) out.quality.duplicate_share = duplicates / results;
  if (searches > 0) out.quality.distinct_results = out.distinct / searches;
  return out;
}

}  // namespace neardup::clean
