// Which near-duplicates appear in search results, and how are they removed?
//
// The method of Pi, Fu, Zou, Guo and Han: take the queries of a search log, the most frequent first; among the best
// results of each find near-duplicates by the distance of their simhashes; keep the one with the highest authority and
// remove the others from the repository before the next query. Only documents that appear in the results of a query
// can be removed, and a kept document represents every removed one. Inputs are never changed.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/authority.h"
#include "neardup/cluster.h"
#include "neardup/collection.h"
#include "neardup/context.h"
#include "neardup/definition.h"
#include "neardup/report.h"

namespace neardup {

// A query, and how often it was searched for.
struct SearchedQuery {
  std::string text;
  std::uint64_t count = 1;
};

// Where a search log is, and how it is written.
//   lines    one query per line; the count is how often it occurs
//   counts   query TAB count
//   tsv, csv, jsonl   records with fields
//   aol      a line per search: user, query, time, ... with a header or without
struct QueryLogOptions {
  std::vector<SearchedQuery> queries{};  // the log itself; only `min_count` and `top` apply to it
  std::string path{};                    // a file instead; empty: `queries`
  std::string format = "auto";           // a name from query_log_formats(), or "auto"
  std::string query_field{};             // empty: "query"
  std::string count_field{};             // empty: "count", and without it every record counts once
  std::string id_field{};                // the query's name in run files; empty: "id", and without it the line
  std::uint64_t min_count = 1;
  std::uint64_t top = 0;  // only the `top` most frequent queries; 0: all
};
std::vector<std::string> query_log_formats();

// How the built-in search ranks: BM25, where a word of the title counts `title_boost` times.
struct Bm25Options {
  double k1 = 1.2, b = 0.75;
  unsigned title_boost = 2;
  void validate() const;
};

// A number for each query by its rank in the log (or its number of results): "3", "1-100:3,101-500:2,501-:1",
// "1-100:3,...:1", and where a share of something makes sense, "1-100:50%,...:200".
class RangeRule {
 public:
  struct Value {
    std::uint64_t number = 0;
    bool is_share = false;  // `number` hundredths of a percent of all results
    friend bool operator==(const Value&, const Value&) = default;
  };
  enum class Shares { allowed, refused };

  RangeRule() = default;  // matches nothing
  explicit RangeRule(std::uint64_t everywhere) : pieces_{{0, {everywhere}}} {}
  // Ranges begin at `first`, leave no gap, do not overlap, and the last one is open. Throws Error{usage} that shows
  // the rule.
  static RangeRule parse(std::string_view text, std::uint64_t first, Shares);

  [[nodiscard]] bool empty() const { return pieces_.empty(); }
  [[nodiscard]] Value at(std::uint64_t number) const;
  [[nodiscard]] std::uint64_t largest() const;  // of all numbers; shares are ignored
  [[nodiscard]] bool has_shares() const;
  [[nodiscard]] std::string text() const;

