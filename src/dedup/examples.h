// What do people want to see of a result, to judge it: a few removed documents, and a cluster that is suspiciously
// large?
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "dedup/write.h"
#include "neardup/dedup.h"
#include "report/write_records.h"

namespace neardup::dedup {

class Examples {
 public:
  // Chooses who is to be shown.
  explicit Examples(const Outcome&);

  // The documents whose texts are needed, ascending.
  [[nodiscard]] std::vector<Row> wanted() const;

  [[nodiscard]] std::vector<Example> show(const std::map<Row, report::ShownDocument>&) const;
  // Speaks of a cluster that swallows an improbable share of different documents; nothing when there is none.
  [[nodiscard]] std::optional<std::string> giant_warning(const std::map<Row, report::ShownDocument>&) const;

 private:
  [[nodiscard]] Row kept_for(Row) const;
  void choose_removed();
  void choose_giant();
  [[nodiscard]] std::optional<double> score_of(Unit a, const report::ShownDocument&, Unit b,
                                               const report::ShownDocument&) const;
  [[nodiscard]] std::optional<double> given_score(Unit left, Unit right) const;

  const Outcome& outcome_;
  const corpus::Units& units_;
  std::vector<Row> removed_;
  std::vector<Row> giant_;  // some of its members
  std::size_t giant_size_ = 0;
};

}  // namespace neardup::dedup
