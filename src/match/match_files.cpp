// Two files of fingerprints matched: open, search, name, write.
#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/guard.h"
#include "base/memory_plan.h"
#include "base/system.h"
#include "base/tsv.h"
#include "corpus/corpus.h"
#include "io/codecs/codecs.h"
#include "io/output.h"
#include "match/match_plan.h"
#include "neardup/error.h"
#include "report/list_output.h"

namespace neardup {
namespace matching {
namespace {

// Names of a few rows, ready to be written.
class RowNames {
 public:
  explicit RowNames(std::vector<std::uint32_t> rows) : rows_(std::move(rows)) {}

  // Reads them; false when they take more than `most_bytes`.
  bool load(const io::FingerprintSource& source, std::size_t most_bytes, const Context& context) {
    io::FingerprintBlock block;
    auto row = rows_.begin();
    if (rows_.empty()) return true;
    for (const auto reader = source.read(rows_.front()); row != rows_.end() && reader->next();) {
      base::check_stop(context);
      const std::uint64_t end = reader->first_row() + reader->rows();
      if (*row >= end) continue;
      reader->load({.ids = true}, block);
      for (; row != rows_.end() && *row < end; ++row) {
        text_ += base::escape_tsv(block.id(static_cast<std::size_t>(*row - block.first_row)));
        ends_.push_back(text_.size());
        if (text_.size() > most_bytes) return false;
      }
    }
    if (row != rows_.end()) corpus::throw_changed(source.name());
    return true;
  }

  [[nodiscard]] std::string_view operator[](std::uint32_t row) const {
    const auto at = static_cast<std::size_t>(std::ranges::lower_bound(rows_, row) - rows_.begin());
    const std::size_t begin = at == 0 ? 0 : ends_[at - 1];
    return std::string_view(text_).substr(begin, ends_[at] - begin);
  }

 private:
  std::vector<std::uint32_t> rows_;  // ascending
  std::vector<std::size_t> ends_;
  std::string text_;
};

// Writes matched rows under their names, when neither all names nor all pairs fit into memory.
//
// Pairs come in the order of their queries, so that the queries' names are read along with them. The base's rows come
// in any order: pairs are gathered, the names of their rows are read in one go over the base's ids, and the pairs are
// written; then the next ones.
class MatchWriter {
 public:
  MatchWriter(const MatchSides& sides, report::ListOutput& out, const Context& context)
      : queries_(sides.queries),
        base_(sides.base),
        out_(out),
        context_(context),
        query_reader_(queries_.read(0)),
        memory_(base::reservation(context)) {
    const std::size_t memory_bytes = base::plan_memory(context).names;
    most_matches_ = std::max<std::size_t>(1024, memory_bytes / 2 / (sizeof(Match) + 12));
    most_name_bytes_ = memory_bytes / 4;  // a growing string holds up to twice what it needs
  }

  // Ascending by (left, right).
  void add(const Pair& pair) {
    matches_.push_back({.query = static_cast<std::uint32_t>(pair.left),
                        .row = static_cast<std::uint32_t>(pair.right),
                        .distance = static_cast<std::uint8_t>(pair.score)});
    if (matches_.size() < most_matches_) return;
    write(matches_);
    matches_.clear();
  }

  void finish() {
    write(matches_);
    matches_.clear();
  }

 private:
  struct Match {
    std::uint32_t query, row;
    std::uint8_t distance;
  };

  void write(std::span<const Match> matches) {
    if (out_.reader_left()) return;
    memory_.hold(matches_.capacity() * sizeof(Match) + matches.size() * sizeof(std::uint32_t) + most_name_bytes_);
    std::vector<std::uint32_t> rows;
    rows.reserve(matches.size());
    for (const Match& match : matches) rows.push_back(match.row);
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    const std::size_t most = matches.size() > 1 ? most_name_bytes_ : static_cast<std::size_t>(-1);
    {
      RowNames names(std::move(rows));
      if (names.load(base_, most, context_)) {
        for (const Match& match : matches) {
          line_ = query_name(match.query);
          line_ += names[match.row];
          line_ += '\t';
          line_ += std::to_string(match.distance);
          line_ += '\n';
          out_.write(line_);
        }
        return;
      }
    }
    const std::size_t half = matches.size() / 2;
    write(matches.first(half));
    write(matches.subspan(half));
  }

