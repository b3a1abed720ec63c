// What does a search engine show for a query?
//
// Two sources behind one interface: the built-in ranking (bm25_index.h), and a run file that the user's own engine made
// (run_file.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace neardup::clean {

using DocumentNumber = std::uint32_t;  // a row of the collection, as the engines of this module count
using QueryNumber = std::uint32_t;     // place in QueryLog::queries

struct Hit {
  DocumentNumber row;
  double score;
  friend bool operator==(const Hit&, const Hit&) = default;
};

// Documents that are no longer in the repository, by row. Not changed during a search.
using Removed = std::vector<bool>;

// Keeps what one thread needs between searches.
class Searcher {
 public:
  virtual ~Searcher() = default;
  // The best `depth` documents that are not removed, best first; among equals the earliest row. What it gives for a
  // smaller depth is the beginning of what it gives for a larger one, and removing a document moves nothing but those
  // behind it.
  virtual void search(QueryNumber, std::size_t depth, const Removed&, std::vector<Hit>& out) = 0;
  // How many documents there are to show at all.
  [[nodiscard]] virtual std::uint64_t matches(QueryNumber, const Removed&) = 0;
};

// Threads: const members may run concurrently; a searcher belongs to one thread and must not outlive its source.
class ResultSource {
 public:
  virtual ~ResultSource() = default;
  [[nodiscard]] virtual std::unique_ptr<Searcher> searcher() const = 0;
  [[nodiscard]] virtual std::string describe() const = 0;  // for people
};

}  // namespace neardup::clean
