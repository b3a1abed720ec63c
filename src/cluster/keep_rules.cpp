#include "cluster/keep_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

#include "base/choices.h"
#include "base/document_text.h"
#include "base/utf8.h"
#include "neardup/error.h"

namespace neardup {
namespace {

using Kind = KeepRule::Kind;

constexpr std::array kRules{
    Choice<Kind>{"first", Kind::first, "the one that comes first in the input"},
    Choice<Kind>{"last", Kind::last, "the one that comes last"},
    Choice<Kind>{"longest", Kind::longest, "the longest text, in characters"},
    Choice<Kind>{"shortest", Kind::shortest, "the shortest text"},
    Choice<Kind>{"max:FIELD", Kind::max, "the largest number in a field"},
    Choice<Kind>{"min:FIELD", Kind::min, "the smallest number in a field"},
    Choice<Kind>{"newest:FIELD", Kind::newest, "the latest date in a field"},
    Choice<Kind>{"oldest:FIELD", Kind::oldest, "the earliest date in a field"},
    Choice<Kind>{"prefer:FIELD=VALUE", Kind::prefer, "one whose field has this value"},
    Choice<Kind>{"authority", Kind::authority,
                 "the highest PageRank among the documents' links (`links`), or score (`authority`)"},
};

std::string_view word_of(const Choice<Kind>& rule) { return rule.name.substr(0, rule.name.find(':')); }
bool has_field(const Choice<Kind>& rule) { return rule.name.find(':') != rule.name.npos; }

[[noreturn]] void refuse(std::string_view what, const std::string& hint = {}) {
  std::string forms;
  for (const Choice<Kind>& rule : kRules) {
    forms += &rule == &kRules.front() ? "" : &rule == &kRules.back() ? " or " : ", ";
    forms += rule.name;
  }
  throw Error{ErrorCode::usage, fmt::format("{}: use {}, separated by commas{}", what, forms, hint), "keep"};
}

KeepRule parse_rule(std::string_view text) {
  const auto colon = text.find(':');
  const std::string_view name = text.substr(0, colon);
  const auto known =
      std::find_if(kRules.begin(), kRules.end(), [&](const Choice<Kind>& rule) { return word_of(rule) == name; });
  if (known == kRules.end()) {
    std::vector<std::string> names;
    for (const Choice<Kind>& rule : kRules) names.emplace_back(word_of(rule));
    refuse(fmt::format("\"{}\" is not a keep rule", text), base::did_you_mean(name, names));
  }
  if (!has_field(*known)) {
    if (colon != text.npos) refuse(fmt::format("\"{}\": the keep rule \"{}\" takes no field", text, name));
    return {.kind = known->value};
  }
  KeepRule rule{.kind = known->value};
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

std::span<const Choice<KeepRule::Kind>> keep_choices() { return kRules; }

std::string to_string(const KeepRule& rule) {
  const auto known =
      std::find_if(kRules.begin(), kRules.end(), [&](const Choice<Kind>& each) { return each.value == rule.kind; });
  if (!has_field(*known)) return std::string{known->name};
  if (rule.kind == Kind::prefer) return fmt::format("{}:{}={}", word_of(*known), rule.field, rule.value);
  return fmt::format("{}:{}", word_of(*known), rule.field);
}

namespace cluster {

std::optional<std::string_view> field_value(const DocumentView& document, std::span<const std::string> field_names,
                                            const std::string& field) {
  const auto place = static_cast<std::size_t>(std::ranges::find(field_names, field) - field_names.begin());
  return place < document.fields.size() ? document.fields[place] : std::nullopt;
}

namespace {

// Lower raw values are preferred: mirrors an encoding, and leaves 0 for the missing.
std::uint64_t inverted(std::optional<std::uint64_t> encoded) { return encoded ? ~*encoded : 0; }

std::uint64_t value_of_field(const KeepRule& rule, std::string_view field) {
  switch (rule.kind) {
    case KeepRule::Kind::max:
    case KeepRule::Kind::authority:
      return encode_number(field).value_or(0);
    case KeepRule::Kind::min:
      return inverted(encode_number(field));
    case KeepRule::Kind::newest:
      return encode_date(field).value_or(0);
    case KeepRule::Kind::oldest:
      return inverted(encode_date(field));
    default:
      return field == rule.value ? 2 : 1;
  }
}

bool is_usable(const KeepRule& rule, std::uint64_t value) { return value > (rule.kind == Kind::prefer ? 1u : 0u); }

std::uint64_t value_of(const KeepRule& rule, const DocumentView& document, std::span<const std::string> field_names,
                       RuleCounts& counts) {
  if (rule.kind == KeepRule::Kind::longest) return base::text_code_points(document) + 1;
  if (rule.kind == KeepRule::Kind::shortest) return ~base::text_code_points(document);
  const std::optional<std::string_view> field = field_value(document, field_names, rule.field);
  ++counts.documents;
  if (!field) return 0;
  ++counts.present;
  const std::uint64_t value = value_of_field(rule, *field);
  if (is_usable(rule, value)) {
    ++counts.usable;
  } else if (counts.unusable.empty()) {
    constexpr std::size_t kShownBytes = 60;
    counts.unusable = base::cut_to_code_point(*field, kShownBytes);
  }
  return value;
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

void RuleCounts::add(const RuleCounts& later) {
  documents += later.documents;
  present += later.present;
  usable += later.usable;
  if (unusable.empty()) unusable = later.unusable;
}

KeepTable::KeepTable(std::vector<KeepRule> rules) : rules_(std::move(rules)), counts_(rules_.size()) {
  for (const KeepRule& rule : rules_) {
    column_of_rule_.push_back(columns_.size());
    if (needs_value(rule)) columns_.emplace_back();
  }
}

void KeepTable::append(const DocumentView& document, std::span<const std::string> field_names) {
  append_values(values_of(document, field_names, counts_));
}

void KeepTable::append_bad() {
  for (auto& column : columns_) column.push_back(0);
}

std::vector<std::uint64_t> KeepTable::values_of(const DocumentView& document, std::span<const std::string> field_names,
                                                std::vector<RuleCounts>& counts) const {
  std::vector<std::uint64_t> values;
  values.reserve(columns_.size());
  for (std::size_t i = 0; i < rules_.size(); ++i)
    if (needs_value(rules_[i])) values.push_back(value_of(rules_[i], document, field_names, counts[i]));
  return values;
}

void KeepTable::add_counts(const std::vector<RuleCounts>& later) {
  for (std::size_t i = 0; i < counts_.size(); ++i) counts_[i].add(later[i]);
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
  for (const RuleCounts& counts : counts_) {
    out.value(counts.documents);
    out.value(counts.present);
    out.value(counts.usable);
    out.text(counts.unusable);
  }
}

std::size_t KeepTable::memory_bytes() const {
  std::size_t bytes = 0;
  for (const auto& column : columns_) bytes += column.capacity() * sizeof(std::uint64_t);
  return bytes;
}

void KeepTable::load(base::StateReader& in, std::size_t rows) {
  for (auto& column : columns_) {
    column = in.array<std::uint64_t>();
    if (column.size() != rows) in.fail();
  }
  for (RuleCounts& counts : counts_) {
    counts.documents = in.value<std::uint64_t>();
    counts.present = in.value<std::uint64_t>();
    counts.usable = in.value<std::uint64_t>();
    counts.unusable = in.text();
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

void KeepTable::choose(std::vector<DocId> rows) {
  chosen_ = std::move(rows);
  std::sort(chosen_.begin(), chosen_.end());
}

bool KeepTable::prefers(DocId a, DocId b) const {
  if (!chosen_.empty()) {
    const bool has_a = is_chosen(a);
    if (has_a != is_chosen(b)) return has_a;
  }
  return decide(a, b).second > 0;
}

std::string KeepTable::deciding_rule(DocId winner, DocId loser) const {
  if (is_chosen(winner) && !is_chosen(loser)) return "decision";
  const auto [rule, order] = decide(winner, loser);
  assert(order > 0);
  return rule < rules_.size() ? to_string(rules_[rule]) : to_string(KeepRule{});
}

}  // namespace cluster
}  // namespace neardup
