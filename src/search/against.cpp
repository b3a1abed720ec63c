#include "search/against.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <mutex>
#include <numeric>
#include <span>
#include <utility>

#include "base/system.h"
#include "cluster/keep_rules.h"
#include "corpus/bad_records.h"
#include "search/exact.h"
#include "search/sketched.h"
#include "corpus/names.h"
#include "corpus/census.h"
#include "io/collection.h"
#include "neardup/similarity.h"

namespace neardup::search {
namespace {

constexpr Unit kNobody = std::numeric_limits<Unit>::max();

// Remembers the best partner of every unit of the left side. Threads: any.
class BestPartners final : public PairSink {
 public:
  BestPartners(std::size_t units, Measure measure)
      : small_is_good_(is_distance(measure)), partner_(units, kNobody), score_(units) {}

  bool accept(std::span<const Pair> pairs) override {
    const std::lock_guard lock(mutex_);
    for (const Pair& pair : pairs) add(static_cast<Unit>(pair.left), static_cast<Unit>(pair.right), pair.score);
    return true;
  }

  void add(Unit unit, Unit partner, double score) {
    const bool better = small_is_good_ ? score < score_[unit] : score > score_[unit];
    if (partner_[unit] == kNobody || better || (score == score_[unit] && partner < partner_[unit])) {
      partner_[unit] = partner;
      score_[unit] = score;
    }
  }

  [[nodiscard]] bool has(Unit unit) const { return partner_[unit] != kNobody; }
  [[nodiscard]] Unit partner(Unit unit) const { return partner_[unit]; }
  [[nodiscard]] double score(Unit unit) const { return score_[unit]; }

 private:
  bool small_is_good_;
  std::mutex mutex_;
  std::vector<Unit> partner_;  // units are in the order of their first documents
  std::vector<double> score_;
};

class Matching {
 public:
  Matching(const AgainstRequest& request, const Context& context) : request_(request), context_(context) {}

  AgainstResult run() {
    if (searches_exactly(request_.options, request_.definition)) {
      join();
    } else {
      search();
    }
    return std::move(result_);
  }

 private:
  // Only records of the collection itself are set aside.
  [[nodiscard]] OnBadRecord on_bad_record() const {
    return request_.options.on_bad_record == OnBadRecord::fail ? OnBadRecord::fail : OnBadRecord::skip;
  }

  [[nodiscard]] corpus::ReadResult read(const Collection& collection, corpus::ReadTargets targets) {
    targets.rarities = request_.rarities;
    return corpus::read_collection(collection, request_.definition, targets, context_);
  }

  // Both collections apart, so that each has rows, units and names of its own.
  void join() {
    const Definition& definition = request_.definition;
    const std::vector<const Collection*> collections{&request_.collection, &request_.other};
    std::unique_ptr<joins::SharedFilter> shared;
    if (compares_sets(definition.measure)) shared = make_shared_filter(collections, definition, context_);
    cluster::KeepTable nothing_to_keep({});
    corpus::BadRecordLog known(on_bad_record(), {}, {}), bad(on_bad_record(), {}, {});
    const corpus::ReadResult left =
        read(request_.collection, {.keep = nothing_to_keep, .bad = known, .shared = shared.get(), .side = 0});
    const corpus::ReadResult right =
        read(request_.other, {.keep = nothing_to_keep, .bad = bad, .shared = shared.get(), .side = 1});
    result_.bad = bad.records();
    result_.records = right.table.rows();

    BestPartners best(left.table.units(), definition.measure);
    const std::vector<ExactSide> sides{{request_.collection, left.table, left.content},
                                       {request_.other, right.table, right.content}};
    const JoinStats stats = join_units(
        {.sides = sides, .definition = definition, .shared = std::move(shared), .options = {}}, best, context_);
    result_.candidates = stats.candidates;
    result_.parameters = stats.algorithm;
    take(left.table, static_cast<Row>(left.table.rows()), best, [&](Unit unit) { return right.table.first_row[unit]; });
    if (request_.wants_names) name(right);
  }

