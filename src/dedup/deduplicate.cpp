#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

#include "base/guard.h"
#include "dedup/decisions.h"
#include "dedup/find.h"
#include "dedup/known_run.h"
#include "dedup/plan.h"
#include "dedup/read.h"
#include "dedup/same.h"
#include "dedup/write.h"
#include "neardup/error.h"
#include "report/advice.h"
#include "search/cohesion.h"
#include "search/decide.h"

namespace neardup {
namespace dedup {
namespace {

// Both collections together, so that their documents compare. Nothing when features do not weigh by rarity.
std::unique_ptr<const corpus::Rarities> count(const Plan& plan, const Context& context) {
  std::vector<const Collection*> collections{&plan.collection};
  if (plan.against != nullptr) collections.push_back(plan.against);
  return corpus::count_features(collections, plan.definition, context);
}

search::Against compare_with_other(const Plan& plan, const corpus::Rarities* rarities, Checkpoint& resume,
                                   const Context& context) {
  search::Against against;
  if (resume.has("against")) {
    resume.load("against", [&](base::StateReader& in) {
      against.load(in);
      const bool needs_names = plan.needs_scores && plan.options.same.empty();
      if (needs_names && !against.matches.empty() && !against.names.has_text()) in.fail();
    });
    return against;
  }
  if (plan.known != nullptr) {
    against = search::find_known(plan.collection, *plan.known, plan.options.on_bad_record, context);
    resume.save("against", [&](base::StateWriter& out) { against.save(out); });
    return against;
  }
  against = search::find_against({.collection = plan.collection,
                                  .other = *plan.against,
                                  .definition = plan.definition,
                                  .options = plan.options,
                                  .rarities = rarities,
                                  .wants_names = plan.needs_scores && plan.options.same.empty(),
                                  .separation = plan.separated()},
                                 context);
  resume.save("against", [&](base::StateWriter& out) { against.save(out); });
  return against;
}

std::vector<std::string> keys_of(const search::Against& known) {
  std::vector<std::string> keys;
  for (std::size_t i = 0; known.names.has(row_of(i)); ++i) keys.emplace_back(known.names[row_of(i)]);
  return keys;
}

// Likewise, once the search knows which representatives are left.
std::uint64_t mark_same(const SameDocuments& same, const search::Against* against, corpus::Units& units) {
  std::uint64_t marked = 0;
  for (const Row row : all<Row>(units.rows())) {
    if (!same.is_removed(row) || (against != nullptr && against->set_aside[row])) continue;
    units.status[row] = RowStatus::same_key;
    ++marked;
  }
  return marked;
}

// Returns how many there are. Saved states contain the rows as read, so this is done after reading.
std::uint64_t drop_empty(corpus::Units& units) {
  std::uint64_t dropped = 0;
  for (const Row row : all<Row>(units.rows())) {
    if (units.status[row] != RowStatus::without_features) continue;
    units.status[row] = RowStatus::dropped;
    ++dropped;
  }
  return dropped;
}

void warn(std::string message, report::RunFrame& frame) {
  if (!message.empty()) frame.warn(std::move(message));
}

void report_reading(const Plan& plan, const Reading& reading, const search::Against* against, DedupReport& report,
                    report::RunFrame& frame) {
  static_cast<ReadFacts&>(report) = reading.corpus.facts;
  report.definition = plan.definition;
  report.authority = reading.authority;
  if (plan.options.ignore.any())
    report.ignored = plan.searches || against == nullptr ? reading.ignored.report : against->ignored.report;
  if (plan.known != nullptr) {
    report.known = {.documents = against->records, .removed = against->matches.size()};
  } else if (against != nullptr) {
    report.against.records = against->records;
    report.against.removed = against->matches.size();
    report.against.bad = against->bad;
  }
  const std::uint64_t set_aside = against != nullptr ? against->matches.size() : 0;
  report.copies = report.documents() - report.without_features - set_aside - reading.corpus.units.units();
  report.finder.name = plan.is_given            ? "pairs"
                       : plan.options.same_only ? "none"
                       : plan.is_exact          ? "exact"
                                                : plan.options.finder.name;
  if (report.repeated_ids > 0) frame.warn(corpus::repeated_ids_warning(report.repeated_ids));
  warn(report::no_words_warning(reading.corpus), frame);
}

// Keep rules that could decide nothing, or little.
void warn_of_keep_rules(const cluster::KeepTable& keep, const Collection& collection, report::RunFrame& frame,
                        const Context& context) {
  for (std::size_t i = 0; i < keep.rules().size(); ++i) {
    const KeepRule& rule = keep.rules()[i];
    std::string warning = cluster::keep_warning(rule, keep.counts(i));
    if (warning.empty()) continue;
    if (keep.counts(i).present == 0) warning += report::other_fields(collection, rule.field, context);
    frame.warn(std::move(warning));
  }
}

// Pairs of documents, copies included.
std::uint64_t count_document_pairs(const corpus::Units& units, const search::PairStore& pairs,
                                   const search::Scorer& scorer, const Context& context) {
  Reservation memory = base::reservation(context);
  memory.hold(units.units() * sizeof(std::uint64_t));
  PerUnit<std::uint64_t> members(units.units());
  for (const Row row : all<Row>(units.rows()))
    if (units.has_unit(row)) ++members[units.unit_of_row[row]];
  std::uint64_t count = 0;
  for (const Unit unit : all<Unit>(units.units()))
    if (members[unit] > 1 && scorer.copy_score(unit)) count += members[unit] * (members[unit] - 1) / 2;
  pairs.for_each([&](const Pair& pair) {
    if (!std::isnan(pair.score)) count += members[unit_of(pair.left)] * members[unit_of(pair.right)];
  });
  return count;
}

void report_search(const search::Found& found, const search::Against* against, FinderReport& report) {
  report.candidates = found.candidates + (against != nullptr ? against->candidates : 0);
  report.recall = against != nullptr ? against->recall : found.recall;
  report.parameters = against != nullptr && found.parameters.empty() ? against->parameters : found.parameters;
  if (found.pairs) report.pairs = found.pairs->size();
}

// The distance of simhashes is the user's choice, not derived from the threshold as bands are.
void warn_of_low_recall(const FinderOptions& options, const std::optional<Recall>& recall, report::RunFrame& frame) {
  if (!recall || options.name != "simhash" || recall->value >= options.target_recall) return;
  frame.warn(
      fmt::format("simhashes at a distance of at most {} found {:.0f}% of the pairs (measured); a larger `distance` "
                  "finds more, `finder=exact` all",
                  options.distance, 100 * recall->value));
}

// `scores` by unit as leader_scores() gives them; none: not known.
RemovalReport count_removals(const corpus::Units& units, const Clusters& clusters, const PerUnit<double>& scores,
                             ClusterKind kind) {
  RemovalReport removal;
  std::uint64_t chained = 0;
  for (std::size_t c = 0; c < clusters.size(); ++c) {
    const Unit leader = units.unit_of_row[row_of(clusters.representative(clusters[c].front()))];
    std::uint64_t similar = 0;
    Unit first_similar = leader;
    bool may_be_chained = false;  // two different units besides the leader's
    for (const Clusters::Member member : clusters[c]) {
      const Unit unit = units.unit_of_row[Row{member}];
      if (clusters.is_kept(member) || member == clusters.representative(member)) continue;
      if (clusters.status(member) == RowStatus::same_key) {
        ++removal.same;
        continue;
      }
      if (unit == leader) {
        ++removal.copies;
        continue;
      }
      ++similar;
      if (first_similar == leader) first_similar = unit;
      may_be_chained |= unit != first_similar;
      if (!scores.empty() && std::isnan(scores[unit])) ++chained;
    }
    // The representative itself goes where none is kept.
    if (!clusters.is_kept(clusters.representative(clusters[c].front())))
      ++(similar > 0 ? similar : removal.copies);  // NOLINT
    removal.similar += similar;
    if (may_be_chained) removal.chained_at_most += similar - 1;
  }
  if (kind == ClusterKind::star || kind == ClusterKind::complete)
    removal.chained_at_most = chained = 0;  // by definition
  const bool is_known = !scores.empty() || removal.chained_at_most == 0;
  if (is_known) removal.chained_at_most = removal.chained.emplace(chained);
  return removal;
}

void report_clusters(const Clusters& clusters, DedupReport& report) {
  report.clusters = clusters.size();
  for (std::size_t c = 0; c < clusters.size(); ++c)
    report.largest_cluster = std::max<std::uint64_t>(report.largest_cluster, clusters[c].size());
  report.kept = clusters.kept();
  report.removed = report.documents() - report.kept;
}

// By row: the score with the document that represents it.
std::vector<double> row_scores(const corpus::Units& units, const Clusters& clusters, const PerUnit<double>& scores) {
  std::vector<double> by_row(units.rows(), std::numeric_limits<double>::quiet_NaN());
  if (clusters.size() > 0 && !clusters.is_kept(clusters.representative(clusters[0].front()))) return by_row;
  for (const Row row : all<Row>(units.rows()))
    if (units.has_unit(row) && !clusters.is_kept(index(row))) by_row[index(row)] = scores[units.unit_of_row[row]];
  return by_row;
}

report::PageRequest page_request(const Plan& plan, std::size_t rows) {
  const DedupOptions& options = plan.options;
  return {.measure = plan.definition.measure,
          .threshold = plan.is_given ? options.pairs_threshold : std::optional(plan.definition.threshold),
          .counts_clusters =
              options.cluster_kind() == ClusterKind::components && options.same.empty() && options.copies == 1,
          .rows = rows};
}

// What the evidence of a result is made of, kept as long as the result.
struct Evidence {
  corpus::Units units;
  Reservation memory;  // for the units
  Definition definition;
  std::unique_ptr<search::PairStore> pairs;
};

void keep_evidence(Reading& reading, FindResult& search, DedupResult& result) {
  result.scores = row_scores(reading.corpus.units, result.clusters, search.scores);
  const auto evidence =
      std::make_shared<const Evidence>(Evidence{std::move(reading.corpus.units), std::move(reading.corpus.memory),
                                                reading.corpus.definition, std::move(search.found.pairs)});
  result.for_each_pair = [evidence](const std::function<void(const Pair&)>& visit) {
    const search::Scorer scorer(evidence->definition, evidence->units, nullptr);
    for_each_row_pair(evidence->units, *evidence->pairs, scorer, visit);
  };
}

class Run {
 public:
  Run(const Collection& collection, const Collection* against, KnownDocuments* known, const DedupOptions& options,
      const Context& context)
      : context_(context),
        outputs_(collection, options.output, options.on_bad_record, context),
        plan_(make_plan(collection, against, known, options, outputs_, context)),
        decisions_(read_decisions(options, context)),
        resume_(collection, against, known, options, context),
        bad_(options.on_bad_record, outputs_.bad_list(),
             outputs_.quarantine([this] { resume_.expect_to_leave(outputs_.unfinished()); })) {
    resume_.expect_to_leave(outputs_.unfinished());
    outputs_.begin();
  }

