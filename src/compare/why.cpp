#include "neardup/why.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <utility>

#include "base/choices.h"
#include "base/guard.h"
#include "base/json_writer.h"
#include "base/system.h"
#include "compare/earlier_run.h"
#include "compare/find_documents.h"
#include "neardup/error.h"
#include "report/json_parts.h"

namespace neardup {
namespace comparison {
namespace {

using Outcome = WhyReport::Outcome;

constexpr std::size_t kMembersShown = 20;

std::string describe(const Definition& definition) {
  const std::string rule = fmt::format("{} {} {}", to_string(definition.measure),
                                       is_distance(definition.measure) ? "<=" : ">=", to_string(definition.threshold));
  return definition.measure == Measure::edit ? rule : fmt::format("{}, {}", to_string(definition.features), rule);
}

// As few pairs as possible that lead from one member of a cluster to another; among equally few those that come first
// in the list.
std::vector<WhyLink> find_chain(const EarlierRun& run, const EarlierCluster& cluster, const std::string& from,
                                const std::string& to, const Context& context) {
  struct Edge {
    std::size_t to;
    std::string score;
  };
  std::map<std::string, std::size_t, std::less<>> number;
  for (const std::string& member : cluster.members) number.emplace(member, number.size());
  if (!number.contains(to)) return {};  // lists that do not belong together
  std::vector<std::vector<Edge>> edges(number.size());
  for_each_row(
      run, "pairs.tsv",
      [&](const std::vector<std::string>& columns) {
        const auto left = number.find(columns[0]), right = number.find(columns[1]);
        if (left == number.end() || right == number.end()) return true;
        edges[left->second].push_back({right->second, columns[2]});
        edges[right->second].push_back({left->second, columns[2]});
        return true;
      },
      context);
  const std::size_t start = number.at(from), goal = number.at(to), nobody = edges.size();
  std::vector<std::pair<std::size_t, const Edge*>> reached_by(edges.size(), {nobody, nullptr});
  reached_by[start].first = start;
  for (std::deque<std::size_t> next{start}; !next.empty() && reached_by[goal].first == nobody; next.pop_front()) {
    for (const Edge& edge : edges[next.front()]) {
      if (reached_by[edge.to].first != nobody) continue;
      reached_by[edge.to] = {next.front(), &edge};
      next.push_back(edge.to);
    }
  }
  std::vector<WhyLink> chain;
  if (reached_by[goal].first == nobody) return chain;
  std::vector<std::string> names(number.size());
  for (const auto& [name, place] : number) names[place] = name;
  for (std::size_t at = goal; at != start; at = reached_by[at].first)
    chain.push_back({names[reached_by[at].first], names[at], reached_by[at].second->score});
  std::ranges::reverse(chain);
  return chain;
}

void compare_two(const EarlierRun& run, const WhyOptions& options, WhyReport& report, const Context& context) {
  const bool is_against = report.outcome == Outcome::against;
  const EarlierInputs& others = is_against ? run.against : run.inputs;
  const std::vector<std::string> own_inputs = inputs_there(run.inputs, context),
                                 other_inputs = inputs_there(others, context);
  if (own_inputs.empty() || other_inputs.empty()) {
    report.no_comparison = not_there(own_inputs.empty() ? run.inputs : others);
    return;
  }
  Search document({"the input", report.id}), kept({is_against ? "the other input" : "the input", report.kept});
  try {
    if (is_against) {
      scan(own_inputs, run.inputs.reading, {&document}, context);
      scan(other_inputs, run.against.reading, {&kept}, context);
    } else {
      scan(own_inputs, run.inputs.reading, {&document, &kept}, context);
    }
    report.comparison =
        compare(document.result(), kept.result(), run.definition.value_or(Definition{}), options.comparison, context);
  } catch (const Error& error) {
    if (error.code() == ErrorCode::interrupted) throw;
    report.no_comparison = fmt::format("the inputs have changed: {}", error.what());
  }
}

// A document that no list names was kept, if it is one.
void look_up_unlisted(const EarlierRun& run, WhyReport& report, const Context& context) {
  const std::vector<std::string> inputs = inputs_there(run.inputs, context);
  if (inputs.empty()) return;
  Search search({run.inputs.paths.size() == 1 ? run.inputs.paths.front() : "the input", report.id});
  scan(inputs, run.inputs.reading, {&search}, context);
  report.id = search.result().name;
  report.outcome = Outcome::kept;
  report.kept = report.id;
}

WhyReport explain(const std::string& folder, const std::string& id, const WhyOptions& options, const Context& context) {
  const EarlierRun run = read_earlier_run(folder, context);
  WhyReport report{.id = id};
  if (run.definition) report.definition = describe(*run.definition);
  if (const std::optional<RemovedLine> removed = find_removed(run, id, context)) {
    report.outcome = removed->from_against     ? Outcome::against
                     : removed->from_index     ? Outcome::indexed
                     : !removed->kept.empty()  ? Outcome::removed
                     : removed->rule == "none" ? Outcome::none
                                               : Outcome::empty;
    report.kept = removed->kept;
    report.rule = removed->rule;
    report.score = removed->score;
  }
  const bool is_elsewhere = report.outcome == Outcome::against || report.outcome == Outcome::indexed;
  const EarlierCluster cluster = is_elsewhere ? EarlierCluster{} : find_cluster(run, id, context);
  report.cluster_size = cluster.members.size();
  report.members.assign(cluster.members.begin(), cluster.members.begin() + static_cast<std::ptrdiff_t>(std::min(
                                                                               kMembersShown, cluster.members.size())));
  if (report.outcome == Outcome::unknown && !cluster.members.empty()) {
    report.outcome = Outcome::kept;
    report.kept = id;
  }
  if (report.outcome == Outcome::unknown) look_up_unlisted(run, report, context);
  if (!report.score.empty()) {
    report.chain = {{id, report.kept, report.score}};
  } else if (report.outcome == Outcome::removed && !cluster.members.empty()) {
    report.chain = find_chain(run, cluster, id, report.kept, context);
  }
  const bool is_removed = report.outcome == Outcome::removed || report.outcome == Outcome::against;
  if (is_removed && options.compare) compare_two(run, options, report, context);
  return report;
}

}  // namespace
}  // namespace comparison

WhyReport explain_document(const std::string& folder, const std::string& id, const WhyOptions& options,
                           const Context& context) {
  return base::guarded(context, [&](const Context& call) { return comparison::explain(folder, id, options, call); });
}

std::string to_json(const WhyReport& report, const DiffExcerpt& most) {
  using Outcome = WhyReport::Outcome;
  static constexpr std::array kOutcomes{
      Choice<Outcome>{"kept", Outcome::kept, ""},       Choice<Outcome>{"removed", Outcome::removed, ""},
      Choice<Outcome>{"against", Outcome::against, ""}, Choice<Outcome>{"index", Outcome::indexed, ""},
      Choice<Outcome>{"none", Outcome::none, ""},       Choice<Outcome>{"empty", Outcome::empty, ""},
      Choice<Outcome>{"unknown", Outcome::unknown, ""}};
  const auto text_or_null = [](const std::string& text) {
    return text.empty() ? std::optional<std::string>() : std::optional(text);
  };
  const auto number_or_null = [](const std::string& text) {
    return base::JsonValue::raw(text.empty() ? "null" : text);
  };
  return base::json_object([&](base::JsonWriter& json) {
           report::write_head(json, "why");
           json.members({{"id", report.id},
                         {"outcome", base::choice_name<Outcome>(report.outcome, kOutcomes)},
                         {"kept", text_or_null(report.kept)},
                         {"rule", text_or_null(report.rule)},
                         {"score", number_or_null(report.score)},
                         {"cluster_size", report.cluster_size}});
           json.strings("members", report.members);
           json.objects("chain", report.chain, [&](const WhyLink& link) {
             json.members({{"from", link.from}, {"to", link.to}, {"score", number_or_null(link.score)}});
           });
           json.member("definition", text_or_null(report.definition));
           json.member("comparison", report.comparison ? base::JsonValue::raw(to_json(*report.comparison, most))
                                                       : base::JsonValue::raw("null"));
           json.member("no_comparison", text_or_null(report.no_comparison));
         }) +
         "\n";
}

}  // namespace neardup
