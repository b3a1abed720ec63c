#include "search/against.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <numeric>
#include <span>
#include <utility>

#include "corpus/bad_records.h"
#include "corpus/census.h"
#include "corpus/names.h"
#include "neardup/similarity.h"
#include "search/columns.h"
#include "search/containing.h"
#include "search/exact.h"
#include "search/ignore.h"
#include "search/scorer.h"
#include "search/sketched.h"

namespace neardup::search {
namespace {

constexpr Row kNobody{0xffffffff};

// The best partner of every unit of the left side, by its first document on the right: the highest score, and among
// equals the first document.
class BestPartners final : public PairSink {
 public:
  // `row_of_partner` gives the first document of a unit on the right.
  BestPartners(std::size_t units, Measure measure, const PerUnit<Row>& row_of_partner)
      : small_is_good_(is_distance(measure)),
        row_of_partner_(row_of_partner),
        partner_(units, kNobody),
        score_(units) {}

  bool accept(std::span<const Pair> pairs) override {
    for (const Pair& pair : pairs) add(unit_of(pair.left), unit_of(pair.right), pair.score);
    return true;
  }

  void add(Unit unit, Unit other, double score) {
    const Row partner = row_of_partner_[other];
    const bool better = small_is_good_ ? score < score_[unit] : score > score_[unit];
    if (partner_[unit] == kNobody || better || (score == score_[unit] && partner < partner_[unit])) {
      partner_[unit] = partner;
      score_[unit] = score;
    }
  }

  // Gives every document before `border` the partner of its unit.
  void take(const corpus::Units& units, std::size_t border, Against& out) const {
    out.set_aside.resize(border);
    for (const Row row : all<Row>(border)) {
      if (!units.has_unit(row) || partner_[units.unit_of_row[row]] == kNobody) continue;
      const Unit unit = units.unit_of_row[row];
      out.set_aside[row] = true;
      out.matches.push_back({index(row), index(partner_[unit]), score_[unit]});
    }
  }

 private:
  bool small_is_good_;
  const PerUnit<Row>& row_of_partner_;
  PerUnit<Row> partner_;
  PerUnit<double> score_;
};

// Passes on the pairs whose left document may be removed in favour of the right one.
class RepresentedOnly final : public PairSink {
 public:
  RepresentedOnly(const corpus::Corpus& left, const corpus::Corpus& right, PairSink& sink)
      : left_(left), right_(right), sink_(sink) {}

  bool accept(std::span<const Pair> pairs) override {
    if (left_.definition.measure != Measure::containment) return sink_.accept(pairs);
    passed_.clear();
    std::ranges::copy_if(pairs, std::back_inserter(passed_), [&](const Pair& pair) {
      // Copies contain each other, also where both are short.
      const ContainedUnit removed = contained_unit(left_.units, unit_of(pair.left)),
                          kept = contained_unit(right_.units, unit_of(pair.right));
      const bool are_short_copies = removed.short_length != 0 && removed.short_length == kept.short_length;
      return are_short_copies || represents(left_.definition, kept, removed, pair.score);
    });
    return sink_.accept(passed_);
  }

