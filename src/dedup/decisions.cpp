#include "dedup/decisions.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "base/counted.h"
#include "base/system.h"
#include "corpus/names.h"
#include "neardup/error.h"
#include "search/scorer.h"

namespace neardup::dedup {
namespace {

namespace dom = simdjson::dom;

// One line of the file.
class DecisionLine {
 public:
  DecisionLine(const dom::element& line, std::string place) : line_(line), place_(std::move(place)) {}

  [[noreturn]] void refuse(const std::string& reason) const {
    throw Error(ErrorCode::input, fmt::format("{}: {}", place_, reason), "decisions");
  }
  // Nothing: it is missing or null.
  [[nodiscard]] std::optional<std::string> text(const char* name) const {
    dom::element value;
    if (line_[name].get(value) != simdjson::SUCCESS || value.is_null()) return std::nullopt;
    std::string_view words;
    if (value.get(words) != simdjson::SUCCESS) refuse(fmt::format("\"{}\" is not a string", name));
    return std::string(words);
  }
  [[nodiscard]] std::string required(const char* name) const {
    std::optional<std::string> value = text(name);
    if (!value || value->empty()) refuse(fmt::format("there is no \"{}\"", name));
    return *std::move(value);
  }

 private:
  const dom::element& line_;
  std::string place_;
};

// Collects decisions; the last one about two documents replaces earlier ones.
struct DecisionList {
  std::map<NamedDecisions::Names, bool> pairs;  // true: same
  std::set<std::string> keep;

  void add(const DecisionLine& line) {
    constexpr std::array<std::string_view, 4> kKinds{"separate", "same", "keep", "note"};
    const std::string kind = line.required("kind");
    if (std::ranges::find(kKinds, kind) == kKinds.end())
      line.refuse(fmt::format("unknown decision \"{}\": expected separate, same, keep or note", kind));
    std::string a = line.required("a");
    if (kind == "keep" || kind == "note") {
      if (line.text("b").value_or("") != "") line.refuse(fmt::format("\"{}\" is about one document, not two", kind));
      if (kind == "keep") keep.insert(std::move(a));
      return;
    }
    std::string b = line.required("b");
    if (a == b) line.refuse(fmt::format("\"{}\" names the document \"{}\" twice", kind, a));
    if (b < a) std::swap(a, b);
    pairs.insert_or_assign({std::move(a), std::move(b)}, kind == "same");
  }
};

std::uint64_t both(Row a, Row b) { return std::uint64_t{index(std::min(a, b))} << 32 | index(std::max(a, b)); }

// Decisions by row, as far as the collection has such documents.
struct RowDecisions {
  std::vector<std::uint64_t> separate, same;  // both(a, b), ascending
  std::vector<Row> chosen;
  std::uint64_t unknown = 0;  // decisions about documents that are not there, or have nothing to compare

  [[nodiscard]] static bool has(const std::vector<std::uint64_t>& pairs, Row a, Row b) {
    return std::ranges::binary_search(pairs, both(a, b));
  }
  // Rows that are named in pairs, ascending.
  [[nodiscard]] std::vector<Row> solo() const {
    std::vector<Row> rows;
    for (const auto* pairs : {&separate, &same})
      for (const std::uint64_t pair : *pairs) {
        rows.push_back(row_of(pair >> 32));
        rows.push_back(row_of(pair & UINT32_MAX));
      }
    std::ranges::sort(rows);
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    return rows;
  }
};

RowDecisions find_rows(const NamedDecisions& named, const corpus::Units& units, const corpus::RowTexts& names) {
  std::map<std::string_view, std::optional<Row>> rows;
  for (const auto* pairs : {&named.separate, &named.same})
    for (const auto& [a, b] : *pairs) rows[a], rows[b];
  for (const std::string& name : named.keep) rows[name];
  for (const Row row : all<Row>(units.rows())) {
    if (!units.has_unit(row)) continue;
    if (const auto found = rows.find(names[row]); found != rows.end()) found->second = row;
  }
  RowDecisions out;
  const auto take = [&](const std::vector<NamedDecisions::Names>& pairs, std::vector<std::uint64_t>& into) {
    for (const auto& [a, b] : pairs) {
      const std::optional<Row> row_a = rows.at(a), row_b = rows.at(b);
      if (row_a && row_b) {
        into.push_back(both(*row_a, *row_b));
      } else {
        ++out.unknown;
      }
    }
    std::ranges::sort(into);
  };
  take(named.separate, out.separate);
  take(named.same, out.same);
  for (const std::string& name : named.keep) {
    if (const std::optional<Row> row = rows.at(name)) {
      out.chosen.push_back(*row);
    } else {
      ++out.unknown;
    }
  }
  return out;
}

// Units in which every document that a decision about two names is alone, numbered by their first rows again.
class SplitUnits {
 public:
  SplitUnits(const corpus::Units& old, const std::vector<Row>& solo) : rest_(old.units(), kNoUnit) {
    units_.status = old.status;
    units_.unit_of_row = PerRow<Unit>(old.rows(), kNoUnit);
    auto next = solo.begin();
    for (const Row row : all<Row>(old.rows())) {
      if (!old.has_unit(row)) continue;
      const bool is_solo = next != solo.end() && *next == row;
      if (is_solo) ++next;
      const Unit from = old.unit_of_row[row];
      Unit& rest = rest_[from];
      if (is_solo || rest == kNoUnit) {
        const Unit fresh = unit_of(units_.first_row.size());
        copy_unit(old, from, row);
        if (is_solo) {
          apart_[from].push_back(fresh);
          units_.unit_of_row[row] = fresh;
          continue;
        }
        rest = fresh;
      }
      units_.unit_of_row[row] = rest;
    }
  }

