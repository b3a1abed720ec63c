#include "clean/run_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>
#include <unordered_map>

#include "authority/links.h"
#include "base/keyed_hash.h"
#include "base/numbering.h"
#include "base/tsv.h"
#include "io/line_file.h"

namespace neardup::clean {
namespace {

constexpr std::uint32_t kNoQuery = std::numeric_limits<std::uint32_t>::max();

enum Column { kQuery, kIteration, kDocument, kRank, kScore, kTag, kColumns };
using Columns = std::array<std::string_view, kColumns>;

constexpr bool is_blank(char c) { return c == ' ' || c == '\t'; }

// With tabs, and tabs alone, between the columns, ids may have blanks in them.
std::optional<Columns> cut_at_tabs(std::string_view line) {
  if (std::count(line.begin(), line.end(), '\t') != kColumns - 1) return std::nullopt;
  Columns columns;
  for (std::string_view& column : columns) {
    column = base::take_column(line);
    if (column.empty() || (&column != &columns[kQuery] && &column != &columns[kDocument] &&
                           std::any_of(column.begin(), column.end(), is_blank)))
      return std::nullopt;
  }
  return columns;
}

std::optional<Columns> cut_at_blanks(std::string_view line) {
  Columns columns;
  const auto trim_end = [&] {
    while (!line.empty() && is_blank(line.back())) line.remove_suffix(1);
  };
  trim_end();
  for (int i = kTag; i > kQuery; --i) {
    const auto blank = std::find_if(line.rbegin(), line.rend(), is_blank);
    const auto size = static_cast<std::size_t>(blank - line.rbegin());
    columns[static_cast<std::size_t>(i)] = line.substr(line.size() - size);
    line.remove_suffix(size);
    trim_end();
    if (line.empty()) return std::nullopt;
  }
  while (is_blank(line.front())) line.remove_prefix(1);
  columns[kQuery] = line;
  return columns;
}

std::optional<std::int64_t> parse_rank(std::string_view text) {
  std::int64_t rank = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), rank);
  return error == std::errc{} && end == text.data() + text.size() ? std::optional(rank) : std::nullopt;
}

// A line whose document is known.
struct Result {
  std::uint32_t query;  // its id's number, later the query's
  DocumentNumber row;
  std::int64_t rank;
  double score;
};

// Numbers the ids of queries in the order in which they come.
class Ids {
 public:
  std::uint32_t number(std::string_view id) {
    // Lines of a query are adjacent in most files.
    if (last_ < ids_.size() && all()[last_] == id) return last_;
    return last_ = ids_.number(std::string(id)).first;
  }
  [[nodiscard]] std::span<const std::string> all() const { return ids_.keys(); }

 private:
  base::Numbering<std::string, base::KeyedHash> ids_;
  std::uint32_t last_ = 0;
};

struct Lines {
  Ids ids;
  std::vector<Result> results;
  std::uint64_t lines = 0, unknown_documents = 0;

  std::string add(std::string_view line, const authority::NameTable& names) {
    std::optional<Columns> columns = cut_at_tabs(line);
    if (!columns) columns = cut_at_blanks(line);
    if (!columns) return "expected six columns: query id, Q0, document id, rank, score, tag";
    const std::optional<std::int64_t> rank = parse_rank((*columns)[kRank]);
    if (!rank) return fmt::format("the rank {} is not a whole number", base::quoted_column((*columns)[kRank]));
    const std::optional<double> score = base::parse_number((*columns)[kScore]);
    if (!score) return fmt::format("the score {} is not a number", base::quoted_column((*columns)[kScore]));
    ++lines;
    const std::uint32_t query = ids.number((*columns)[kQuery]);
    if (const std::optional<DocumentNumber> row = authority::find_printed(names, (*columns)[kDocument])) {
      results.push_back({.query = query, .row = *row, .rank = *rank, .score = *score});
    } else {
      ++unknown_documents;
    }
    return {};
  }

  void append(const Lines& part) {
    lines += part.lines;
    unknown_documents += part.unknown_documents;
    std::vector<std::uint32_t> numbers;
    for (const std::string& id : part.ids.all()) numbers.push_back(ids.number(id));
    for (Result result : part.results) {
      result.query = numbers[result.query];
      results.push_back(result);
    }
  }
};

