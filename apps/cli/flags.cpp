#include "flags.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "console.h"
#include "neardup/error.h"
#include "verbs.h"
#include "words.h"

namespace neardup::cli {
namespace {

void add_bad_record_flag(CLI::App& app, OnBadRecord& rule, Quarantine quarantine) {
  Words names{"skip", "fail"};
  std::string help = "What to do with a record that cannot be read: skip (and count it), fail (stop)";
  if (quarantine == Quarantine::offered) {
    names.emplace_back("quarantine");
    help += ", quarantine (skip it and copy it to OUT/quarantine, or to FILE.quarantine next to an output file)";
  }
  add_value(app, kInputGroup, {"--on-bad-record", "WHAT", help, "skip", names},
            [&rule, names](const std::string& value) {
              rule = static_cast<OnBadRecord>(std::find(names.begin(), names.end(), value) - names.begin());
            });
}

}  // namespace

void add_input_flags(CLI::App& app, InputFlags& flags, Quarantine quarantine) {
  add_reading_flags(app, flags, quarantine);
  add_list(app, kInputGroup,
           {.name = "--include",
            .value = "GLOB",
            .help = "Among files found in folders, archives and by globs, read only those that match: '*.txt' by name, "
                    "'a/**/*.txt' by path; may be repeated",
            .commas = false},
           [&](const Words& globs) { flags.files.include = globs; });
  add_list(app, kInputGroup,
           {.name = "--exclude",
            .value = "GLOB",
            .help = "Skip files and folders that match, among those found; may be repeated",
            .commas = false},
           [&](const Words& globs) { flags.files.exclude = globs; });
  add_value(app, kInputGroup,
            {"--files-from", "FILE",
             "Read more inputs from a list: one path per line, or separated by NUL; - is standard input"},
            [&](const std::string& value) { flags.files.files_from = value; });
}

namespace {

void add_row_flags(CLI::App& app, RowOptions& rows) {
  add_value(app, kInputGroup,
            {"--delimiter", "C", "Character between the fields of CSV and TSV files, such as ';' or tab",
             "comma in CSV, tab in TSV"},
            [&](const std::string& value) { rows.delimiter = parse_delimiter(value); });
  add_value(app, kInputGroup,
            {"--quote",
             "Q",
             "Quote character of CSV and TSV files: \", ' or none (quotes are ordinary characters)",
             to_string(rows.quote),
             {},
             {"none"}},
            [&](const std::string& value) { rows.quote = parse_quote(value); });
  add_switch(app, kInputGroup, "--no-header", "CSV and TSV files have no header: columns are called 1, 2, 3, ...",
             [&] { rows.has_header = false; });
}

}  // namespace

void add_reading_flags(CLI::App& app, InputFlags& flags, Quarantine quarantine) {
  add_arguments(app, "INPUT", flags.files.inputs);
  ReadOptions& read = flags.read;
  Words formats = format_names();
  formats.insert(formats.begin(), "auto");
  add_value(app, kInputGroup,
            {"--format", "NAME",
             fmt::format("Input format: {}; auto detects it from the content", fmt::join(format_names(), ", ")),
             read.format, formats},
            [&](const std::string& value) { read.format = value; });
  add_switch(app, kInputGroup, "--lines", "Every line is a document (the same as --format lines)", flags.lines);
  add_list(app, kInputGroup,
           {"--text", "FIELD",
            "Field that holds the text; a.b is a nested JSON field; several fields, separated by commas, are joined",
            "text"},
           [&](const Words& fields) { flags.text_fields = fields; });
  add_row_flags(app, read.rows);
  add_value(app, kInputGroup,
            {"--html", "WHAT",
             "Text of HTML: auto (all text of HTML files and parts declared as HTML), main (the main text, without "
             "navigation, comments, adverts), all (of every text), off",
             to_string(read.html), names_of(html_choices())},
            [&](const std::string& value) { read.html = parse_html(value); });
  add_value(app, kInputGroup,
            {"--encoding",
             "NAME",
             "Character encoding of the input, for example latin1 or shift_jis",
             "as declared, else detected",
             {},
             {"utf-8", "utf-16", "latin1", "windows-1252", "shift_jis", "euc-jp", "gb18030", "big5", "euc-kr"}},
            [&](const std::string& value) { read.encoding = value; });
  add_value(
      app, kInputGroup,
      {"--id", "FIELD", "Field that holds the document's id; records without it are bad", "id, else path and line"},
      [&](const std::string& value) { read.id_field = value; });
  add_value(app, kInputGroup, {"--limit", "N", "Read only the first N records of the input (of --against: all)", "all"},
            [&](const std::string& value) {
              read.limit = parse_count("--limit", value);
              if (read.limit == 0) usage("--limit 0 would read nothing; omit it to read everything");
            });
  add_value(app, kInputGroup,
            {"--sample", "P", "Read only this share of the input's records, chosen by --seed (of --against: all)", "1"},
            [&](const std::string& value) { read.sample = parse_share("--sample", value); });
  add_value(app, kInputGroup,
            {"--max-record", "SIZE", "Skip longer records; they count as bad",
             fmt::format("{}M", read.max_record_bytes >> 20)},
            [&](const std::string& value) { read.max_record_bytes = parse_bytes("--max-record", value); });
  add_bad_record_flag(app, flags.on_bad_record, quarantine);
  add_value(app, kRunGroup, {"--seed", "N", "Random seed", fmt::format("{}", read.seed)},
            [&](const std::string& value) { read.seed = parse_count("--seed", value); });
}

void InputFlags::check() {
  const std::string& format = read.format;
  if (lines && format != "auto" && format != "lines") {
    usage(fmt::format("--lines means --format lines, but --format {} is given: drop one of them", format));
  }
  if (lines) read.format = "lines";
  const bool has_fields = format != "lines" && format != "text" && format != "sets";
  if (!text_fields.empty()) read.text_fields = text_fields;
  if (!has_fields && read.text_fields)
    usage(fmt::format("{} names a field, but records of --format {} have none", text_flag, format));
  if (!has_fields && read.id_field)
    usage(fmt::format("--id names a field, but records of --format {} have none", format));
}

void add_force_flag(CLI::App& app, Overwrite& overwrite) {
  add_switch(app, kOutputGroup, "-f,--force", "Overwrite an existing output", [&] { overwrite = Overwrite::replace; });
}

void add_output_flags(CLI::App& app, OutputOptions& output) {
  add_value(
      app, kOutputGroup,
      {"-o,--output", "PATH",
       "Output file, folder, or - for standard output; a name with a known ending (.jsonl, .csv.gz, ...) is a file",
       "report only"},
      [&](const std::string& value) {
        if (value.empty()) usage("--output needs a name; omit it to report only");
        output.path = output_name(value);
      });
  add_switch(app, kOutputGroup, "--save-removed",
             "Also write the removed records, as removed-records in the output folder", output.save_removed);
  add_switch(app, kOutputGroup, "--no-report", "Do not write report.html into the output folder",
             [&] { output.report = false; });
  add_value(app, kOutputGroup,
            {"--report-by", "FIELD", "Show the removed share by the values of this field", "by input file"},
            [&](const std::string& value) { output.report_by = value; });
  add_switch(app, kOutputGroup, "--dry-run", "Run everything and report, but write nothing", output.dry_run);
  add_force_flag(app, output.overwrite);
}

namespace {

// "0.3" or "30%", exactly.
Threshold parse_exact_share(std::string_view flag, std::string_view text) {
  const bool is_percentage = text.ends_with('%');
  try {
    Threshold share = parse_threshold(is_percentage ? text.substr(0, text.size() - 1) : text);
    if (is_percentage) share.den *= 100;
    if (share.num <= share.den) return share;
  } catch (const Error&) {
  }
  usage(fmt::format("{} {}: expected a share from 0 to 1, such as 0.3 or 30%", flag, text));
}

}  // namespace

void add_gate_flag(CLI::App& app, GateFlags& flags, const char* help) {
  add_value(app, kOutputGroup, {"--fail-above", "SHARE", help},
            [&](const std::string& value) { flags.most = parse_exact_share("--fail-above", value); });
}

int GateFlags::exit_code(std::uint64_t part, std::uint64_t whole, std::string_view done, int code) const {
  __extension__ using Wide = unsigned __int128;
  if (!most || Wide{part} * most->den <= Wide{whole} * most->num) return code;
  print_note(fmt::format("neardup: {} of {} {} ({:.2f}%), more than --fail-above {}\n", with_commas(part),
                         with_commas(whole), done, 100 * static_cast<double>(part) / static_cast<double>(whole),
                         to_string(*most)));
  return kAboveLimit;
}

void add_run_flags(CLI::App& app, RunFlags& flags) {
  add_value(app, kRunGroup, {"-j,--threads", "N", "Number of threads", "one per core"}, [&](const std::string& value) {
    constexpr std::uint64_t kMost = 1024;
    const std::uint64_t threads = parse_count("--threads", value);
    if (threads == 0 || threads > kMost) usage(fmt::format("--threads {}: expected 1 to {}", value, kMost));
    flags.context.threads = static_cast<unsigned>(threads);
  });
  add_value(app, kRunGroup, {"--memory", "SIZE", "Memory limit, such as 384M or 2G", "half of the machine's"},
            [&](const std::string& value) { flags.context.memory_bytes = parse_bytes("--memory", value); });
  add_value(app, kRunGroup, {"--temp", "DIR", "Folder for temporary files", "$TMPDIR or /tmp"},
            [&](const std::string& value) { flags.context.temp_folder = value; });
  add_switch(app, kRunGroup, "--json", "Write the summary as JSON on standard output (standard error with -o -)",
             flags.json);
  add_switch(app, kRunGroup, "-q,--quiet", "Print errors only", flags.quiet);
  add_value(
      app, kRunGroup,
      {"--progress",
       "WHEN",
       "Progress display: auto (one line that is rewritten on a terminal, else a line now and then), always or never",
       flags.progress,
       {"auto", "always", "never"}},
      [&](const std::string& value) { flags.progress = value; });
}

void RunFlags::check() const {
  if (quiet && progress == "always") usage("--quiet and --progress always contradict each other: drop one of them");
}

ProgressMode RunFlags::progress_mode() const {
  if (quiet || progress == "never") return ProgressMode::never;
  return progress == "always" || stderr_is_terminal() ? ProgressMode::rewritten : ProgressMode::lines;
}

void add_feature_flags(CLI::App& app, FeatureFlags& flags, Rarity rarity) {
  add_value(
      app, kDefinitionGroup,
      {"--features",
       "KIND",
       "Features to compare: words, words:N, chars:N or minwise:K; words:N are runs of N words, chars:N runs of N "
       "characters, minwise:K estimates from the K smallest hashes of chars:4 (or of KIND: minwise:K/KIND)",
       to_string(flags.spec),
       {},
       {"words", "words:3", "words:5", "chars:3", "chars:5", "minwise:32"}},
      [&](const std::string& value) {
        const bool bag = flags.spec.bag;
        flags.spec = parse_features(value);
        flags.spec.bag = bag;
        flags.features_given = true;
      });
  add_switch(app, kDefinitionGroup, "--bag", "Count repeated features: multisets instead of sets", flags.spec.bag);
  std::string weights = "Feature weights in a simhash: occurrences, binary (always 1)";
  Words kinds = names_of(weights_choices());
  if (rarity == Rarity::offered) {
    weights += ", or tfidf (occurrences times rarity; reads the input once more)";
  } else {
    std::erase(kinds, to_string(Weights::tfidf));
  }
  add_value(app, kDefinitionGroup, {"--weights", "KIND", weights, to_string(flags.weights), kinds},
            [&](const std::string& value) {
              flags.weights = parse_weights(value);
              flags.weights_given = true;
            });
  add_text_flags(app, flags.text);
}

namespace {

void add_measure_flags(CLI::App& app, DefinitionFlags& flags, const char* measures, const Words& names,
                       const char* threshold) {
  Definition& definition = flags.definition;
  add_value(app, kDefinitionGroup, {"--measure", "NAME", measures, to_string(definition.measure), names},
            [&](const std::string& value) { definition.measure = parse_measure(value); });
  add_value(app, kDefinitionGroup, {"-t,--threshold", "T", threshold, to_string(definition.threshold)},
            [&](const std::string& value) {
              definition.threshold = parse_threshold(value);
              flags.threshold_given = true;
            });
}

}  // namespace

void add_set_definition_flags(CLI::App& app, DefinitionFlags& flags) {
  add_feature_flags(app, flags.features, Rarity::none);
  Words names = names_of(measure_choices());
  std::erase_if(names, [](const std::string& name) {
    const Measure measure = parse_measure(name);
    return !compares_sets(measure) || asks_for_containment(measure);
  });
  add_measure_flags(app, flags, "Similarity measure: jaccard, cosine, dice or overlap (shared features)", names,
                    "Minimum similarity, inclusive");
}

void add_definition_flags(CLI::App& app, DefinitionFlags& flags, const DistanceHelp& distance) {
  Definition& definition = flags.definition;
  add_feature_flags(app, flags.features);
  add_measure_flags(
      app, flags,
      "Measure: jaccard, cosine, dice, overlap, containment (share of the smaller document), contained (of the left "
      "one; only with --against), edit or hamming; overlap counts shared features, edit and hamming "
      "are distances of strings and of simhashes",
      names_of(measure_choices()), "Minimum similarity, inclusive (for edit and hamming: see --distance)");
  add_value(app, kDefinitionGroup, {"--distance", "D", distance.help, distance.fallback},
            [&](const std::string& value) {
              flags.distance =
                  static_cast<std::uint32_t>(std::min<std::uint64_t>(UINT32_MAX, parse_count("--distance", value)));
            });
  add_value(
      app, kDefinitionGroup,
      {"--length-ratio", "R",
       "With hamming: also require that the shorter text has at least this share of the longer one's length", "0"},
      [&](const std::string& value) {
        try {
          definition.length_ratio = parse_threshold(value);
        } catch (const Error& error) {
          throw Error(error.code(), error.what(), "length_ratio");
        }
      });
  add_switch(app, kDefinitionGroup, "--as-is", "With edit: compare the texts unchanged, including case and punctuation",
             definition.as_is);
}

bool DefinitionFlags::apply_distance() {
  const Measure measure = definition.measure;
  if (!distance || !is_distance(measure)) return false;
  if (threshold_given) usage("--distance and --threshold both set the maximum distance: drop one of them");
  constexpr std::uint32_t kBits = 64;
  if (measure == Measure::hamming && *distance > kBits)
    usage(fmt::format("--distance {}: expected 0 to {}", *distance, kBits));
  definition.threshold = parse_threshold(std::to_string(*distance));
  threshold_given = true;
  return true;
}

void DefinitionFlags::use_distance_only_as_threshold() {
  if (!apply_distance() && distance)
    usage(fmt::format("--distance applies to --measure edit and hamming; {} has a --threshold",
                      to_string(definition.measure)));
}

Definition DefinitionFlags::checked() const {
  Definition all = definition;
  all.features = features.spec;
  all.text = features.text.loaded();
  all.weights = features.weights;
  all.field_weights = features.fields.weights;
  const Measure measure = all.measure;
  if (has_integer_scores(measure) && !threshold_given) {
    const char* needed = measure == Measure::hamming ? "--distance: the maximum number of differing bits, 0 to 64"
                         : measure == Measure::edit  ? "--distance: the maximum number of edits"
                                                     : "--threshold: the minimum number of shared features";
    usage(fmt::format("--measure {} needs a {}", to_string(measure), needed));
  }
  if (features.weights_given && measure != Measure::hamming) {
    usage(fmt::format("--weights applies only to --measure hamming, not to {}", to_string(measure)));
  }
  if (all.as_is && measure != Measure::edit) {
    usage(fmt::format("--as-is applies only to --measure edit, not to {}", to_string(measure)));
  }
  if (measure == Measure::edit && features.features_given) {
    usage("--measure edit compares strings, not features: leave --features out");
  }
  if (measure == Measure::edit && features.spec.bag) {
    usage("--measure edit compares strings, not features: leave --bag out");
  }
  return all;
}

}  // namespace neardup::cli
