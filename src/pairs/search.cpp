#include "pairs/search.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/counted.h"
#include "base/system.h"
#include "corpus/census.h"
#include "io/sides.h"
#include "join/copies.h"
#include "neardup/similarity.h"
#include "report/advice.h"
#include "report/stage_plan.h"
#include "search/exact.h"
#include "search/ignore.h"
#include "search/scorer.h"

namespace neardup::pairs {
namespace {

constexpr double kEnormous = 20e6;  // pairs: half a gigabyte and more of text

class Searching {
 public:
  Searching(std::span<const Collection* const> collections, const PairsOptions& options, const Applied& applied,
            report::RunFrame& frame, const Context& context)
      : collections_(collections), options_(options), applied_(applied), frame_(frame), context_(context) {}

  void announce() const {
    const bool has_other = collections_.size() == 2;
    report::announce_stages({.collection = *collections_.front(),
                             .against = has_other ? collections_.back() : nullptr,
                             .definition = applied_.definition,
                             .counts = applied_.definition.weights == Weights::tfidf,
                             .reads = !has_other,
                             .searches = !has_other},
                            context_);
  }

  search::SidesToSearch read(const Definition& definition, OnBadRecord on_bad_record) {
    const std::unique_ptr<const corpus::Rarities> rarities = corpus::count_features(collections_, definition, context_);
    return search::read_sides(collections_, definition, rarities.get(), on_bad_record, options_.ignore, ignored_,
                              context_);
  }
  [[nodiscard]] const search::Ignored& ignored() const { return ignored_; }

  // All pairs of rows. Takes the sets that were seen.
  JoinStats join(search::SidesToSearch& input, std::uint64_t max_pairs, search::PairStore& pairs) {
    const std::vector<corpus::Corpus>& sides = input.corpora;
    std::vector<joins::Copies> copies;
    for (const corpus::Corpus& side : sides)
      copies.emplace_back(group_numbers(side.units), static_cast<std::uint32_t>(side.units.units()));
    JoinOptions options{.algorithm = applied_.algorithm,
                        .suffix_depth = options_.suffix_depth,
                        .gram_length = options_.gram_length,
                        .max_pairs = max_pairs};
    options.forecast = [&](const JoinForecast& forecast) { warn_of_forecast(forecast); };
    joins::ExpandingSink expanding(copies, options, pairs);
    if (sides.size() == 1) {
      warn_of_copies(copies.front());
      const Verifier verifier(sides.front().definition);
      expanding.add_copies([&](std::uint32_t unit) {
        return search::score_of_copies(verifier, sides.front().definition, sides.front().units, Unit{unit});
      });
    }
    JoinStats stats =
        search::find_exactly({.sides = sides, .seen = std::move(input.seen), .options = options}, expanding, context_);
    expanding.finish();
    stats.stopped = stats.stopped || expanding.stopped();
    pairs.finish();
    return stats;
  }

  // Features that only estimate: the same pairs by the whole feature sets, for comparison.
  void measure_recall(const search::PairStore& found, PairsReport& report) {
    Definition whole = applied_.definition;
    whole.features.minwise = 0;
    search::PairStore truth(context_);
    search::SidesToSearch sides = read(whole, OnBadRecord::skip);
    join(sides, 0, truth);
    const std::uint64_t common = found.count_common(truth);
    const auto share = [&](std::uint64_t of) {
      return of == 0 ? 1.0 : static_cast<double>(common) / static_cast<double>(of);
    };
    report.recall = share(truth.size());
    report.precision = share(found.size());
  }

 private:
  static std::vector<std::uint32_t> group_numbers(const corpus::Units& units) {
    std::vector<std::uint32_t> numbers(units.rows());
    for (const Row row : all<Row>(units.rows())) numbers[index(row)] = index(units.unit_of_row[row]);
    return numbers;
  }

  void warn_of_copies(const joins::Copies& copies) {
    double pairs = 0;
    for (std::uint32_t group = 0; group < copies.groups(); ++group) {
      const auto size = static_cast<double>(copies.members(group).size());
      pairs += size * (size - 1) / 2;
    }
    if (pairs > kEnormous) warn_of_enormous(pairs, "pairs of equal records");
  }

  void warn_of_forecast(const JoinForecast& forecast) {
    constexpr double kLong = 120;
    if (context_.observer != nullptr) context_.observer->expect(forecast.seconds);
    if (forecast.pairs > kEnormous) warn_of_enormous(forecast.pairs, "pairs");
    if (forecast.seconds > kLong)
      frame_.warn(fmt::format("comparing will take about {:.0f} minutes", forecast.seconds / 60));
  }

  void warn_of_enormous(double pairs, std::string_view what) {
    const bool is_far = is_distance(applied_.definition.measure);
    frame_.warn(fmt::format("about {:.0f} million {} are coming: `max_pairs` stops early, and {} finds fewer",
                            pairs / 1e6, what, is_far ? "a lower `threshold`" : "a higher `threshold`"));
  }

