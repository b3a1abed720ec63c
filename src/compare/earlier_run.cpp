#include "compare/earlier_run.h"

#include <fmt/format.h>
#include <simdjson.h>

#include "base/system.h"
#include "base/tsv.h"
#include "neardup/error.h"
#include "neardup/text_rules.h"

namespace neardup::comparison {
namespace {

namespace dom = simdjson::dom;

// What a member says, or the default where it is missing or of another kind.
template <class Value>
Value member(const dom::element& object, std::string_view name, Value otherwise) {
  Value value;
  return object[name].get(value) == simdjson::SUCCESS ? value : otherwise;
}
std::string text(const dom::element& object, std::string_view name, std::string_view otherwise = {}) {
  return std::string(member<std::string_view>(object, name, otherwise));
}
std::vector<std::string> texts(const dom::element& object, std::string_view name) {
  std::vector<std::string> out;
  dom::array values;
  if (object[name].get(values) != simdjson::SUCCESS) return out;
  for (const dom::element value : values) {
    std::string_view word;
    if (value.get(word) == simdjson::SUCCESS) out.emplace_back(word);
  }
  return out;
}

TextRules read_rules(const dom::element& definition, const Context& context) {
  TextRules rules;
  dom::element said;
  if (definition["text_rules"].get(said) != simdjson::SUCCESS) return rules;
  rules.strip = texts(said, "strip");
  rules.numbers = parse_numbers(text(said, "numbers", "keep"));
  rules.min_word = static_cast<unsigned>(member<std::uint64_t>(said, "min_word", 0));
  rules.stem = text(said, "stem");
  rules.stop_words_source = text(said, "stop_words");
  if (!rules.stop_words_source.empty()) rules.stop_words = load_stop_words(rules.stop_words_source, context);
  return rules;
}

std::optional<Definition> read_definition(const dom::element& run, const Context& context) {
  dom::element said;
  if (run["definition"].get(said) != simdjson::SUCCESS) return std::nullopt;
  Definition definition;
  definition.measure = parse_measure(text(said, "measure", "jaccard"));
  definition.threshold = parse_threshold(text(said, "threshold", "0.8"));
  // `tokens` are what `sets` inputs bring along.
  if (const std::string features = text(said, "features"); !features.empty() && features != "tokens")
    definition.features = parse_features(features);
  definition.features.bag = member(said, "bag", false);
  definition.weights = parse_weights(text(said, "weights", to_string(definition.weights)));
  definition.length_ratio = parse_threshold(text(said, "length_ratio", "0"));
  definition.as_is = member(said, "as_is", false);
  definition.hash_seed = member<std::uint64_t>(said, "hash_seed", 0);
  definition.text = read_rules(said, context);
  return definition;
}

EarlierInputs read_inputs(const dom::element& run, const char* inputs, const char* how) {
  EarlierInputs out;
  dom::array sources;
  if (run[inputs].get(sources) == simdjson::SUCCESS) {
    for (const dom::element source : sources) out.paths.push_back(text(source, "path"));
  }
  dom::element said;
  if (run[how].get(said) != simdjson::SUCCESS) return out;
  ReadOptions& reading = out.reading;
  if (std::vector<std::string> fields = texts(said, "text");
      !fields.empty() && fields != std::vector<std::string>{"text"})
    reading.text_fields = std::move(fields);
  if (member(said, "id_required", false)) reading.id_field = text(said, "id");
  reading.format = text(said, "format", reading.format);
  if (const std::string delimiter = text(said, "delimiter"); !delimiter.empty())
    reading.rows.delimiter = parse_delimiter(delimiter);
  reading.rows.quote = parse_quote(text(said, "quote", to_string(reading.rows.quote)));
  reading.rows.has_header = member(said, "header", reading.rows.has_header);
  reading.html = parse_html(text(said, "html", to_string(reading.html)));
  reading.encoding = text(said, "encoding");
  reading.max_record_bytes = member(said, "max_record_bytes", reading.max_record_bytes);
  reading.limit = member(said, "limit", reading.limit);
  reading.sample = member(said, "sample", reading.sample);
  dom::element options;
  if (run["options"].get(options) == simdjson::SUCCESS) reading.seed = member(options, "seed", reading.seed);
  return out;
}

void read_choices(const dom::element& run, EarlierRun& out) {
  dom::element options;
  if (run["options"].get(options) != simdjson::SUCCESS) return;
  out.clusters = text(options, "clusters");
  if (const std::string threshold = text(options, "pairs_threshold"); !threshold.empty())
    out.pairs_threshold = parse_threshold(threshold);
  out.pairs_measure = parse_measure(text(options, "pairs_measure", "jaccard"));
}

}  // namespace

EarlierRun read_earlier_run(const std::string& folder, const Context& context) {
  EarlierRun run{.folder = folder};
  const std::filesystem::path path = run.folder / "run.json";
  FileSystem& files = base::files(context);
  if (!files.exists(path)) {
    throw Error(ErrorCode::input,
                fmt::format("{} is not the output folder of a run: there is no {}", folder, path.string()));
  }
  const auto mapped = files.map(path);
  dom::parser parser;
  dom::element said;
  const std::span<const char> bytes = mapped->bytes();
  if (parser.parse(bytes.data(), bytes.size()).get(said) != simdjson::SUCCESS || !said.is_object())
    throw Error(ErrorCode::input, path.string() + " is damaged");
  run.record.assign(bytes.data(), bytes.size());
  run.verb = text(said, "verb");
  try {
    run.definition = read_definition(said, context);
    read_choices(said, run);
    run.inputs = read_inputs(said, "inputs", "reading");
    run.against = read_inputs(said, "against_inputs", "against_reading");
  } catch (const Error& error) {
    throw Error(ErrorCode::input, fmt::format("{}: {}", path.string(), error.what()));
  }
  return run;
}

void for_each_removed(const EarlierRun& run, const std::function<bool(const std::string&, RemovedLine&&)>& visit,
                      const Context& context) {
  const std::filesystem::path path = run.folder / "removed.jsonl";
  FileSystem& files = base::files(context);
  if (!files.exists(path) || files.info(path).size == 0) return;
  const Collection lines = Collection::open(
      {path.string()},
      {.format = "jsonl", .text_fields = {{"id"}}, .id_field = "id", .extra_fields = {"kept", "rule", "score", "from"}},
      context);
  const auto reader = lines.read(context);
  for (Document line; reader->next(line);) {
    if (!visit(line.key, {.kept = line.fields[0].value_or(""),
                          .rule = line.fields[1].value_or(""),
                          .score = line.fields[2].value_or(""),
                          .from_against = line.fields[3].value_or("") == "against",
                          .from_index = line.fields[3].value_or("") == "index"}))
      return;
  }
}

std::optional<RemovedLine> find_removed(const EarlierRun& run, const std::string& id, const Context& context) {
  std::optional<RemovedLine> found;
  for_each_removed(
      run,
      [&](const std::string& line_id, RemovedLine&& line) {
        if (line_id == id) found = std::move(line);
        return !found;
      },
      context);
  return found;
}

void for_each_row(const EarlierRun& run, const char* file,
                  const std::function<bool(const std::vector<std::string>&)>& visit, const Context& context) {
  const std::filesystem::path path = run.folder / file;
  FileSystem& files = base::files(context);
  if (!files.exists(path) || files.info(path).size == 0) return;
  const auto reader = Collection::open({path.string()}, {.format = "lines"}, context).read(context);
  Document line;
  std::vector<std::string> columns;
  for (bool is_header = true; reader->next(line); is_header = false) {
    if (is_header) continue;
    columns.clear();
    for (std::string_view rest = line.text; !rest.empty();)
      columns.push_back(base::unescape_tsv(base::take_column(rest)));
    if (columns.size() < 3) throw Error(ErrorCode::input, path.string() + " is damaged: a line has too few columns");
    if (!visit(columns)) return;
  }
}

EarlierCluster find_cluster(const EarlierRun& run, const std::string& id, const Context& context) {
  EarlierCluster current;
  bool holds_it = false;
  for_each_row(
      run, "clusters.tsv",
      [&](const std::vector<std::string>& columns) {
        if (columns[0] != current.name || current.members.empty()) {
          if (holds_it) return false;
          current = {.name = columns[0], .members = {}};
        }
        current.members.push_back(columns[1]);
        holds_it |= columns[1] == id;
        return true;
      },
      context);
  return holds_it ? current : EarlierCluster{};
}

}  // namespace neardup::comparison
