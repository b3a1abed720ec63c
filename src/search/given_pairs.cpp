#include "search/given_pairs.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <string_view>
#include <vector>

#include "base/tsv.h"
#include "neardup/collection.h"
#include "neardup/error.h"

namespace neardup::search {
namespace {

// Finds rows by their names.
class RowsByName {
 public:
  RowsByName(const corpus::RowTexts& names, std::size_t rows) : names_(names) {
    for (const Row row : all<Row>(rows)) {
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
  const corpus::RowTexts& names_;
  std::vector<Row> order_;
};

}  // namespace

PairsFile read_pairs_file(const std::string& path, const corpus::RowTexts& names, const corpus::Units& units,
                          PairSink& sink, const Context& context) {
  Reservation memory = base::reservation(context);
  memory.hold(2 * units.rows() * sizeof(Row));  // grown by doubling
  const RowsByName by_name(names, units.rows());
  const Collection lines = Collection::open({path}, {.format = "lines"}, context);
  const auto reader = lines.read(context);
  PairsFile file;
  std::uint64_t number = 0;
  const auto refuse = [&](const std::string& reason) {
    throw Error(ErrorCode::input, path + ":" + std::to_string(number) + ": " + reason, "pairs");
  };
  Document line;
  while (reader->next(line)) {
    ++number;
    std::string_view rest = line.text;
    const std::string_view left = base::take_column(rest), right = base::take_column(rest),
                           score_text = base::take_column(rest);
    if (number == 1) {
      if (left != "left" || right != "right" || score_text != "score")
        refuse("expected the header left, right, score that a list of pairs has");
      continue;
    }
    const auto row = [&](std::string_view name) {
      const std::optional<Row> found = by_name.find(base::unescape_tsv(name));
      if (!found) refuse("no record has the id \"" + std::string(name) + "\"");
      return *found;
    };
    const Row a = row(left), b = row(right);
    if (a == b) refuse("a record is paired with itself");
    const std::optional<double> score = base::parse_number(score_text);
    if (!score) refuse("\"" + std::string(score_text) + "\" is not a score");
    file.integer_scores = file.integer_scores && score_text.find('.') == score_text.npos;
    ++file.pairs;
    const Pair pair{.left = index(units.unit_of_row[std::min(a, b)]),
                    .right = index(units.unit_of_row[std::max(a, b)]),
                    .score = *score};
    sink.accept({&pair, 1});
  }
  if (number == 0) refuse("empty: expected at least the header left, right, score");
  return file;
}

}  // namespace neardup::search
