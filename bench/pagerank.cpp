// How long does PageRank take on a web of many links?
//
//   pagerank [LINKS] [NODES] [THREADS]      10 million links between a million pages, one thread per core
//
// Two webs of the same size: `mixed`, where pages link to any page and popular ones get most links, and `local`, where
// most links stay near their page as they do within sites, which takes more rounds. Times include building the graph.
#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <ctime>
#include <string_view>
#include <vector>

#include "authority/pagerank.h"
#include "base/random.h"
#include "base/system.h"

namespace {

using namespace neardup;

// Popularity falls with the cube: half of all links lead to an eighth of the pages.
std::uint32_t popular(base::Random& random, std::size_t nodes) {
  const double share = std::ldexp(static_cast<double>(random.next() >> 11), -53);
  return static_cast<std::uint32_t>(
      base::mix64(static_cast<std::uint64_t>(share * share * share * static_cast<double>(nodes))) % nodes);
}

std::vector<authority::Link> web(std::string_view kind, std::size_t links, std::size_t nodes) {
  base::Random random(1);
  std::vector<authority::Link> out(links);
  for (authority::Link& link : out) {
    link.from = static_cast<std::uint32_t>(random.below(nodes));
    const bool near = kind == "local" && random.below(100) < 98;
    link.to = near ? static_cast<std::uint32_t>((link.from + random.below(20)) % nodes) : popular(random, nodes);
  }
  return out;
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t links = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 10'000'000;
  const std::size_t nodes = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1'000'000;
  Context context{.threads = argc > 3 ? static_cast<unsigned>(std::atoi(argv[3])) : 0};
  for (const std::string_view kind : {"mixed", "local"}) {
    std::vector<authority::Link> graph = web(kind, links, nodes);
    const base::Stopwatch watch;
    const std::clock_t before = std::clock();
    const authority::PageRank rank = authority::page_rank(nodes, std::move(graph), {}, context);
    const double cpu = static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC;
    fmt::print("{}: {} links ({} after collapsing), {} pages, {} threads: {:.2f} s ({:.2f} s of CPU time), {} rounds\n",
               kind, links, rank.report.links, nodes, base::threads(context), watch.seconds(), cpu, rank.report.rounds);
  }
  return 0;
}