  // With the TAB behind it.
  const std::string& query_name(std::uint32_t row) {
    if (row == named_query_) return query_name_;
    if (query_block_.first_row + query_block_.size() <= row) {
      bool found = false;
      while (!found && query_reader_->next()) found = row < query_reader_->first_row() + query_reader_->rows();
      if (!found) corpus::throw_changed(queries_.name());
      query_reader_->load({.ids = true}, query_block_);
    }
    query_name_ = base::escape_tsv(query_block_.id(static_cast<std::size_t>(row - query_block_.first_row))) + '\t';
    named_query_ = row;
    return query_name_;
  }

  const io::FingerprintSource& queries_;
  const io::FingerprintSource& base_;
  report::ListOutput& out_;
  const Context& context_;
  std::size_t most_matches_ = 0, most_name_bytes_ = 0;
  std::vector<Match> matches_;
  std::unique_ptr<io::FingerprintReader> query_reader_;
  io::FingerprintBlock query_block_;
  std::uint32_t named_query_ = UINT32_MAX;
  std::string query_name_;
  std::string line_;
  Reservation memory_;
};

struct OpenedSides {
  std::unique_ptr<io::FingerprintSource> base, queries;
  [[nodiscard]] MatchSides view() const { return {.base = *base, .queries = *queries}; }
};

OpenedSides open_sides(const MatchFiles& files, const Context& context) {
  if (files.base == "-" && files.queries == "-")
    throw Error(ErrorCode::usage, "- is named twice; standard input can be read only once");
  return {.base = io::open_fingerprints(files.base, context), .queries = io::open_fingerprints(files.queries, context)};
}

}  // namespace

MatchReport match_as_planned(const MatchFiles& files, const MatchOptions& options, const std::optional<MatchPlan>& plan,
                             const Context& context) {
  const base::Stopwatch watch;
  const std::array inputs{files.base, files.queries};
  for (const auto& [output, option] : {std::pair(files.output, "output"), std::pair(files.stats, "stats")}) {
    if (!output.empty() && output != "-") io::check_apart_from_files(inputs, output, context, option);
  }
  report::ListOutput out(files.output, report::kTsvOnly, "", files.overwrite, context);
  std::unique_ptr<io::OutputTransaction> stats;
  if (!files.stats.empty()) stats = std::make_unique<io::OutputTransaction>(files.stats, files.overwrite, context);
  const OpenedSides sides = open_sides(files, context);
  auto [report, pairs] = search_matches(sides.view(), options, plan, context);
  out.write("left\tright\tscore\n");
  MatchWriter writer(sides.view(), out, context);
  pairs->for_each([&](const Pair& pair) { writer.add(pair); });
  writer.finish();
  out.close();
  report.peak_memory_bytes = base::peak_memory_bytes();
  report.seconds = watch.seconds();
  if (stats != nullptr) {
    const auto sink = io::open_sink(base::files(context), stats->working_path(), io::plain_codec());
    sink->write(to_json(report) + "\n");
    sink->close();
  }
  base::check_stop(context);
  io::OutputTransaction::commit_together({out.transaction(), stats.get()});
  return std::move(report);
}

}  // namespace matching

MatchReport match_files(const MatchFiles& files, const MatchOptions& options, const Context& context) {
  return base::guarded(
      context, [&](const Context& call) { return matching::match_as_planned(files, options, std::nullopt, call); });
}

std::string explain_match(const MatchFiles& files, const MatchOptions& options, const Context& context) {
  return base::guarded(context, [&](const Context& call) {
    const matching::OpenedSides sides = matching::open_sides(files, call);
    return matching::explain(sides.view(), options, call);
  });
}

}  // namespace neardup