 private:
  const corpus::Corpus &left_, &right_;
  PairSink& sink_;
  std::vector<Pair> passed_;
};

void name_partners(const corpus::Corpus& other, Against& out, const Context& context) {
  PerRow<bool> wanted(other.units.rows());
  for (const AgainstMatch& match : out.matches) wanted[row_of(match.other)] = true;
  out.names = corpus::collect_names(other, wanted, context);
}

// Both collections apart, so that each has rows, units and names of its own.
Against match_exactly(const AgainstRequest& request, const Context& context) {
  const Collection* const collections[] = {&request.collection, &request.other};
  Against result;
  SidesToSearch sides = read_sides(collections, request.definition, request.rarities, request.options.on_bad_record,
                                   request.options.ignore, result.ignored, context, request.separation);
  const corpus::Corpus &left = sides.corpora.front(), &right = sides.corpora.back();
  result.bad = right.facts.bad;
  result.records = right.units.rows();

  BestPartners best(left.units.units(), request.definition.measure, right.units.first_row);
  RepresentedOnly represented(left, right, best);
  const JoinStats stats =
      find_exactly({.sides = sides.corpora, .seen = std::move(sides.seen), .options = {}}, represented, context);
  result.candidates = stats.candidates;
  result.parameters = stats.algorithm;
  best.take(left.units, left.units.rows(), result);
  if (request.wants_names) name_partners(right, result, context);
  return result;
}

// The best partners of units that have documents on both sides, or a pair across the border.
BestPartners best_partners(const corpus::Corpus& both, const PairStore& pairs, const TwoSides& sides,
                           const PerUnit<Row>& first_right) {
  BestPartners best(both.units.units(), both.definition.measure, first_right);
  const Verifier verifier(both.definition);
  for (const Unit unit : all<Unit>(both.units.units())) {
    if (!sides.left[unit] || !sides.right[unit]) continue;
    if (const auto score = score_of_copies(verifier, both.definition, both.units, unit)) best.add(unit, unit, *score);
  }
  pairs.for_each([&](const Pair& pair) {
    const Unit a = unit_of(pair.left), b = unit_of(pair.right);
    if (sides.left[a] && sides.right[b]) best.add(a, b, pair.score);
    if (sides.left[b] && sides.right[a]) best.add(b, a, pair.score);
  });
  return best;
}

// Bad records are written down only when they are of the collection itself.
corpus::Corpus read(const AgainstRequest& request, const Collection& collection, const corpus::CensusOptions& options,
                    std::span<corpus::Column* const> columns, const Context& context) {
  corpus::BadRecordLog bad(request.options.on_bad_record, {}, {});
  return corpus::take_census(collection, request.definition, options, bad, columns, context);
}

// Finders sketch one collection, so both are read as one; documents of the same features are one unit there.
Against match_by_sketches(const AgainstRequest& request, const Context& context) {
  const FinderOptions& options = request.options.finder;
  const std::unique_ptr<Finder> finder = make_finder(request.definition, options);
  corpus::BottomSample sample = recall_sample(options.seed, context);
  Reservation sketch_memory = base::reservation(context), sample_memory = base::reservation(context);
  SketchColumn sketches(*finder, sketch_memory);
  SampleColumn samples(sample, sample_memory);
  const Collection joined = corpus::join_collections(request.collection, request.other);
  corpus::KeptSets kept = prepare_kept_sets(joined, request.definition, context);
  SetColumn sets({.kept = &kept}, 0, context);
  const IgnoreOptions& ignore = request.options.ignore;
  IgnoreColumn ignoring(ignore);
  std::vector<corpus::Column*> columns{&sets};
  columns.push_back(ignore.any() ? static_cast<corpus::Column*>(&ignoring) : &sketches);
  if (options.measure_recall) columns.push_back(&samples);
  corpus::Corpus both =
      read(request, joined, {.rarities = request.rarities, .separation = request.separation}, columns, context);
  Against result;
  std::vector<corpus::BottomSample::Drawn> drawn = sample.take();
  if (ignore.any()) {
    SeenSets seen;
    seen.kept.push_back(std::move(kept));
    result.ignored = ignore_features(ignore, {&both, 1}, {&ignoring, 1}, seen, context);
    kept = std::move(seen.kept.front());
    sketch_units(both, kept, *finder, sketch_memory, context);
    reduce_sample(both, drawn);
  }
  const corpus::Units& units = both.units;
  const std::size_t own_sources = io::impl_of(request.collection).sources.size();
  const std::uint64_t border =  // rows before it are of the collection itself
      std::accumulate(both.rows_of_source.begin(),
                      both.rows_of_source.begin() + static_cast<std::ptrdiff_t>(own_sources), std::uint64_t{0});
  TwoSides sides(units.units());
  PerUnit<Row> first_right(units.units(), kNobody);
  for (const Row row : all<Row>(units.rows())) {
    if (!units.has_unit(row)) continue;
    const Unit unit = units.unit_of_row[row];
    (index(row) < border ? sides.left : sides.right)[unit] = true;
    if (index(row) >= border) first_right[unit] = std::min(first_right[unit], row_of(index(row) - border));
  }
  const Found found = find_by_sketches({.corpus = both,
                                        .kept = std::move(kept),
                                        .finder = *finder,
                                        .sample = std::move(drawn),
                                        .wanted = Wanted::all_pairs,
                                        .seed = options.seed,
                                        .sides = &sides},
                                       context);
  sample_memory.hold(0);
  result.records = units.rows() - border;
  result.parameters = found.parameters;
  result.candidates = found.candidates;
  result.recall = found.recall;
  best_partners(both, *found.pairs, sides, first_right).take(units, border, result);

  // The other once more by itself: its names and bad records are its own.
  const auto other_rows = std::span(units.status.values()).subspan(border);
  if (!request.wants_names && std::ranges::find(other_rows, RowStatus::bad) == other_rows.end()) return result;
  const corpus::Corpus other = read(request, request.other, {.units = corpus::UnitsAre::single_rows}, {}, context);
  result.bad = other.facts.bad;
  if (request.wants_names) name_partners(other, result, context);
  return result;
}

}  // namespace

const AgainstMatch& Against::of(Row row) const {
  return *std::ranges::lower_bound(matches, DocId{index(row)}, {}, &AgainstMatch::row);
}

void Against::save(base::StateWriter& out) const {
  out.array(matches);
  // A bit for each row, although the matches say the same: so that no number makes a reader take more memory than the
  // file is long.
  std::vector<std::uint64_t> words((set_aside.size() + 63) / 64);
  for (const AgainstMatch& match : matches) words[match.row / 64] |= std::uint64_t{1} << match.row % 64;
  out.value<std::uint64_t>(set_aside.size());
  out.array(words);
  names.save(out);
  out.value(records);
  out.value(candidates);
  out.text(parameters);
  save_recall(out, recall);
  corpus::save_bad_records(out, bad);
  ignored.save(out);
}

void Against::load(base::StateReader& in) {
  matches = in.array<AgainstMatch>();
  const auto rows = in.value<std::uint64_t>();
  std::vector<std::uint64_t> words = in.array<std::uint64_t>();
  const auto not_after = [](const AgainstMatch& a, const AgainstMatch& b) { return a.row >= b.row; };
  if (rows > kMostRows || words.size() != (rows + 63) / 64 ||
      std::ranges::adjacent_find(matches, not_after) != matches.end()) {
    in.fail();
  }
  set_aside.resize(rows);
  for (const AgainstMatch& match : matches) {
    if (match.row >= rows) in.fail();
    set_aside[row_of(match.row)] = true;
    words[match.row / 64] ^= std::uint64_t{1} << match.row % 64;
  }
  if (std::ranges::any_of(words, [](std::uint64_t word) { return word != 0; })) in.fail();
  names.load(in);
  records = in.value<std::uint64_t>();
  for (const AgainstMatch& match : matches) {
    if (match.other >= records || (names.has_text() && !names.has(row_of(match.other)))) in.fail();
  }
  candidates = in.value<std::uint64_t>();
  parameters = in.text();
  recall = load_recall(in);
  bad = corpus::load_bad_records(in);
  ignored.load(in);
}

Against find_against(const AgainstRequest& request, const Context& context) {
  if (searches_exactly(request.options.finder.name, request.definition.measure)) return match_exactly(request, context);
  return match_by_sketches(request, context);
}

Against find_known(const Collection& collection, const KnownDocuments& known, OnBadRecord on_bad,
                   const Context& context) {
  const KnownMatches found = known.compare(collection, on_bad, context);
  Against result;
  result.names = corpus::RowTexts(base::reservation(context));
  for (std::size_t i = 0; i < found.keys.size(); ++i) result.names.add(row_of(i), found.keys[i]);
  for (const KnownMatches::Match& match : found.matches)
    result.matches.push_back({.row = match.row, .other = match.key, .score = match.score});
  result.records = known.documents();
  result.set_aside.resize(found.rows);
  for (const AgainstMatch& match : result.matches) result.set_aside[row_of(match.row)] = true;
  return result;
}

}  // namespace neardup::search
