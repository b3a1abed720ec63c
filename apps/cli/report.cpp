// neardup report: one HTML page about an earlier run.
#include <fmt/format.h>

#include "flags.h"
#include "neardup/error.h"
#include "neardup/report_page.h"
#include "session.h"
#include "verbs.h"
#include "words.h"

namespace neardup::cli {
namespace {

const VerbText kText{
    .name = "report",
    .summary = "write one HTML page about an earlier run",
    .examples =
        {
            "neardup dedup pages.jsonl -o out              writes out/report.html, too",
            "neardup report out --force                    write it again",
            "neardup report out -o page.html --no-texts    without texts of documents",
        },
    .arguments = "OUT",
    .needs = "OUT: the output folder of dedup or clean",
};

struct ReportFlags {
  Words words;
  ReportPageOptions options;
  RunFlags run;
};

App command_line(ReportFlags& flags) {
  auto app = make_app(kText);
  add_arguments(*app, "WORDS", flags.words);
  add_value(*app, kOutputGroup, {"-o,--output", "FILE", "The page, or - for standard output", "OUT/report.html"},
            [&](const std::string& value) {
              if (value.empty()) throw Error(ErrorCode::usage, "--output needs a name");
              flags.options.path = output_name(value);
            });
  add_switch(*app, kOutputGroup, "--no-texts", "Do not read the inputs, and show no texts of documents",
             [&] { flags.options.texts = false; });
  add_force_flag(*app, flags.options.overwrite);
  add_run_flags(*app, flags.run);
  return app;
}

VerbDescription describe() {
  ReportFlags flags;
  return cli::describe(*command_line(flags), kText);
}

int run(const Arguments& arguments) {
  ReportFlags flags;
  const auto app = command_line(flags);
  if (!parse(*app, kText, arguments)) return kDone;
  if (flags.words.size() != 1)
    throw Error(ErrorCode::usage,
                fmt::format("report needs {}; several are given (neardup report --help)", kText.needs));
  flags.run.check();
  Session session(flags.run);
  const WrittenPage page = write_report_page(flags.words.front(), flags.options, session.context());
  session.end_progress();
  if (flags.run.json) {
    page.path == "-" ? print_note(to_json(page)) : print_data(to_json(page));
  } else if (!flags.run.quiet && page.path != "-") {
    print_note(fmt::format("wrote {} ({})\n", printable(page.path), human_bytes(static_cast<double>(page.bytes))));
  }
  return kDone;
}

}  // namespace

const Verb kReport{kText, describe, run};

}  // namespace neardup::cli
