#include <algorithm>
#include <numeric>
#include <utility>

#include "base/guard.h"
#include "report/lists.h"
#include "authority/authority.h"
#include "corpus/definition_for.h"
#include "dedup/examples.h"
#include "corpus/names.h"
#include "dedup/run.h"
#include "report/run_record.h"
#include "report/write_records.h"
#include "io/formats/formats.h"
#include "neardup/error.h"

namespace neardup {
namespace dedup {
namespace {

// Where a field holds the authority, the rule reads that.
std::vector<KeepRule> resolved(std::vector<KeepRule> rules, const AuthorityOptions& authority) {
  for (KeepRule& rule : rules)
    if (rule.kind == KeepRule::Kind::authority) rule.field = authority.field;
  return rules;
}

}  // namespace

Run::Run(const Collection& collection, const Collection* against, const DedupOptions& options, const Context& context)
    : collection_(collection),
      against_collection_(against),
      options_(options),
      definition_(options.definition),
      context_(context),
      outputs_(collection, options.output, options.on_bad_record, context),
      bad_(options.on_bad_record, outputs_.bad_list(), outputs_.quarantine([this] { expect_to_leave(); })),
      keep_(resolved(options.keep, options.authority)) {
  check_keep_fields();
  definition_.features = corpus::features_for(collection, options.definition.features, options.features_named);
  if (against != nullptr) check_against();
  corpus::check_has_strings(definition_);
  corpus::check_field_weights(collection, definition_);
  if (!options.output.path.empty())
    io::check_apart_from_files(std::vector{options.authority.links, options.authority.scores}, options.output.path);
  if (options.output.resume && outputs_.writes_records()) {
    checkpoint_.emplace(options.output.path, run_identity(collection, against, options, context),
                        options.output.overwrite, context);
    expect_to_leave();
  }
  outputs_.begin();
}

void Run::expect_to_leave() {
  if (checkpoint_) checkpoint_->expect_to_leave(outputs_.unfinished());
}

DedupReport Run::run() {
  try {
    report::announce_stages(plan(), context_);
    if (needs_rarities()) timed("count", [&] { count(); });
    if (against_collection_ != nullptr) timed("against", [&] { match_other(); });
    timed("read", [&] { read(); });
    timed("find", [&] { find(); });
    timed("cluster", [&] { cluster(); });
    timed("write", [&] { write(); });
    finish();
  } catch (const Error& error) {
    if (!checkpoint_ || error.code() != ErrorCode::interrupted) throw;
    throw Error(ErrorCode::interrupted, std::string(error.what()) + "; run the same command again to continue");
  }
  return std::move(report_);
}

void Run::warn(std::string message) {
  if (context_.observer != nullptr) context_.observer->warning(message);
  report_.warnings.push_back(std::move(message));
}

report::PlanRequest Run::plan() const {
  return {.collection = collection_,
          .against = is_saved("against") ? nullptr : against_collection_,
          .definition = definition_,
          .counts = needs_rarities(),
          .reads = !read_is_saved(),
          .searches = will_search(),
          .is_exact = search::searches_exactly(options_, definition_),
          .measures_recall = options_.measure_recall,
          .names = needs_scores() || !options_.pairs.empty(),
          .last = outputs_.writes_records() ? "writing" : "looking up examples",
          .codec = outputs_.codec()};
}

void Run::check_keep_fields() const {
  if (keep_.wants_authority() && !authority::needs_addresses(options_.authority, collection_)) {
    throw Error(ErrorCode::usage,
                "--keep authority needs links between documents: --links FILE, or pages that link to each other; or "
                "scores: --authority FIELD or a file");
  }
  const std::vector<std::string> fields = keep_.fields();
  const auto& sources = collection_.impl().sources;
  const bool has_fields =
      std::any_of(sources.begin(), sources.end(), [](const io::Source& source) { return source.format->has_fields(); });
  if (!fields.empty() && !has_fields) {
    throw Error(ErrorCode::usage, "--keep asks for the field \"" + fields.front() + "\", but " +
                                      std::string(sources.front().format->name) + " records have no fields");
  }
}

void Run::check_against() const {
  if (!options_.pairs.empty()) {
    throw Error(ErrorCode::usage, "--pairs names pairs within the input: it does not go with --against");
  }
  const FeatureSpec others = corpus::features_for(*against_collection_, options_.definition.features, options_.features_named);
  if ((others.kind == FeatureKind::tokens) != (definition_.features.kind == FeatureKind::tokens)) {
    throw Error(ErrorCode::usage, "`sets` inputs and texts have no features in common; give one kind only");
  }
  corpus::check_field_weights(*against_collection_, definition_);
  if (!options_.output.path.empty() && options_.output.path != "-")
    io::check_apart_from_inputs(*against_collection_, options_.output.path);
}

void Run::cluster() {
  oracle_.emplace(definition_, read_.table, search_.store.get());
  decision_.emplace(
      decide(read_.table, search_, *oracle_, keep_, options_.clusters, base::memory_bytes(context_) / 8, context_));
  clusters_ = search::list_clusters(read_.table, *decision_);
  if (needs_scores() && scores_.empty()) scores_ = search::leader_scores(read_.table, search_, *oracle_, *decision_, context_);
  if (checkpoint_ && will_search()) save_search();
  report_.clusters = clusters_.size();
  for (std::size_t c = 0; c < clusters_.size(); ++c) {
    report_.largest_cluster = std::max(report_.largest_cluster, clusters_.begin[c + 1] - clusters_.begin[c]);
  }
  report_.is_kept.resize(read_.table.rows());
  for (Row row = 0; row < read_.table.rows(); ++row) {
    report_.is_kept[row] = decision_->is_kept(row);
    report_.kept += report_.is_kept[row] ? 1 : 0;
  }
  report_.removed = report_.records - report_.bad.count - report_.kept;
}

void Run::write() {
  if (needs_scores() && options_.pairs.empty()) names_ = names_of_related();
  if (outputs_.writes_audit()) {
    const report::Audit audit{.definition = definition_,
                      .table = read_.table,
                      .pairs = *search_.pairs,
                      .names = names_,
                      .oracle = *oracle_,
                      .keep = keep_,
                      .decision = *decision_,
                      .clusters = clusters_,
                      .scores = scores_,
                      .against = against_ ? &*against_ : nullptr};
    write_file("pairs.tsv", [&](io::ByteSink& out) { report::write_pairs(audit, out); });
    write_file("clusters.tsv", [&](io::ByteSink& out) { report::write_clusters(names_, *decision_, clusters_, out); });
    write_file("removed.jsonl", [&](io::ByteSink& out) { report::write_removed(audit, out); });
  }
  const Examples examples({.definition = definition_,
                           .table = read_.table,
                           .search = search_,
                           .oracle = *oracle_,
                           .decision = *decision_,
                           .clusters = clusters_,
                           .pairs_are_given = !options_.pairs.empty()});
  const auto shown = report::write_records({.collection = collection_,
                                    .definition = definition_,
                                    .table = read_.table,
                                    .ids = read_.ids,
                                    .content = read_.content,
                                    .decision = *decision_,
                                    .names = names_,
                                    .scores = scores_,
                                    .clusters = clusters_,
                                    .texts_wanted = examples.wanted(),
                                    .annotate = options_.output.annotate,
                                    .against = against_ ? &*against_ : nullptr},
                                   outputs_, context_);
  report_.examples = examples.show(shown);
  if (auto warning = examples.giant_warning(shown, options_.clusters)) warn(std::move(*warning));
}

void Run::finish() {
  report_.seconds = watch_.seconds();
  report_.peak_memory_bytes = base::peak_memory_bytes();
  if (outputs_.writes_audit()) {
    const report::RunFacts facts{
        .definition = definition_,
        .against = against_collection_,
        .text_bytes = read_.text_bytes,
        .features = std::reduce(read_.table.set_size.begin(), read_.table.set_size.end(), std::uint64_t{0})};
    write_file("run.json",
               [&](io::ByteSink& out) { out.write(report::run_record(collection_, options_, facts, report_, context_)); });
  }
  base::check_stop(context_);
  outputs_.commit();
  if (checkpoint_) checkpoint_->remove();
  report_.outputs = outputs_.paths();
}

corpus::Names Run::names_of_related() {
  const corpus::UnitTable& table = read_.table;
  std::vector<std::uint32_t> rows_of_root(table.units());
  const auto root = [&](Row row) { return search_.links->find(table.unit_of_row[row]); };
  for (Row row = 0; row < table.rows(); ++row) {
    if (table.has_unit(row)) ++rows_of_root[root(row)];
  }
  return names_of(
      [&](Row row) { return table.has_unit(row) ? rows_of_root[root(row)] > 1 : table.unit_of_row[row] == corpus::kLeftOut; });
}

corpus::Names Run::names_of(const std::function<bool(Row)>& is_wanted) {
  std::vector<bool> wanted(read_.table.rows());
  for (Row row = 0; row < wanted.size(); ++row) wanted[row] = is_wanted(row);
  return corpus::collect_names({.collection = collection_,
                        .table = read_.table,
                        .ids = read_.ids,
                        .content = read_.content,
                        .wanted = wanted},
                       context_)
      .names;
}

}  // namespace dedup

DedupReport deduplicate(const Collection& collection, const DedupOptions& options, const Context& context) {
  return base::guarded([&] {
    options.validate();
    return dedup::Run(collection, nullptr, options, context).run();
  });
}

DedupReport deduplicate(const Collection& collection, const Collection& against, const DedupOptions& options,
                        const Context& context) {
  return base::guarded([&] {
    options.validate();
    return dedup::Run(collection, &against, options, context).run();
  });
}

}  // namespace neardup