  std::span<const Collection* const> collections_;
  const PairsOptions& options_;
  const Applied& applied_;
  report::RunFrame& frame_;
  const Context& context_;
  search::Ignored ignored_;
};

void add(const ReadFacts& side, ReadFacts& all) {
  all.records += side.records;
  all.bytes += side.bytes;
  all.text_bytes += side.text_bytes;
  all.without_features += side.without_features;
  all.repaired_texts += side.repaired_texts;
  all.without_main_text += side.without_main_text;
  all.repeated_ids += side.repeated_ids;
  all.binary_files += side.binary_files;
  for (const EncodingCount& encoding : side.encodings) corpus::add_encoding(encoding, all.encodings);
  all.bad.count += side.bad.count;
  constexpr std::size_t kRemembered = 10;
  for (const BadRecord& bad : side.bad.first)
    if (all.bad.first.size() < kRemembered) all.bad.first.push_back(bad);
}

// All pairs, or the best `top` ones of each left record, in their order.
void for_each_best(const search::PairStore& pairs, std::uint64_t top, Measure measure,
                   const std::function<void(const Pair&)>& visit) {
  if (top == 0) return pairs.for_each(visit);
  const bool small_is_good = is_distance(measure);
  const auto better = [&](const Pair& a, const Pair& b) {
    if (a.score != b.score) return small_is_good ? a.score < b.score : a.score > b.score;
    return a.right < b.right;
  };
  std::vector<Pair> of_one;
  const auto cut = [&] {
    if (of_one.size() <= top) return;
    std::nth_element(of_one.begin(), of_one.begin() + static_cast<std::ptrdiff_t>(top), of_one.end(), better);
    of_one.resize(top);
  };
  const auto close = [&] {
    cut();
    std::sort(of_one.begin(), of_one.end(), [](const Pair& a, const Pair& b) { return a.right < b.right; });
    std::for_each(of_one.begin(), of_one.end(), visit);
    of_one.clear();
  };
  pairs.for_each([&](const Pair& pair) {
    if (!of_one.empty() && of_one.front().left != pair.left) close();
    of_one.push_back(pair);
    constexpr std::size_t kWaiting = 4096;
    if (of_one.size() >= top + kWaiting) cut();
  });
  close();
}

// Passes on the pairs, best first, neither of whose records was in one before.
void for_each_one_to_one(const BestFirst& pairs, const std::vector<corpus::Corpus>& sides,
                         const std::function<void(const Pair&)>& visit) {
  PerRow<bool> left_taken(sides.front().units.rows()), right_taken(sides.back().units.rows());
  PerRow<bool>& right = sides.size() == 1 ? left_taken : right_taken;
  pairs.for_each([&](const Pair& pair) {
    if (left_taken[row_of(pair.left)] || right[row_of(pair.right)]) return;
    left_taken[row_of(pair.left)] = true;
    right[row_of(pair.right)] = true;
    visit(pair);
  });
}

// Fills in what Searched::for_each() gives, where that is not simply the pairs.
void choose(const PairsOptions& options, Searched& searched, const Context& context) {
  if (!options.one_to_one && options.order == PairOrder::input) return;
  const Measure measure = searched.applied.definition.measure;
  auto best = std::make_unique<BestFirst>(measure, context);
  for_each_best(*searched.pairs, options.top, measure, [&](const Pair& pair) { best->add(pair); });
  best->finish();
  if (!options.one_to_one) {
    searched.ordered = std::move(best);
    return;
  }
  if (options.order == PairOrder::score) {
    searched.ordered = std::make_unique<BestFirst>(measure, context);
    for_each_one_to_one(*best, searched.sides, [&](const Pair& pair) { searched.ordered->add(pair); });
    return searched.ordered->finish();
  }
  searched.chosen = std::make_unique<search::PairStore>(context);
  for_each_one_to_one(*best, searched.sides, [&](const Pair& pair) { searched.chosen->accept({&pair, 1}); });
  searched.chosen->finish();
}

}  // namespace

Searched search(std::span<const Collection* const> collections, const PairsOptions& options, Applied applied,
                PairsReport& report, report::RunFrame& frame, const Context& context) {
  Searched searched{.applied = std::move(applied), .sides = {}, .pairs = std::make_unique<search::PairStore>(context)};
  report.definition = searched.applied.definition;
  Searching searching(collections, options, searched.applied, frame, context);
  if (collections.size() == 2) {
    if (const auto path = io::shared_input(*collections.front(), *collections.back()))
      frame.warn(*path + " is on both sides: each of its documents is a pair with itself");
  }
  searching.announce();
  search::SidesToSearch read = searching.read(searched.applied.definition, options.on_bad_record);
  for (const corpus::Corpus& side : read.corpora) add(side.facts, report);
  if (options.ignore.any()) report.ignored = searching.ignored().report;
  report.left_documents = read.corpora.front().facts.documents();
  if (collections.size() == 2) report.right_documents = read.corpora.back().facts.documents();
  if (report.repeated_ids > 0) frame.warn(corpus::repeated_ids_warning(report.repeated_ids));

  report.join = searching.join(read, options.max_pairs, *searched.pairs);
  for (const corpus::Corpus& side : read.corpora) {
    if (std::string warning = report::no_words_warning(side); !warning.empty()) frame.warn(std::move(warning));
  }
  std::string warning = report::short_texts_warning(read.corpora, searched.pairs->size());
  if (!warning.empty()) frame.warn(std::move(warning));
  searched.sides = std::move(read.corpora);
  if (searched.applied.is_combined) report.join.algorithm = options.algorithm;
  if (options.max_pairs != 0 && report.join.stopped) {
    frame.warn(
        fmt::format("stopped at {} (`max_pairs`); there are more", base::counted(options.max_pairs, "pair", "pairs")));
  }
  if (report.definition.features.minwise != 0 && options.measure_recall)
    searching.measure_recall(*searched.pairs, report);
  choose(options, searched, context);
  return searched;
}

void Searched::for_each(const PairsOptions& options, const std::function<void(const Pair&)>& visit) const {
  if (ordered != nullptr) return ordered->for_each(visit);
  if (chosen != nullptr) return chosen->for_each(visit);
  for_each_best(*pairs, options.top, applied.definition.measure, visit);
}

}  // namespace neardup::pairs
