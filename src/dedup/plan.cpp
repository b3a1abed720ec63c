#include "dedup/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "authority/authority.h"
#include "cluster/keep_rules.h"
#include "corpus/definition_for.h"
#include "dedup/conditions.h"
#include "io/collection.h"
#include "io/output.h"
#include "io/sides.h"
#include "neardup/error.h"
#include "neardup/text_rules.h"
#include "search/finder.h"

namespace neardup {
namespace dedup {
namespace {

// Where a field holds the authority, the rule reads that.
std::vector<KeepRule> resolved(std::vector<KeepRule> rules, const AuthorityOptions& authority) {
  for (KeepRule& rule : rules)
    if (rule.kind == KeepRule::Kind::authority) rule.field = authority.field;
  return rules;
}

void check_keep_fields(const Plan& plan) {
  const cluster::KeepTable keep(plan.keep);
  if (keep.wants_authority() && !authority::needs_addresses(plan.options.authority, plan.collection)) {
    throw Error(ErrorCode::usage,
                "`keep=authority` needs links between documents: `links`, or pages that link to each other; or scores: "
                "`authority` as a field or a file",
                "keep");
  }
  io::check_fields(plan.collection, keep.fields(), "keep");
  io::check_fields(plan.collection, plan.options.output.collect, "collect");
  if (const std::string& field = plan.options.output.report_by; !field.empty())
    io::check_fields(plan.collection, {&field, 1}, "report_by");
}

void check_condition_fields(const Plan& plan) {
  const DedupOptions& options = plan.options;
  std::vector<std::string> same, require;
  for (const SameKey& key : options.same) {
    if (!key.field.empty()) same.push_back(key.field);
    if (key.kind == SameKey::Kind::bytes && io::impl_of(plan.collection).is_held())
      throw Error(ErrorCode::usage, "`same=bytes` compares records of files, and documents in memory have none",
                  "same");
  }
  for (const FieldCondition& condition : options.require) require.push_back(condition.field);
  io::check_fields(plan.collection, same, "same");
  io::check_fields(plan.collection, require, "require");
  if (!options.by.empty()) io::check_fields(plan.collection, std::vector{options.by}, "by");
  if (plan.against != nullptr && has_near_conditions(options)) {
    throw Error(ErrorCode::usage,
                "`require` with a measure cannot be combined with `against`; equal values can (`require` FIELD)",
                "require");
  }
}

void check_against(const Plan& plan) {
  if (plan.is_given) {
    throw Error(ErrorCode::usage, "`pairs` names pairs within the input: it cannot be combined with `against`",
                "pairs");
  }
  const DedupOptions& options = plan.options;
  const FeatureSpec others = corpus::features_for(*plan.against, options.definition.features);
  if ((others.kind == FeatureKind::tokens) != (plan.definition.features.kind == FeatureKind::tokens)) {
    throw Error(ErrorCode::usage, "`sets` inputs and texts have no features in common; give one kind only");
  }
  corpus::check_field_weights(*plan.against, plan.definition);
  if (const auto path = io::shared_input(plan.collection, *plan.against)) {
    throw Error(ErrorCode::usage,
                *path +
                    " is an input and given with `against` too: all its documents would be removed as "
                    "near-duplicates of themselves (leave it out on one side)",
                "against");
  }
  if (!options.output.path.empty() && options.output.path != "-")
    io::check_apart_from_inputs(*plan.against, options.output.path);
}

void check_known(const Plan& plan) {
  const DedupOptions& options = plan.options;
  for (const auto& [is_given, option] :
       {std::pair(plan.is_given, "pairs"), std::pair(options.against_only, "against_only"),
        std::pair(!options.same.empty(), "same"), std::pair(!options.by.empty(), "by"),
        std::pair(!options.require.empty(), "require"), std::pair(options.ignore.any(), "ignore_common"),
        std::pair(options.copies != 1, "copies")}) {
    if (is_given) throw Error(ErrorCode::usage, fmt::format("`index` cannot be combined with `{}`", option), option);
  }
  plan.known->check(plan.collection, plan.options);
}

}  // namespace

Plan make_plan(const Collection& collection, const Collection* against, KnownDocuments* known,
               const DedupOptions& options, const report::Outputs& outputs, const Context& context) {
  const bool needs_scores = outputs.writes_audit() || (options.output.annotate && outputs.writes_records());
  const bool is_given = !options.pairs.empty();
  Plan plan{.collection = collection,
            .against = against,
            .known = known,
            .options = options,
            .definition = options.definition,
            .keep = resolved(options.keep, options.authority),
            .is_given = is_given,
            .searches = !is_given && !options.against_only && !options.same_only,
            .is_exact = search::searches_exactly(options.finder.name, options.definition.measure),
            .separation = separation_of(options),
            .needs_scores = needs_scores,
            .wanted = needs_scores || options.keep_evidence || options.cluster_kind() != ClusterKind::components ||
                              !options.decisions.empty() || has_near_conditions(options)
                          ? search::Wanted::all_pairs
                          : search::Wanted::connections};
  check_keep_fields(plan);
  check_condition_fields(plan);
  if (known != nullptr) check_known(plan);
  plan.definition.features = corpus::features_for(collection, options.definition.features);
  if (against != nullptr) check_against(plan);
  if (options.ignore.any() && plan.separated() != nullptr)
    throw Error(ErrorCode::usage, "`ignore_common` and `ignore` cannot be combined with `require` and `by`",
                "ignore_common");
  if (options.ignore.any() && is_given)
    throw Error(ErrorCode::usage, "`pairs` does not use features, so none can be ignored", "pairs");
  if (!options.ignore.within.empty()) {
    const std::vector field{options.ignore.within};
    io::check_fields(collection, field, "within");
    if (against != nullptr) io::check_fields(*against, field, "within");
  }
  corpus::check_has_strings(plan.definition);
  corpus::check_field_weights(collection, plan.definition);
  if (!options.output.path.empty())
    io::check_apart_from_files(std::vector{options.authority.links, options.authority.scores, options.decisions},
                               options.output.path, context);
  return plan;
}

}  // namespace dedup

std::vector<std::string> finder_names() {
  std::vector<std::string> names{"auto", "exact"};
  for (const search::FinderKind& kind : search::finders()) names.emplace_back(kind.name);
  return names;
}

ClusterKind DedupOptions::cluster_kind() const {
  const bool is_contained = definition.measure == Measure::containment;
  return clusters.value_or(is_contained ? ClusterKind::star : ClusterKind::components);
}

namespace {

// A document is removed only if the kept one contains it, which a pair alone does not say.
void check_containment(const DedupOptions& options) {
  const auto refuse = [](const std::string& message, const char* option) {
    throw Error(ErrorCode::usage, message, option);
  };
  if (options.definition.measure == Measure::contained)
    refuse(
        "contained needs a left and a right side: dedup uses `measure=containment`, and keeps what contains the rest",
        "measure");
  if (options.definition.measure != Measure::containment) return;
  if (!options.pairs.empty())
    refuse(
        "listed pairs do not say which document contains the other: `pairs` cannot be combined with "
        "`measure=containment`",
        "pairs");
  if (const ClusterKind kind = options.cluster_kind(); kind == ClusterKind::components || kind == ClusterKind::core)
    refuse(fmt::format("`clusters={}` would remove documents that no kept document contains, because a chain of pairs "
                       "connects them; with `measure=containment` use star (the default) or complete",
                       to_string(kind)),
           "clusters");
  if (!options.by.empty() || !options.require.empty())
    refuse("`measure=containment` cannot be combined with `require` and `by`", "require");
}

void check_first_stages(const DedupOptions& options) {
  const auto refuse = [](const std::string& message, const char* option) {
    throw Error(ErrorCode::usage, message, option);
  };
  if (options.same_only && options.same.empty()) refuse("`same_only` needs `same`", "same_only");
  if (!options.url_rules.empty() &&
      std::ranges::none_of(options.same, [](const SameKey& key) { return key.kind == SameKey::Kind::url; }))
    refuse("`url_rules` needs `same=url`", "url_rules");
  constexpr std::size_t kMostKeys = 200;
  if (options.same.size() > kMostKeys) refuse("`same` has too many keys", "same");
  if (options.same_only && options.drop_empty)
    refuse("`same_only` does not look at words, so `drop_empty` cannot find documents without any", "drop_empty");
  const bool separates = !options.by.empty() || !options.require.empty();
  if (!options.pairs.empty() && (separates || !options.same.empty()))
    refuse("`pairs` says which documents are similar: leave out `same`, `require` and `by`", "pairs");
  if (options.same_only && separates)
    refuse("`same_only` looks for no pairs, so `require` and `by` have nothing to decide", "same_only");
  if (!options.by.empty() && options.definition.weights == Weights::tfidf)
    refuse("`weights=tfidf` counts over all documents, and `by` treats each value as a collection of its own", "by");
}

}  // namespace

void DedupOptions::validate() const {
  definition.validate();
  check_containment(*this);
  ignore.validate(definition);
  check_rules(definition.text);
  if (const auto names = finder_names(); std::find(names.begin(), names.end(), finder.name) == names.end()) {
    search::make_finder(definition, finder);
  }
  if (!(finder.target_recall > 0 && finder.target_recall < 1)) {
    throw Error(ErrorCode::usage, "`target_recall` must be above 0 and below 1", "target_recall");
  }
  if (finder.distance > 64) throw Error(ErrorCode::usage, "`distance` must be 0 to 64", "distance");
  if (pairs_threshold && pairs.empty())
    throw Error(ErrorCode::usage, "a threshold for listed pairs needs `pairs`", "pairs");
  if (drop_empty && (against_only || !pairs.empty())) {
    throw Error(ErrorCode::usage,
                fmt::format("`{}` does not use the features of the input, so `drop_empty` cannot find documents "
                            "without any",
                            pairs.empty() ? "against_only" : "pairs"),
                "drop_empty");
  }
  if (!decisions.empty() && against_only)
    throw Error(ErrorCode::usage, "`decisions` are about clusters, of which `against_only` makes none", "decisions");
  for (const auto& [is_given, option] :
       {std::pair(cluster_kind() == ClusterKind::core, "clusters=core"), std::pair(!same.empty(), "same"),
        std::pair(!by.empty(), "by"), std::pair(!require.empty(), "require"),
        std::pair(ignore.any(), "ignore_common")}) {
    if (is_given && !decisions.empty())
      throw Error(ErrorCode::usage, fmt::format("`decisions` cannot be combined with `{}`", option), "decisions");
  }
  if (!decisions.empty() && pairs.empty() && !search::searches_exactly(finder.name, definition.measure))
    throw Error(ErrorCode::usage, "`decisions` needs every pair: `finder=exact`", "decisions");
  check_first_stages(*this);
  authority.validate();
  if (keep.empty()) throw Error(ErrorCode::usage, "`keep` needs at least one rule", "keep");
  if (output.annotate && output.save_removed) {
    throw Error(ErrorCode::usage, "`annotate` keeps every record, so `save_removed` would have nothing to write",
                "save_removed");
  }
  if (copies == 0 && keep != std::vector{KeepRule{}}) {
    throw Error(ErrorCode::usage, "`copies` 0 keeps no member of a cluster, so `keep` has nothing to decide", "keep");
  }
  for (const auto& [option, is_given] :
       {std::pair("count", output.count), std::pair("collect", !output.collect.empty())}) {
    if (is_given && output.path.empty())
      throw Error(ErrorCode::usage, fmt::format("`{}` adds a field to what is written and needs an output", option),
                  "output");
  }
  if (output.annotate && output.path.empty()) throw Error(ErrorCode::usage, "`annotate` needs an output", "output");
  if (output.resume && (output.path.empty() || output.path == "-")) {
    throw Error(ErrorCode::usage, "`resume` saves its state next to the output: `output` must name a file or a folder",
                "output");
  }
  if (output.save_removed && output.path.empty()) {
    throw Error(ErrorCode::usage, "`save_removed` needs a folder to write to", "output");
  }
}

}  // namespace neardup