  DedupResult run() {
    DedupResult result;
    DedupReport& report = result.report;
    report::RunFrame frame(report, context_);
    report::announce_stages(stages_of(plan_, outputs_, resume_), context_);
    std::unique_ptr<const corpus::Rarities> rarities;
    if (will_count(plan_, resume_)) rarities = frame.stage("count", [&] { return count(plan_, context_); });
    std::optional<SameDocuments> same;
    if (!plan_.options.same.empty()) same = frame.stage("same", [&] { return find_same(plan_, frame, context_); });
    std::optional<search::Against> against;
    if (plan_.against != nullptr && plan_.options.same_only) {
      against.emplace();
    } else if (plan_.against != nullptr || plan_.known != nullptr) {
      against = frame.stage("against", [&] { return compare_with_other(plan_, rarities.get(), resume_, context_); });
    }
    if (against && same) add_key_matches(plan_, *same, *against, context_);
    const search::Against* other = against ? &*against : nullptr;
    const PerRow<bool> rows_left_out = left_out(same ? &*same : nullptr, other,
                                                same               ? same->key.size()
                                                : other != nullptr ? other->set_aside.size()
                                                                   : 0);
    const LeftOut apart{.rows = same || other != nullptr ? &rows_left_out : nullptr,
                        .against = plan_.against != nullptr ? other : nullptr};
    Reading reading = frame.stage(
        "read", [&] { return read(plan_, apart, rarities.get(), bad_, outputs_, resume_, frame, context_); });
    const std::uint64_t same_rows = same ? mark_same(*same, other, reading.corpus.units) : 0;
    report_reading(plan_, reading, other, report, frame);
    report.copies -= same_rows;
    const std::uint64_t dropped = plan_.options.drop_empty ? drop_empty(reading.corpus.units) : 0;
    warn_of_keep_rules(reading.keep, plan_.collection, frame, context_);
    const bool was_found = resume_.has("find");
    FindResult search = frame.stage("find", [&] { return find(plan_, reading, resume_, frame, context_); });
    const std::uint64_t joined = apply_decisions(decisions_, plan_, reading, search, frame, context_);
    report_search(search.found, plan_.against != nullptr ? other : nullptr, report.finder);
    if (report.finder.pairs) *report.finder.pairs -= joined;
    warn_of_low_recall(plan_.options.finder, report.finder.recall, frame);
    const search::Scorer scorer(plan_.is_given ? Definition{} : plan_.definition, reading.corpus.units,
                                search.found.sets.get());
    if (search.found.pairs)
      report.finder.document_pairs = count_document_pairs(reading.corpus.units, *search.found.pairs, scorer, context_);
    result.clusters =
        frame.stage("cluster", [&] { return cluster(reading, search, scorer, same ? &*same : nullptr, was_found); });
    report_clusters(result.clusters, report);
    report.removal = count_removals(reading.corpus.units, result.clusters, search.scores, plan_.options.cluster_kind());
    report.removal.empty = dropped;
    if (plan_.searches) warn(report::short_texts_warning({&reading.corpus, 1}, report.removed), frame);
    const Outcome outcome{plan_, reading, search, scorer, result.clusters, other, same ? &*same : nullptr};
    std::optional<report::ReportPage> page;
    if (outputs_.writes_page()) page.emplace(page_request(plan_, reading.corpus.units.rows()), context_);
    frame.stage("write", [&] { write(outcome, outputs_, page ? &*page : nullptr, report, frame, context_); });
    finish(frame, reading.corpus.units.features(), result.clusters, page, report);
    if (plan_.known != nullptr) result.known_keys = keys_of(*against);
    if (against) result.against = std::move(against->matches);
    result.cohesion = std::move(search.cohesion);
    if (plan_.options.keep_evidence) keep_evidence(reading, search, result);
    return result;
  }

