// How much authority does the web give to each of its pages?
#pragma once

#include <cstddef>
#include <vector>

#include "authority/links.h"
#include "neardup/authority.h"
#include "neardup/context.h"

namespace neardup::authority {

// What became of the links, and what they come to.
struct PageRank {
  std::vector<double> scores;  // by node; they sum to 1
  AuthorityReport report;      // links, self_links, repeated_links, dangling, rounds
};

// Over `nodes` documents, whose links name them by number: self-links dropped, repeated ones collapsed, the mass of
// documents without links spread evenly. The same to the last bit for any number of threads. Nothing for no documents.
PageRank page_rank(std::size_t nodes, std::vector<Link> links, const AuthorityOptions&, const Context&);

}  // namespace neardup::authority
