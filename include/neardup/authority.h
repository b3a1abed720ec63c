// Which of several near-duplicates has the highest authority?
//
// Authority is PageRank over the links between documents, or a score that the user provides.
#pragma once

#include <cstdint>
#include <string>

namespace neardup {

struct AuthorityOptions {
  std::string links{};       // a file of links: from TAB to, each an id or a URL; empty: none
  bool page_links = true;    // without such a file: the links of pages count
  std::string field{};       // a field that holds the score; empty: none
  std::string scores{};      // a file of scores: id TAB score; empty: none
  double damping = 0.85;     // of PageRank
  double tolerance = 1e-12;  // PageRank stops when a round changes the scores by less, in total
  void validate() const;
};

// Where the scores came from, and how the links were counted.
struct AuthorityReport {
  std::string source{};         // "links", "pages", "field", "file"; empty: there is no authority
  std::uint64_t documents = 0;  // that have a score
  std::uint64_t links = 0;      // between two documents, each once
  std::uint64_t self_links = 0, repeated_links = 0;
  std::uint64_t unknown = 0;   // links (or scores) whose document is not in the collection
  std::uint64_t dangling = 0;  // documents without outgoing links
  std::uint64_t rounds = 0;    // of PageRank
  double seconds = 0;
};

}  // namespace neardup
