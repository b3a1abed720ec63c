#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/guard.h"
#include "clean/coverage.h"
#include "clean/judge.h"
#include "clean/lists.h"
#include "clean/lookup.h"
#include "clean/method.h"
#include "clean/query_log.h"
#include "clean/read.h"
#include "corpus/definition_for.h"
#include "neardup/sketch.h"
#include "corpus/names.h"
#include "neardup/error.h"
#include "neardup/text_rules.h"
#include "report/lists.h"
#include "report/outputs.h"
#include "report/run_frame.h"
#include "report/write_records.h"

namespace neardup {
namespace clean {
namespace {

// What decides between documents: the user's definition, or without it the distance of simhashes, as in the paper.
Definition deciding(const CleanOptions& options) {
  if (options.verify) return options.definition;
  Definition definition = options.definition;
  definition.features = options.simhash_features;
  definition.measure = Measure::hamming;
  definition.threshold = {options.k.largest(), 1};
  definition.weights = options.simhash_weights;
  return definition;
}

void check(const Collection& collection, const CleanOptions& options, const Definition& definition,
           const report::Outputs& outputs, const Context& context) {
  if (corpus::features_for(collection, {}).kind == FeatureKind::tokens)
    throw Error(ErrorCode::usage, "`sets` inputs have no words to search for: clean needs texts");
  if (options.save_results && !outputs.writes_audit() && !options.output.dry_run)
    throw Error(ErrorCode::usage, "`save_results` writes beside the kept documents: `output` must name a folder",
                "output");
  std::vector<std::string> read_only{options.log.path, options.results, options.authority.links,
                                     options.authority.scores};
  read_only.insert(read_only.end(), options.protect.begin(), options.protect.end());
  if (!options.output.path.empty()) io::check_apart_from_files(read_only, options.output.path, context);
  if (options.authority_below && !has_authority(options, collection))
    throw Error(ErrorCode::usage, "`authority_below` needs authority: `links`, or `authority` as a field or a file",
                "authority_below");
}

void report_log(const QueryLog& log, CleanReport& report) {
  report.log_format = log.format;
  report.log_lines = log.lines;
  report.log_queries = log.distinct;
  report.log_searches = log.searches;
  report.log_without_words = log.without_words;
  report.log_bad = log.bad;
}

QueryTerms terms_of(const QueryLog& log, const Definition& definition) {
  FeatureExtractor words({.kind = FeatureKind::words, .length = 1}, definition.hash_seed, definition.text);
  QueryTerms terms(log.queries.size());
  for (std::size_t i = 0; i < terms.size(); ++i) words.occurrences(log.queries[i].text, terms[i]);
  return terms;
}

void report_outcomes(const QueryLog& log, const MethodResult& method, CleanReport& report) {
  for (const QueryStep& step : method.steps) {
    const LoggedQuery& query = log.queries[step.query];
    report.outcomes.push_back({.query = query.text,
                               .count = query.count,
                               .rank = std::uint64_t{step.query} + 1,
                               .results = step.results,
                               .groups = step.groups,
                               .removed = step.removed,
                               .seconds = step.seconds,
                               .clean_seconds = step.clean_seconds});
    report.queries_without_results += step.results == 0 ? 1 : 0;
  }
  report.queries = method.steps.size();
}

ModeDifference difference(CleanMode mode, const MethodResult& method, const MethodResult& other) {
  const bool is_sequential = mode == CleanMode::sequential;
  ModeDifference difference;
  difference.removed_sequential = (is_sequential ? method : other).removals.size();
  difference.removed_marked = (is_sequential ? other : method).removals.size();
  for (std::size_t row = 0; row < method.removed.size(); ++row)
    difference.removed_by_both += method.removed[row] && other.removed[row] ? 1 : 0;
  return difference;
}

void report_clusters(const Clusters& clusters, const MethodResult& method, CleanReport& report) {
  report.groups = clusters.size();
  for (std::size_t c = 0; c < clusters.size(); ++c)
    report.largest_group = std::max<std::uint64_t>(report.largest_group, clusters[c].size());
  report.removed = method.removals.size();
  report.kept = report.documents() - report.removed;
}

class Run {
 public:
  Run(const Collection& collection, const CleanOptions& options, const Context& context)
      : collection_(collection),
        options_(options),
        definition_(deciding(options)),
        context_(context),
        outputs_(collection, options.output, options.on_bad_record, context),
        bad_(options.on_bad_record, outputs_.bad_list(), outputs_.quarantine([] {})),
        protection_(options.protect, context) {
    check(collection, options, definition_, outputs_, context);
    outputs_.begin();
  }

