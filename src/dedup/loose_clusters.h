// Which clusters do not hold together, and what do their members say when they are read again?
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "dedup/write.h"
#include "report/write_records.h"

namespace neardup::dedup {

// Counts loose clusters, from all pairs where they are known, and has a look at a few: the worst ones, or without all
// pairs the largest. Of these a few distinct members are read again and compared with each other.
class LooseClusters {
 public:
  explicit LooseClusters(const Outcome&);

  // The documents that are needed, in any order.
  [[nodiscard]] std::vector<Row> wanted() const;

  [[nodiscard]] CohesionReport judge(const std::map<Row, report::ShownDocument>&) const;

 private:
  struct Look {
    std::size_t cluster;
    ClusterCohesion cohesion;
    std::vector<Row> members;  // distinct ones
  };

  void choose_worst();
  void choose_largest();
  void choose_members(Look&) const;
  [[nodiscard]] std::uint64_t distinct_in(std::size_t cluster) const;
  [[nodiscard]] Row kept_of(const Look&) const;
  void compare(const Look&, const std::map<Row, report::ShownDocument>&, LooseCluster&) const;

  const Outcome& outcome_;
  const corpus::Units& units_;
  CohesionReport report_;
  std::vector<Look> looks_;
};

// What to say about the worst of them; nothing when the loose clusters are small.
std::optional<std::string> loose_warning(const CohesionReport&, const Plan&);

// cohesion.tsv.
void write_cohesion(const Outcome&, const corpus::RowTexts& names, io::ByteSink&);

}  // namespace neardup::dedup
