#include "authority/pagerank.h"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>

#include "base/parallel.h"
#include "base/system.h"
#include "base/zeroed_array.h"

namespace neardup::authority {
namespace {

// A round changes all scores together by no more than the damping times what the one before did, and the first one by
// no more than 2. What is left after so many rounds is rounding, which may never settle below a tiny tolerance.
std::uint64_t most_rounds(const AuthorityOptions& options) {
  constexpr double kMost = 100'000;
  const double needed = options.damping >= 1   ? kMost
                        : options.damping <= 0 ? 1
                                               : std::log(options.tolerance / 2) / std::log(options.damping);
  return static_cast<std::uint64_t>(std::clamp(needed, 1.0, kMost)) + 2;
}

// The links to each node, and where work on nodes is cut. Cuts depend on the graph alone, never on threads: sums over
// blocks are then the same to the last bit, whichever thread does which block.
struct Graph {
  std::vector<std::uint64_t> begin;      // by node, in `from`; one more at the end
  std::vector<std::uint32_t> from;       // ascending within a node
  std::vector<std::uint32_t> out_links;  // by node
  std::vector<std::uint32_t> blocks;     // first node of each block; one more at the end

  [[nodiscard]] std::size_t nodes() const { return out_links.size(); }
};

// Blocks of about this many nodes and links together.
std::vector<std::uint32_t> cut_blocks(const std::vector<std::uint64_t>& begin) {
  constexpr std::uint64_t kBlockWork = 1u << 15;
  std::vector<std::uint32_t> blocks{0};
  const std::size_t nodes = begin.size() - 1;
  std::uint64_t done = 0;
  for (std::size_t node = 0; node < nodes; ++node) {
    const std::uint64_t work = begin[node + 1] + node + 1;
    if (work - done < kBlockWork && node + 1 < nodes) continue;
    blocks.push_back(static_cast<std::uint32_t>(node + 1));
    done = work;
  }
  return blocks;
}

// Counts and places are given out by whichever thread comes first; sorting then makes the lists the same again.
std::uint64_t add_one(std::uint64_t& counter) {
  return std::atomic_ref(counter).fetch_add(1, std::memory_order_relaxed);
}

// Lists of links to each node with all their repeats, in any order. Frees `links`.
void list_sources(std::size_t nodes, std::vector<Link>& links, Graph& graph, const Context& context) {
  graph.begin.assign(nodes + 1, 0);
  const auto for_each_link = [&](const auto& work) {
    base::parallel_for(context, links.size(), [&](std::size_t first, std::size_t last) {
      for (const Link& link : std::span(links).subspan(first, last - first)) {
        assert(link.from < nodes && link.to < nodes);
        if (link.from != link.to) work(link);
      }
    });
  };
  for_each_link([&](const Link& link) { add_one(graph.begin[link.to + 1]); });
  std::partial_sum(graph.begin.begin(), graph.begin.end(), graph.begin.begin());
  graph.from.resize(graph.begin.back());
  std::vector<std::uint64_t> next(graph.begin.begin(), graph.begin.end() - 1);
  for_each_link([&](const Link& link) { graph.from[add_one(next[link.to])] = link.from; });
  std::vector<Link>().swap(links);
}

// Sorts each list and leaves every source once.
void collapse_repeats(Graph& graph, const Context& context) {
  const std::size_t nodes = graph.begin.size() - 1;
  std::vector<std::uint64_t> sizes(nodes);
  base::parallel_for(context, nodes, [&](std::size_t first, std::size_t last) {
    for (std::size_t node = first; node < last; ++node) {
      const auto begin = graph.from.begin() + static_cast<std::ptrdiff_t>(graph.begin[node]);
      const auto end = graph.from.begin() + static_cast<std::ptrdiff_t>(graph.begin[node + 1]);
      std::sort(begin, end);
      sizes[node] = static_cast<std::uint64_t>(std::unique(begin, end) - begin);
    }
  });
  std::uint64_t filled = 0;
  for (std::size_t node = 0; node < nodes; ++node) {
    const auto begin = graph.from.begin() + static_cast<std::ptrdiff_t>(std::exchange(graph.begin[node], filled));
    std::copy_n(begin, sizes[node], graph.from.begin() + static_cast<std::ptrdiff_t>(filled));
    filled += sizes[node];
  }
  graph.begin[nodes] = filled;
  graph.from.resize(filled);
}

Graph build_graph(std::size_t nodes, std::vector<Link>& links, AuthorityReport& counts, const Context& context) {
  Graph graph;
  const std::size_t all = links.size();
  list_sources(nodes, links, graph, context);
  const std::size_t without_self_links = graph.from.size();
  collapse_repeats(graph, context);
  counts.links = graph.from.size();
  counts.self_links = all - without_self_links;
  counts.repeated_links = without_self_links - graph.from.size();

  graph.out_links.assign(nodes, 0);
  base::parallel_for(context, graph.from.size(), [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      std::atomic_ref(graph.out_links[graph.from[i]]).fetch_add(1, std::memory_order_relaxed);
    }
  });
  counts.dangling = static_cast<std::uint64_t>(std::count(graph.out_links.begin(), graph.out_links.end(), 0u));
  graph.blocks = cut_blocks(graph.begin);
  return graph;
}

// In a fixed order, but not one addition after the other: each would wait for the one before.
double sum_of(std::span<const std::uint32_t> nodes, const double* values) {
  double a = 0, b = 0, c = 0, d = 0;
  std::size_t i = 0;
  for (; i + 4 <= nodes.size(); i += 4) {
    a += values[nodes[i]];
    b += values[nodes[i + 1]];
    c += values[nodes[i + 2]];
    d += values[nodes[i + 3]];
  }
  for (; i < nodes.size(); ++i) a += values[nodes[i]];
  return (a + b) + (c + d);
}

// What a round, or a part of one, comes to.
struct Sums {
  double change = 0;    // of all scores
  double dangling = 0;  // score of nodes without links
  double total = 0;
};

class Rounds {
 public:
  Rounds(const Graph& graph, double damping, const Context& context)
      : graph_(graph),
        damping_(damping),
        context_(context),
        scores_(graph.nodes(), 1.0 / static_cast<double>(graph.nodes())),
        given_(graph.nodes()),
        next_given_(graph.nodes()),
        sums_(graph.blocks.size() - 1) {
    for_each_block([&](std::size_t first, std::size_t last, Sums& sums) {
      for (std::size_t node = first; node < last; ++node) give(node, given_, sums);
    });
  }

