#include "cluster/keep_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

#include "base/utf8.h"
#include "neardup/choices.h"
#include "neardup/error.h"

namespace neardup {
namespace {

struct RuleName {
  KeepRule::Kind kind;
  std::string_view name;
  bool has_field;
  std::string_view summary;
};
constexpr std::array kRules{
    RuleName{KeepRule::Kind::first, "first", false, "the one that comes first in the input"},
    RuleName{KeepRule::Kind::last, "last", false, "the one that comes last"},
    RuleName{KeepRule::Kind::longest, "longest", false, "the longest text, in characters"},
    RuleName{KeepRule::Kind::shortest, "shortest", false, "the shortest text"},
    RuleName{KeepRule::Kind::max, "max", true, "the largest number in a field"},
    RuleName{KeepRule::Kind::min, "min", true, "the smallest number in a field"},
    RuleName{KeepRule::Kind::newest, "newest", true, "the latest date (RFC 3339) in a field"},
    RuleName{KeepRule::Kind::oldest, "oldest", true, "the earliest date in a field"},
    RuleName{KeepRule::Kind::prefer, "prefer", true, "one whose field has this value"},
    RuleName{KeepRule::Kind::authority, "authority", false,
             "the highest PageRank among the documents' links (--links), or score (--authority)"},
};

[[noreturn]] void refuse(std::string_view what, const std::string& hint = {}) {
  throw Error{ErrorCode::usage,
              fmt::format("{}: use first, last, longest, shortest, max:FIELD, min:FIELD, newest:FIELD, oldest:FIELD, "
                          "prefer:FIELD=VALUE or authority, separated by commas (--keep){}",
                          what, hint)};
}

const RuleName& name_of(KeepRule::Kind kind) {
  return *std::find_if(kRules.begin(), kRules.end(), [&](const RuleName& rule) { return rule.kind == kind; });
}

KeepRule parse_rule(std::string_view text) {
  const auto colon = text.find(':');
  const std::string_view name = text.substr(0, colon);
  const auto known =
      std::find_if(kRules.begin(), kRules.end(), [&](const RuleName& rule) { return rule.name == name; });
  if (known == kRules.end()) {
    std::vector<std::string> names;
    for (const RuleName& rule : kRules) names.emplace_back(rule.name);
    refuse(fmt::format("\"{}\" is not a keep rule", text), did_you_mean(name, names));
  }
  if (!known->has_field) {
    if (colon != text.npos) refuse(fmt::format("\"{}\": the keep rule \"{}\" takes no field", text, name));
    return {.kind = known->kind};
  }
  KeepRule rule{.kind = known->kind};
  std::string_view field = colon == text.npos ? std::string_view{} : text.substr(colon + 1);
  if (rule.kind == KeepRule::Kind::prefer) {
    const auto equals = field.find('=');
    if (equals == field.npos) refuse(fmt::format("\"{}\" names no value to prefer", text));
    rule.value = field.substr(equals + 1);
    field = field.substr(0, equals);
  }
  if (field.empty()) refuse(fmt::format("\"{}\" names no field", text));
  rule.field = field;
  return rule;
}

}  // namespace

std::vector<KeepRule> parse_keep_rules(std::string_view text) {
  std::vector<KeepRule> rules;
  while (true) {
    const auto comma = text.find(',');
    rules.push_back(parse_rule(text.substr(0, comma)));
    if (comma == text.npos) return rules;
    text.remove_prefix(comma + 1);
  }
}

std::vector<Choice> keep_choices() {
  std::vector<Choice> out;
  for (const RuleName& rule : kRules) {
    const char* fields = !rule.has_field ? "" : rule.kind == KeepRule::Kind::prefer ? ":FIELD=VALUE" : ":FIELD";
    out.push_back({fmt::format("{}{}", rule.name, fields), std::string(rule.summary)});
  }
  return out;
}

std::string to_string(const KeepRule& rule) {
  const RuleName& known = name_of(rule.kind);
  if (!known.has_field) return std::string{known.name};
  if (rule.kind == KeepRule::Kind::prefer) return fmt::format("{}:{}={}", known.name, rule.field, rule.value);
  return fmt::format("{}:{}", known.name, rule.field);
}

namespace cluster {
namespace {

// Lower raw values are preferred: mirrors an encoding, and leaves 0 for the missing.
std::uint64_t inverted(std::optional<std::uint64_t> encoded) { return encoded ? ~*encoded : 0; }

const std::string* field_value(const Document& document, std::span<const std::string> field_names,
                               const std::string& field) {
  const auto found = std::find(field_names.begin(), field_names.end(), field);
  const auto index = static_cast<std::size_t>(found - field_names.begin());
  if (found == field_names.end() || index >= document.fields.size() || !document.fields[index]) return nullptr;
  return &*document.fields[index];
}

std::uint64_t value_of(const KeepRule& rule, const Document& document, std::span<const std::string> field_names) {
  if (rule.kind == KeepRule::Kind::longest) return base::code_points(document.text) + 1;
  if (rule.kind == KeepRule::Kind::shortest) return ~std::uint64_t{base::code_points(document.text)};
  const std::string* field = field_value(document, field_names, rule.field);
  if (!field) return 0;
  switch (rule.kind) {
    case KeepRule::Kind::max:
    case KeepRule::Kind::authority:
      return encode_number(*field).value_or(0);
    case KeepRule::Kind::min:
      return inverted(encode_number(*field));
    case KeepRule::Kind::newest:
      return encode_date(*field).value_or(0);
    case KeepRule::Kind::oldest:
      return inverted(encode_date(*field));
    default:
      return *field == rule.value ? 2 : 1;
  }
}

}  // namespace

bool needs_value(const KeepRule& rule) {
  return rule.kind != KeepRule::Kind::first && rule.kind != KeepRule::Kind::last;
}

std::vector<std::string> fields_of(std::span<const KeepRule> rules) {
  std::vector<std::string> fields;
  for (const KeepRule& rule : rules)
    if (!rule.field.empty() && std::find(fields.begin(), fields.end(), rule.field) == fields.end())
      fields.push_back(rule.field);
  return fields;
}

KeepTable::KeepTable(std::vector<KeepRule> rules) : rules_(std::move(rules)) {
  for (const KeepRule& rule : rules_) {
    column_of_rule_.push_back(columns_.size());
    if (needs_value(rule)) columns_.emplace_back();
  }
}

void KeepTable::append(const Document& document, std::span<const std::string> field_names) {
  append_values(values_of(document, field_names));
}

void KeepTable::append_bad() {
  for (auto& column : columns_) column.push_back(0);
}

std::vector<std::uint64_t> KeepTable::values_of(const Document& document,
                                                std::span<const std::string> field_names) const {
  std::vector<std::uint64_t> values;
  values.reserve(columns_.size());
  for (const KeepRule& rule : rules_)
    if (needs_value(rule)) values.push_back(value_of(rule, document, field_names));
  return values;
}

void KeepTable::append_values(std::span<const std::uint64_t> values) {
  assert(values.size() == columns_.size());
  for (std::size_t i = 0; i < columns_.size(); ++i) columns_[i].push_back(values[i]);
}

bool KeepTable::wants_authority() const {
  return std::any_of(rules_.begin(), rules_.end(),
                     [](const KeepRule& rule) { return rule.kind == KeepRule::Kind::authority && rule.field.empty(); });
}

void KeepTable::set_authority(std::span<const double> scores) {
  for (std::size_t i = 0; i < rules_.size(); ++i) {
    if (rules_[i].kind != KeepRule::Kind::authority) continue;
    auto& column = columns_[column_of_rule_[i]];
    for (std::size_t row = 0; row < column.size(); ++row)
      column[row] = std::isfinite(scores[row]) ? encode_number(scores[row]) : 0;
  }
}

void KeepTable::save(base::StateWriter& out) const {
  for (const auto& column : columns_) out.array(column);
}

void KeepTable::load(base::StateReader& in, std::size_t rows) {
  for (auto& column : columns_) {
    column = in.array<std::uint64_t>();
    if (column.size() != rows) in.fail();
  }
}

std::pair<std::size_t, std::strong_ordering> KeepTable::decide(DocId a, DocId b) const {
  for (std::size_t i = 0; i < rules_.size(); ++i) {
    if (rules_[i].kind == KeepRule::Kind::first) return {i, b <=> a};
    if (rules_[i].kind == KeepRule::Kind::last) return {i, a <=> b};
    const auto& values = columns_[column_of_rule_[i]];
    if (values[a] != values[b]) return {i, values[a] <=> values[b]};
  }
  return {rules_.size(), b <=> a};
}

bool KeepTable::prefers(DocId a, DocId b) const { return decide(a, b).second > 0; }

std::string KeepTable::deciding_rule(DocId winner, DocId loser) const {
  const auto [rule, order] = decide(winner, loser);
  assert(order > 0);
  return rule < rules_.size() ? to_string(rules_[rule]) : to_string(KeepRule{});
}

}  // namespace cluster
}  // namespace neardup
