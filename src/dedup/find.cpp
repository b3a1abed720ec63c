#include "dedup/find.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "base/tsv.h"
#include "corpus/names.h"
#include "neardup/error.h"
#include "search/exact.h"
#include "search/sketched.h"

namespace neardup::dedup {
namespace {

// Reads a file as `pairs` writes it (left, right, score, further columns ignored; compressed or not), for documents
// whose names are known. Error{input} with the line for an id that no record has, a record paired with itself, or
// anything else that is no such file.
void read_pairs_file(const std::string& path, const corpus::Units& units, FindResult& result, const Context& context) {
  const corpus::RowTexts& names = result.names;
  search::LinkingSink sink(*result.found.links, result.found.pairs.get());
  bool has_decimals = false;
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
    has_decimals |= score_text.find('.') != score_text.npos;
    ++result.found.candidates;
    const Pair pair{.left = index(units.unit_of_row[std::min(a, b)]),
                    .right = index(units.unit_of_row[std::max(a, b)]),
                    .score = *score};
    sink.accept({&pair, 1});
  }
  if (number == 0) refuse("empty: expected at least the header left, right, score");
  if (!has_decimals) result.format = report::ScoreFormat::integers();
}

// Pairs that the user brings. Every good record is a unit of its own.
FindResult take_given(const Plan& plan, const corpus::Corpus& corpus, const Context& context) {
  const corpus::Units& units = corpus.units;
  FindResult result{.found = search::Found(units.units(), search::Wanted::all_pairs, context),
                    .format = report::ScoreFormat::decimals()};
  PerRow<bool> wanted(units.rows());
  for (const Row row : all<Row>(units.rows())) wanted[row] = units.has_unit(row);
  result.names = corpus::collect_names(corpus, wanted, context);
  read_pairs_file(plan.options.pairs, units, result, context);
  result.found.pairs->finish();
  result.found.parameters = plan.options.pairs;
  return result;
}

void warn_of_long_search(const JoinForecast& forecast, const Definition& definition, std::string& warning,
                         report::RunFrame& frame, const Context& context) {
  constexpr double kLong = 120;
  if (context.observer != nullptr) context.observer->expect(forecast.seconds);
  if (forecast.seconds < kLong) return;
  warning = fmt::format("comparing will take about {} minutes", static_cast<std::uint64_t>(forecast.seconds / 60));
  if (definition.measure != Measure::overlap) {
    warning += "; `finder=minhash` is faster, may miss a few pairs, and measures how many";
  }
  frame.warn(warning);
}

void search_exactly(const Plan& plan, Reading& reading, FindResult& result, report::RunFrame& frame,
                    const Context& context) {
  search::Found& found = result.found;
  search::LinkingSink sink(*found.links, found.pairs.get());
  JoinOptions join;
  if (plan.wanted == search::Wanted::connections) {
    join.skip = [&](DocId a, DocId b) {
      return found.links->same(static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b));
    };
    join.settled = [&](std::span<const DocId> units) { return search::are_connected(*found.links, units); };
  }
  join.forecast = [&](const JoinForecast& forecast) {
    warn_of_long_search(forecast, plan.definition, result.warning, frame, context);
  };
  const JoinStats stats = search::find_exactly(
      {.sides = {&reading.corpus, 1}, .shared = std::move(reading.shared), .options = std::move(join)}, sink, context);
  found.candidates = stats.candidates;
  found.parameters = stats.algorithm;
}

void load(const corpus::Corpus& corpus, FindResult& result, Checkpoint& resume, report::RunFrame& frame) {
  resume.load("find", [&](base::StateReader& in) {
    result.found.load(in);
    result.scores = PerUnit<double>(in.array<double>());
    if (!result.scores.empty() && result.scores.size() != corpus.units.units()) in.fail();
    result.warning = in.text();
  });
  if (!result.warning.empty()) frame.warn(result.warning);
}

}  // namespace

FindResult find(const Plan& plan, Reading& reading, Checkpoint& resume, report::RunFrame& frame,
                const Context& context) {
  if (plan.is_given) return take_given(plan, reading.corpus, context);
  FindResult result{.found = search::Found(reading.corpus.units.units(), plan.wanted, context),
                    .format = report::ScoreFormat(plan.definition.measure)};
  if (plan.searches && resume.has("find")) {
    load(reading.corpus, result, resume, frame);
  } else if (plan.searches && !plan.is_exact) {
    result.found = search::find_by_sketches({.corpus = reading.corpus,
                                             .finder = *reading.finder,
                                             .sample = std::move(reading.sample),
                                             .wanted = plan.wanted,
                                             .seed = plan.options.finder.seed},
                                            context);
    reading.sample_memory.hold(0);
  } else {
    if (plan.searches) search_exactly(plan, reading, result, frame, context);
    if (result.found.pairs) result.found.pairs->finish();
  }
  return result;
}

void save(const FindResult& result, Checkpoint& resume) {
  resume.save("find", [&](base::StateWriter& out) {
    result.found.save(out);
    out.array(result.scores.values());
    out.text(result.warning);
  });
  resume.drop("sketches");
}

}  // namespace neardup::dedup
