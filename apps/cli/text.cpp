// neardup text: the text of every document, as it is compared.
#include "neardup/text.h"

#include "flags.h"
#include "session.h"
#include "verbs.h"

namespace neardup::cli {
namespace {

const VerbText kText{.name = "text",
                     .summary = "write the text of documents, of pages the main text",
                     .examples = {
                         "neardup text page.html                          the main text of a page",
                         "neardup text pages/ -o texts.jsonl              with title, date, author, ...",
                         "neardup text crawl.warc.gz --as jsonl | head",
                         "neardup text pages.jsonl --text html -o texts.jsonl.zst",
                         "neardup text page.html --html all               everything but the tags",
                     }};

struct ExtractFlags {
  InputFlags input;
  RunFlags run;
  TextOptions options;
};

App command_line(ExtractFlags& flags) {
  auto app = make_app(kText);
  flags.input.read.html = Html::main;
  add_input_flags(*app, flags.input, Quarantine::none);
  add_value(*app, kOutputGroup,
            {"-o,--output", "PATH", "Output: a .txt or .jsonl file (also compressed), or - for standard output", "-"},
            [&](const std::string& value) { flags.options.output = output_name(value); });
  add_value(*app, kOutputGroup,
            {"--as", "FORM",
             "Output form: text (several documents each after a line ==> ID <==) or jsonl (an object per document)",
             "as the output is called, else text", names_of(text_form_choices())},
            [&](const std::string& value) { flags.options.form = parse_text_form(value); });
  add_force_flag(*app, flags.options.overwrite);
  add_run_flags(*app, flags.run);
  return app;
}

VerbDescription describe() {
  ExtractFlags flags;
  return cli::describe(*command_line(flags), kText);
}

int run(const Arguments& arguments) {
  ExtractFlags flags;
  const auto app = command_line(flags);
  if (!parse(*app, kText, arguments)) return kDone;
  flags.options.on_bad_record = flags.input.on_bad_record;
  flags.input.check();
  flags.run.check();
  Session session(flags.run);
  check_output(flags.options.output, flags.options.overwrite, session.context());
  const TextReport report = write_texts(Collection::open(flags.input.files, flags.input.read, session.context()),
                                        flags.options, session.context());
  session.report(report, flags.options, flags.options.output);
  return report.bad.count > 0 ? kSomeSkipped : kDone;
}

}  // namespace

const Verb kExtract{kText, describe, run};

}  // namespace neardup::cli
