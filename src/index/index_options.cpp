#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/choices.h"
#include "neardup/error.h"
#include "neardup/index.h"
#include "neardup/text_rules.h"

namespace neardup {
namespace {

constexpr std::array kDurabilities{
    Choice<Durability>{"sync", Durability::sync, "acknowledge a change when it survives a loss of power"},
    Choice<Durability>{"batch", Durability::batch, "acknowledge at once; a loss of power can undo the last second"},
};

constexpr std::array kDecisionKinds{
    Choice<Decision::Kind>{"separate", Decision::Kind::separate, "two documents are not near-duplicates"},
    Choice<Decision::Kind>{"same", Decision::Kind::same, "two documents are near-duplicates"},
    Choice<Decision::Kind>{"keep", Decision::Kind::keep, "prefer this document in its cluster"},
    Choice<Decision::Kind>{"note", Decision::Kind::note, "a remark about a document"},
};

}  // namespace

void IndexOptions::validate() const {
  definition.validate();
  check_rules(definition.text);
  if (definition.measure == Measure::edit)
    throw Error(ErrorCode::usage, "an index does not support `measure=edit`", "measure");
  if (asks_for_containment(definition.measure))
    throw Error(ErrorCode::usage,
                "an index does not support `measure=" + to_string(definition.measure) +
                    "`: a document can be in one of any size, which its segments are not searched for; dedup and "
                    "pairs serve collections",
                "measure");
  if (definition.weights == Weights::tfidf)
    throw Error(ErrorCode::usage, "an index does not support `weights=tfidf`, which depends on the whole collection",
                "weights");
  const std::vector<std::string> finders = index_finder_names();
  if (std::find(finders.begin(), finders.end(), finder) == finders.end())
    throw Error(ErrorCode::usage,
                fmt::format("an index does not support the finder \"{}\": use {}", finder, fmt::join(finders, ", ")),
                "finder");
  if (clusters == ClusterKind::core)
    throw Error(ErrorCode::usage, "an index does not support `clusters=core`: use components, star or complete",
                "clusters");
  if (keep.empty()) throw Error(ErrorCode::usage, "there is no keep rule", "keep");
  for (const KeepRule& rule : keep) {
    if (rule.kind == KeepRule::Kind::authority && rule.field.empty())
      throw Error(ErrorCode::usage, "an index does not support the keep rule \"authority\"", "keep");
  }
}

std::vector<std::string> index_finder_names() { return {"exact"}; }

Durability parse_durability(std::string_view word) {
  return base::parse_choice("durability", word, std::span<const Choice<Durability>>(kDurabilities));
}
std::string to_string(Durability durability) {
  return base::choice_name(durability, std::span<const Choice<Durability>>(kDurabilities));
}
std::span<const Choice<Durability>> durability_choices() { return kDurabilities; }

Decision::Kind parse_decision_kind(std::string_view word) {
  return base::parse_choice("decision", word, std::span<const Choice<Decision::Kind>>(kDecisionKinds));
}
std::string to_string(Decision::Kind kind) {
  return base::choice_name(kind, std::span<const Choice<Decision::Kind>>(kDecisionKinds));
}

std::string to_string(AddStatus status) {
  constexpr std::array kWords{"added", "unchanged", "replaced", "conflict", "duplicate"};
  return kWords.at(static_cast<std::size_t>(status));
}

std::string to_string(IndexChange::Kind kind) {
  constexpr std::array kWords{"joined", "left", "merged", "split", "kept", "dissolved"};
  return kWords.at(static_cast<std::size_t>(kind));
}

}  // namespace neardup
