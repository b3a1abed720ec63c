#include <string>
#include <string_view>

#include "base/json_writer.h"
#include "base/utf8.h"
#include "neardup/compare.h"
#include "neardup/text_rules.h"

namespace neardup {
namespace {

using base::JsonWriter;

const char* name_of(Verdict::Answer answer) {
  switch (answer) {
    case Verdict::Answer::near_duplicates:
      return "near-duplicates";
    case Verdict::Answer::different:
      return "different";
    case Verdict::Answer::unknown:
      break;
  }
  return "unknown";
}

const char* name_of(DiffPart::Kind kind) {
  switch (kind) {
    case DiffPart::Kind::equal:
      return "equal";
    case DiffPart::Kind::removed:
      return "removed";
    case DiffPart::Kind::added:
      return "added";
    case DiffPart::Kind::replaced:
      break;
  }
  return "replaced";
}

void write_text(JsonWriter& json, const char* name, const ComparedText& text) {
  json.begin_object(name);
  json.string("id", text.name);
  json.integer("bytes", text.text.size());
  json.integer("code_points", text.code_points);
  json.integer("words", text.words);
  json.integer("features", text.features);
  json.string("simhash", to_hex(text.simhash));
  json.end_object();
}

void write_definition(JsonWriter& json, const Comparison& comparison) {
  const Definition& definition = comparison.definition;
  json.begin_object("definition");
  json.string("features", to_string(definition.features));
  json.boolean("bag", definition.features.bag);
  json.string("text_rules", describe(definition.text));
  json.string("measure", to_string(definition.measure));
  if (comparison.judged) {
    json.string("threshold", to_string(definition.threshold));
  } else {
    json.null("threshold");
  }
  json.string("weights", to_string(definition.weights));
  json.boolean("as_is", definition.as_is);
  json.end_object();
}

void write_score(JsonWriter& json, const MeasureScore& score) {
  json.begin_object(to_string(score.measure));
  if (score.score) {
    json.number("score", *score.score);
    json.string("exact", score.exact);
  } else {
    json.null("score");
    json.null("exact");
  }
  if (score.passes) {
    json.string("passes", to_string(*score.passes));
  } else {
    json.null("passes");
  }
  if (score.more_than) json.integer("more_than", *score.more_than);
  if (!score.why_not.empty()) json.string("why_not", score.why_not);
  json.end_object();
}

void write_features(JsonWriter& json, const char* name, const std::vector<ShownFeature>& features) {
  json.begin_array(name);
  for (const ShownFeature& feature : features) {
    json.begin_object();
    json.string("text", feature.text);
    json.integer("a", feature.a_count);
    json.integer("b", feature.b_count);
    json.end_object();
  }
  json.end_array();
}

std::string excerpt(const std::string& text, std::size_t begin, std::size_t end, std::size_t most) {
  const std::string_view whole = std::string_view(text).substr(begin, end - begin);
  const std::string_view shown = base::cut_to_code_point(whole, most);
  return std::string(shown) + (shown.size() < whole.size() ? "…" : "");
}

void write_diff(JsonWriter& json, const Comparison& comparison, const DiffExcerpt& most) {
  const WordDiff& diff = *comparison.diff;
  json.begin_object("diff");
  json.integer("equal_words", diff.equal_words);
  json.integer("removed_words", diff.removed_words);
  json.integer("added_words", diff.added_words);
  json.boolean("shortest", diff.shortest);
  json.integer("parts_left_out", diff.parts.size() - std::min(diff.parts.size(), most.max_parts));
  json.begin_array("parts");
  for (std::size_t i = 0; i < std::min(diff.parts.size(), most.max_parts); ++i) {
    const DiffPart& part = diff.parts[i];
    json.begin_object();
    json.string("op", name_of(part.kind));
    json.integer("a_words", part.a_end - part.a_begin);
    json.integer("b_words", part.b_end - part.b_begin);
    json.string(
        "a", excerpt(comparison.a.text, diff.a_starts[part.a_begin], diff.a_starts[part.a_end], most.max_part_bytes));
    json.string(
        "b", excerpt(comparison.b.text, diff.b_starts[part.b_begin], diff.b_starts[part.b_end], most.max_part_bytes));
    json.end_object();
  }
  json.end_array();
  json.end_object();
}

}  // namespace

std::string to_json(const Comparison& comparison, const DiffExcerpt& most) {
  JsonWriter json;
  json.begin_object();
  write_text(json, "a", comparison.a);
  write_text(json, "b", comparison.b);
  write_definition(json, comparison);
  if (comparison.verdict) {
    json.begin_object("verdict");
    json.string("answer", name_of(comparison.verdict->answer));
    if (compares_sets(comparison.definition.measure)) json.integer("shared_needed", comparison.verdict->shared_needed);
    json.boolean("lengths_agree", comparison.verdict->lengths_agree);
    json.end_object();
  } else {
    json.null("verdict");
  }
  json.integer("shared_features", comparison.shared);
  json.begin_object("measures");
  for (const MeasureScore& score : comparison.scores) write_score(json, score);
  json.end_object();
  json.begin_array("differing_bits");
  for (const DifferingBit& bit : comparison.bits) {
    json.begin_object();
    json.integer("bit", bit.bit);
    json.raw("a", std::to_string(bit.a_sum));
    json.raw("b", std::to_string(bit.b_sum));
    json.end_object();
  }
  json.end_array();
  json.begin_object("features");
  write_features(json, "shared", comparison.shared_features);
  write_features(json, "only_a", comparison.only_a);
  write_features(json, "only_b", comparison.only_b);
  json.end_object();
  if (comparison.diff) {
    write_diff(json, comparison, most);
  } else {
    json.null("diff");
  }
  json.end_object();
  return json.text() + "\n";
}

}  // namespace neardup
