#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <string_view>
#include <utility>

#include "authority/authority.h"
#include "base/guard.h"
#include "clean/judge.h"
#include "clean/lists.h"
#include "clean/method.h"
#include "clean/query_log.h"
#include "clean/read.h"
#include "clean/run_file.h"
#include "corpus/definition_for.h"
#include "corpus/names.h"
#include "neardup/error.h"
#include "neardup/text_rules.h"
#include "report/lists.h"
#include "report/outputs.h"
#include "report/page/report_page.h"
#include "report/removed_by.h"
#include "report/run_frame.h"
#include "report/write_records.h"

namespace neardup {
namespace clean {
namespace {

// What decides between documents: the user's definition, or without it the distance of simhashes, as in the paper.
Definition deciding(const CleanOptions& options) {
  if (options.verify) return options.definition;
  Definition definition = options.definition;
  definition.features = options.simhash.features;
  definition.measure = Measure::hamming;
  definition.threshold = {options.policy.k.largest(), 1};
  definition.weights = options.simhash.weights;
  return definition;
}

bool has_authority(const CleanOptions& options, const Collection& collection) {
  return !options.authority.field.empty() || authority::needs_addresses(options.authority, collection);
}

void check(const Collection& collection, const CleanOptions& options, const report::Outputs& outputs,
           const Context& context) {
  if (corpus::features_for(collection, {}).kind == FeatureKind::tokens)
    throw Error(ErrorCode::usage, "`sets` inputs have no words to search for: clean needs texts");
  if (options.save_results && !outputs.writes_audit() && !options.output.dry_run)
    throw Error(ErrorCode::usage,
                "`save_results` writes to the folder of the kept documents: `output` must name a folder", "output");
  if (const std::string& field = options.output.report_by; !field.empty())
    io::check_fields(collection, {&field, 1}, "report_by");
  std::vector<std::string> read_only{options.log.path, options.results, options.authority.links,
                                     options.authority.scores};
  read_only.insert(read_only.end(), options.policy.protect.begin(), options.policy.protect.end());
  if (!options.output.path.empty()) io::check_apart_from_files(read_only, options.output.path, context);
  if (options.policy.authority_below && !has_authority(options, collection))
    throw Error(ErrorCode::usage, "`authority_below` needs authority: `links`, or `authority` as a field or a file",
                "authority_below");
}

CleanPlan make_plan(const Collection& collection, const CleanOptions& options, const report::Outputs& outputs,
                    const Context& context) {
  Protection protection(options.policy.protect, context);
  check(collection, options, outputs, context);
  return {.collection = collection,
          .options = options,
          .definition = deciding(options),
          .protection = std::move(protection),
          .names_all = outputs.writes_audit() && (has_authority(options, collection) || options.save_results)};
}

// Whether the collection has to be read once more for names.
bool needs_addresses(const CleanPlan& plan) {
  return authority::needs_addresses(plan.options.authority, plan.collection) || plan.protection.needs_addresses() ||
         !plan.options.results.empty();
}

// Reading is what takes time; how long the rest takes beside it is a guess.
void announce_stages(const CleanPlan& plan, const report::Outputs& outputs, const Context& context) {
  if (context.observer == nullptr) return;
  std::vector<PlannedStage> stages{{"reading", 10}};
  if (needs_addresses(plan) || plan.names_all) stages.push_back({"looking up names", 4});
  if (plan.options.verify) stages.push_back({"collecting", 5});
  if (plan.options.course.select == QuerySelection::coverage) stages.push_back({"choosing queries", 1});
  stages.push_back({"cleaning up", 4});
  stages.push_back({"measuring what is shown", 1});
  if (outputs.writes_records()) stages.push_back({"writing", 4});
  context.observer->plan(stages);
}

void report_reading(const CleanPlan& plan, const CleanRead& read, CleanReport& report, report::RunFrame& frame) {
  static_cast<ReadFacts&>(report) = read.corpus.facts;
  report.definition = plan.definition;
  if (report.repeated_ids > 0) frame.warn(corpus::repeated_ids_warning(report.repeated_ids));
  if (read.index == nullptr) return;
  report.results = {.source = {},
                    .terms = read.index->terms(),
                    .postings = read.index->postings(),
                    .bytes = read.index->memory_bytes()};
}

// What speaks of documents by their names from outside: authority, lists of protected documents, results of an engine.
struct Lookup {
  std::optional<RunFile> run_file;  // none: the built-in search
  corpus::RowTexts names;           // of all documents, when they were wanted and had to be looked up anyway
};

void take_field(const std::string& field, CleanRead& read, AuthorityReport& report, report::RunFrame& frame) {
  if (field.empty()) return;
  report.source = "field";
  report.documents = static_cast<std::uint64_t>(
      std::ranges::count_if(read.repository.authority, [](double score) { return score > -HUGE_VAL; }));
  if (report.documents > 0) return;
  frame.warn(fmt::format("no document has a number in the field \"{}\" (`authority`)", field));
  report.source.clear();
  read.repository.authority.clear();
}

void warn_of_idle_words(const Protection& protection, const CleanRead& read, report::RunFrame& frame) {
  for (std::size_t word = 0; word < read.protected_by.size(); ++word) {
    if (read.protected_by[word] == 0)
      frame.warn(fmt::format("`protect` {} protects no document", protection.words()[word]));
  }
}

void warn_of_oddities(const std::string& path, const RunFileCounts& counts, report::RunFrame& frame) {
  const auto tell = [&](std::uint64_t count, std::string_view one, std::string_view many, std::string_view then) {
    if (count > 0) frame.warn(fmt::format("{}: {} {}; {}", path, count, count == 1 ? one : many, then));
  };
  tell(counts.unknown_documents, "result is a document that is not in the input",
       "results are documents that are not in the input", "left out");
  tell(counts.unknown_queries, "query id is not in the log", "query ids are not in the log",
       "what they show is left out");
  tell(counts.repeated_documents, "result shows a document again", "results show a document again",
       "the first place counts");
  tell(counts.repeated_ranks, "result repeats a rank", "results repeat a rank", "the higher score goes first");
  tell(counts.unsorted, "result scores higher than the one ranked before",
       "results score higher than the one ranked before", "ranks count");
}

// Fills the authority and the protection of the repository, and what the report says of them.
Lookup look_up(const CleanPlan& plan, const QueryLog& log, CleanRead& read, CleanReport& report,
               report::RunFrame& frame, const Context& context) {
  const CleanOptions& options = plan.options;
  Lookup found;
  if (needs_addresses(plan)) {
    const bool wants_links = authority::needs_page_links(options.authority, plan.collection);
    authority::Addresses addresses =
        authority::collect_addresses(read.corpus, {.links = wants_links, .names = plan.names_all}, context);
    if (authority::needs_addresses(options.authority, plan.collection)) {
      authority::Authority authority =
          authority::find_authority(options.authority, read.corpus.units, addresses, context);
      for (std::string& warning : authority.warnings) frame.warn(std::move(warning));
      read.repository.authority = std::move(authority.scores);
      report.authority = std::move(authority.report);
    }
    plan.protection.protect_listed(addresses.table,
                                   [&](DocumentNumber row, std::uint32_t word) { read.protect(row, word); });
    if (!options.results.empty()) {
      found.run_file.emplace(options.results, log, addresses.table, context);
      warn_of_oddities(options.results, found.run_file->counts(), frame);
    }
    found.names = std::move(addresses.names);
  }
  take_field(options.authority.field, read, report.authority, frame);
  warn_of_idle_words(plan.protection, read, frame);
  report.protected_documents = static_cast<std::uint64_t>(std::ranges::count(read.repository.is_protected, true));
  return found;
}

struct Cleaned {
  std::vector<std::uint64_t> counts;  // by query number
  std::vector<QueryNumber> order;
  MethodRequest request;
  MethodResult method;
};

std::vector<QueryNumber> choose_queries(const CleanOptions& options, std::span<const std::uint64_t> counts,
                                        std::size_t rows, const ResultSource& results, const Context& context) {
  const std::uint64_t most = options.course.budget_queries;
  if (options.course.select == QuerySelection::coverage)
    return order_by_coverage(results, Policy(options.policy), counts, rows, most, context);
  std::vector<QueryNumber> order(counts.size());
  std::iota(order.begin(), order.end(), QueryNumber{0});
  if (most > 0) order.resize(std::min<std::size_t>(order.size(), most));
  return order;
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

Cleaned clean(const CleanOptions& options, const QueryLog& log, const CleanRead& read, const SetJudge& judge,
              const ResultSource& results, const Context& context) {
  std::vector<std::uint64_t> counts;
  for (const LoggedQuery& query : log.queries) counts.push_back(query.count);
  std::vector<QueryNumber> order = choose_queries(options, counts, read.corpus.units.rows(), results, context);
  const MethodRequest request{.results = results,
                              .repository = read.repository,
                              .judge = options.verify ? &judge : nullptr,
                              .options = options,
                              .order = order};
  MethodResult method = run_method(options.course.mode, request, context);
  return {std::move(counts), std::move(order), request, std::move(method)};
}

void report_cleaning(const CleanOptions& options, const QueryLog& log, Cleaned& cleaned, CleanReport& report,
                     report::RunFrame& frame, const Context& context) {
  report.outcomes = std::move(cleaned.method.steps);
  for (QueryOutcome& outcome : report.outcomes) {
    outcome.query = log.queries[outcome.rank - 1].text;
    outcome.count = log.queries[outcome.rank - 1].count;
  }
  if (report.queries_without_results() == report.outcomes.size())
    frame.warn("no query has any results: nothing can be removed");
  if (cleaned.method.out_of_time) {
    frame.warn(fmt::format("out of time after {} of {} queries (`budget_seconds`); the outcome depends on the machine",
                           report.outcomes.size(), cleaned.order.size()));
  }
  if (!options.course.compare_modes) return;
  const CleanMode mode = options.course.mode;
  const CleanMode other = mode == CleanMode::sequential ? CleanMode::marked : CleanMode::sequential;
  report.modes = difference(mode, cleaned.method, run_method(other, cleaned.request, context));
}

void report_clusters(const Clusters& clusters, const MethodResult& method, CleanReport& report) {
  report.groups = clusters.size();
  for (std::size_t c = 0; c < clusters.size(); ++c)
    report.largest_group = std::max<std::uint64_t>(report.largest_group, clusters[c].size());
  report.removed = method.removals.size();
  report.kept = report.documents() - report.removed;
}

ShownReport measure(const Cleaned& cleaned, const Context& context) {
  const Removed nothing(cleaned.method.removed.size());
  const ShownResults before = shown_results(cleaned.request, cleaned.counts, nothing, context);
  const ShownResults after = shown_results(cleaned.request, cleaned.counts, cleaned.method.removed, context);
  return {.before = before.quality, .after = after.quality, .distinct_gained = after.distinct - before.distinct};
}

// The names that lists need, unless they are known already.
void find_names(const CleanAudit& audit, corpus::RowTexts& names, const Context& context) {
  if (names.has_text()) return;
  const corpus::Units& units = audit.read.corpus.units;
  PerRow<bool> wanted(units.rows());
  for (const Row row : all<Row>(units.rows()))
    wanted[row] = audit.plan.names_all && units.status[row] != RowStatus::bad;
  for (std::size_t c = 0; c < audit.clusters.size(); ++c)
    for (const Clusters::Member row : audit.clusters[c]) wanted[Row{row}] = true;
  for (const auto& [left, right] : audit.method.links) wanted[Row{left}] = wanted[Row{right}] = true;
  names = corpus::collect_names(audit.read.corpus, wanted, context);
}

void write_lists(const CleanAudit& audit, const ResultSource& results, const CleanReport& report,
                 report::ReportPage* page, report::Outputs& outputs, const Context& context) {
  outputs.write("pairs.tsv", [&](io::ByteSink& out) { write_clean_pairs(audit, page, out); });
  outputs.write("clusters.tsv", [&](io::ByteSink& out) { report::write_clusters(audit.names, audit.clusters, out); });
  outputs.write("removed.jsonl", [&](io::ByteSink& out) { write_clean_removed(audit, out); });
  outputs.write("queries.tsv", [&](io::ByteSink& out) { write_queries(report, out); });
  if (!audit.read.repository.authority.empty())
    outputs.write("authority.tsv", [&](io::ByteSink& out) { write_authority(audit, out); });
  if (audit.plan.options.save_results)
    outputs.write("results.run", [&](io::ByteSink& out) { write_results(audit, results, out, context); });
}

CleanResult run(const Collection& collection, const CleanOptions& options, const Context& context) {
  report::Outputs outputs(collection, options.output, options.on_bad_record, context);
  const CleanPlan plan = make_plan(collection, options, outputs, context);
  corpus::BadRecordLog bad(options.on_bad_record, outputs.bad_list(), outputs.quarantine([] {}));
  outputs.begin();

  CleanResult result;
  CleanReport& report = result.report;
  report::RunFrame frame(report, context);
  announce_stages(plan, outputs, context);
  const QueryLog log =
      frame.stage("queries", [&] { return read_query_log(options.log, options.on_bad_record, context); });
  report.log = log.report;
  CleanRead read = frame.stage("read", [&] { return read_for_cleaning(plan, log, bad, context); });
  report_reading(plan, read, report, frame);
  Lookup found = frame.stage("authority", [&] { return look_up(plan, log, read, report, frame, context); });
  const ResultSource& results = found.run_file ? static_cast<const ResultSource&>(*found.run_file) : *read.index;
  report.results.source = results.describe();
  const auto judge = frame.stage("collect", [&] {
    return std::make_unique<const SetJudge>(read.corpus, std::move(read.kept),
                                            static_cast<unsigned>(options.policy.k.largest()), context);
  });
  const Cleaned cleaned = frame.stage("clean", [&] {
    Cleaned done = clean(options, log, read, *judge, results, context);
    report_cleaning(options, log, done, report, frame, context);
    return done;
  });
  result.clusters = Clusters(cleaned.method.representatives(), read.corpus.units.status.values());
  report_clusters(result.clusters, cleaned.method, report);
  report.shown = frame.stage("measure", [&] { return measure(cleaned, context); });
  std::optional<report::ReportPage> page;
  if (outputs.writes_page()) {
    const report::PageRequest request{
        .measure = plan.definition.measure, .threshold = plan.definition.threshold, .rows = read.corpus.units.rows()};
    page.emplace(request, context);
  }
  frame.stage("write", [&] {
    const CleanAudit audit{.plan = plan,
                           .log = log,
                           .read = read,
                           .judge = *judge,
                           .method = cleaned.method,
                           .clusters = result.clusters,
                           .names = found.names};
    if (outputs.writes_audit()) {
      find_names(audit, found.names, context);
      write_lists(audit, results, report, page ? &*page : nullptr, outputs, context);
    }
    std::optional<PageScores> scores;
    std::vector<Row> shown;
    if (page) shown = page->choose(scores.emplace(audit).lists());
    const report::WrittenRecords written = report::write_records(
        {.corpus = read.corpus, .clusters = result.clusters, .shown = std::move(shown)}, outputs, context);
    report.removed_by = report::removed_by(read.corpus, result.clusters, options.output.report_by, context);
    if (page) page->show(scores->lists(), written.shown, context);
  });
  report.companions = outputs.companions();
  frame.measure();
  if (outputs.writes_audit()) {
    const std::string record = clean_record(collection, options, report, context);
    if (page) outputs.write_page(page->html(record, report.bad.first));
    outputs.write("run.json", [&](io::ByteSink& out) { out.write(record); });
  }
  base::check_stop(context);
  outputs.commit();
  report.outputs = outputs.paths();
  return result;
}

}  // namespace
}  // namespace clean

CleanResult clean_up(const Collection& collection, const CleanOptions& options, const Context& given) {
  return base::guarded(given, [&](const Context& context) {
    options.validate();
    check_rules(options.definition.text);
    return clean::run(collection, options, context);
  });
}

}  // namespace neardup
