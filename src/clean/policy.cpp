#include "clean/policy.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "base/choices.h"
#include "base/tsv.h"
#include "clean/bm25_postings.h"
#include "neardup/error.h"

namespace neardup {
namespace {

constexpr std::uint64_t kWhole = 10'000;                                    // hundredths of a percent
constexpr std::uint64_t kOpen = std::numeric_limits<std::uint64_t>::max();  // a range without an end
constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();

// Takes a rule apart and says what is wrong with it.
class RuleParser {
 public:
  RuleParser(std::string_view text, std::uint64_t first, RangeRule::Shares shares)
      : text_(text), first_(first), shares_(shares) {}

  struct Range {
    std::uint64_t first, last;  // kOpen: to the end
  };

  [[noreturn]] void fail(const std::string& what) const {
    const std::string_view value = shares_ == RangeRule::Shares::allowed ? "1000" : "3";
    throw Error(ErrorCode::usage, fmt::format("{}: {}; write one value ({}) or ranges that follow each other "
                                              "({}-100:{},101-500:2,501-:1)",
                                              text_, what, value, first_, value));
  }

  [[nodiscard]] std::uint64_t number(std::string_view digits) const {
    const std::optional<std::uint64_t> value = base::parse_whole(digits);
    if (!value || *value > kMost) fail(fmt::format("\"{}\" is not a whole number up to {}", digits, kMost));
    return *value;
  }

  [[nodiscard]] RangeRule::Value value(std::string_view word) const {
    if (!word.ends_with('%')) return {number(word), false};
    if (shares_ == RangeRule::Shares::refused) fail(fmt::format("\"{}\" is a share, but a number is needed", word));
    word.remove_suffix(1);
    const std::size_t point = word.find('.');
    std::string_view decimals = point == word.npos ? std::string_view() : word.substr(point + 1);
    if (decimals.size() > 2) fail("a share has at most two decimals");
    std::uint64_t hundredths = decimals.empty() ? 0 : number(decimals);
    if (decimals.size() == 1) hundredths *= 10;
    hundredths += 100 * number(word.substr(0, point));
    if (hundredths == 0 || hundredths > kWhole) fail(fmt::format("{}% is not a share above 0% and up to 100%", word));
    return {hundredths, true};
  }

  // `rest`: where "..." begins.
  [[nodiscard]] Range range(std::string_view word, std::uint64_t rest) const {
    if (word == "..." || word == "…" || word == "*") return {rest, kOpen};
    const std::size_t dash = word.find('-');
    const std::uint64_t first = number(word.substr(0, dash));
    if (dash == word.npos) return {first, first};
    const std::string_view last = word.substr(dash + 1);
    if (last.empty()) return {first, kOpen};
    if (number(last) < first) fail(fmt::format("the range {} ends before it begins", word));
    return {first, number(last)};
  }

 private:
  std::string_view text_;
  std::uint64_t first_;
  RangeRule::Shares shares_;
};

std::string to_text(RangeRule::Value value) {
  if (!value.is_share) return std::to_string(value.number);
  const std::uint64_t decimals = value.number % 100;
  return fmt::format("{}{}%", value.number / 100, decimals == 0 ? "" : fmt::format(".{:02}", decimals));
}

}  // namespace

RangeRule RangeRule::parse(std::string_view text, std::uint64_t first, Shares shares) {
  const RuleParser parser(text, first, shares);
  RangeRule rule;
  if (text.find(':') == text.npos) {
    rule.pieces_.push_back({0, parser.value(text)});
    return rule;
  }
  std::uint64_t next = first;  // where the next range has to begin
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string_view part = text.substr(begin, end - begin);
    begin = end + 1;
    const std::size_t colon = part.find(':');
    if (colon == part.npos) parser.fail(fmt::format("\"{}\" is not RANGE:VALUE", part));
    const RuleParser::Range range = parser.range(part.substr(0, colon), next);
    if (next == kOpen) parser.fail(fmt::format("{} follows a range without an end", part));
    if (range.first < next) {
      parser.fail(rule.empty() ? fmt::format("numbers begin at {}", first)
                               : fmt::format("{} overlaps the range before it", part));
    }
    if (range.first > next) {
      const std::uint64_t last = range.first - 1;
      parser.fail(next == last ? fmt::format("{} is in no range", last)
                               : fmt::format("{} to {} are in no range", next, last));
    }
    rule.pieces_.push_back({range.first, parser.value(part.substr(colon + 1))});
    next = range.last == kOpen ? kOpen : range.last + 1;
  }
  if (next != kOpen) parser.fail(fmt::format("{} and above are in no range", next));
  return rule;
}

RangeRule::Value RangeRule::at(std::uint64_t number) const {
  const auto behind = std::upper_bound(pieces_.begin(), pieces_.end(), number,
                                       [](std::uint64_t n, const Piece& piece) { return n < piece.first; });
  return behind == pieces_.begin() ? Value{} : std::prev(behind)->value;
}

std::uint64_t RangeRule::largest() const {
  std::uint64_t most = 0;
  for (const Piece& piece : pieces_) most = std::max(most, piece.value.is_share ? 0 : piece.value.number);
  return most;
}

