#include "index/manifest.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>

#include "base/json_writer.h"
#include "index/checked_file.h"
#include "neardup/error.h"
#include "neardup/text_rules.h"
#include "neardup/version.h"

namespace neardup::indexing {
namespace {

namespace dom = simdjson::dom;
using base::JsonWriter;

constexpr std::string_view kManifestFormat = "neardup index";
constexpr std::string_view kManifestChecksum = ",\n  \"checksum\": \"";
constexpr std::string_view kManifestEnd = "\"\n}\n";

std::string numbers_of(const std::vector<unsigned>& values) { return fmt::format("[{}]", fmt::join(values, ",")); }

void write_rules(JsonWriter& json, const TextRules& rules) {
  json.begin_object("text_rules");
  json.strings("strip", rules.strip);
  json.members({{"numbers", to_string(rules.numbers)}, {"min_word", rules.min_word}, {"stem", rules.stem}});
  json.strings("stop_words", rules.stop_words);
  json.member("stop_words_source", rules.stop_words_source);
  json.end_object();
}

void write_definition(JsonWriter& json, const Definition& definition) {
  json.begin_object("definition");
  json.members({{"features", to_string(definition.features)},
                {"bag", definition.features.bag},
                {"measure", to_string(definition.measure)},
                {"threshold", fmt::format("{}/{}", definition.threshold.num, definition.threshold.den)},
                {"weights", to_string(definition.weights)},
                {"field_weights", base::JsonValue::raw(numbers_of(definition.field_weights))},
                {"length_ratio", fmt::format("{}/{}", definition.length_ratio.num, definition.length_ratio.den)},
                {"hash_seed", definition.hash_seed}});
  write_rules(json, definition.text);
  json.end_object();
}

// The word of a keep rule: "max" of "max:FIELD".
std::string keep_word(KeepRule::Kind kind) {
  for (const Choice<KeepRule::Kind>& choice : keep_choices())
    if (choice.value == kind) return std::string(choice.name.substr(0, choice.name.find(':')));
  return {};
}

// Reads members; whatever is missing or of another kind is damage.
class ManifestReader {
 public:
  ManifestReader(const dom::element& object, const std::string& name) : object_(object), name_(name) {}

  template <class Value>
  [[nodiscard]] Value get(std::string_view member) const {
    Value value;
    if (object_[member].get(value) != simdjson::SUCCESS) fail(member);
    return value;
  }
  [[nodiscard]] std::string text(std::string_view member) const { return std::string(get<std::string_view>(member)); }
  [[nodiscard]] std::vector<std::string> texts(std::string_view member) const {
    std::vector<std::string> out;
    for (const dom::element value : get<dom::array>(member)) {
      std::string_view word;
      if (value.get(word) != simdjson::SUCCESS) fail(member);
      out.emplace_back(word);
    }
    return out;
  }
  [[nodiscard]] ManifestReader object(std::string_view member) const { return {get<dom::element>(member), name_}; }
  [[noreturn]] void fail(std::string_view what) const {
    throw Error(ErrorCode::corrupt, fmt::format("{}: damaged: \"{}\" cannot be read", name_, what));
  }

