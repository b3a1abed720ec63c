#include "dedup/pairs_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string_view>
#include <vector>

#include "base/counted.h"
#include "base/tsv.h"
#include "io/formats/formats.h"
#include "neardup/error.h"
#include "search/found.h"

namespace neardup::dedup {
namespace {

struct ListedPair {
  std::string left, right, score;
};

// Reads one pair after the other; knows how to name the line that it is at.
class PairsReader {
 public:
  virtual ~PairsReader() = default;
  virtual bool next(ListedPair& out) = 0;
  [[noreturn]] void refuse(const std::string& reason) const {
    throw Error(ErrorCode::input, place() + ": " + reason, "pairs");
  }

 private:
  [[nodiscard]] virtual std::string place() const = 0;
};

// Our own TSV, whose escapes are not those of spreadsheets.
class TsvPairs final : public PairsReader {
 public:
  TsvPairs(const std::string& path, const Context& context)
      : path_(path), reader_(Collection::open({path}, {.format = "lines"}, context).read(context)) {}

  bool next(ListedPair& out) override {
    if (number_ == 0) check_header();
    if (!take_line()) return false;
    std::string_view rest = line_.text;
    out.left = base::unescape_tsv(base::take_column(rest));
    out.right = base::unescape_tsv(base::take_column(rest));
    out.score = base::take_column(rest);
    return true;
  }

 private:
  [[nodiscard]] std::string place() const override { return fmt::format("{}:{}", path_, number_); }

  bool take_line() {
    if (!reader_->next(line_)) return false;
    ++number_;
    return true;
  }

  void check_header() {
    if (!take_line()) refuse("empty: expected at least the header left, right, score");
    std::string_view rest = line_.text;
    for (const std::string_view name : {"left", "right", "score"}) {
      if (base::take_column(rest) != name) refuse("expected the header left, right, score that a list of pairs has");
    }
  }

  std::string path_;
  std::unique_ptr<Collection::Reader> reader_;
  Document line_;
  std::uint64_t number_ = 0;
};

// CSV and JSONL, read like any other records.
class RecordPairs final : public PairsReader {
 public:
  RecordPairs(const std::string& path, const Context& context)
      : path_(path),
        reader_(Collection::open({path}, {.text_fields = {{"left"}}, .extra_fields = {"right", "score"}}, context)
                    .read(context)) {}

  bool next(ListedPair& out) override {
    if (!reader_->next(record_)) return false;
    ++number_;
    if (!record_.fields[0] || !record_.fields[1]) refuse("expected left, right and score");
    out = {.left = record_.text, .right = *record_.fields[0], .score = *record_.fields[1]};
    return true;
  }

 private:
  [[nodiscard]] std::string place() const override { return fmt::format("{}, pair {}", path_, number_); }

  std::string path_;
  std::unique_ptr<Collection::Reader> reader_;
  Document record_;
  std::uint64_t number_ = 0;
};

std::unique_ptr<PairsReader> open_pairs(const std::string& path, const Context& context) {
  const std::string_view ending = io::format_extension(path);
  if (ending == ".csv" || ending == ".jsonl") return std::make_unique<RecordPairs>(path, context);
  return std::make_unique<TsvPairs>(path, context);
}

// Documents by name.
class RowsByName {
 public:
  RowsByName(const corpus::RowTexts& names, std::size_t rows, const Context& context)
      : names_(names), memory_(base::reservation(context)) {
    memory_.hold(2 * rows * sizeof(Row));  // grown by doubling
    for (const Row row : all<Row>(rows)) {
      if (names.has(row)) rows_.push_back(row);
    }
    std::ranges::sort(rows_, {}, [&](Row row) { return names_[row]; });
  }

  [[nodiscard]] Row find(const std::string& name, const PairsReader& reader) const {
    const auto found =
        std::ranges::lower_bound(rows_, std::string_view(name), {}, [&](Row row) { return names_[row]; });
    if (found == rows_.end() || names_[*found] != name)
      reader.refuse(fmt::format("no record has the id \"{}\"", base::escape_tsv(name)));
    return *found;
  }

 private:
  const corpus::RowTexts& names_;
  Reservation memory_;
  std::vector<Row> rows_;
};

// Which listed pairs count.
class Limit {
 public:
  explicit Limit(const DedupOptions& options) : options_(options) {}

  [[nodiscard]] bool admits(const ListedPair& pair, double score, const PairsReader& reader) const {
    if (!options_.pairs_threshold) return true;
    const Measure measure = options_.definition.measure;
    const bool is_whole = pair.score.find('.') == pair.score.npos;
    if (is_whole != has_integer_scores(measure)) {
      reader.refuse(is_whole
                        ? fmt::format("the score {} is a whole number: `measure` must say whether it is a distance "
                                      "(edit, hamming) or a count (overlap)",
                                      pair.score)
                        : fmt::format("the score {} is not one of `measure={}`", pair.score, to_string(measure)));
    }
    const double limit =
        static_cast<double>(options_.pairs_threshold->num) / static_cast<double>(options_.pairs_threshold->den);
    return is_distance(measure) ? score <= limit : score >= limit;
  }

  // For people, after the name of the file.
  [[nodiscard]] std::string describe(std::uint64_t listed) const {
    if (!options_.pairs_threshold) return {};
    return fmt::format(" (those {} {} of {})",
                       is_distance(options_.definition.measure) ? "<=" : ">=", to_string(*options_.pairs_threshold),
                       base::with_commas(listed));
  }

 private:
  const DedupOptions& options_;
};

}  // namespace

void read_pairs_file(const DedupOptions& options, const corpus::Units& units, FindResult& result,
                     const Context& context) {
  const RowsByName rows(result.names, units.rows(), context);
  const Limit limit(options);
  search::LinkingSink sink(*result.found.links, result.found.pairs.get());
  bool has_decimals = false;
  std::uint64_t listed_pairs = 0;
  const std::unique_ptr<PairsReader> reader = open_pairs(options.pairs, context);
  for (ListedPair listed; reader->next(listed);) {
    ++listed_pairs;
    const Row a = rows.find(listed.left, *reader), b = rows.find(listed.right, *reader);
    if (a == b) reader->refuse("a record is paired with itself");
    const std::optional<double> score = base::parse_number(listed.score);
    if (!score) reader->refuse(fmt::format("\"{}\" is not a score", listed.score));
    has_decimals |= listed.score.find('.') != listed.score.npos;
    if (!limit.admits(listed, *score, *reader)) continue;
    ++result.found.candidates;
    const Pair pair{.left = index(units.unit_of_row[std::min(a, b)]),
                    .right = index(units.unit_of_row[std::max(a, b)]),
                    .score = *score};
    sink.accept({&pair, 1});
  }
  if (!has_decimals) result.format = report::ScoreFormat::integers();
  result.found.parameters = options.pairs + limit.describe(listed_pairs);
}

}  // namespace neardup::dedup
