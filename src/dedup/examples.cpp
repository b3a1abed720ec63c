#include "dedup/examples.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <tuple>
#include <unordered_map>

#include "base/counted.h"
#include "dedup/difference.h"
#include "dedup/reference_documents.h"
#include "neardup/features.h"
#include "neardup/similarity.h"

namespace neardup::dedup {
namespace {

constexpr std::size_t kExamples = 3, kAgainstExamplesBesides = 2;
constexpr unsigned kRun = 5;
constexpr double kMost = 0.5;
constexpr std::size_t kShownWords = 14;

}  // namespace

std::optional<SharedText> shared_text(std::span<const std::string_view> documents) {
  if (documents.size() < 2) return std::nullopt;
  FeatureExtractor extractor({.kind = FeatureKind::words, .length = kRun}, 0);
  std::vector<Feature> runs, set;
  extractor.occurrences(documents.front(), runs);
  const std::vector<std::string> words = neardup::words(documents.front());
  if (words.size() < kRun || runs.size() != words.size() - kRun + 1) return std::nullopt;

  std::unordered_map<Feature, std::size_t> holders;
  for (const Feature run : runs) holders.emplace(run, 0);
  for (const std::string_view document : documents) {
    extractor.set(document, set);
    for (const Feature feature : set) {
      if (const auto at = holders.find(feature); at != holders.end()) ++at->second;
    }
  }
  const auto enough = static_cast<std::size_t>(kMost * static_cast<double>(documents.size())) + 1;
  std::size_t best_begin = 0, best_length = 0;
  for (std::size_t begin = 0, end = 0; begin < runs.size(); begin = end + 1) {
    for (end = begin; end < runs.size() && holders[runs[end]] >= enough;) ++end;
    if (end - begin > best_length) {
      best_begin = begin;
      best_length = end - begin;
    }
  }
  if (best_length == 0) return std::nullopt;

  SharedText shared;
  std::size_t fewest = documents.size();
  for (std::size_t i = best_begin; i < best_begin + best_length; ++i) fewest = std::min(fewest, holders[runs[i]]);
  shared.share = static_cast<double>(fewest) / static_cast<double>(documents.size());
  const std::size_t length = best_length + kRun - 1;
  for (std::size_t i = 0; i < std::min(length, kShownWords); ++i)
    shared.text += (i == 0 ? "" : " ") + words[best_begin + i];
  if (length > kShownWords) shared.text += " ...";
  return shared;
}

Examples::Examples(const Outcome& outcome) : outcome_(outcome), units_(outcome.reading.corpus.units) {
  choose_removed();
  choose_against();
  choose_giant();
}

// Removed documents that differ from the kept one, spread evenly over the collection; copies only when there is nothing
// else.
void Examples::choose_removed() {
  const Clusters& clusters = outcome_.clusters;
  std::vector<Row> near, copies, same;
  for (std::size_t c = 0; c < clusters.size(); ++c) {
    for (const Clusters::Member row : clusters[c]) {
      if (clusters.is_kept(row) || row == clusters.representative(row)) continue;
      if (clusters.status(row) == RowStatus::same_key) {
        same.push_back(Row{row});
        continue;
      }
      const Row kept = row_of(clusters.representative(row));
      const bool is_copy = units_.unit_of_row[Row{row}] == units_.unit_of_row[kept];
      (is_copy ? copies : near).push_back(Row{row});
    }
  }
  const std::vector<Row>& from = !near.empty() ? near : !copies.empty() ? copies : same;
  const std::size_t count = std::min(kExamples, from.size());
  for (std::size_t i = 0; i < count; ++i) removed_.push_back(from[i * from.size() / count]);
}

// Those whose partners come first in the other collection, so that it need not be read far; copies last.
void Examples::choose_against() {
  if (outcome_.against == nullptr) return;
  const double identity = is_distance(outcome_.plan.definition.measure) ? 0 : 1;
  const auto order = [&](const AgainstMatch& match) { return std::tuple(match.score == identity, match.other); };
  against_.resize(removed_.empty() ? kExamples : kAgainstExamplesBesides);
  std::vector<AgainstMatch> near;  // by their texts, not by a key
  std::ranges::copy_if(outcome_.against->matches, std::back_inserter(near),
                       [](const AgainstMatch& match) { return !std::isnan(match.score); });
  const auto last = std::ranges::partial_sort_copy(near, against_, {}, order, order).out;
  against_.erase(last, against_.end());
  std::ranges::sort(against_, {}, &AgainstMatch::row);
}

void Examples::choose_giant() {
  constexpr std::uint64_t kLeastMembers = 100;
  constexpr double kImprobableShare = 0.05;
  constexpr std::size_t kMembersRead = 100;
  std::span<const Clusters::Member> largest;
  for (std::size_t c = 0; c < outcome_.clusters.size(); ++c) {
    if (outcome_.clusters[c].size() > largest.size()) largest = outcome_.clusters[c];
  }
  const auto different =
      static_cast<std::uint64_t>(std::ranges::count_if(largest, [&](auto row) { return units_.is_first(Row{row}); }));
  const double share = kImprobableShare * static_cast<double>(units_.rows());
  if (different < kLeastMembers || static_cast<double>(different) < share) return;
  giant_size_ = largest.size();
  for (std::size_t i = 0; i < kMembersRead; ++i) giant_.push_back(Row{largest[i * largest.size() / kMembersRead]});
}

Row Examples::kept_for(Row row) const { return row_of(outcome_.clusters.representative(index(row))); }

std::vector<Row> Examples::wanted() const {
  std::vector<Row> rows = giant_;
  for (const Row row : removed_) {
    rows.push_back(row);
    rows.push_back(kept_for(row));
  }
  for (const AgainstMatch& match : against_) rows.push_back(row_of(match.row));
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return rows;
}

std::vector<Example> Examples::show(const std::map<Row, report::ShownDocument>& shown, const Context& context) const {
  std::vector<Example> examples;
  for (const Row row : removed_) {
    const Unit unit = units_.unit_of_row[row], leader = units_.unit_of_row[kept_for(row)];
    const report::ShownDocument& removed = shown.at(row);
    const report::ShownDocument& kept = shown.at(kept_for(row));
    Example example;
    example.removed_key = removed.name;
    example.kept_key = kept.name;
    show_difference({removed.text, removed.is_whole}, {kept.text, kept.is_whole}, example);
    example.rule = same_rule(outcome_, row);
    if (!example.rule.empty()) {
      examples.push_back(std::move(example));
      continue;
    }
    example.score = unit == leader ? outcome_.scorer.copy_score(unit) : score_of(unit, removed, leader, kept);
    examples.push_back(std::move(example));
  }
  show_against(shown, examples, context);
  return examples;
}

void Examples::show_against(const std::map<Row, report::ShownDocument>& shown, std::vector<Example>& out,
                            const Context& context) const {
  if (against_.empty()) return;
  std::vector<DocId> others;
  for (const AgainstMatch& match : against_) others.push_back(match.other);
  const Plan& plan = outcome_.plan;
  const auto references = plan.known != nullptr ? known_references(*plan.known, outcome_.against->names, others)
                                                : reference_documents(*plan.against, others, context);
  for (const AgainstMatch& match : against_) {
    const auto reference = references.find(match.other);
    if (reference == references.end()) continue;
    const report::ShownDocument& removed = shown.at(row_of(match.row));
    const corpus::RowTexts& names = outcome_.against->names;
    const Row other = row_of(match.other);
    Example example;
    example.removed_key = removed.name;
    example.kept_key = names.has(other) ? std::string(names[other]) : reference->second.name;
    show_difference({removed.text, removed.is_whole}, {reference->second.text, reference->second.is_whole}, example);
    example.score = match.score;
    example.is_against = true;
    out.push_back(std::move(example));
  }
}

std::optional<double> Examples::score_of(Unit a, const report::ShownDocument& document_a, Unit b,
                                         const report::ShownDocument& document_b) const {
  if (outcome_.plan.is_given) return given_score(std::min(a, b), std::max(a, b));
  const Definition& definition = outcome_.plan.definition;
  const Verifier verifier(definition);
  if (definition.measure == Measure::hamming) {
    const PerUnit<std::uint32_t>& length = units_.length;
    if (!length.empty() && !definition.lengths_agree(length[a], length[b])) return std::nullopt;
    return verifier.verify(units_.bits[a], units_.bits[b]);
  }
  if (definition.measure == Measure::edit) return verifier.verify(document_a.string, document_b.string);
  return verifier.verify(document_a.set, document_b.set);
}

std::optional<double> Examples::given_score(Unit left, Unit right) const {
  std::optional<double> score;
  outcome_.search.found.pairs->for_each([&](const Pair& pair) {
    if (pair.left == index(left) && pair.right == index(right)) score = pair.score;
  });
  return score;
}

std::optional<std::string> Examples::giant_warning(const std::map<Row, report::ShownDocument>& shown) const {
  if (giant_.empty()) return std::nullopt;
  std::vector<std::string_view> texts;
  for (const Row row : giant_) texts.push_back(shown.at(row).text);
  const Measure measure = outcome_.plan.definition.measure;
  std::string message = fmt::format("one cluster contains {} of {}", base::with_commas(giant_size_),
                                    base::counted(units_.rows(), "document", "documents"));
  if (const auto shared = shared_text(texts)) {
    message += fmt::format("; {}% of its members share \"{}\"", static_cast<int>(shared->share * 100), shared->text);
  } else if (outcome_.plan.is_given || measure == Measure::edit) {
    message += "; its members are linked by a chain of small changes";
  } else {
    message += "; no run of words is shared by most of its members: it is a chain of small changes";
  }
  const bool chained = outcome_.plan.options.cluster_kind() == ClusterKind::components;
  return message + ". If that is not what you want: " + (chained ? "`clusters=star`, or " : "") +
         (is_distance(measure) ? "a lower `threshold`" : "a higher `threshold`");
}

}  // namespace neardup::dedup
