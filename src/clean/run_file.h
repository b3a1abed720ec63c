// What did the user's own search engine show?
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "authority/names.h"
#include "clean/query_log.h"
#include "clean/results.h"
#include "neardup/context.h"

namespace neardup::clean {

struct RunFileCounts {
  std::uint64_t lines = 0;
  std::uint64_t unknown_documents = 0;  // lines whose document is not in the collection
  std::uint64_t unknown_queries = 0;    // distinct query ids that the log does not have
  std::uint64_t repeated_ranks = 0, repeated_documents = 0;
  std::uint64_t unsorted = 0;  // lines whose score is higher than that of the rank before
};

// A TREC run file: query-id Q0 document-id rank score tag, separated by blanks, in any order. Read from the right, so
// that a query id may be the query itself, blanks included. Results are in the order of rank, then of score (higher
// first), then of the file; a repeated document counts where it first appears.
//
// A query id is what the log calls the query: its id where the log has ids; otherwise its place in the log when all ids
// of the file are whole numbers, else its text.
class RunFile final : public ResultSource {
 public:
  // Throws Error{input} for a line that is not six columns, a rank or score that is not a number.
  RunFile(const std::string& path, const QueryLog&, const authority::NameTable&, const Context&);
  [[nodiscard]] std::unique_ptr<Searcher> searcher() const override;
  [[nodiscard]] std::string describe() const override;
  [[nodiscard]] const RunFileCounts& counts() const { return counts_; }

 private:
  std::vector<std::uint64_t> begin_;  // by query number, in hits_; one more at the end
  std::vector<Hit> hits_;
  RunFileCounts counts_;
  std::string path_;
};

// The id of a query in run files that are written.
std::string run_file_id(const QueryLog&, const LoggedQuery&);

}  // namespace neardup::clean