  [[nodiscard]] bool can_resume() const { return resume_.is_on(); }

 private:
  Clusters cluster(const Reading& reading, FindResult& search, const search::Scorer& scorer, const SameDocuments* same,
                   bool was_found) {
    const corpus::Units& units = reading.corpus.units;
    const Clusters decided = search::decide(units, search.found, scorer, reading.keep,
                                            {plan_.options.cluster_kind(), plan_.definition.measure}, context_);
    const bool wants_scores = plan_.needs_scores || plan_.options.keep_evidence || plan_.is_given;
    if (wants_scores && search.scores.empty())
      search.scores = search::leader_scores(units, search.found, scorer, decided, context_);
    const Clusters all = same != nullptr ? with_same(decided, *same, units) : decided;
    Clusters clusters =
        all.with_copies(plan_.options.copies, [&](DocId a, DocId b) { return reading.keep.prefers(a, b); });
    if (search.found.pairs && search.cohesion.size() != clusters.size())
      search.cohesion = search::measure_cohesion({.units = units,
                                                  .found = search.found,
                                                  .scorer = scorer,
                                                  .clusters = clusters,
                                                  .measure = plan_.definition.measure,
                                                  .seed = plan_.options.finder.seed},
                                                 context_);
    // Decisions changed the units; they are applied to the search again.
    if (plan_.searches && !was_found && plan_.options.decisions.empty()) save(search, resume_);
    return clusters;
  }

