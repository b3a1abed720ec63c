#include "dedup/conditions.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "base/choices.h"
#include "corpus/names.h"
#include "neardup/error.h"
#include "neardup/hamming.h"
#include "neardup/join.h"
#include "neardup/similarity.h"
#include "neardup/sketch.h"

namespace neardup {
namespace dedup {
namespace {

// One condition, with what was made of the left value kept between pairs.
class NearField {
 public:
  NearField(const Definition& definition, const corpus::RowTexts& values)
      : definition_(definition), values_(values), sketcher_(definition), verifier_(definition) {}

  bool holds(Row left, Row right) {
    if (values_[left] == values_[right]) return true;
    if (!is_known_ || left != left_row_) {
      left_ = made_of(left);
      left_row_ = left;
      is_known_ = true;
    }
    const FieldValue other = made_of(right);
    if (definition_.measure == Measure::edit)
      return !left_.string.empty() && !other.string.empty() && verifier_.verify(left_.string, other.string).has_value();
    if (definition_.measure == Measure::hamming)
      return left_.code && other.code && verifier_.verify(left_.code->bits, other.code->bits).has_value();
    return !left_.set.empty() && !other.set.empty() && verifier_.verify(left_.set, other.set).has_value();
  }

  // Calls visit(left, right) with all pairs of the group that may hold, left < right: each with each where there are
  // few, otherwise those that a join of the values finds, and equal values.
  template <class Visit>
  void visit_near(const std::vector<Unit>& group, const PerUnit<Row>& rows, const Visit& visit,
                  const Context& context) {
    constexpr std::size_t kFew = 64;
    const auto visit_all = [&](const std::vector<Unit>& units) {
      for (std::size_t right = 1; right < units.size(); ++right)
        for (std::size_t left = 0; left < right; ++left) visit(units[left], units[right]);
    };
    if (group.size() <= kFew) return visit_all(group);
    std::map<std::string_view, std::vector<Unit>> bare;  // nothing to compare
    PairList found;
    TokenSets sets;
    std::vector<std::string> strings;
    std::vector<std::uint64_t> codes;
    std::vector<Unit> compared;
    for (const Unit unit : group) {
      FieldValue value = made_of(rows[unit]);
      if (value.set.empty() && value.string.empty() && !value.code) {
        bare[values_[rows[unit]]].push_back(unit);
        continue;
      }
      compared.push_back(unit);
      if (definition_.measure == Measure::edit) strings.push_back(std::move(value.string));
      if (definition_.measure == Measure::hamming) codes.push_back(value.code->bits);
      if (compares_sets(definition_.measure)) sets.add(value.set);
    }
    const JoinOptions options{.measure = definition_.measure, .threshold = definition_.threshold};
    if (!strings.empty()) join_strings(strings, options, found, context);
    if (sets.size() > 0) join(sets, options, found, context);
    if (!codes.empty()) hamming_self_join(codes, static_cast<unsigned>(definition_.threshold.num), found, context);
    for (const Pair& pair : found.sorted()) visit(compared[pair.left], compared[pair.right]);
    for (const auto& [value, units] : bare) visit_all(units);
  }

 private:
  struct FieldValue {
    std::vector<Feature> set{};
    std::string string{};
    std::optional<Fingerprint> code{};
  };

  FieldValue made_of(Row row) {
    const DocumentView value(values_[row]);
    FieldValue out;
    if (definition_.measure == Measure::edit) {
      out.string = sketcher_.string(value);
    } else if (definition_.measure == Measure::hamming) {
      out.code = sketcher_.simhash(value);
    } else {
      const std::span<const Feature> set = sketcher_.set(value);
      out.set.assign(set.begin(), set.end());
    }
    return out;
  }