  // The units that one became.
  [[nodiscard]] std::vector<Unit> parts(Unit old) const {
    std::vector<Unit> parts;
    if (rest_[old] != kNoUnit) parts.push_back(rest_[old]);
    if (const auto found = apart_.find(old); found != apart_.end())
      parts.insert(parts.end(), found->second.begin(), found->second.end());
    return parts;
  }
  [[nodiscard]] const std::map<Unit, std::vector<Unit>>& apart() const { return apart_; }
  [[nodiscard]] const corpus::Units& units() const { return units_; }
  corpus::Units take() { return std::move(units_); }

 private:
  void copy_unit(const corpus::Units& old, Unit from, Row first) {
    units_.first_row.push_back(first);
    units_.size.push_back(old.size[from]);
    if (!old.bits.empty()) units_.bits.push_back(old.bits[from]);
    if (!old.length.empty()) units_.length.push_back(old.length[from]);
  }

  corpus::Units units_;
  PerUnit<Unit> rest_;                       // by old unit: its documents that no decision separates or joins
  std::map<Unit, std::vector<Unit>> apart_;  // by old unit: the others
};

// Receives pairs of new units and leaves out those that are separated.
class DecidedPairs {
 public:
  DecidedPairs(const corpus::Units& units, const RowDecisions& decisions, search::Found& out)
      : units_(units), decisions_(decisions), out_(out), left_(decisions.same.size(), true) {}

  void add(Unit a, Unit b, double score) {
    constexpr std::uint64_t kMost = std::uint64_t{1} << 32;
    const Unit left = std::min(a, b), right = std::max(a, b);
    const Row first = units_.first_row[left], second = units_.first_row[right];
    if (RowDecisions::has(decisions_.separate, first, second)) return;
    if (const auto at = std::ranges::lower_bound(decisions_.same, both(first, second));
        at != decisions_.same.end() && *at == both(first, second))
      left_[static_cast<std::size_t>(at - decisions_.same.begin())] = false;
    if (++count_ > kMost)
      throw Error(ErrorCode::limit, "`decisions` names too many documents with the same content", "decisions");
    accept(left, right, score);
  }

  // Pairs that were joined and do not meet the definition.
  std::uint64_t add_joined() {
    std::uint64_t joined = 0;
    for (std::size_t i = 0; i < left_.size(); ++i) {
      if (!left_[i]) continue;
      const Unit a = units_.unit_of_row[row_of(decisions_.same[i] >> 32)],
                 b = units_.unit_of_row[row_of(decisions_.same[i] & UINT32_MAX)];
      accept(std::min(a, b), std::max(a, b), std::numeric_limits<double>::quiet_NaN());
      ++joined;
    }
    return joined;
  }

 private:
  void accept(Unit left, Unit right, double score) {
    const Pair pair{.left = index(left), .right = index(right), .score = score};
    search::LinkingSink(*out_.links, out_.pairs.get()).accept({&pair, 1});
  }

