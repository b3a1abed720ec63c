// How are two documents compared when only one may stay?
//
// Each rule turns a document into one 64-bit number; larger is preferred, 0 means missing or unreadable and loses to
// all. docs/algorithms/clusters.md says what counts as a number and as a date.
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/state.h"
#include "neardup/cluster.h"
#include "neardup/document.h"

namespace neardup::cluster {

// The value of a field; `field_names` are the names behind DocumentView::fields.
std::optional<std::string_view> field_value(const DocumentView&, std::span<const std::string> field_names,
                                            const std::string& field);

// Whether a rule needs a number from the document at all (first and last do not: the row says it).
bool needs_value(const KeepRule&);
// The field names that rules ask for, each once, for ReadOptions::extra_fields.
std::vector<std::string> fields_of(std::span<const KeepRule>);

// What became of the documents' values for one rule that asks for a field.
struct RuleCounts {
  std::uint64_t documents = 0;
  std::uint64_t present = 0;  // documents that have the field
  std::uint64_t usable = 0;   // whose value is a number, a date, the preferred value
  std::string unusable{};     // the first value that is not; a long one is cut
  void add(const RuleCounts& later);
};

// Keep values of all documents, one column per rule that needs one. Rows are appended in order. Eight bytes a row and
// rule; `first` and `last` cost nothing. Threads: const members may run concurrently, values_of() also beside the
// append functions.
class KeepTable {
 public:
  explicit KeepTable(std::vector<KeepRule> rules);
  [[nodiscard]] std::size_t columns() const { return columns_.size(); }
  [[nodiscard]] std::vector<std::string> fields() const { return fields_of(rules_); }
  // `field_names` are the names behind DocumentView::fields.
  void append(const DocumentView&, std::span<const std::string> field_names);  // reads text length and fields
  void append_bad();                                                           // a row that is in no cluster
  // Values computed elsewhere (in a parallel worker) and appended in order. `counts` has an element for each rule.
  [[nodiscard]] std::vector<std::uint64_t> values_of(const DocumentView&, std::span<const std::string> field_names,
                                                     std::vector<RuleCounts>& counts) const;
  void append_values(std::span<const std::uint64_t> values);
  [[nodiscard]] std::vector<RuleCounts> no_counts() const { return std::vector<RuleCounts>(rules_.size()); }
  void add_counts(const std::vector<RuleCounts>&);
  [[nodiscard]] const std::vector<KeepRule>& rules() const { return rules_; }
  [[nodiscard]] const RuleCounts& counts(std::size_t rule) const { return counts_[rule]; }

  // Whether a rule `authority` waits for scores that no document holds itself.
  [[nodiscard]] bool wants_authority() const;
  // By row, once all rows are there; minus infinity: none.
  void set_authority(std::span<const double> scores);

  // Rows that are preferred to all others, before any rule. Not saved.
  void choose(std::vector<DocId> rows);

  void save(base::StateWriter&) const;
  void load(base::StateReader&, std::size_t rows);  // of a table with the same rules
  [[nodiscard]] std::size_t memory_bytes() const;

  // True when row a is preferred to row b. A strict total order: rows are never tied.
  [[nodiscard]] bool prefers(DocId a, DocId b) const;
  // The rule that made `winner` preferred to `loser`: its name as the user typed it, "first" for the final tie,
  // "decision" when it was chosen.
  // Precondition: prefers(winner, loser).
  [[nodiscard]] std::string deciding_rule(DocId winner, DocId loser) const;

 private:
  [[nodiscard]] bool is_chosen(DocId row) const { return std::binary_search(chosen_.begin(), chosen_.end(), row); }
  // The first rule that distinguishes the rows, or rules_.size(), and whether a is preferred (greater) or b (less).
  [[nodiscard]] std::pair<std::size_t, std::strong_ordering> decide(DocId a, DocId b) const;

  std::vector<KeepRule> rules_;
  std::vector<std::size_t> column_of_rule_;  // meaningless for rules that need no value
  std::vector<std::vector<std::uint64_t>> columns_;
  std::vector<RuleCounts> counts_;  // by rule
  std::vector<DocId> chosen_;       // ascending
};

// What to tell a user about a rule that could decide nothing, or little; empty when there is nothing to tell.
std::string keep_warning(const KeepRule&, const RuleCounts&);

// A number as people write it; nothing for what is none, and for what is not finite.
std::optional<double> parse_number(std::string_view);

// Order-preserving encodings, neither 0 nor the largest value (so that they can be inverted); nothing when the text is
// not a number, or not a date.
std::optional<std::uint64_t> encode_number(std::string_view);
std::uint64_t encode_number(double);  // finite
// In units of 100 ns. docs/algorithms/clusters.md lists the forms that are read.
std::optional<std::uint64_t> encode_date(std::string_view);

}  // namespace neardup::cluster
