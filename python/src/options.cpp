#include "options.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "neardup/error.h"
#include "neardup/text_rules.h"

namespace neardup::python {
namespace {

// A value of the wrong type, in the words of Python.
template <class Value>
Value cast(const nb::object& value, const char* id, const char* expected) {
  Value out{};
  if (nb::try_cast(value, out)) return out;
  throw Error(ErrorCode::usage,
              std::string("`") + id + "` is " + nb::cast<std::string>(nb::repr(value)) + ", expected " + expected, id);
}

// "url,doi" like the command line.
std::vector<std::string> parts_of(const std::string& list) {
  std::vector<std::string> parts(1);
  for (const char c : list) {
    if (c == ',') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

TextRules text_rules_of(const Options& options) {
  TextRules rules;
  rules.strip = options.texts("strip");
  rules.min_word = static_cast<unsigned>(options.number("min_word", rules.min_word));
  if (options.has("numbers")) rules.numbers = parse_numbers(options.text("numbers"));
  if (options.has("stop_words")) {
    const nb::object words = options["stop_words"];
    if (nb::isinstance<nb::str>(words)) {
      rules.stop_words_source = nb::cast<std::string>(words);
      rules.stop_words = load_stop_words(rules.stop_words_source, Context{});
    } else {
      rules.stop_words = options.texts("stop_words");
      rules.stop_words_source = "given";
    }
  }
  rules.stem = options.text("stem");
  return rules;
}

}  // namespace

std::string Options::text(const char* id, const std::string& otherwise) const {
  return has(id) ? cast<std::string>((*this)[id], id, "a str") : otherwise;
}

std::uint64_t Options::number(const char* id, std::uint64_t otherwise) const {
  return has(id) ? cast<std::uint64_t>((*this)[id], id, "a whole number, 0 or more") : otherwise;
}

double Options::real(const char* id, double otherwise) const {
  return has(id) ? cast<double>((*this)[id], id, "a number") : otherwise;
}

bool Options::flag(const char* id, bool otherwise) const {
  return has(id) ? cast<bool>((*this)[id], id, "True or False") : otherwise;
}

std::vector<std::string> Options::texts(const char* id) const {
  if (!has(id)) return {};
  const nb::object value = (*this)[id];
  if (nb::isinstance<nb::str>(value)) return {nb::cast<std::string>(value)};
  return cast<std::vector<std::string>>(value, id, "a str or a list of str");
}

Definition definition_of(const Options& options) {
  Definition definition;
  if (options.has("features")) definition.features = parse_features(options.text("features"));
  definition.features.bag = options.flag("bag", false);
  definition.text = text_rules_of(options);
  if (options.has("measure")) definition.measure = parse_measure(options.text("measure"));
  if (options.has("threshold")) definition.threshold = parse_threshold(options.text("threshold"));
  if (options.has("weights")) definition.weights = parse_weights(options.text("weights"));
  if (options.has("field_weights")) {
    definition.field_weights =
        cast<std::vector<unsigned>>(options["field_weights"], "field_weights", "a list of whole numbers");
  }
  if (options.has("length_ratio")) definition.length_ratio = parse_threshold(options.text("length_ratio"));
  definition.as_is = options.flag("as_is", false);
  definition.hash_seed = options.number("hash_seed", definition.hash_seed);
  return definition;
}

ReadOptions read_options_of(const Options& options) {
  ReadOptions read;
  read.format = options.text("format", read.format);
  if (options.has("delimiter")) read.rows.delimiter = parse_delimiter(options.text("delimiter"));
  if (options.has("quote")) read.rows.quote = parse_quote(options.text("quote"));
  read.rows.has_header = options.flag("has_header", read.rows.has_header);
  if (options.has("text_fields")) read.text_fields = options.texts("text_fields");
  if (options.has("id_field")) read.id_field = options.text("id_field");
  read.extra_fields = options.texts("extra_fields");
  if (options.has("html")) read.html = parse_html(options.text("html"));
  read.encoding = options.text("encoding");
  read.max_record_bytes = options.number("max_record_bytes", read.max_record_bytes);
  read.limit = options.number("limit", read.limit);
  read.sample = options.real("sample", read.sample);
  read.seed = options.number("seed", read.seed);
  return read;
}

OnBadRecord on_bad_record_of(const Options& options) {
  const std::string word = options.text("on_bad_record", "skip");
  if (word == "skip") return OnBadRecord::skip;
  if (word == "fail") return OnBadRecord::fail;
  if (word == "quarantine") return OnBadRecord::quarantine;
  throw Error(ErrorCode::usage, "unknown choice \"" + word + "\": skip, fail, quarantine", "on_bad_record");
}

IgnoreOptions ignore_options_of(const Options& options) {
  IgnoreOptions ignore;
  if (options.has("ignore_common"))
    ignore.common = parse_common_limit(nb::cast<std::string>(nb::str(options["ignore_common"])));
  ignore.within = options.text("within");
  return ignore;
}

DedupOptions dedup_options_of(const Options& options) {
  DedupOptions dedup;
  dedup.definition = definition_of(options);
  dedup.finder.name = options.text("finder", dedup.finder.name);
  dedup.finder.target_recall = options.real("target_recall", dedup.finder.target_recall);
  dedup.finder.distance = static_cast<unsigned>(options.number("distance", dedup.finder.distance));
  dedup.finder.measure_recall = options.flag("measure_recall", dedup.finder.measure_recall);
  dedup.finder.seed = options.number("seed", dedup.finder.seed);
  dedup.against_only = options.flag("against_only", false);
  dedup.drop_empty = options.flag("drop_empty", false);
  if (options.has("clusters")) dedup.clusters = parse_cluster_kind(options.text("clusters"));
  const bool keeps_none = options.text("keep") == "none";
  if (options.has("keep") && !keeps_none) dedup.keep = parse_keep_rules(options.text("keep"));
  for (const std::string& keys : options.texts("same"))
    for (const std::string& key : parts_of(keys)) dedup.same.push_back(parse_same_key(key));
  dedup.same_only = options.flag("same_only", false);
  dedup.url_rules = options.text("url_rules");
  for (const std::string& condition : options.texts("require")) dedup.require.push_back(parse_condition(condition));
  dedup.by = options.text("by");
  dedup.copies = keeps_none ? 0 : options.number("copies", dedup.copies);
  dedup.output.count = options.flag("count", false);
  dedup.output.collect = options.texts("collect");
  dedup.output.collect_limit = options.number("collect_limit", dedup.output.collect_limit);
  dedup.authority.links = options.text("links");
  dedup.authority.field = options.text("authority_field");
  dedup.authority.scores = options.text("authority_scores");
  dedup.authority.damping = options.real("damping", dedup.authority.damping);
  dedup.keep_evidence = options.flag("keep_evidence", false);
  dedup.ignore = ignore_options_of(options);
  dedup.on_bad_record = on_bad_record_of(options);
  dedup.output.path = options.text("output");
  dedup.output.annotate = options.flag("annotate", false);
  dedup.output.save_removed = options.flag("save_removed", false);
  dedup.output.resume = options.flag("resume", false);
  dedup.output.overwrite = options.flag("overwrite", false) ? Overwrite::replace : Overwrite::refuse;
  return dedup;
}

}  // namespace neardup::python
