// neardup fingerprint: the simhash of every document.
#include "neardup/fingerprint.h"

#include <CLI/CLI.hpp>

#include "flags.h"
#include "neardup/error.h"
#include "session.h"
#include "verbs.h"

namespace neardup::cli {
namespace {

const VerbText kText{.name = "fingerprint",
                     .summary = "write the 64-bit simhash of every document",
                     .examples = {
                         "neardup fingerprint pages.jsonl -o pages.hex        16 hex digits, TAB, id; a line each",
                         "neardup fingerprint 'crawl/*.jsonl.gz' -o all.hex.zst",
                         "neardup fingerprint notes/ --features chars:5 -o -",
                         "zcat names.gz | neardup fingerprint - --lines --features words --weights binary -o -",
                     }};

int run(const Arguments& arguments) {
  InputFlags input;
  RunFlags run;
  FeatureFlags features;
  FingerprintOptions options;
  const auto app = make_app(kText);
  add_input_flags(*app, input, Quarantine::none);
  add_feature_flags(*app, features);
  add_value(
      *app, kOutputGroup,
      {"-o,--output", "PATH", "Where fingerprints go: a .hex file (also .hex.gz, .hex.zst), or - for standard output"},
      [&](const std::string& value) { options.output = value; });
  add_force_flag(*app, options.overwrite);
  add_run_flags(*app, run);
  if (!parse(*app, kText, arguments)) return kDone;

  if (options.output.empty())
    throw Error(ErrorCode::usage, "fingerprint needs an output: -o FILE.hex, or -o - for standard output");
  if (options.output.ends_with(".fps"))
    throw Error(ErrorCode::usage, "only the text form (.hex) is written by this version: -o FILE.hex");
  options.features = features.spec;
  options.features_named = features.features_given;
  options.weights = features.weights;
  options.on_bad_record = input.on_bad_record;
  input.check();
  run.check();

  Session session(run);
  check_output(options.output, options.overwrite, session.context());
  const Collection documents = Collection::open(input.inputs, input.read, session.context());
  const FingerprintReport report = neardup::fingerprint(documents, options, session.context());
  session.report(report, options, options.output);
  return report.bad.count > 0 ? kSomeSkipped : kDone;
}

}  // namespace

const Verb kFingerprint{kText, run};

}  // namespace neardup::cli
