// What surrounds the library call of a verb?
#pragma once

#include <string>

#include "console.h"
#include "flags.h"
#include "machine.h"
#include "neardup/context.h"
#include "neardup/remote.h"
#include "neardup/temporary.h"
#include "progress.h"
#include "signals.h"
#include "summary.h"

namespace neardup::cli {

// Signals, progress and the context while a verb works; afterwards its report. Create it once flags are known.
class Session {
 public:
  explicit Session(const RunFlags& flags)
      : flags_(flags),
        progress_(flags.progress_mode(), flags.quiet ? Progress::Warnings::hidden : Progress::Warnings::shown),
        context_(flags.context),
        machine_(context_) {
    context_.stop = stop_.token();
    context_.observer = &progress_;
    context_.files = &remote_files();
    remove_abandoned_files(context_);
  }

  const Context& context() { return context_; }
  // Before something else is printed.
  void end_progress() { progress_.finish(); }

  // Tells people on standard error, or programs as JSON on standard output, which `-o -` needs for the data.
  template <class Report, class Options>
  void report(const Report& report, const Options& options, const std::string& output) {
    progress_.finish();
    if (!flags_.json) {
      if (!flags_.quiet) print_note(describe(report, options));
    } else if (output == "-") {
      print_note(to_json(report));  // alone, so that it stays JSON; it names the first bad records itself
    } else {
      if constexpr (requires { report.bad; }) {
        if (!flags_.quiet) print_note(describe(report.bad));
      }
      print_data(to_json(report));
    }
  }

 private:
  RunFlags flags_;
  StopOnSignal stop_;
  Progress progress_;
  Context context_;
  Machine machine_;
};

}  // namespace neardup::cli