  void finish(report::RunFrame& frame, std::uint64_t features, const Clusters& clusters,
              std::optional<report::ReportPage>& page, DedupReport& report) {
    // Sketches are a part of reading.
    std::ranges::remove_copy(resume_.loaded(), std::back_inserter(report.resumed), "sketches");
    report.companions = outputs_.companions();
    frame.measure();
    if (outputs_.writes_audit()) {
      const std::string record = run_record(plan_, features, report, context_);
      if (page) outputs_.write_page(page->html(record, report.bad.first));
      outputs_.write("run.json", [&](io::ByteSink& out) { out.write(record); });  // last: it says that all is there
    }
    base::check_stop(context_);
    if (plan_.known != nullptr && !plan_.options.output.dry_run) {
      publish_and_add(plan_, outputs_, clusters, report, frame, context_);
      frame.measure();
    } else {
      outputs_.commit();
    }
    resume_.remove();
    report.outputs = outputs_.paths();
  }

  const Context& context_;
  report::Outputs outputs_;
  Plan plan_;
  NamedDecisions decisions_;
  Checkpoint resume_;
  corpus::BadRecordLog bad_;
};

DedupResult run(const Collection& collection, const Collection* against, KnownDocuments* known,
                const DedupOptions& options, const Context& given) {
  return base::guarded(given, [&](const Context& context) {
    options.validate();
    if (known != nullptr) {
      if (std::optional<DedupResult> completed = complete_pending(collection, *known, options, context))
        return *std::move(completed);
    }
    Run run(collection, against, known, options, context);
    try {
      return run.run();
    } catch (const Error& error) {
      if (!run.can_resume() || error.code() != ErrorCode::interrupted) throw;
      throw Error(ErrorCode::interrupted, std::string(error.what()) + "; run the same command again to continue");
    }
  });
}

}  // namespace
}  // namespace dedup

DedupResult deduplicate(const Collection& collection, const DedupOptions& options, const Context& context) {
  return dedup::run(collection, nullptr, nullptr, options, context);
}

DedupResult deduplicate(const Collection& collection, const Collection& against, const DedupOptions& options,
                        const Context& context) {
  return dedup::run(collection, &against, nullptr, options, context);
}

DedupResult deduplicate(const Collection& collection, KnownDocuments& known, const DedupOptions& options,
                        const Context& context) {
  return dedup::run(collection, nullptr, &known, options, context);
}

}  // namespace neardup
