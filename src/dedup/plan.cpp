#include "dedup/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "authority/authority.h"
#include "cluster/keep_rules.h"
#include "corpus/definition_for.h"
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
  if (const std::string& field = plan.options.output.report_by; !field.empty())
    io::check_fields(plan.collection, {&field, 1}, "report_by");
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

}  // namespace

Plan make_plan(const Collection& collection, const Collection* against, const DedupOptions& options,
               const report::Outputs& outputs, const Context& context) {
  const bool needs_scores = outputs.writes_audit() || (options.output.annotate && outputs.writes_records());
  const bool is_given = !options.pairs.empty();
  Plan plan{.collection = collection,
            .against = against,
            .options = options,
            .definition = options.definition,
            .keep = resolved(options.keep, options.authority),
            .is_given = is_given,
            .searches = !is_given && !options.against_only,
            .is_exact = search::searches_exactly(options.finder.name, options.definition.measure),
            .needs_scores = needs_scores,
            .wanted = needs_scores || options.keep_evidence || options.clusters != ClusterKind::components
                          ? search::Wanted::all_pairs
                          : search::Wanted::connections};
  check_keep_fields(plan);
  plan.definition.features = corpus::features_for(collection, options.definition.features);
  if (against != nullptr) check_against(plan);
  corpus::check_has_strings(plan.definition);
  corpus::check_field_weights(collection, plan.definition);
  if (!options.output.path.empty())
    io::check_apart_from_files(std::vector{options.authority.links, options.authority.scores}, options.output.path,
                               context);
  return plan;
}

}  // namespace dedup

std::vector<std::string> finder_names() {
  std::vector<std::string> names{"auto", "exact"};
  for (const search::FinderKind& kind : search::finders()) names.emplace_back(kind.name);
  return names;
}

void DedupOptions::validate() const {
  definition.validate();
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
  authority.validate();
  if (keep.empty()) throw Error(ErrorCode::usage, "`keep` needs at least one rule", "keep");
  if (output.annotate && output.save_removed) {
    throw Error(ErrorCode::usage, "`annotate` keeps every record, so `save_removed` would have nothing to write",
                "save_removed");
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
