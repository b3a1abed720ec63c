// How do matched rows get their names, when neither all names nor all pairs fit into memory?
//
// Pairs come in the order of their queries, so that the queries' names are read along with them. The base's rows come
// in any order: pairs are gathered, the names of their rows are read in one go over the base's ids, and the pairs are
// written; then the next ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/fps/source.h"
#include "match/match_plan.h"
#include "neardup/context.h"
#include "neardup/memory.h"
#include "neardup/pair.h"

namespace neardup::matching {

class MatchWriter {
 public:
  // `write` receives whole lines.
  MatchWriter(const MatchSides&, std::size_t memory_bytes, std::function<void(std::string_view)> write, const Context&);
  // Ascending by (left, right).
  void add(const Pair&);
  void finish();

 private:
  struct Match {
    std::uint32_t query, row;
    std::uint8_t distance;
  };
  void write(std::span<const Match>);
  const std::string& query_name(std::uint32_t row);

  const io::FingerprintSource& queries_;
  const io::FingerprintSource& base_;
  std::function<void(std::string_view)> write_;
  const Context& context_;
  std::size_t most_matches_, most_name_bytes_;
  std::vector<Match> matches_;
  std::unique_ptr<io::FingerprintReader> query_reader_;
  io::FingerprintBlock query_block_;
  std::uint32_t named_query_ = UINT32_MAX;
  std::string query_name_;
  std::string line_;
  Reservation memory_;
};

}  // namespace neardup::matching
