// neardup match: Hamming search of one fingerprint file in another.
#include "neardup/match.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "console.h"
#include "flags.h"
#include "neardup/error.h"
#include "session.h"
#include "verbs.h"
#include "words.h"

namespace neardup::cli {
namespace {

const VerbText kText{
    .name = "match",
    .summary = "find the fingerprints of one file in another within a Hamming distance",
    .examples =
        {
            "neardup match crawl.fps new.fps -o seen.tsv                  left: query, right: base, score: distance",
            "neardup match crawl.fps new.fps --first --memory 2G -o seen.tsv",
            "neardup match crawl.fps new.fps --method volatile-bits --target-recall 0.9 --stats stats.json",
            "neardup match crawl.hex.zst crawl.hex.zst --distance 8        text files: 16 hex digits, TAB, id",
            "neardup match crawl.fps new.fps --explain                     what would be built",
        },
    .arguments = "BASE QUERIES",
    .needs = "BASE and QUERIES: two files of fingerprints (.fps, .hex), or - for one of them",
};

constexpr unsigned kBits = 64;

struct MatchFlags {
  std::vector<std::string> files;
  RunFlags run;
  MatchFiles where;
  MatchOptions options;
  bool explain = false;
  bool flips_given = false, target_given = false;
};

unsigned parse_number(std::string_view flag, const std::string& value, std::uint64_t least, std::uint64_t most) {
  const std::uint64_t number = parse_count(flag, value);
  if (number < least || number > most)
    throw Error(ErrorCode::usage, fmt::format("{} {}: expected {} to {}", flag, value, least, most));
  return static_cast<unsigned>(number);
}

void add_search_flags(CLI::App& app, MatchFlags& flags) {
  SearchOptions& search = flags.options.search;
  add_value(app, kDefinitionGroup,
            {"-t,--distance", "D", "Maximum number of differing bits, 0 to 64", fmt::format("{}", search.distance)},
            [&](const std::string& value) { search.distance = parse_number("--distance", value, 0, kBits); });
  add_switch(app, kOutputGroup, "--first", "One match per query; exact methods return the first one in BASE",
             [&] { search.matches = MatchKind::first; });
  add_switch(app, kOutputGroup, "--all", "Every match (the default)", [&] { search.matches = MatchKind::all; });
}

void add_method_flags(CLI::App& app, MatchFlags& flags) {
  HammingOptions& options = flags.options.index;
  SearchOptions& search = flags.options.search;
  Words kinds, methods;
  for (const HammingKind& kind : hamming_kinds()) {
    kinds.emplace_back(kind.name);
    methods.push_back(fmt::format("{} ({})", kind.name, kind.exact ? "exact" : "approximate"));
  }
  add_value(app, kFinderGroup, {"--method", "NAME", fmt::format("{}", fmt::join(methods, ", ")), options.kind, kinds},
            [&](const std::string& value) { options.kind = value; });
  add_value(
      app, kFinderGroup,
      {"--design",
       "NAME",
       "Table design: 4, 10, 16 or 20 tables for distance 3, G/g (all choices of g of G blocks), or plan (chosen by "
       "size and memory)",
       options.design,
       {},
       {"plan", "4", "10", "16", "20"}},
      [&](const std::string& value) { options.design = value; });
  add_value(
      app, kFinderGroup,
      {"--code", "NAME", "Code of compressed tables: huffman or elias-fano", options.code, {"huffman", "elias-fano"}},
      [&](const std::string& value) { options.code = value; });
  add_value(app, kFinderGroup,
            {"--header-bits", "T", "volatile-bits: bits that address the table directly, 16 to 26", "from the size"},
            [&](const std::string& value) { options.header_bits = parse_number("--header-bits", value, 16, 26); });
  add_value(app, kFinderGroup,
            {"--target-recall", "P", "volatile-bits, hybrid: share of the matches to find",
             fmt::format("{}", search.target_recall)},
            [&](const std::string& value) {
              search.target_recall = parse_share("--target-recall", value);
              flags.target_given = true;
            });
  add_value(app, kFinderGroup,
            {"--flips", "K", "volatile-bits, hybrid: number of extra probes per query", "by --target-recall"},
            [&](const std::string& value) {
              constexpr std::uint64_t kMost = 1u << 30;
              search.max_probes = parse_number("--flips", value, 1, kMost);
              flags.flips_given = true;
            });
  add_value(app, kFinderGroup,
            {"--flip-model",
             "NAME",
             "How bit-flip probabilities are estimated: calibrated (on similar queries) or sampled (as in the paper)",
             "calibrated",
             {"calibrated", "sampled"}},
            [&](const std::string& value) {
              search.flips = value == "sampled" ? FlipModel::sampled : FlipModel::calibrated;
            });
}

void add_output_flags(CLI::App& app, MatchFlags& flags) {
  MatchFiles& where = flags.where;
  add_value(app, kOutputGroup,
            {"-o,--output", "PATH", "A .tsv file (also .tsv.gz, .tsv.zst), or - for standard output", where.output},
            [&](const std::string& value) { where.output = output_name(value); });
  add_value(app, kOutputGroup, {"--stats", "FILE", "Write counts and timings of the search as JSON"},
            [&](const std::string& value) { where.stats = value; });
  add_switch(app, kOutputGroup, "--explain", "Print what would be built and what it would cost, then stop",
             flags.explain);
  add_force_flag(app, where.overwrite);
}

// Fills in what several flags decide together, and refuses what contradicts itself.
void complete(MatchFlags& flags) {
  MatchFiles& where = flags.where;
  if (flags.files.size() != 2) {
    throw Error(ErrorCode::usage, fmt::format("match needs {}, not {} (neardup match --help)", kText.needs,
                                              counted(flags.files.size(), "file", "files")));
  }
  where.base = flags.files[0];
  where.queries = flags.files[1];
  if (where.output.empty()) throw Error(ErrorCode::usage, "--output needs a name; omit it for standard output");
  if (flags.flips_given && flags.target_given)
    throw Error(ErrorCode::usage, "--flips and --target-recall both limit the search: drop one of them");
  flags.run.check();
}

App command_line(MatchFlags& flags) {
  auto app = make_app(kText);
  add_arguments(*app, "FILES", flags.files);
  add_search_flags(*app, flags);
  add_method_flags(*app, flags);
  add_output_flags(*app, flags);
  add_run_flags(*app, flags.run);
  return app;
}

VerbDescription describe() {
  MatchFlags flags;
  return cli::describe(*command_line(flags), kText);
}

int run(const Arguments& arguments) {
  MatchFlags flags;
  const auto app = command_line(flags);
  if (!parse(*app, kText, arguments)) return kDone;
  complete(flags);

  Session session(flags.run);
  const MatchFiles& where = flags.where;
  if (flags.explain) {
    print_data(explain_match(where, flags.options, session.context()));
    return kDone;
  }
  check_output(where.output, where.overwrite, session.context());
  if (!where.stats.empty()) check_output(where.stats, where.overwrite, session.context());
  const MatchReport report = match_files(where, flags.options, session.context());
  session.report(report, AskedMatch{flags.options, where}, where.output);
  return kDone;
}

}  // namespace

const Verb kMatch{kText, describe, run};

}  // namespace neardup::cli