  CleanResult run() {
    CleanResult result;
    CleanReport& report = result.report;
    report::RunFrame frame(report, context_);
    announce_stages();
    const QueryLog log = frame.stage("queries", [&] { return read_query_log(options_.log, options_.on_bad_record, context_); });
    report_log(log, report);
    CleanRead read = frame.stage("read", [&] { return this->read(log); });
    report_reading(read, report, frame);
    const Lookup found = frame.stage("authority", [&] {
      return look_up(options_, log, protection_, needs_all_names(), read, report, frame, context_);
    });
    const ResultSource& results = found.run_file ? static_cast<const ResultSource&>(*found.run_file) : *read.index;
    report.results_source = results.describe();
    const auto judge = frame.stage("collect", [&] {
      return std::make_unique<const SetJudge>(read.corpus, static_cast<unsigned>(options_.k.largest()), context_);
    });
    const Cleaned cleaned = frame.stage("clean", [&] { return clean(log, read, *judge, results, report, frame); });
    result.clusters = Clusters(cleaned.method.representatives(), read.corpus.units.status.values());
    report_clusters(result.clusters, cleaned.method, report);
    frame.stage("measure", [&] { measure(cleaned, report); });
    frame.stage("write", [&] {
      const CleanAudit audit{.options = options_,
                             .definition = definition_,
                             .log = log,
                             .read = read,
                             .judge = *judge,
                             .method = cleaned.method,
                             .clusters = result.clusters,
                             .names = found.names};
      write(audit, results, report);
    });
    finish(frame, report);
    return result;
  }

 private:
  struct Cleaned {
    std::vector<std::uint64_t> counts;  // by query number
    std::vector<QueryNumber> order;
    MethodRequest request;
    MethodResult method;
  };

  // authority.tsv and results.run name every document.
  [[nodiscard]] bool needs_all_names() const {
    return outputs_.writes_audit() && (has_authority(options_, collection_) || options_.save_results);
  }

  // Reading is what takes time; how long the rest takes beside it is a guess.
  void announce_stages() const {
    if (context_.observer == nullptr) return;
    std::vector<PlannedStage> stages{{"reading", 10}};
    if (needs_addresses(options_, collection_, protection_) || needs_all_names())
      stages.push_back({"looking up names", 4});
    if (options_.verify) stages.push_back({"collecting", 5});
    if (options_.select == QuerySelection::coverage) stages.push_back({"choosing queries", 1});
    stages.push_back({"cleaning up", 4});
    stages.push_back({"measuring what is shown", 1});
    if (outputs_.writes_records()) stages.push_back({"writing", 4});
    context_.observer->plan(stages);
  }

  CleanRead read(const QueryLog& log) {
    const bool searches = options_.results.empty();
    const QueryTerms terms = searches ? terms_of(log, definition_) : QueryTerms();
    CleanRead read = read_for_cleaning({.collection = collection_,
                                        .options = options_,
                                        .definition = definition_,
                                        .protection = protection_,
                                        .bad = bad_,
                                        .terms = searches ? &terms : nullptr},
                                       context_);
    bad_.close();
    return read;
  }

  void report_reading(const CleanRead& read, CleanReport& report, report::RunFrame& frame) const {
    static_cast<ReadFacts&>(report) = read.corpus.facts;
    report.definition = definition_;
    if (report.repeated_ids > 0) frame.warn(corpus::repeated_ids_warning(report.repeated_ids));
    if (read.index == nullptr) return;
    report.index_terms = read.index->terms();
    report.index_postings = read.index->postings();
    report.index_bytes = read.index->memory_bytes();
  }

  Cleaned clean(const QueryLog& log, const CleanRead& read, const SetJudge& judge, const ResultSource& results,
                CleanReport& report, report::RunFrame& frame) const {
    std::vector<std::uint64_t> counts;
    for (const LoggedQuery& query : log.queries) counts.push_back(query.count);
    std::vector<QueryNumber> order = choose_queries(counts, read, results);
    const MethodRequest request{.results = results,
                                .repository = read.repository,
                                .judge = options_.verify ? &judge : nullptr,
                                .options = options_,
                                .order = order};
    MethodResult method = run_method(options_.mode, request, context_);
    report_outcomes(log, method, report);
    if (report.queries_without_results == report.queries)
      frame.warn("no query has any results: nothing can be removed");
    if (method.out_of_time) {
      frame.warn(
          fmt::format("out of time after {} of {} queries (`budget_seconds`); the outcome depends on the machine",
                      report.queries, order.size()));
    }
    if (options_.compare_modes) {
      const CleanMode other = options_.mode == CleanMode::sequential ? CleanMode::marked : CleanMode::sequential;
      report.modes = difference(options_.mode, method, run_method(other, request, context_));
    }
    return {std::move(counts), std::move(order), request, std::move(method)};
  }