 private:
  struct Piece {
    std::uint64_t first;
    Value value;
  };
  std::vector<Piece> pieces_;  // ascending
};

enum class CleanMode {
  sequential,  // each query sees what earlier queries left, as in the paper
  marked,      // every query sees the whole repository; marked documents are removed at the end
};
enum class QuerySelection {
  frequency,  // in decreasing frequency, as in the paper
  coverage,   // greedily: next comes the query with the most results that no earlier query had
};
CleanMode parse_clean_mode(std::string_view);
QuerySelection parse_query_selection(std::string_view);
std::string to_string(CleanMode);
std::string to_string(QuerySelection);
std::span<const Choice<CleanMode>> clean_mode_choices();
std::span<const Choice<QuerySelection>> query_selection_choices();

// Which features the simhashes of documents are computed from.
struct CleanSimhash {
  FeatureSpec features{.kind = FeatureKind::words, .length = 1};
  Weights weights = Weights::occurrences;  // not tfidf
};

// How strictly the results of a query are cleaned up, and what is never removed.
struct CleanPolicy {
  RangeRule k{3};                           // largest distance, by the rank of the query
  RangeRule k_by_results{};                 // and by its number of results: the smaller one applies
  RangeRule depth{1000};                    // how many results are looked at, by the rank of the query
  std::uint64_t min_results = 0;            // queries with fewer results are skipped
  std::optional<double> authority_below{};  // remove only documents with a lower authority
  std::vector<std::string> protect{};       // FIELD=VALUE, a file of ids or URLs, or a host suffix
};

// Which queries are processed, and in which order.
struct CleanCourse {
  CleanMode mode = CleanMode::sequential;
  bool compare_modes = false;  // also run the other mode, and report how the two differ
  QuerySelection select = QuerySelection::frequency;
  std::uint64_t budget_queries = 0;  // 0: all
  double budget_seconds = 0;         // 0: no limit
};

struct CleanOptions {
  QueryLogOptions log{};
  std::string results{};  // a TREC run file of the user's own engine; empty: the built-in search
  Bm25Options search{};
  AuthorityOptions authority{};
  Definition definition{};  // a set measure that near-duplicates must also meet
  bool verify = true;       // false: decide by simhash distance alone, as in the paper
  CleanSimhash simhash{};
  CleanPolicy policy{};
  CleanCourse course{};
  bool save_results = false;  // also write the results of all queries before anything is removed: results.run
  OnBadRecord on_bad_record = OnBadRecord::skip;
  OutputOptions output{};  // annotate and resume do not apply

  void validate() const;
};

// Quality of the first ten results, over all queries of the log, weighted by their frequency.
struct ResultQuality {
  double duplicate_share = 0;   // share of the results that are near-duplicates of a higher one
  double distinct_results = 0;  // per query, on average
};

struct QueryOutcome {
  std::string query;
  std::uint64_t count = 0;
  std::uint64_t rank = 0;     // in the log, from 1
  std::uint64_t results = 0;  // that were examined
  std::uint64_t groups = 0;   // of two near-duplicates and more
  std::uint64_t removed = 0;
  double seconds = 0;        // search and clean-up
  double clean_seconds = 0;  // clean-up alone
};

struct ModeDifference {
  std::uint64_t removed_sequential = 0, removed_marked = 0, removed_by_both = 0;
};

struct QueryLogReport {
  std::string format;               // what it was read as
  std::uint64_t lines = 0;          // data lines or records, bad ones included
  std::uint64_t queries = 0;        // distinct ones, before QueryLogOptions::min_count and top
  std::uint64_t searches = 0;       // the sum of the counts of all queries
  std::uint64_t without_words = 0;  // lines whose query has no words
  BadRecords bad;                   // lines that cannot be read, counts that are not whole numbers
};

// Where results come from, and for the built-in search the size of its index.
struct ResultsReport {
  std::string source;  // for people
  std::uint64_t terms = 0, postings = 0, bytes = 0;
};

// The first ten results, before and after.
struct ShownReport {
  ResultQuality before, after;
  double distinct_gained = 0;  // distinct results gained by all searches together
};

struct CleanReport : ReadFacts, RunFacts {
  std::uint64_t kept = 0, removed = 0;
  std::uint64_t groups = 0, largest_group = 0;  // kept documents that represent others
  QueryLogReport log;
  std::vector<QueryOutcome> outcomes;  // of the processed queries, in their order
  ResultsReport results;
  AuthorityReport authority;
  std::uint64_t protected_documents = 0;
  ShownReport shown;
  std::optional<ModeDifference> modes;
  Definition definition{};

  [[nodiscard]] std::uint64_t queries_without_results() const;
};

struct CleanResult {
  CleanReport report;
  Clusters clusters;  // by row: which rows are kept, and which row represents which
};

// Writes files only when CleanOptions::output names any.
CleanResult clean_up(const Collection&, const CleanOptions&, const Context&);

// Everything in the report but outcomes, as one JSON object.
std::string to_json(const CleanReport&);

}  // namespace neardup