  // Returns by how much all scores together changed.
  double next() {
    const auto nodes = static_cast<double>(graph_.nodes());
    const double everybody = ((1 - damping_) + damping_ * last_.dangling) / nodes;
    for_each_block([&](std::size_t first, std::size_t last, Sums& sums) {
      for (std::size_t node = first; node < last; ++node) {
        const std::span from(graph_.from.data() + graph_.begin[node], graph_.begin[node + 1] - graph_.begin[node]);
        const double score = everybody + damping_ * sum_of(from, given_.data());
        sums.change += std::abs(score - scores_[node]);
        scores_[node] = score;
        give(node, next_given_, sums);
      }
    });
    std::swap(given_, next_given_);
    return last_.change;
  }

  // The scores, summing to 1.
  std::vector<double> take_scores() {
    for (double& score : scores_) score /= last_.total;
    return std::move(scores_);
  }

 private:
  void give(std::size_t node, base::ZeroedArray<double>& given, Sums& sums) const {
    const std::uint32_t links = graph_.out_links[node];
    sums.total += scores_[node];
    if (links == 0) sums.dangling += scores_[node];
    given[node] = links == 0 ? 0 : scores_[node] / links;
  }

  template <class Work>
  void for_each_block(const Work& work) {
    base::parallel_for(context_, sums_.size(), [&](std::size_t first, std::size_t last) {
      for (std::size_t block = first; block < last; ++block) {
        Sums sums;
        work(graph_.blocks[block], graph_.blocks[block + 1], sums);
        sums_[block] = sums;
      }
    });
    last_ = {};
    for (const auto& [change, dangling, total] : sums_) {
      last_.change += change;
      last_.dangling += dangling;
      last_.total += total;
    }
  }

  const Graph& graph_;
  double damping_;
  const Context& context_;
  std::vector<double> scores_;
  base::ZeroedArray<double> given_, next_given_;  // what a node gives to each node it links to
  std::vector<Sums> sums_;                        // by block
  Sums last_;
};

}  // namespace

PageRank page_rank(std::size_t nodes, std::vector<Link> links, const AuthorityOptions& options,
                   const Context& context) {
  PageRank out;
  if (nodes == 0) return out;
  if (context.observer != nullptr) context.observer->stage("ranking by links", 0, "rounds");
  // Links as they come and by node; of each node where its list begins, its links, and three numbers.
  constexpr std::size_t kBytesPerLink = sizeof(Link) + sizeof(std::uint32_t), kBytesPerNode = 8 + 4 + 3 * 8;
  Reservation memory = base::reservation(context);
  memory.hold(links.size() * kBytesPerLink + nodes * kBytesPerNode);
  const Graph graph = build_graph(nodes, links, out.report, context);
  memory.hold(graph.from.size() * sizeof(std::uint32_t) + nodes * kBytesPerNode);
  Rounds rounds(graph, options.damping, context);
  const std::uint64_t most = most_rounds(options);
  for (double change = options.tolerance; change >= options.tolerance && out.report.rounds < most;
       ++out.report.rounds) {
    change = rounds.next();
    if (context.observer != nullptr) context.observer->advance(1);
  }
  out.scores = rounds.take_scores();
  return out;
}

}  // namespace neardup::authority