  const corpus::Units& units_;
  const RowDecisions& decisions_;
  search::Found& out_;
  std::vector<bool> left_;  // by decision `same`: the pair has not come
  std::uint64_t count_ = 0;
};

std::uint64_t split_and_join(const RowDecisions& decisions, const Definition& definition, Reading& reading,
                             search::Found& found, const Context& context) {
  SplitUnits split(reading.corpus.units, decisions.solo());
  const search::Scorer scorer(definition, reading.corpus.units, nullptr);
  search::Found changed(split.units().units(), search::Wanted::all_pairs, context);
  DecidedPairs pairs(split.units(), decisions, changed);
  found.pairs->for_each([&](const Pair& pair) {
    const std::vector<Unit> left = split.parts(unit_of(pair.left)), right = split.parts(unit_of(pair.right));
    for (const Unit a : left)
      for (const Unit b : right) pairs.add(a, b, pair.score);
  });
  // Documents with the same content were one unit, and are pairs now.
  for (const auto& [old, apart] : split.apart()) {
    const std::optional<double> score = scorer.copy_score(old);
    const std::vector<Unit> parts = split.parts(old);
    for (std::size_t i = 0; score && i < parts.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) pairs.add(parts[j], parts[i], *score);
  }
  const std::uint64_t joined = pairs.add_joined();
  changed.pairs->finish();
  changed.candidates = found.candidates;
  changed.parameters = found.parameters;
  changed.recall = found.recall;
  found = std::move(changed);
  reading.corpus.units = split.take();
  return joined;
}

}  // namespace

NamedDecisions parse_decisions(std::string_view lines, const std::string& path) {
  DecisionList list;
  dom::parser parser;
  std::uint64_t number = 0;
  while (!lines.empty()) {
    ++number;
    const std::string_view line = lines.substr(0, lines.find('\n'));
    lines.remove_prefix(std::min(lines.size(), line.size() + 1));
    if (line.find_first_not_of(" \t\r") == line.npos) continue;
    dom::element element;
    const std::string place = fmt::format("{}:{}", path, number);
    const bool is_object =
        parser.parse(line.data(), line.size()).get(element) == simdjson::SUCCESS && element.is_object();
    const DecisionLine decision(element, place);
    if (!is_object) decision.refuse("not a JSON object");
    list.add(decision);
  }
  NamedDecisions named;
  for (const auto& [names, is_same] : list.pairs) (is_same ? named.same : named.separate).push_back(names);
  named.keep.assign(list.keep.begin(), list.keep.end());
  return named;
}

NamedDecisions read_decisions(const DedupOptions& options, const Context& context) {
  if (options.decisions.empty()) return {};
  const auto file = base::files(context).map(options.decisions);
  return parse_decisions({file->bytes().data(), file->bytes().size()}, options.decisions);
}

std::uint64_t apply_decisions(const NamedDecisions& named, const Plan& plan, Reading& reading, FindResult& search,
                              report::RunFrame& frame, const Context& context) {
  if (named.separate.empty() && named.same.empty() && named.keep.empty()) return 0;
  const corpus::Units& units = reading.corpus.units;
  PerRow<bool> wanted(units.rows());
  for (const Row row : all<Row>(units.rows())) wanted[row] = units.has_unit(row);
  const corpus::RowTexts own =
      plan.is_given ? corpus::RowTexts() : corpus::collect_names(reading.corpus, wanted, context);
  const RowDecisions decisions = find_rows(named, units, plan.is_given ? search.names : own);
  const std::uint64_t all_decisions = named.separate.size() + named.same.size() + named.keep.size();
  if (decisions.unknown > 0)
    frame.warn(fmt::format("{}: {} of {} about documents that are not in the input, or have nothing to compare",
                           plan.options.decisions, base::with_commas(decisions.unknown),
                           base::counted(all_decisions, "decision is", "decisions are")));
  if (!decisions.chosen.empty()) {
    std::vector<DocId> chosen;
    for (const Row row : decisions.chosen) chosen.push_back(index(row));
    reading.keep.choose(std::move(chosen));
  }
  if (decisions.separate.empty() && decisions.same.empty()) return 0;
  return split_and_join(decisions, plan.is_given ? Definition{} : plan.definition, reading, search.found, context);
}

}  // namespace neardup::dedup