  [[nodiscard]] std::vector<QueryNumber> choose_queries(const std::vector<std::uint64_t>& counts, const CleanRead& read,
                                                        const ResultSource& results) const {
    if (options_.select == QuerySelection::coverage) {
      return order_by_coverage(results, Policy(options_), counts, read.corpus.units.rows(), options_.budget_queries,
                               context_);
    }
    std::vector<QueryNumber> order(counts.size());
    std::iota(order.begin(), order.end(), QueryNumber{0});
    if (options_.budget_queries > 0) order.resize(std::min<std::size_t>(order.size(), options_.budget_queries));
    return order;
  }

  void measure(const Cleaned& cleaned, CleanReport& report) const {
    const Removed nothing(cleaned.method.removed.size());
    const ShownResults before = shown_results(cleaned.request, cleaned.counts, nothing, context_);
    const ShownResults after = shown_results(cleaned.request, cleaned.counts, cleaned.method.removed, context_);
    report.before = before.quality;
    report.after = after.quality;
    report.distinct_gained = after.distinct - before.distinct;
  }

  [[nodiscard]] corpus::RowTexts find_names(const CleanAudit& audit) const {
    const corpus::Units& units = audit.read.corpus.units;
    PerRow<bool> wanted(units.rows());
    if (needs_all_names()) {
      for (const Row row : all<Row>(units.rows())) wanted[row] = units.status[row] != RowStatus::bad;
    }
    for (std::size_t c = 0; c < audit.clusters.size(); ++c)
      for (const Clusters::Member row : audit.clusters[c]) wanted[Row{row}] = true;
    for (const auto& [left, right] : audit.method.links) wanted[Row{left}] = wanted[Row{right}] = true;
    return corpus::collect_names(audit.read.corpus, wanted, context_);
  }

  void write_lists(const CleanAudit& audit, const ResultSource& results, const CleanReport& report) {
    outputs_.write("pairs.tsv", [&](io::ByteSink& out) { write_clean_pairs(audit, out); });
    outputs_.write("clusters.tsv",
                   [&](io::ByteSink& out) { report::write_clusters(audit.names, audit.clusters, out); });
    outputs_.write("removed.jsonl", [&](io::ByteSink& out) { write_clean_removed(audit, out); });
    outputs_.write("queries.tsv", [&](io::ByteSink& out) { write_queries(report, out); });
    if (!audit.read.repository.authority.empty())
      outputs_.write("authority.tsv", [&](io::ByteSink& out) { write_authority(audit, out); });
    if (options_.save_results)
      outputs_.write("results.run", [&](io::ByteSink& out) { write_results(audit, results, out, context_); });
  }

  void write(const CleanAudit& audit, const ResultSource& results, const CleanReport& report) {
    if (outputs_.writes_audit()) {
      if (audit.names.has_text()) {
        write_lists(audit, results, report);
      } else {
        const corpus::RowTexts names = find_names(audit);
        write_lists({audit.options, audit.definition, audit.log, audit.read, audit.judge, audit.method, audit.clusters,
                     names},
                    results, report);
      }
    }
    report::write_records({.corpus = audit.read.corpus, .clusters = audit.clusters}, outputs_, context_);
  }

  void finish(report::RunFrame& frame, CleanReport& report) {
    frame.measure();
    if (outputs_.writes_audit()) {
      outputs_.write("run.json",
                     [&](io::ByteSink& out) { out.write(clean_record(collection_, options_, report, context_)); });
    }
    base::check_stop(context_);
    outputs_.commit();
    report.outputs = outputs_.paths();
  }

  const Collection& collection_;
  const CleanOptions& options_;
  Definition definition_;
  const Context& context_;
  report::Outputs outputs_;
  corpus::BadRecordLog bad_;
  Protection protection_;
};

}  // namespace
}  // namespace clean

CleanResult clean_up(const Collection& collection, const CleanOptions& options, const Context& given) {
  return base::guarded(given, [&](const Context& context) {
    options.validate();
    check_rules(options.definition.text);
    return clean::Run(collection, options, context).run();
  });
}

}  // namespace neardup
