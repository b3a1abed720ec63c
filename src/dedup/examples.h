// What do people want to see of a result, to judge it: a few removed documents, and a cluster that is suspiciously
// large?
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dedup/write.h"
#include "neardup/dedup.h"
#include "report/write_records.h"

namespace neardup::dedup {

// Which text many documents have in common.
struct SharedText {
  std::string text;  // as written in the first document, cut to a line
  double share = 0;  // of the documents that hold its least common part
};

// The longest run of words of the first document that most of the others hold too (by runs of five words); nothing when
// there is no such run.
std::optional<SharedText> shared_text(std::span<const std::string_view> documents);

class Examples {
 public:
  // Chooses the documents to show.
  explicit Examples(const Outcome&);

  // The documents whose texts are needed, ascending.
  [[nodiscard]] std::vector<Row> wanted() const;

  [[nodiscard]] std::vector<Example> show(const std::map<Row, report::ShownDocument>&, const Context&) const;
  // Speaks of a cluster that swallows an improbable share of different documents; nothing when there is none.
  [[nodiscard]] std::optional<std::string> giant_warning(const std::map<Row, report::ShownDocument>&) const;

 private:
  [[nodiscard]] Row kept_for(Row) const;
  void choose_removed();
  void choose_against();
  void choose_giant();
  void show_against(const std::map<Row, report::ShownDocument>&, std::vector<Example>& out, const Context&) const;
  [[nodiscard]] std::optional<double> score_of(Unit a, const report::ShownDocument&, Unit b,
                                               const report::ShownDocument&) const;
  [[nodiscard]] std::optional<double> given_score(Unit left, Unit right) const;

  const Outcome& outcome_;
  const corpus::Units& units_;
  std::vector<Row> removed_;
  std::vector<AgainstMatch> against_;
  std::vector<Row> giant_;  // some of its members
  std::size_t giant_size_ = 0;
};

}  // namespace neardup::dedup
