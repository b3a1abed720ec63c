// How much authority does the web give to each of its pages?
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "authority/links.h"
#include "neardup/authority.h"
#include "neardup/context.h"

namespace neardup::authority {

struct PageRank {
  std::vector<double> scores;  // by node; they sum to 1
  std::uint64_t links = 0;     // of the simple graph
  std::uint64_t self_links = 0, repeated_links = 0, dangling = 0;
  std::uint64_t rounds = 0;
};

// Over `nodes` documents, whose links name them by number: self-links dropped, repeated ones collapsed, the mass of
// documents without links spread evenly. The same to the last bit for any number of threads. Nothing for no documents.
PageRank page_rank(std::size_t nodes, std::vector<Link> links, const AuthorityOptions&, const Context&);

}  // namespace neardup::authority
