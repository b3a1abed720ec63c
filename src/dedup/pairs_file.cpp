#include "dedup/pairs_file.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <optional>
#include <string_view>
#include <vector>

#include "dedup/record_names.h"
#include "neardup/document.h"
#include "neardup/error.h"

namespace neardup::dedup {
namespace {

// Finds rows by their names.
class RowsByName {
 public:
  RowsByName(const Names& names, std::size_t rows) : names_(names) {
    for (Row row = 0; row < rows; ++row) {
      if (names.has(row)) order_.push_back(row);
    }
    std::sort(order_.begin(), order_.end(), [&](Row a, Row b) { return names[a] < names[b]; });
  }

  [[nodiscard]] std::optional<Row> find(std::string_view name) const {
    const auto at = std::lower_bound(order_.begin(), order_.end(), name,
                                     [&](Row row, std::string_view wanted) { return names_[row] < wanted; });
    return at != order_.end() && names_[*at] == name ? std::optional(*at) : std::nullopt;
  }

 private:
  const Names& names_;
  std::vector<Row> order_;
};

// The column before the next tab, taken off the line.
std::string_view take_column(std::string_view& line) {
  const auto tab = line.find('\t');
  const std::string_view column = line.substr(0, tab);
  line = tab == line.npos ? std::string_view{} : line.substr(tab + 1);
  return column;
}

std::optional<double> parse_score(std::string_view text) {
  double score = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), score);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(score)) return std::nullopt;
  return score;
}

}  // namespace

PairsFile read_pairs_file(const std::string& path, const Names& names, std::size_t rows, PairSink& sink,
                          Context& context) {
  const RowsByName by_name(names, rows);
  const Collection lines = Collection::open({path}, {.format = "lines"}, context);
  const auto reader = lines.read(context);
  PairsFile file;
  std::uint64_t number = 0;
  const auto refuse = [&](const std::string& reason) {
    throw Error(ErrorCode::input, path + ":" + std::to_string(number) + ": " + reason);
  };
  Document line;
  while (reader->next(line)) {
    ++number;
    std::string_view rest = line.text;
    const std::string_view left = take_column(rest), right = take_column(rest), score_text = take_column(rest);
    if (number == 1) {
      if (left != "left" || right != "right" || score_text != "score")
        refuse("expected the header left, right, score that `neardup pairs` writes (--pairs)");
      continue;
    }
    const auto row = [&](std::string_view name) {
      const std::optional<Row> found = by_name.find(unescape_tsv(name));
      if (!found) refuse("no record has the id \"" + std::string(name) + "\" (--pairs)");
      return *found;
    };
    const Row a = row(left), b = row(right);
    if (a == b) refuse("a record is paired with itself (--pairs)");
    const std::optional<double> score = parse_score(score_text);
    if (!score) refuse("\"" + std::string(score_text) + "\" is no score (--pairs)");
    file.integer_scores = file.integer_scores && score_text.find('.') == score_text.npos;
    ++file.pairs;
    const Pair pair{.left = std::min(a, b), .right = std::max(a, b), .score = *score};
    sink.accept({&pair, 1});
  }
  if (number == 0) refuse("empty: expected at least the header left, right, score (--pairs)");
  return file;
}

}  // namespace neardup::dedup