 private:
  dom::element object_;
  const std::string& name_;
};

Definition read_definition(const ManifestReader& in) {
  Definition definition;
  const std::string features = in.text("features");
  if (features == "tokens") {
    definition.features.kind = FeatureKind::tokens;
  } else {
    definition.features = parse_features(features);
  }
  definition.features.bag = in.get<bool>("bag");
  definition.measure = parse_measure(in.text("measure"));
  definition.threshold = parse_threshold(in.text("threshold"));
  definition.weights = parse_weights(in.text("weights"));
  for (const dom::element value : in.get<dom::array>("field_weights")) {
    std::uint64_t weight = 0;
    if (value.get(weight) != simdjson::SUCCESS) in.fail("field_weights");
    definition.field_weights.push_back(static_cast<unsigned>(weight));
  }
  definition.length_ratio = parse_threshold(in.text("length_ratio"));
  definition.hash_seed = in.get<std::uint64_t>("hash_seed");
  const ManifestReader rules = in.object("text_rules");
  definition.text.strip = rules.texts("strip");
  definition.text.numbers = parse_numbers(rules.text("numbers"));
  definition.text.min_word = static_cast<unsigned>(rules.get<std::uint64_t>("min_word"));
  definition.text.stem = rules.text("stem");
  definition.text.stop_words = rules.texts("stop_words");
  definition.text.stop_words_source = rules.text("stop_words_source");
  return definition;
}

KeepRule read_rule(const ManifestReader& in) {
  const std::string word = in.text("rule");
  for (const Choice<KeepRule::Kind>& choice : keep_choices()) {
    if (choice.name.substr(0, choice.name.find(':')) == word)
      return {.kind = choice.value, .field = in.text("field"), .value = in.text("value")};
  }
  in.fail("keep");
}

IndexOptions read_options(const ManifestReader& in, const std::string& name) {
  IndexOptions options;
  options.definition = read_definition(in.object("definition"));
  options.finder = in.text("finder");
  options.clusters = parse_cluster_kind(in.text("clusters"));
  options.keep.clear();
  for (const dom::element rule : in.get<dom::array>("keep")) options.keep.push_back(read_rule({rule, name}));
  options.fields = in.texts("fields");
  options.html = parse_html(in.text("html"));
  options.store_texts = in.get<bool>("store_texts");
  options.validate();
  return options;
}

// What the features of a document depend on.
std::uint64_t definition_hash(const Manifest& manifest) {
  JsonWriter json;
  json.begin_object();
  write_definition(json, manifest.options.definition);
  json.member("icu", manifest.icu);
  json.end_object();
  return checksum(json.text());
}

std::string_view without_checksum(std::string_view json, const std::string& name) {
  const std::size_t end = json.rfind(kManifestChecksum);
  if (end == json.npos ||
      json.substr(end) != fmt::format("{}{:016x}{}", kManifestChecksum, checksum(json.substr(0, end)), kManifestEnd))
    throw Error(ErrorCode::corrupt, fmt::format("{}: damaged: wrong checksum", name));
  return json.substr(0, end);
}

}  // namespace

std::string icu_version() {
  constexpr std::string_view kName = "ICU ";
  for (const std::string& each : library_versions())
    if (each.starts_with(kName)) return each.substr(kName.size());
  return {};
}

Manifest new_manifest(const IndexOptions& options) {
  Manifest manifest{.options = options, .icu = icu_version()};
  FeatureSpec& features = manifest.options.definition.features;
  if (!features.kind) features.kind = FeatureKind::words;
  manifest.definition = definition_hash(manifest);
  return manifest;
}

std::string to_json(const Manifest& manifest) {
  const IndexOptions& options = manifest.options;
  JsonWriter json;
  json.begin_object();
  json.members({{"format", kManifestFormat},
                {"version", kFormatVersion},
                {"created_by", fmt::format("neardup {}", version())},
                {"icu", manifest.icu}});
  write_definition(json, options.definition);
  json.members({{"finder", options.finder}, {"clusters", to_string(options.clusters)}});
  json.objects("keep", options.keep, [&](const KeepRule& rule) {
    json.members({{"rule", keep_word(rule.kind)}, {"field", rule.field}, {"value", rule.value}});
  });
  json.strings("fields", options.fields);
  json.members({{"html", to_string(options.html)}, {"store_texts", options.store_texts}});
  std::string text = json.text();  // an object that is not ended yet
  return text + fmt::format("{}{:016x}{}", kManifestChecksum, checksum(text), kManifestEnd);
}

Manifest parse_manifest(std::string_view json, const std::string& name) {
  without_checksum(json, name);
  dom::parser parser;
  const simdjson::padded_string padded(json);
  dom::element root;
  if (parser.parse(padded).get(root) != simdjson::SUCCESS)
    throw Error(ErrorCode::corrupt, fmt::format("{}: damaged: not a JSON object", name));
  const ManifestReader in(root, name);
  if (in.text("format") != kManifestFormat) in.fail("format");
  if (const std::uint64_t format = in.get<std::uint64_t>("version"); format > kFormatVersion) {
    throw Error(ErrorCode::usage,
                fmt::format("{}: format version {}, written by {}; this program reads versions up to {}", name, format,
                            in.text("created_by"), kFormatVersion));
  }
  try {
    Manifest manifest{.options = read_options(in, name), .icu = in.text("icu")};
    manifest.definition = definition_hash(manifest);
    return manifest;
  } catch (const Error& error) {
    if (error.code() != ErrorCode::usage) throw;
    throw Error(ErrorCode::corrupt, fmt::format("{}: damaged: {}", name, error.what()));
  }
}

Manifest read_manifest(FileSystem& files, const std::filesystem::path& index) {
  const std::filesystem::path path = index / "manifest.json";
  if (!files.exists(path))
    throw Error(ErrorCode::input, fmt::format("{}: not an index (it has no manifest.json)", index.string()));
  const std::unique_ptr<InputFile> file = files.open(path);
  constexpr std::uint64_t kMostBytes = std::uint64_t{64} << 20;
  if (file->size() > kMostBytes)
    throw Error(ErrorCode::corrupt, fmt::format("{}: damaged: it is too large", path.string()));
  std::string json(file->size(), '\0');
  file->read_at(0, json);
  return parse_manifest(json, path.string());
}

void write_manifest(FileSystem& files, const std::filesystem::path& index, const Manifest& manifest) {
  replace_file(files, index / "manifest.json", to_json(manifest));
}

}  // namespace neardup::indexing
