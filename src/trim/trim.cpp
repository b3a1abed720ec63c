#include <fmt/format.h>

#include <algorithm>

#include "base/guard.h"
#include "neardup/error.h"
#include "passages/borders.h"
#include "report/advice.h"
#include "report/record_text.h"
#include "report/run_frame.h"
#include "trim/write.h"

namespace neardup {
namespace trimming {
namespace {

OutputOptions plain_output(const TrimOptions& options) {
  OutputOptions output = options.output;
  output.annotate = false;  // what is added here is no cluster
  return output;
}

void warn_of_rules(const TrimReading& reading, const Collection& collection, report::RunFrame& frame,
                   const Context& context) {
  for (std::size_t i = 0; i < reading.keep.rules().size(); ++i) {
    std::string warning = cluster::keep_warning(reading.keep.rules()[i], reading.keep.counts(i));
    if (warning.empty()) continue;
    if (reading.keep.counts(i).present == 0)
      warning += report::other_fields(collection, reading.keep.rules()[i].field, context);
    frame.warn(std::move(warning));
  }
}

TrimReport run(const Collection& collection, const Collection* other, const TrimOptions& options,
               const Context& given) {
  return base::guarded(given, [&](const Context& context) {
    options.validate();
    check_trimmable(collection, options);
    report::Outputs outputs(collection, plain_output(options), options.on_bad_record, context);
    corpus::BadRecordLog bad(options.on_bad_record, outputs.bad_list(), outputs.quarantine([] {}));
    outputs.begin();
    TrimReport report;
    report::RunFrame frame(report, context);
    const auto protects = read_protected(options, context);
    const auto reading = frame.stage("read", [&] {
      auto found = read_documents(collection, other, options, bad, context);
      bad.close();
      return found;
    });
    static_cast<ReadFacts&>(report) = reading->facts;
    report.against_records = reading->other_records;
    for (std::size_t i = reading->others; i < reading->documents.size(); ++i)
      report.items += reading->documents[i].items;
    if (report.repeated_ids > 0) frame.warn(corpus::repeated_ids_warning(report.repeated_ids));
    warn_of_rules(*reading, collection, frame, context);
    passages::SearchFacts facts;
    const auto cuts = frame.stage("find", [&] {
      const passages::PassageRule rule{.window = options.unit.length,
                                       .separator = passages::separator_of(passages::kind_of(options.unit)),
                                       .min_copies = options.min_copies,
                                       .keep_one = !options.keep_none,
                                       .cut_edges = options.cut_edges,
                                       .fixed_documents = reading->others,
                                       .protected_runs = protects.get(),
                                       .is_grouped = !options.by.empty()};
      return passages::find_passages({reading->documents, reading->order, rule, std::move(reading->filter)}, facts,
                                     context);
    });
    report.windows = facts.windows;
    report.candidates = facts.candidates;
    frame.stage("write", [&] { write_trimmed({collection, options, *reading, *cuts}, outputs, report, context); });
    if (report.not_mapped > 0) frame.warn(report::not_mapped_warning(report.not_mapped));
    frame.measure();
    if (outputs.writes_audit())
      outputs.write("run.json",
                    [&](io::ByteSink& out) { out.write(run_record(collection, other, options, report, context)); });
    base::check_stop(context);
    outputs.commit();
    report.outputs = outputs.paths();
    return report;
  });
}

}  // namespace
}  // namespace trimming

TrimReport trim(const Collection& collection, const TrimOptions& options, const Context& context) {
  return trimming::run(collection, nullptr, options, context);
}

TrimReport trim(const Collection& collection, const Collection& against, const TrimOptions& options,
                const Context& context) {
  return trimming::run(collection, &against, options, context);
}

}  // namespace neardup
