#include "dedup/examples.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "base/utf8.h"
#include "dedup/shared_text.h"
#include "join/edit_distance.h"
#include "similarity/verifier.h"

namespace neardup::dedup {
namespace {

constexpr std::size_t kExamples = 3;
constexpr std::size_t kExampleCodePoints = 300;

std::string beginning(const std::string& text) {
  std::size_t end = 0;
  for (std::size_t points = 0; end < text.size(); ++end) {
    if (!base::is_continuation(text[end]) && points++ == kExampleCodePoints) break;
  }
  return text.substr(0, end);
}

}  // namespace

Examples::Examples(const Result& result) : result_(result) {
  choose_removed();
  choose_giant();
}

// Removed documents that differ from the kept one, spread evenly over the collection; copies only when there is nothing
// else.
void Examples::choose_removed() {
  const corpus::UnitTable& table = result_.table;
  const search::Decision& decision = result_.decision;
  std::vector<Row> near, copies;
  for (const Row row : result_.clusters.rows) {
    if (decision.is_kept(row)) continue;
    const bool is_copy = table.unit_of_row[row] == table.unit_of_row[decision.kept_for(row)];
    (is_copy ? copies : near).push_back(row);
  }
  const std::vector<Row>& from = near.empty() ? copies : near;
  const std::size_t count = std::min(kExamples, from.size());
  for (std::size_t i = 0; i < count; ++i) removed_.push_back(from[i * from.size() / count]);
}

void Examples::choose_giant() {
  constexpr std::uint64_t kLeastMembers = 100;
  constexpr double kImprobableShare = 0.05;
  constexpr std::size_t kMembersRead = 100;
  const search::ClusterList& clusters = result_.clusters;
  std::span<const Row> largest;
  for (std::size_t c = 0; c < clusters.size(); ++c) {
    const auto members = std::span(clusters.rows).subspan(clusters.begin[c], clusters.begin[c + 1] - clusters.begin[c]);
    if (members.size() > largest.size()) largest = members;
  }
  const auto different = static_cast<std::uint64_t>(
      std::count_if(largest.begin(), largest.end(), [&](Row row) { return result_.table.is_first(row); }));
  const double share = kImprobableShare * static_cast<double>(result_.table.rows());
  if (different < kLeastMembers || static_cast<double>(different) < share) return;
  giant_size_ = largest.size();
  for (std::size_t i = 0; i < kMembersRead; ++i) giant_.push_back(largest[i * largest.size() / kMembersRead]);
}

std::vector<Row> Examples::wanted() const {
  std::vector<Row> rows = giant_;
  for (const Row row : removed_) {
    rows.push_back(row);
    rows.push_back(result_.decision.kept_for(row));
  }
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return rows;
}

std::vector<Example> Examples::show(const std::map<Row, report::Shown>& shown) const {
  std::vector<Example> examples;
  for (const Row row : removed_) {
    const Unit unit = result_.table.unit_of_row[row];
    const Unit leader = result_.decision.leader(unit);
    const report::Shown& removed = shown.at(row);
    const report::Shown& kept = shown.at(result_.decision.kept_for(row));
    examples.push_back(
        {.removed_key = removed.name,
         .removed_text = beginning(removed.text),
         .kept_key = kept.name,
         .kept_text = beginning(kept.text),
         .score = unit == leader ? result_.oracle.copy_score(unit) : score_of(unit, removed, leader, kept)});
  }
  return examples;
}

std::optional<double> Examples::score_of(Unit a, const report::Shown& document_a, Unit b, const report::Shown& document_b) const {
  if (result_.pairs_are_given) return given_score(std::min(a, b), std::max(a, b));
  const Definition& definition = result_.definition;
  const similarity::Verifier verifier(definition);
  if (definition.measure == Measure::hamming) {
    const std::vector<std::uint32_t>& length = result_.table.length;
    if (!length.empty() && !definition.lengths_agree(length[a], length[b])) return std::nullopt;
    return verifier.verify(result_.table.bits[a], result_.table.bits[b]);
  }
  if (definition.measure == Measure::edit)
    return joins::edit_distance_within(
        document_a.string, document_b.string,
        static_cast<std::uint32_t>(std::min<std::uint64_t>(definition.threshold.num, UINT32_MAX)));
  return verifier.verify(document_a.set, document_b.set);
}

std::optional<double> Examples::given_score(Unit left, Unit right) const {
  std::optional<double> score;
  result_.search.pairs->for_each([&](const Pair& pair) {
    if (pair.left == left && pair.right == right) score = pair.score;
  });
  return score;
}

std::optional<std::string> Examples::giant_warning(const std::map<Row, report::Shown>& shown, ClusterKind clusters) const {
  if (giant_.empty()) return std::nullopt;
  std::vector<std::string_view> texts;
  for (const Row row : giant_) texts.push_back(shown.at(row).text);
  std::string message = fmt::format("one cluster holds {} of {} documents", giant_size_, result_.table.rows());
  if (const auto shared = shared_text(texts)) {
    message += fmt::format("; {}% of its members share \"{}\"", static_cast<int>(shared->share * 100), shared->text);
  } else {
    message += "; no run of words is shared by most of its members: it is a chain of small changes";
  }
  const bool chained = clusters == ClusterKind::components;
  return message + ". If that is not what you want: " + (chained ? "--clusters star, or " : "") +
         "a higher --threshold";
}

}  // namespace neardup::dedup
