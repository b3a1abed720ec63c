#include "neardup/clean.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bindings.h"
#include "call.h"
#include "options.h"

namespace neardup::python {
namespace {

using Queries = std::vector<std::pair<std::string, std::uint64_t>>;

QueryLogOptions log_of(const Queries& queries, const Options& given) {
  QueryLogOptions log;
  for (const auto& [text, count] : queries) log.queries.push_back({text, count});
  log.path = given.text("queries");
  log.format = given.text("queries_format", log.format);
  log.query_field = given.text("query_field");
  log.count_field = given.text("count_field");
  log.id_field = given.text("query_id_field");
  log.min_count = given.number("min_count", log.min_count);
  log.top = given.number("top_queries", log.top);
  return log;
}

RangeRule rule_of(const Options& given, const char* id, const RangeRule& otherwise, std::uint64_t first,
                  RangeRule::Shares shares) {
  return given.has(id) ? RangeRule::parse(given.text(id), first, shares) : otherwise;
}

CleanOptions clean_options_of(const Queries& queries, const Options& given) {
  CleanOptions options;
  options.log = log_of(queries, given);
  options.results = given.text("results");
  options.search.k1 = given.real("k1", options.search.k1);
  options.search.b = given.real("b", options.search.b);
  options.search.title_boost = static_cast<unsigned>(given.number("title_boost", options.search.title_boost));
  options.authority.links = given.text("links");
  options.authority.field = given.text("authority_field");
  options.authority.scores = given.text("authority_scores");
  options.authority.damping = given.real("damping", options.authority.damping);
  options.definition = definition_of(given);
  options.verify = given.flag("verify", options.verify);
  CleanPolicy& policy = options.policy;
  policy.k = rule_of(given, "k", policy.k, 1, RangeRule::Shares::refused);
  policy.k_by_results = rule_of(given, "k_by_results", policy.k_by_results, 0, RangeRule::Shares::refused);
  policy.depth = rule_of(given, "depth", policy.depth, 1, RangeRule::Shares::allowed);
  policy.min_results = given.number("min_results", 0);
  if (given.has("authority_below")) policy.authority_below = given.real("authority_below", 0);
  policy.protect = given.texts("protect");
  if (given.has("mode")) options.course.mode = parse_clean_mode(given.text("mode"));
  if (given.has("select")) options.course.select = parse_query_selection(given.text("select"));
  options.course.budget_queries = given.number("budget_queries", 0);
  options.on_bad_record = on_bad_record_of(given);
  options.output.path = given.text("output");
  options.output.overwrite = given.flag("overwrite", false) ? Overwrite::replace : Overwrite::refuse;
  return options;
}

// The report as JSON, what happened at each query, and the clusters.
std::tuple<std::string, nb::list, Clusters> clean(const Collection& collection, const Queries& queries,
                                                  const nb::dict& given, const nb::dict& run) {
  const CleanOptions options = clean_options_of(queries, Options(given));
  CleanResult result;
  run_call(run_options(run), [&](const Context& context) { result = clean_up(collection, options, context); });
  nb::list outcomes;
  for (const QueryOutcome& outcome : result.report.outcomes) {
    outcomes.append(
        nb::make_tuple(outcome.query, outcome.count, outcome.rank, outcome.results, outcome.groups, outcome.removed));
  }
  return {to_json(result.report), outcomes, std::move(result.clusters)};
}

}  // namespace

void bind_clean(nb::module_& module) {
  module.def("clean", &clean, nb::arg("collection"), nb::arg("queries"), nb::arg("options"), nb::arg("run"));
}

}  // namespace neardup::python
