#include "clean/run.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "base/guard.h"
#include "clean/coverage.h"
#include "report/lists.h"
#include "clean/lists.h"
#include "corpus/definition_for.h"
#include "corpus/names.h"
#include "report/write_records.h"
#include "neardup/error.h"
#include "neardup/text_rules.h"

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

}  // namespace

CleanRun::CleanRun(const Collection& collection, const CleanOptions& options, const Context& context)
    : collection_(collection),
      options_(options),
      definition_(deciding(options)),
      context_(context),
      outputs_(collection, options.output, options.on_bad_record, context),
      bad_(options.on_bad_record, outputs_.bad_list(), outputs_.quarantine([] {})),
      protection_(options.protect, context) {
  if (corpus::features_for(collection, definition_.features, false).kind == FeatureKind::tokens)
    throw Error(ErrorCode::usage, "`sets` inputs have no words to search for: clean needs texts");
  if (options.save_results && !outputs_.writes_audit() && !options.output.dry_run)
    throw Error(ErrorCode::usage, "--save-results writes beside the kept documents: -o must name a folder");
  std::vector<std::string> read_only{options.log.path, options.results, options.authority.links,
                                     options.authority.scores};
  read_only.insert(read_only.end(), options.protect.begin(), options.protect.end());
  if (!options.output.path.empty()) io::check_apart_from_files(read_only, options.output.path);
  const bool has_authority = !options.authority.field.empty() || authority::needs_addresses(options.authority, collection);
  if (options.authority_below && !has_authority)
    throw Error(ErrorCode::usage, "--authority-below needs authority: --links FILE, or --authority FIELD or a file");
  outputs_.begin();
}

CleanReport CleanRun::run() {
  announce_stages();
  timed("queries", [&] { read_log(); });
  timed("read", [&] { read(); });
  timed("authority", [&] { look_up(); });
  timed("collect", [&] { collect(); });
  timed("clean", [&] { clean(); });
  timed("measure", [&] { measure(); });
  timed("write", [&] { write(); });
  finish();
  return std::move(report_);
}

// Reading is what takes time; how long the rest takes beside it is a guess.
void CleanRun::announce_stages() const {
  if (context_.observer == nullptr) return;
  std::vector<PlannedStage> stages{{"reading", 10}};
  if (needs_addresses_here() || needs_all_names()) stages.push_back({"looking up names", 4});
  if (options_.verify) stages.push_back({"collecting", 5});
  if (options_.select == QuerySelection::coverage) stages.push_back({"choosing queries", 1});
  stages.push_back({"cleaning up", 4});
  stages.push_back({"measuring what is shown", 1});
  if (outputs_.writes_records()) stages.push_back({"writing", 4});
  context_.observer->plan(stages);
}

void CleanRun::clean() {
  if (options_.select == QuerySelection::coverage) {
    order_ = clean::order_by_coverage(results(), clean::Policy(options_), counts_, read_.sets.rows(),
                                      options_.budget_queries, context_);
  } else {
    order_.resize(counts_.size());
    std::iota(order_.begin(), order_.end(), clean::QueryNumber{0});
    if (options_.budget_queries > 0) order_.resize(std::min<std::size_t>(order_.size(), options_.budget_queries));
  }
  method_ = clean::run_method(options_.mode, request(), context_);
  for (const clean::QueryStep& step : method_.steps) {
    const clean::LoggedQuery& query = log_.queries[step.query];
    report_.outcomes.push_back({.query = query.text,
                                .count = query.count,
                                .rank = std::uint64_t{step.query} + 1,
                                .results = step.results,
                                .groups = step.groups,
                                .removed = step.removed,
                                .seconds = step.seconds,
                                .clean_seconds = step.clean_seconds});
    report_.queries_without_results += step.results == 0 ? 1 : 0;
  }
  report_.queries = method_.steps.size();
  if (report_.queries_without_results == report_.queries) warn("no query has any results: nothing can be removed");
  if (method_.out_of_time) {
    warn(fmt::format("out of time after {} of {} queries (--budget-time); the outcome depends on the machine",
                     report_.queries, order_.size()));
  }
  if (options_.compare_modes) compare_modes();
  decide();
}

void CleanRun::compare_modes() {
  const bool is_sequential = options_.mode == CleanMode::sequential;
  const clean::MethodResult other =
      clean::run_method(is_sequential ? CleanMode::marked : CleanMode::sequential, request(), context_);
  ModeDifference& difference = report_.modes.emplace();
  difference.removed_sequential = (is_sequential ? method_ : other).removals.size();
  difference.removed_marked = (is_sequential ? other : method_).removals.size();
  for (std::size_t row = 0; row < method_.removed.size(); ++row)
    difference.removed_by_both += method_.removed[row] && other.removed[row] ? 1 : 0;
}

