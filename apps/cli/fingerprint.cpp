// neardup fingerprint: the simhash of every document.
#include "neardup/fingerprint.h"

#include <fmt/format.h>

#include "flags.h"
#include "neardup/error.h"
#include "session.h"
#include "verbs.h"

namespace neardup::cli {
namespace {

const VerbText kText{
    .name = "fingerprint",
    .summary = "write the 64-bit simhash of every document",
    .examples = {
        "neardup fingerprint pages.jsonl -o pages.fps        for neardup match",
        "neardup fingerprint pages.jsonl -o pages.hex        one line per document: 16 hex digits, TAB, id",
        "neardup fingerprint 'crawl/*.jsonl.gz' --order fingerprint -o all.fps",
        "neardup fingerprint --merge all.fps more.fps -o new.fps",
        "zcat names.gz | neardup fingerprint - --lines --features words --weights binary -o -",
    }};

struct FingerprintFlags {
  InputFlags input;
  RunFlags run;
  FeatureFlags features;
  FingerprintOptions options;
  FingerprintFileOptions file;
  bool merge = false, order_given = false, projection_given = false;
};

void add_own_flags(CLI::App& app, FingerprintFlags& flags) {
  FingerprintOptions& options = flags.options;
  add_value(app, kDefinitionGroup,
            {"--projection", "KIND",
             "Contribution of a feature to each bit: signs (+1 or -1) or gaussian (a normal random value)",
             to_string(options.projection), names_of(projection_choices())},
            [&](const std::string& value) {
              options.projection = parse_projection(value);
              flags.projection_given = true;
            });
  add_value(app, kOutputGroup,
            {"-o,--output", "PATH",
             "Output: a .fps file, a .hex file (also .hex.gz, .hex.zst), or - for text on standard output"},
            [&](const std::string& value) { flags.file.output = output_name(value); });
  add_value(
      app, kOutputGroup,
      {"--order", "HOW", "Order of the output: input, or fingerprint (ascending)", "input", {"input", "fingerprint"}},
      [&](const std::string& value) {
        flags.file.order = value == "input" ? FingerprintOrder::input : FingerprintOrder::fingerprint;
        flags.order_given = true;
      });
  add_switch(app, kOutputGroup, "--no-volatility",
             "Omit the volatility of the bits (64 bytes per document; volatile-bits and hybrid need it)",
             [&] { flags.file.volatility = false; });
  add_switch(app, kOutputGroup, "--merge", "Merge fingerprint files into one, in ascending order", flags.merge);
  add_force_flag(app, flags.file.overwrite);
}

// Flags that say how documents become fingerprints mean nothing to fingerprints that exist.
void check_merge(const FingerprintFlags& flags) {
  if (!flags.merge) return;
  const auto refuse = [](const char* flag) {
    throw Error(ErrorCode::usage,
                fmt::format("{} applies to documents, but --merge reads fingerprints: drop one of them", flag));
  };
  if (flags.features.features_given || flags.features.spec.bag) refuse("--features");
  if (flags.features.weights_given) refuse("--weights");
  if (flags.features.text.given()) refuse("text preprocessing");
  if (!flags.features.fields.names.empty()) refuse("--fields");
  if (flags.projection_given) refuse("--projection");
  if (!flags.input.text_fields.empty() || flags.input.read.id_field || flags.input.lines ||
      flags.input.read.format != "auto")
    refuse("--text, --id or --format");
  if (!flags.input.files.files_from.empty()) refuse("--files-from");
  if (flags.input.read.limit != 0 || flags.input.read.sample < 1) refuse("--limit or --sample");
  if (flags.order_given && flags.file.order == FingerprintOrder::input)
    throw Error(ErrorCode::usage, "--merge writes fingerprints in ascending order: omit --order");
}

App command_line(FingerprintFlags& flags) {
  auto app = make_app(kText);
  add_input_flags(*app, flags.input, Quarantine::none);
  add_feature_flags(*app, flags.features);
  add_field_flags(*app, flags.features.fields);
  add_own_flags(*app, flags);
  add_run_flags(*app, flags.run);
  return app;
}

VerbDescription describe() {
  FingerprintFlags flags;
  return cli::describe(*command_line(flags), kText);
}

int run(const Arguments& arguments) {
  FingerprintFlags flags;
  const auto app = command_line(flags);
  if (!parse(*app, kText, arguments)) return kDone;

  FingerprintOptions& options = flags.options;
  if (flags.file.output.empty()) {
    throw Error(ErrorCode::usage,
                "fingerprint needs an output: -o FILE.fps, -o FILE.hex for text, or -o - for text on standard output");
  }
  options.features = flags.features.spec;
  options.weights = flags.features.weights;
  options.on_bad_record = flags.input.on_bad_record;
  check_merge(flags);
  options.text = flags.features.text.loaded();
  options.field_weights = flags.features.fields.weights;
  flags.features.fields.apply(flags.input);
  flags.input.check();
  flags.run.check();

  Session session(flags.run);
  const Context& context = session.context();
  check_output(flags.file.output, flags.file.overwrite, context);
  FingerprintReport report;
  if (flags.merge) {
    report = merge_fingerprints(flags.input.files.inputs, flags.file, context);
  } else {
    report = write_fingerprints(Collection::open(flags.input.files, flags.input.read, context), options, flags.file,
                                context);
  }
  session.report(report, flags.file, flags.file.output);
  return report.bad.count > 0 ? kSomeSkipped : kDone;
}

}  // namespace

const Verb kFingerprint{kText, describe, run};

}  // namespace neardup::cli
