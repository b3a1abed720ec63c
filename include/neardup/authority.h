// Which of several near-duplicates do others trust most?
//
// Authority is PageRank over the links between documents, or a score that the user brings.
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
  double tolerance = 1e-12;  // PageRank ends when a round changes all scores together by less
  void validate() const;
};

// Where scores came from, and what became of the links.
struct AuthorityReport {
  std::string source{};         // "links", "pages", "field", "file"; empty: there is no authority
  std::uint64_t documents = 0;  // that have a score
  std::uint64_t links = 0;      // between two documents, each once
  std::uint64_t self_links = 0, repeated_links = 0;
  std::uint64_t unknown = 0;   // links (or scores) whose document is not in the collection
  std::uint64_t dangling = 0;  // documents that link to nobody
  std::uint64_t rounds = 0;    // of PageRank
  double seconds = 0;
};

}  // namespace neardup