bool RangeRule::has_shares() const {
  return std::any_of(pieces_.begin(), pieces_.end(), [](const Piece& piece) { return piece.value.is_share; });
}

std::string RangeRule::text() const {
  if (pieces_.size() == 1) return to_text(pieces_.front().value);
  std::string out;
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    const std::string last = i + 1 < pieces_.size() ? std::to_string(pieces_[i + 1].first - 1) : "";
    out += fmt::format("{}{}-{}:{}", i == 0 ? "" : ",", pieces_[i].first, last, to_text(pieces_[i].value));
  }
  return out;
}

namespace {

constexpr std::array kModes{
    Choice<CleanMode>{"sequential", CleanMode::sequential, "each query sees what earlier queries left"},
    Choice<CleanMode>{"marked", CleanMode::marked,
                      "every query sees all documents; marked documents are removed at the end"},
};
constexpr std::array kSelections{
    Choice<QuerySelection>{"frequency", QuerySelection::frequency, "most frequent first"},
    Choice<QuerySelection>{"coverage", QuerySelection::coverage, "queries with the most unseen results first"},
};

}  // namespace

CleanMode parse_clean_mode(std::string_view text) { return base::parse_choice<CleanMode>("mode", text, kModes); }
std::string to_string(CleanMode mode) { return base::choice_name<CleanMode>(mode, kModes); }
std::span<const Choice<CleanMode>> clean_mode_choices() { return kModes; }

QuerySelection parse_query_selection(std::string_view text) {
  return base::parse_choice<QuerySelection>("select", text, kSelections);
}
std::string to_string(QuerySelection selection) { return base::choice_name<QuerySelection>(selection, kSelections); }
std::span<const Choice<QuerySelection>> query_selection_choices() { return kSelections; }

void Bm25Options::validate() const {
  if (!(k1 >= 0 && k1 <= clean::kLargestK1)) {
    throw Error(ErrorCode::usage, fmt::format("`k1` {} is not a number from 0 to {}", k1, clean::kLargestK1), "k1");
  }
  if (!(b >= 0 && b <= 1)) throw Error(ErrorCode::usage, fmt::format("`b` {} is not a number from 0 to 1", b), "b");
  constexpr unsigned kLargestBoost = 1000;
  if (title_boost > kLargestBoost) {
    throw Error(ErrorCode::usage,
                fmt::format("`title_boost` {} is not a number from 0 to {}", title_boost, kLargestBoost),
                "title_boost");
  }
}

void CleanOptions::validate() const {
  const auto refuse = [](const std::string& message, const char* option) {
    throw Error(ErrorCode::usage, message, option);
  };
  if (log.path.empty() && log.queries.empty())
    refuse("`queries` is needed: a log of what people search for", "queries");
  search.validate();
  authority.validate();
  definition.validate();
  if (verify && !compares_sets(definition.measure)) {
    refuse(
        fmt::format("clean verifies by jaccard, cosine, dice or overlap, not by {}; `verify=false` lets the distance "
                    "of simhashes (`k`) alone decide",
                    to_string(definition.measure)),
        "measure");
  }
  if (verify && asks_for_containment(definition.measure)) {
    refuse(fmt::format("clean groups similar results and does not verify by {}; use jaccard, cosine, dice or overlap",
                       to_string(definition.measure)),
           "measure");
  }
  if (simhash.weights == Weights::tfidf) refuse("clean does not weigh by tfidf; use occurrences or binary", "weights");
  if (policy.k.empty() || policy.depth.empty()) refuse("`k` and `depth` must cover every query", "k");
  for (const auto& [option, rule] : {std::pair("k", &policy.k), std::pair("k_by_results", &policy.k_by_results)}) {
    if (rule->largest() > 64)
      refuse(fmt::format("`{}` {}: simhashes differ in 64 bits at most", option, rule->text()), option);
  }
  if (output.annotate) refuse("clean writes kept documents only: omit `annotate`", "annotate");
  if (output.resume) refuse("clean cannot be resumed: omit `resume`", "resume");
  if (course.budget_seconds < 0 || !std::isfinite(course.budget_seconds))
    refuse("`budget_seconds`: expected a time above 0", "budget_seconds");
  if (policy.authority_below && std::isnan(*policy.authority_below))
    refuse("`authority_below`: expected a number", "authority_below");
}

namespace clean {

std::size_t Policy::depth(std::uint64_t rank, std::uint64_t matches) const {
  const RangeRule::Value value = rules_.depth.at(rank);
  if (!value.is_share) return value.number;
  return static_cast<std::size_t>((static_cast<unsigned __int128>(matches) * value.number + kWhole - 1) / kWhole);
}

unsigned Policy::k(std::uint64_t rank, std::uint64_t matches) const {
  std::uint64_t k = rules_.k.at(rank).number;
  if (!rules_.k_by_results.empty()) k = std::min(k, rules_.k_by_results.at(matches).number);
  return static_cast<unsigned>(k);
}

}  // namespace clean
}  // namespace neardup
