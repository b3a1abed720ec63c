#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/choices.h"
#include "base/json_writer.h"
#include "base/utf8.h"
#include "neardup/compare.h"
#include "neardup/text_rules.h"
#include "report/json_parts.h"

namespace neardup {
namespace {

using base::JsonWriter;

using Answer = Verdict::Answer;
using Kind = DiffPart::Kind;
constexpr std::array kAnswers{Choice<Answer>{"near-duplicates", Answer::near_duplicates, ""},
                              Choice<Answer>{"different", Answer::different, ""},
                              Choice<Answer>{"unknown", Answer::unknown, ""}};
constexpr std::array kKinds{Choice<Kind>{"equal", Kind::equal, ""}, Choice<Kind>{"removed", Kind::removed, ""},
                            Choice<Kind>{"added", Kind::added, ""}, Choice<Kind>{"replaced", Kind::replaced, ""}};

void write_text(JsonWriter& json, const char* name, const ComparedText& text) {
  json.object(name, {{"id", text.name},
                     {"bytes", text.text.size()},
                     {"code_points", text.code_points},
                     {"words", text.words},
                     {"features", text.features},
                     {"simhash", to_hex(text.simhash)}});
}

void write_definition(JsonWriter& json, const Comparison& comparison) {
  const Definition& definition = comparison.definition;
  json.object("definition",
              {{"features", to_string(definition.features)},
               {"bag", definition.features.bag},
               {"text_rules", describe(definition.text)},
               {"measure", to_string(definition.measure)},
               {"threshold", comparison.judged ? std::optional(to_string(definition.threshold)) : std::nullopt},
               {"weights", to_string(definition.weights)},
               {"as_is", definition.as_is}});
}

void write_score(JsonWriter& json, const MeasureScore& score) {
  json.begin_object(to_string(score.measure));
  json.members({{"score", score.score},
                {"exact", score.score ? std::optional(score.exact) : std::nullopt},
                {"passes", score.passes ? std::optional(to_string(*score.passes)) : std::nullopt}});
  if (score.more_than) json.member("more_than", *score.more_than);
  if (!score.why_not.empty()) json.member("why_not", score.why_not);
  json.end_object();
}

void write_features(JsonWriter& json, const char* name, const std::vector<ShownFeature>& features) {
  json.objects(name, features, [&](const ShownFeature& feature) {
    json.members({{"text", feature.text}, {"a", feature.a_count}, {"b", feature.b_count}});
  });
}

std::string excerpt(const std::string& text, std::size_t begin, std::size_t end, std::size_t most) {
  const std::string_view whole = std::string_view(text).substr(begin, end - begin);
  const std::string_view shown = base::cut_to_code_point(whole, most);
  return std::string(shown) + (shown.size() < whole.size() ? "…" : "");
}

void write_diff(JsonWriter& json, const Comparison& comparison, const DiffExcerpt& most) {
  const WordDiff& diff = *comparison.diff;
  const std::span shown = std::span(diff.parts).first(std::min(diff.parts.size(), most.max_parts));
  json.begin_object("diff");
  json.members({{"equal_words", diff.equal_words},
                {"removed_words", diff.removed_words},
                {"added_words", diff.added_words},
                {"shortest", diff.shortest},
                {"parts_left_out", diff.parts.size() - shown.size()}});
  json.objects("parts", shown, [&](const DiffPart& part) {
    const auto &a = diff.a_starts, &b = diff.b_starts;
    json.members({{"op", base::choice_name<Kind>(part.kind, kKinds)},
                  {"a_words", part.a_end - part.a_begin},
                  {"b_words", part.b_end - part.b_begin},
                  {"a", excerpt(comparison.a.text, a[part.a_begin], a[part.a_end], most.max_part_bytes)},
                  {"b", excerpt(comparison.b.text, b[part.b_begin], b[part.b_end], most.max_part_bytes)}});
  });
  json.end_object();
}

void write_containment(JsonWriter& json, const Comparison& comparison) {
  const MutualContainment& mutual = comparison.containment;
  json.begin_object("containment");
  json.members({{"a_in_b", mutual.a_in_b}, {"b_in_a", mutual.b_in_a}, {"inner", mutual.a_is_inner ? "a" : "b"}});
  json.objects("passages", mutual.passages, [&](const SharedPassage& passage) {
    json.members({{"begin", passage.begin}, {"end", passage.end}, {"words", passage.words}});
  });
  json.end_object();
}

}  // namespace

std::string to_json(const Comparison& comparison, const DiffExcerpt& most) {
  constexpr std::optional<bool> kNull;
  return base::json_object([&](JsonWriter& json) {
           report::write_head(json, "compare");
           write_text(json, "a", comparison.a);
           write_text(json, "b", comparison.b);
           write_definition(json, comparison);
           if (comparison.verdict) {
             json.begin_object("verdict");
             json.member("answer", base::choice_name<Answer>(comparison.verdict->answer, kAnswers));
             if (compares_sets(comparison.definition.measure))
               json.member("shared_needed", comparison.verdict->shared_needed);
             json.member("lengths_agree", comparison.verdict->lengths_agree);
             json.end_object();
           } else {
             json.member("verdict", kNull);
           }
           json.member("shared_features", comparison.shared);
           write_containment(json, comparison);
           json.begin_object("measures");
           for (const MeasureScore& score : comparison.scores) write_score(json, score);
           json.end_object();
           json.objects("differing_bits", comparison.bits, [&](const DifferingBit& bit) {
             json.members({{"bit", bit.bit}, {"a", bit.a_sum}, {"b", bit.b_sum}});
           });
           json.begin_object("features");
           write_features(json, "shared", comparison.shared_features);
           write_features(json, "only_a", comparison.only_a);
           write_features(json, "only_b", comparison.only_b);
           json.end_object();
           if (comparison.diff) {
             write_diff(json, comparison, most);
           } else {
             json.member("diff", kNull);
           }
         }) +
         "\n";
}

}  // namespace neardup