  // Finders sketch one collection, so both are read as one; documents of the same features are one unit there.
  void search() {
    const Definition& definition = request_.definition;
    const DedupOptions& options = request_.options;
    const Collection both = io::join_collections(request_.collection, request_.other);
    const auto finder = finder_for(options, definition);
    cluster::KeepTable nothing_to_keep({});
    corpus::BadRecordLog known(on_bad_record(), {}, {});
    corpus::Reservoir sample = recall_sample(options, context_);
    corpus::ReadResult read_both = read(both, {.keep = nothing_to_keep,
                                       .bad = known,
                                       .finder = finder.get(),
                                       .sample = options.measure_recall ? &sample : nullptr});
    const corpus::UnitTable& table = read_both.table;
    const std::size_t first_sources = request_.collection.impl().sources.size();
    const Row border = static_cast<Row>(
        std::reduce(read_both.rows_of_source.begin(),
                    read_both.rows_of_source.begin() + static_cast<std::ptrdiff_t>(first_sources), std::uint64_t{0}));
    result_.records = table.rows() - border;
    result_.parameters = finder->parameters();

    TwoSides sides{.left = std::vector<bool>(table.units()), .right = std::vector<bool>(table.units())};
    std::vector<Row> first_right(table.units(), corpus::kLeftOut);
    for (Row row = 0; row < table.rows(); ++row) {
      if (!table.has_unit(row)) continue;
      const Unit unit = table.unit_of_row[row];
      (row < border ? sides.left : sides.right)[unit] = true;
      if (row >= border) first_right[unit] = std::min(first_right[unit], row - border);
    }
    SearchResult found = find_pairs({.collection = both,
                                     .definition = definition,
                                     .table = table,
                                     .content = read_both.content,
                                     .finder = *finder,
                                     .sample = sample.take(),
                                     .wanted = Wanted::all_pairs,
                                     .seed = options.seed,
                                     .sides = &sides},
                                    context_);
    result_.candidates = found.candidates;
    result_.recall = found.recall;

    // Partners by their first document on the right, which is what decides between equals.
    BestPartners best(table.units(), definition.measure);
    const Verifier verifier(definition);
    for (Unit unit = 0; unit < table.units(); ++unit) {
      if (!sides.left[unit] || !sides.right[unit]) continue;
      if (const auto score = verifier.identity_score(table.set_size[unit])) best.add(unit, first_right[unit], *score);
    }
    found.pairs->for_each([&](const Pair& pair) {
      const auto a = static_cast<Unit>(pair.left), b = static_cast<Unit>(pair.right);
      if (sides.left[a] && sides.right[b]) best.add(a, first_right[b], pair.score);
      if (sides.left[b] && sides.right[a]) best.add(b, first_right[a], pair.score);
    });
    take(table, border, best, [](Unit row) { return row; });
    const bool has_bad =
        std::find(table.unit_of_row.begin() + border, table.unit_of_row.end(), corpus::kBadRecord) != table.unit_of_row.end();
    if (has_bad || request_.wants_names) read_other();
  }

  // Gives every document before `border` the partner of its unit.
  template <class RowOf>
  void take(const corpus::UnitTable& table, Row border, const BestPartners& best, const RowOf& row_of) {
    result_.left_out.resize(border);
    for (Row row = 0; row < border; ++row) {
      if (!table.has_unit(row) || !best.has(table.unit_of_row[row])) continue;
      const Unit unit = table.unit_of_row[row];
      result_.left_out[row] = true;
      result_.matches.push_back({row, row_of(best.partner(unit)), best.score(unit)});
    }
  }

  // Once more by itself: its names and bad records are its own.
  void read_other() {
    cluster::KeepTable nothing_to_keep({});
    corpus::BadRecordLog bad(on_bad_record(), {}, {});
    const corpus::ReadResult other =
        read(request_.other, {.keep = nothing_to_keep, .bad = bad, .same_unit = corpus::SameUnit::nothing});
    result_.bad = bad.records();
    if (request_.wants_names) name(other);
  }

  void name(const corpus::ReadResult& other) {
    std::vector<bool> wanted(other.table.rows());
    for (const AgainstMatch& match : result_.matches) wanted[match.other] = true;
    result_.names = corpus::collect_names({.collection = request_.other,
                                   .table = other.table,
                                   .ids = other.ids,
                                   .content = other.content,
                                   .wanted = wanted},
                                  context_)
                        .names;
  }

  const AgainstRequest& request_;
  const Context& context_;
  AgainstResult result_;
};

}  // namespace

const AgainstMatch* AgainstResult::of(Row row) const {
  const auto found = std::ranges::lower_bound(matches, row, {}, &AgainstMatch::row);
  return found == matches.end() || found->row != row ? nullptr : &*found;
}

void AgainstResult::save(base::StateWriter& out) const {
  out.array(matches);
  out.value<std::uint64_t>(left_out.size());
  names.save(out);
  out.value(records);
  out.value(candidates);
  out.text(parameters);
  save_recall(out, recall);
  corpus::save_bad_records(out, bad);
}

void AgainstResult::load(base::StateReader& in) {
  matches = in.array<AgainstMatch>();
  const auto rows = in.value<std::uint64_t>();
  if (rows > corpus::kLeftOut) in.fail();
  left_out.assign(rows, false);
  for (const AgainstMatch& match : matches) {
    if (match.row >= rows) in.fail();
    left_out[match.row] = true;
  }
  names.load(in);
  records = in.value<std::uint64_t>();
  candidates = in.value<std::uint64_t>();
  parameters = in.text();
  recall = load_recall(in);
  bad = corpus::load_bad_records(in);
}

AgainstResult match_against(const AgainstRequest& request, const Context& context) {
  return Matching(request, context).run();
}

}  // namespace neardup::search
