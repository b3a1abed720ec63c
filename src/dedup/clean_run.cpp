// One run of clean_up(), stage by stage.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

#include "base/guard.h"
#include "base/system.h"
#include "clean/coverage.h"
#include "clean/method.h"
#include "clean/query_log.h"
#include "clean/run_file.h"
#include "dedup/audit.h"
#include "dedup/authority.h"
#include "dedup/clean_audit.h"
#include "dedup/clean_judge.h"
#include "dedup/clean_read.h"
#include "dedup/document_features.h"
#include "dedup/names_pass.h"
#include "dedup/outputs.h"
#include "dedup/record_names.h"
#include "dedup/write_pass.h"
#include "neardup/error.h"
#include "neardup/features.h"
#include "neardup/text_rules.h"

namespace neardup {
namespace dedup {
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

class CleanRun {
 public:
  CleanRun(const Collection& collection, const CleanOptions& options, Context& context)
      : collection_(collection),
        options_(options),
        definition_(deciding(options)),
        context_(context),
        outputs_(collection, options.output, options.on_bad_record, context),
        bad_(options.on_bad_record, outputs_.bad_list(), outputs_.quarantine([] {})),
        protection_(options.protect, context) {
    if (features_for(collection, definition_.features, false).kind == FeatureKind::tokens)
      throw Error(ErrorCode::usage, "`sets` inputs have no words to search for: clean needs texts");
    if (options.save_results && !outputs_.writes_audit() && !options.output.dry_run)
      throw Error(ErrorCode::usage, "--save-results writes beside the kept documents: -o must name a folder");
    const bool has_authority = !options.authority.field.empty() || needs_addresses(options.authority, collection);
    if (options.authority_below && !has_authority)
      throw Error(ErrorCode::usage, "--authority-below needs authority: --links FILE, or --authority FIELD or a file");
  }