// Which query of the log each id means.
std::vector<std::uint32_t> queries_of(std::span<const std::string> ids, const QueryLog& log) {
  const bool by_place = !log.has_ids && std::all_of(ids.begin(), ids.end(), [](const std::string& id) {
    return base::parse_whole(id).has_value();
  });
  std::unordered_map<std::string, std::uint32_t, base::KeyedHash> numbers;
  for (std::uint32_t i = 0; i < log.queries.size(); ++i) {
    const LoggedQuery& query = log.queries[i];
    numbers.try_emplace(by_place || log.has_ids ? run_file_id(log, query) : query.text, i);
  }
  FeatureExtractor folding = query_folding();
  std::vector<std::uint32_t> out;
  for (const std::string& id : ids) {
    auto found = numbers.find(by_place ? std::to_string(*base::parse_whole(id)) : base::unescape_tsv(id));
    if (found == numbers.end() && !by_place) found = numbers.find(id);
    if (found == numbers.end() && !by_place && !log.has_ids) found = numbers.find(folding.string(id));
    out.push_back(found == numbers.end() ? kNoQuery : found->second);
  }
  return out;
}

class RunSearcher final : public Searcher {
 public:
  RunSearcher(const std::vector<std::uint64_t>& begin, const std::vector<Hit>& hits) : begin_(begin), hits_(hits) {}

  void search(QueryNumber query, std::size_t depth, const Removed& removed, std::vector<Hit>& out) override {
    out.clear();
    for (const Hit& hit : shown(query)) {
      if (out.size() == depth) break;
      if (!removed[hit.row]) out.push_back(hit);
    }
  }

  std::uint64_t matches(QueryNumber query, const Removed& removed) override {
    const std::span<const Hit> all = shown(query);
    return static_cast<std::uint64_t>(
        std::count_if(all.begin(), all.end(), [&](const Hit& hit) { return !removed[hit.row]; }));
  }

 private:
  [[nodiscard]] std::span<const Hit> shown(QueryNumber query) const {
    return std::span(hits_).subspan(begin_[query], begin_[query + 1] - begin_[query]);
  }

  const std::vector<std::uint64_t>& begin_;
  const std::vector<Hit>& hits_;
};

}  // namespace

RunFile::RunFile(const std::string& path, const QueryLog& log, const authority::NameTable& names,
                 const Context& context)
    : path_(path) {
  Lines all;
  io::read_lines<Lines>(
      {.path = path, .option = "results", .stage = "reading results"}, context,
      [&](Lines& part, std::string_view line, std::uint64_t) { return part.add(line, names); },
      [&](const Lines& part) { all.append(part); });
  counts_.lines = all.lines;
  counts_.unknown_documents = all.unknown_documents;
  const std::vector<std::uint32_t> queries = queries_of(all.ids.all(), log);
  counts_.unknown_queries = static_cast<std::uint64_t>(std::count(queries.begin(), queries.end(), kNoQuery));

  for (Result& result : all.results) result.query = queries[result.query];
  std::ranges::stable_sort(all.results, [](const Result& a, const Result& b) {
    return std::tuple(a.query, a.rank, b.score) < std::tuple(b.query, b.rank, a.score);
  });
  auto result = all.results.begin();
  for (QueryNumber query = 0; query < log.queries.size(); ++query) {
    begin_.push_back(hits_.size());
    base::Numbering<DocumentNumber> shown;
    for (const auto first = result; result != all.results.end() && result->query == query; ++result) {
      if (result != first && result->rank == (result - 1)->rank) {
        ++counts_.repeated_ranks;
      } else if (result != first && result->score > (result - 1)->score) {
        ++counts_.unsorted;
      }
      if (shown.number(result->row).second) {
        hits_.push_back({.row = result->row, .score = result->score});
      } else {
        ++counts_.repeated_documents;
      }
    }
  }
  begin_.push_back(hits_.size());
}

std::unique_ptr<Searcher> RunFile::searcher() const { return std::make_unique<RunSearcher>(begin_, hits_); }

std::string RunFile::describe() const { return fmt::format("the run file {}, {} results", path_, hits_.size()); }

std::string run_file_id(const QueryLog& log, const LoggedQuery& query) {
  if (!log.has_ids) return std::to_string(query.place);
  return query.id.empty() ? query.text : query.id;
}

}  // namespace neardup::clean
