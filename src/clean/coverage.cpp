#include "clean/coverage.h"

#include <algorithm>
#include <queue>
#include <tuple>

#include "base/system.h"
#include "clean/method.h"

namespace neardup::clean {
namespace {

constexpr std::size_t kLook = 100;         // results that stand for all of a query's
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

}  // namespace neardup::clean