  const Definition& definition_;
  const corpus::RowTexts& values_;
  Sketcher sketcher_;
  Verifier verifier_;
  bool is_known_ = false;
  Row left_row_{0};
  FieldValue left_;
};

// Units with the same features, where there are several; each group ascending.
std::vector<std::vector<Unit>> twins_of(const corpus::Units& units) {
  std::vector<std::pair<std::uint64_t, Unit>> sorted;
  for (const Unit unit : all<Unit>(units.units())) sorted.emplace_back(units.twin[unit], unit);
  std::ranges::sort(sorted);
  std::vector<std::vector<Unit>> groups;
  for (std::size_t begin = 0, end = 0; begin < sorted.size(); begin = end) {
    for (end = begin; end < sorted.size() && sorted[end].first == sorted[begin].first;) ++end;
    if (end - begin < 2) continue;
    std::vector<Unit>& group = groups.emplace_back();
    for (std::size_t i = begin; i < end; ++i) group.push_back(sorted[i].second);
  }
  return groups;
}

}  // namespace

bool has_near_conditions(const DedupOptions& options) {
  return std::ranges::any_of(options.require,
                             [](const FieldCondition& condition) { return condition.near.has_value(); });
}

corpus::Separation separation_of(const DedupOptions& options) {
  corpus::Separation out{.by = options.by};
  for (const FieldCondition& condition : options.require)
    (condition.near ? out.distinct : out.equal).push_back(condition.field);
  return out;
}

void drop_unmet(const Plan& plan, const corpus::Corpus& corpus, search::Found& found, const Context& context) {
  const corpus::Units& units = corpus.units;
  const std::vector<std::vector<Unit>> twins = twins_of(units);
  PerRow<bool> wanted(units.rows());
  for (const std::vector<Unit>& group : twins)
    for (const Unit unit : group) wanted[units.first_row[unit]] = true;
  found.pairs->for_each([&](const Pair& pair) {
    for (const DocId unit : {pair.left, pair.right}) wanted[units.first_row[unit_of(unit)]] = true;
  });
  const std::vector<std::string> fields = separation_of(plan.options).distinct;
  const corpus::NamedRows values = corpus::collect_names(corpus, wanted, fields, context);
  std::vector<NearField> conditions;
  conditions.reserve(fields.size());
  for (const FieldCondition& condition : plan.options.require)
    if (condition.near) conditions.emplace_back(*condition.near, values.fields[conditions.size()]);
  const auto all_hold = [&](Unit left, Unit right) {
    return std::ranges::all_of(
        conditions, [&](NearField& field) { return field.holds(units.first_row[left], units.first_row[right]); });
  };

  auto pairs = std::make_unique<search::PairStore>(context);
  auto links = std::make_unique<cluster::UnionFind>(units.units());
  search::LinkingSink sink(*links, pairs.get());
  found.pairs->for_each([&](const Pair& pair) {
    const Unit left = unit_of(pair.left), right = unit_of(pair.right);
    if (units.twin[left] != units.twin[right] && all_hold(left, right)) sink.accept({&pair, 1});
  });
  // Joins of sets need not report pairs of equal sets.
  const Verifier verifier(plan.definition);
  for (const std::vector<Unit>& group : twins) {
    const std::optional<double> score = verifier.identity_score(units.size[group.front()]);
    if (!score) continue;
    const auto add = [&](Unit left, Unit right) {
      const Pair pair{index(left), index(right), *score};
      if (all_hold(left, right)) sink.accept({&pair, 1});
    };
    conditions.front().visit_near(group, units.first_row, add, context);
  }
  pairs->finish();
  found.pairs = std::move(pairs);
  found.links = std::move(links);
  found.sets.reset();  // whoever asks for scores later must not get those of pairs that do not count
}

}  // namespace dedup

SameKey parse_same_key(std::string_view text) {
  const std::size_t colon = text.find(':');
  const std::string_view word = text.substr(0, colon);
  if (text.empty() || text == "field:" || text == "url:")
    throw Error(ErrorCode::usage, "`same` needs a key: url, text, bytes or the name of a field", "same");
  if (word == "url")
    return {.kind = SameKey::Kind::url, .field = colon == text.npos ? "url" : std::string(text.substr(colon + 1))};
  if (text == "text") return {.kind = SameKey::Kind::text};
  if (text == "bytes") return {.kind = SameKey::Kind::bytes};
  if (word == "field" && colon != text.npos) text.remove_prefix(colon + 1);
  return {.kind = SameKey::Kind::field, .field = std::string(text)};
}

std::string to_string(const SameKey& key) {
  switch (key.kind) {
    case SameKey::Kind::url:
      return key.field == "url" ? "url" : "url:" + key.field;
    case SameKey::Kind::text:
      return "text";
    case SameKey::Kind::bytes:
      return "bytes";
    case SameKey::Kind::field:
      break;
  }
  constexpr std::array<std::string_view, 3> kTaken{"url", "text", "bytes"};
  const bool is_taken = std::ranges::find(kTaken, key.field) != kTaken.end();
  return is_taken ? "field:" + key.field : key.field;
}

// The last word that names a measure ends the field, whose name may have colons itself.
FieldCondition parse_condition(std::string_view text) {
  const auto refuse = [&](const std::string& why) {
    throw Error(
        ErrorCode::usage,
        fmt::format("`require` \"{}\": {} (FIELD for equal values, or FIELD:MEASURE:T, such as title:jaccard:0.8)",
                    text, why),
        "require");
  };
  FieldCondition out{.field = std::string(text)};
  for (std::size_t colon = text.rfind(':'); colon != text.npos && colon != 0; colon = text.rfind(':', colon - 1)) {
    const std::string_view rest = text.substr(colon + 1), name = rest.substr(0, rest.find(':'));
    const auto known = std::ranges::find(measure_choices(), name, [](const auto& choice) { return choice.name; });
    if (known == measure_choices().end()) continue;
    Definition near{.features = parse_features("words"), .measure = known->value};
    const std::string_view threshold = rest.size() == name.size() ? "" : rest.substr(name.size() + 1);
    const std::size_t end = std::min(threshold.find(':'), threshold.size());
    if (end != threshold.size() && near.measure == Measure::edit) refuse("edit compares strings, not features");
    try {
      near.threshold = parse_threshold(threshold.substr(0, end));
      if (end != threshold.size()) near.features = parse_features(threshold.substr(end + 1));
      near.validate();
    } catch (const Error& error) {
      refuse(error.what());
    }
    out.field = text.substr(0, colon);
    out.near = std::move(near);
    break;
  }
  if (out.field.empty()) refuse("it names no field");
  if (!out.near && out.field.find(':') != out.field.npos && out.field.back() >= '0' && out.field.back() <= '9')
    refuse("it names no measure");
  return out;
}

std::string to_string(const FieldCondition& condition) {
  if (!condition.near) return condition.field;
  const Definition& near = *condition.near;
  const std::string features =
      near.measure == Measure::edit || to_string(near.features) == "words" ? "" : ":" + to_string(near.features);
  return fmt::format("{}:{}:{}{}", condition.field, to_string(near.measure), to_string(near.threshold), features);
}

}  // namespace neardup