void CleanRun::decide() {
  const corpus::UnitTable& table = read_.documents.table;
  const std::vector<Row> stands = method_.representatives();
  std::vector<Row> kept_row(table.units());
  for (Unit unit = 0; unit < table.units(); ++unit) kept_row[unit] = stands[table.first_row[unit]];
  decision_.emplace(table, std::move(kept_row));
  clusters_ = search::list_clusters(table, *decision_);
  report_.groups = clusters_.size();
  for (std::size_t c = 0; c < clusters_.size(); ++c)
    report_.largest_group = std::max(report_.largest_group, clusters_.begin[c + 1] - clusters_.begin[c]);
  report_.is_kept.resize(table.rows());
  for (Row row = 0; row < table.rows(); ++row) report_.is_kept[row] = decision_->is_kept(row);
  report_.removed = method_.removals.size();
  report_.kept = report_.records - report_.bad.count - report_.removed;
}

void CleanRun::measure() {
  const clean::Removed nothing(read_.sets.rows());
  const clean::ShownResults before = clean::shown_results(request(), counts_, nothing, context_);
  const clean::ShownResults after = clean::shown_results(request(), counts_, method_.removed, context_);
  report_.before = before.quality;
  report_.after = after.quality;
  report_.distinct_gained = after.distinct - before.distinct;
}

void CleanRun::write() {
  const corpus::UnitTable& table = read_.documents.table;
  if (outputs_.writes_audit()) {
    if (!names_.has_text()) find_names();
    const CleanAudit audit{.options = options_,
                           .definition = definition_,
                           .log = log_,
                           .read = read_,
                           .judge = *judge_,
                           .method = method_,
                           .decision = *decision_,
                           .names = names_};
    write_file("pairs.tsv", [&](io::ByteSink& out) { write_clean_pairs(audit, out); });
    write_file("clusters.tsv", [&](io::ByteSink& out) { report::write_clusters(names_, *decision_, clusters_, out); });
    write_file("removed.jsonl", [&](io::ByteSink& out) { write_clean_removed(audit, out); });
    write_file("queries.tsv", [&](io::ByteSink& out) { write_queries(report_, out); });
    if (!read_.repository.authority.empty())
      write_file("authority.tsv", [&](io::ByteSink& out) { write_authority(audit, out); });
    if (options_.save_results)
      write_file("results.run", [&](io::ByteSink& out) { write_results(audit, results(), out, context_); });
  }
  const std::vector<double> no_scores;
  report::write_records({.collection = collection_,
                 .definition = definition_,
                 .table = table,
                 .ids = read_.documents.ids,
                 .content = read_.documents.content,
                 .decision = *decision_,
                 .names = names_,
                 .scores = no_scores,
                 .clusters = clusters_,
                 .texts_wanted = {}},
                outputs_, context_);
}

void CleanRun::find_names() {
  std::vector<bool> wanted(read_.sets.rows(), false);
  if (needs_all_names()) {
    for (Row row = 0; row < wanted.size(); ++row) wanted[row] = read_.sets.unit_of_row[row] != corpus::kBadRecord;
  }
  for (const Row row : clusters_.rows) wanted[row] = true;
  for (const auto& [left, right] : method_.links) wanted[left] = wanted[right] = true;
  names_ = corpus::collect_names({.collection = collection_,
                          .table = read_.documents.table,
                          .ids = read_.documents.ids,
                          .content = read_.documents.content,
                          .wanted = wanted},
                         context_)
               .names;
}

void CleanRun::finish() {
  report_.seconds = watch_.seconds();
  report_.peak_memory_bytes = base::peak_memory_bytes();
  if (outputs_.writes_audit()) {
    write_file("run.json", [&](io::ByteSink& out) {
      out.write(clean_record(collection_, options_, report_, read_.documents.text_bytes, context_));
    });
  }
  base::check_stop(context_);
  outputs_.commit();
  report_.outputs = outputs_.paths();
}

}  // namespace clean

CleanReport clean_up(const Collection& collection, const CleanOptions& options, const Context& context) {
  return base::guarded([&] {
    options.validate();
    check_rules(options.definition.text);
    return clean::CleanRun(collection, options, context).run();
  });
}

}  // namespace neardup