  CleanReport run() {
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

 private:
  template <class Stage>
  void timed(const char* name, Stage&& stage) {
    const base::Stopwatch watch;
    stage();
    report_.stages.push_back({name, watch.seconds()});
  }

  void warn(std::string message) {
    if (context_.observer != nullptr) context_.observer->warning(message);
    report_.warnings.push_back(std::move(message));
  }

  [[nodiscard]] bool needs_addresses_here() const {
    return needs_addresses(options_.authority, collection_) || protection_.needs_addresses() ||
           !options_.results.empty();
  }
  // authority.tsv and results.run name every document.
  [[nodiscard]] bool needs_all_names() const {
    const bool has_authority = !options_.authority.field.empty() || needs_addresses(options_.authority, collection_);
    return outputs_.writes_audit() && (has_authority || options_.save_results);
  }

  // Reading is what takes time; how long the rest takes beside it is a guess.
  void announce_stages() const {
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

  void read_log() {
    log_ = clean::read_query_log(options_.log, options_.on_bad_record, context_);
    report_.log_format = log_.format;
    report_.log_lines = log_.lines;
    report_.log_queries = log_.distinct;
    report_.log_searches = log_.searches;
    report_.log_without_words = log_.without_words;
    report_.log_bad = log_.bad;
    if (log_.queries.empty())
      throw Error(ErrorCode::usage,
                  fmt::format("{}: no query occurs {} times (--min-count)", options_.log.path, options_.log.min_count));
    for (const clean::LoggedQuery& query : log_.queries) counts_.push_back(query.count);
  }

  [[nodiscard]] clean::QueryTerms terms() const {
    FeatureExtractor words({.kind = FeatureKind::words, .length = 1}, definition_.hash_seed, definition_.text);
    clean::QueryTerms terms(log_.queries.size());
    for (std::size_t i = 0; i < terms.size(); ++i) words.occurrences(log_.queries[i].text, terms[i]);
    return terms;
  }

  void read() {
    const bool searches = options_.results.empty();
    const clean::QueryTerms all_terms = searches ? terms() : clean::QueryTerms();
    read_ = read_for_cleaning({.collection = collection_,
                               .options = options_,
                               .definition = definition_,
                               .protection = protection_,
                               .bad = bad_,
                               .terms = searches ? &all_terms : nullptr},
                              context_);
    bad_.close();
    const ReadResult& documents = read_.documents;
    report_.definition = definition_;
    report_.records = documents.table.rows();
    report_.bytes = documents.input_bytes;
    report_.repaired_texts = documents.repaired_texts;
    report_.encodings = documents.encodings;
    report_.repeated_ids = documents.ids.count();
    report_.bad = bad_.records();
    report_.without_features = static_cast<std::uint64_t>(std::ranges::count(read_.sets.unit_of_row, kNoUnit));
    if (report_.repeated_ids > 0) warn(repeated_ids_warning(report_.repeated_ids));
    if (read_.index != nullptr) {
      report_.index_terms = read_.index->terms();
      report_.index_postings = read_.index->postings();
      report_.index_bytes = read_.index->memory_bytes();
    }
  }

  // Authority, protection and results that speak of documents by their names.
  void look_up() {
    if (needs_addresses_here()) {
      Addresses addresses = collect_addresses({.collection = collection_,
                                               .table = read_.documents.table,
                                               .ids = read_.documents.ids,
                                               .content = read_.documents.content,
                                               .wants_links = needs_page_links(options_.authority, collection_),
                                               .wants_names = needs_all_names()},
                                              context_);
      if (needs_addresses(options_.authority, collection_)) {
        Authority authority = find_authority(options_.authority, read_.documents.table, addresses, context_);
        for (std::string& warning : authority.warnings) warn(std::move(warning));
        read_.repository.authority = std::move(authority.scores);
        report_.authority = std::move(authority.report);
      }
      protection_.protect_listed(addresses.table, [&](Row row, std::uint32_t word) { protect(read_, row, word); });
      if (!options_.results.empty()) open_run_file(addresses.table);
      names_ = std::move(addresses.names);
    }
    take_field();
    check_protection();
    report_.results_source = results().describe();
  }

  void take_field() {
    if (options_.authority.field.empty()) return;
    report_.authority.source = "field";
    report_.authority.documents = static_cast<std::uint64_t>(
        std::ranges::count_if(read_.repository.authority, [](double score) { return score > -HUGE_VAL; }));
    if (report_.authority.documents == 0)
      warn(fmt::format("no document has a number in the field \"{}\" (--authority)", options_.authority.field));
  }

  void check_protection() {
    for (std::size_t word = 0; word < read_.protected_by.size(); ++word) {
      if (read_.protected_by[word] == 0)
        warn(fmt::format("--protect {} protects no document", protection_.words()[word]));
    }
    report_.protected_documents = static_cast<std::uint64_t>(std::ranges::count(read_.repository.is_protected, true));
  }

  void open_run_file(const clean::NameTable& names) {
    run_file_.emplace(options_.results, log_, names, context_);
    const clean::RunFileCounts& counts = run_file_->counts();
    const auto tell = [&](std::uint64_t count, const char* what) {
      if (count > 0) warn(fmt::format("{}: {} {}", options_.results, count, what));
    };
    tell(counts.unknown_documents, "results are documents that are not in the input; they are left out");
    tell(counts.unknown_queries, "query ids are not in the log; their results are left out");
    tell(counts.repeated_documents, "results show a document again; the first place counts");
    tell(counts.repeated_ranks, "results repeat a rank; the higher score goes first");
    tell(counts.unsorted, "results score higher than the one ranked before; ranks count");
  }

  [[nodiscard]] const clean::ResultSource& results() const {
    if (run_file_) return *run_file_;
    return *read_.index;
  }

  void collect() {
    judge_.emplace(JudgeRequest{.collection = collection_,
                                .definition = definition_,
                                .sets = read_.sets,
                                .content = read_.documents.content,
                                .largest_k = static_cast<unsigned>(options_.k.largest())},
                   context_);
  }

  [[nodiscard]] clean::MethodRequest request() const {
    return {.results = results(),
            .repository = read_.repository,
            .judge = options_.verify ? &*judge_ : nullptr,
            .options = options_,
            .order = order_};
  }

  void clean() {
    if (options_.select == QuerySelection::coverage) {
      order_ = clean::order_by_coverage(results(), counts_, read_.sets.rows(), options_.budget_queries, context_);
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

  void compare_modes() {
    const bool is_sequential = options_.mode == CleanMode::sequential;
    const clean::MethodResult other =
        clean::run_method(is_sequential ? CleanMode::marked : CleanMode::sequential, request(), context_);
    ModeDifference& difference = report_.modes.emplace();
    difference.removed_sequential = (is_sequential ? method_ : other).removals.size();
    difference.removed_marked = (is_sequential ? other : method_).removals.size();
    for (std::size_t row = 0; row < method_.removed.size(); ++row)
      difference.removed_by_both += method_.removed[row] && other.removed[row] ? 1 : 0;
  }

  void decide() {
    const UnitTable& table = read_.documents.table;
    const std::vector<Row> stands = method_.representatives();
    std::vector<Row> kept_row(table.units());
    for (Unit unit = 0; unit < table.units(); ++unit) kept_row[unit] = stands[table.first_row[unit]];
    decision_.emplace(table, std::move(kept_row));
    clusters_ = list_clusters(table, *decision_);
    report_.groups = clusters_.size();
    for (std::size_t c = 0; c < clusters_.size(); ++c)
      report_.largest_group = std::max(report_.largest_group, clusters_.begin[c + 1] - clusters_.begin[c]);
    report_.is_kept.resize(table.rows());
    for (Row row = 0; row < table.rows(); ++row) report_.is_kept[row] = decision_->is_kept(row);
    report_.removed = method_.removals.size();
    report_.kept = report_.records - report_.bad.count - report_.removed;
  }

  void measure() {
    const clean::Removed nothing(read_.sets.rows());
    const clean::ShownResults before = clean::shown_results(request(), counts_, nothing, context_);
    const clean::ShownResults after = clean::shown_results(request(), counts_, method_.removed, context_);
    report_.before = before.quality;
    report_.after = after.quality;
    report_.distinct_gained = after.distinct - before.distinct;
  }

  template <class Write>
  void write_file(const char* name, Write&& write) {
    const auto sink = outputs_.open(name);
    write(*sink);
    sink->close();
  }

  void write() {
    const UnitTable& table = read_.documents.table;
    if (outputs_.writes_audit()) {
      if (!names_.has_text()) find_names();
      const CleanAudit audit{.options = options_,
                             .definition = definition_,
                             .log = log_,
                             .read = read_,
                             .judge = *judge_,
                             .method = method_,
                             .decision = *decision_,
                             .clusters = clusters_,
                             .names = names_};
      write_file("pairs.tsv", [&](io::ByteSink& out) { write_clean_pairs(audit, out); });
      write_file("clusters.tsv", [&](io::ByteSink& out) { write_clusters(names_, *decision_, clusters_, out); });
      write_file("removed.jsonl", [&](io::ByteSink& out) { write_clean_removed(audit, out); });
      write_file("queries.tsv", [&](io::ByteSink& out) { write_queries(report_, out); });
      if (!read_.repository.authority.empty())
        write_file("authority.tsv", [&](io::ByteSink& out) { write_authority(audit, out); });
      if (options_.save_results)
        write_file("results.run", [&](io::ByteSink& out) { write_results(audit, results(), out, context_); });
    }
    const std::vector<double> no_scores;
    write_records({.collection = collection_,
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

  void find_names() {
    std::vector<bool> wanted(read_.sets.rows(), false);
    if (needs_all_names()) {
      for (Row row = 0; row < wanted.size(); ++row) wanted[row] = read_.sets.unit_of_row[row] != kBadRecord;
    }
    for (const Row row : clusters_.rows) wanted[row] = true;
    for (const auto& [left, right] : method_.links) wanted[left] = wanted[right] = true;
    names_ = collect_names({.collection = collection_,
                            .table = read_.documents.table,
                            .ids = read_.documents.ids,
                            .content = read_.documents.content,
                            .wanted = wanted},
                           context_)
                 .names;
  }

  void finish() {
    report_.seconds = watch_.seconds();
    report_.peak_memory_bytes = base::peak_memory_bytes();
    if (outputs_.writes_audit()) {
      write_file("run.json",
                 [&](io::ByteSink& out) { out.write(clean_record(collection_, options_, report_, context_)); });
    }
    base::check_stop(context_);
    outputs_.commit();
    report_.outputs = outputs_.paths();
  }

  const Collection& collection_;
  const CleanOptions& options_;
  Definition definition_;
  Context& context_;
  base::Stopwatch watch_;
  Outputs outputs_;
  BadRecordLog bad_;
  Protection protection_;
  clean::QueryLog log_;
  std::vector<std::uint64_t> counts_;  // by query number
  CleanRead read_;
  std::optional<clean::RunFile> run_file_;
  std::optional<SetJudge> judge_;
  std::vector<clean::QueryNumber> order_;
  clean::MethodResult method_;
  std::optional<Decision> decision_;
  ClusterList clusters_;
  Names names_;
  CleanReport report_;
};

}  // namespace
}  // namespace dedup

CleanReport clean_up(const Collection& collection, const CleanOptions& options, Context& context) {
  return base::guarded([&] {
    options.validate();
    check_rules(options.definition.text);
    return dedup::CleanRun(collection, options, context).run();
  });
}

}  // namespace neardup
