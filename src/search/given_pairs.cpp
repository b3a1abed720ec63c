#include "search/given_pairs.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include "base/tsv.h"
#include "neardup/collection.h"
#include "neardup/error.h"

namespace neardup::search {

PairsFile read_pairs_file(const std::string& path, const corpus::RowTexts& names, const corpus::Units& units,
                          PairSink& sink, const Context& context) {
  Reservation memory = base::reservation(context);
  memory.hold(2 * units.rows() * sizeof(Row));  // grown by doubling
  const auto name_of = [&](Row row) { return names[row]; };
  std::vector<Row> by_name;
  for (const Row row : all<Row>(units.rows())) {
    if (names.has(row)) by_name.push_back(row);
  }
  std::ranges::sort(by_name, {}, name_of);
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
      const std::string wanted = base::unescape_tsv(name);
      const auto found = std::ranges::lower_bound(by_name, std::string_view(wanted), {}, name_of);
      if (found == by_name.end() || names[*found] != wanted)
        refuse("no record has the id \"" + std::string(name) + "\"");
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
