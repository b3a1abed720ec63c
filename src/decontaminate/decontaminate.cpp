#include "neardup/decontaminate.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "base/choices.h"
#include "base/guard.h"
#include "base/json_writer.h"
#include "base/tsv.h"
#include "decontaminate/run.h"
#include "io/formats/formats.h"
#include "neardup/error.h"
#include "report/json_parts.h"
#include "report/record_text.h"
#include "report/run_frame.h"

namespace neardup {

using base::JsonWriter;

namespace contamination {
namespace {

void count_hits(const TrainReading& reading, const ItemIndex& index, const DecontaminateOptions& options,
                DecontaminateReport& report) {
  std::vector<bool> is_hit(index.items().size());
  report.hit_documents = reading.hits.size();
  for (const DocumentHits& document : reading.hits) {
    std::set<std::uint32_t> suites;
    for (const DocumentHit& hit : document.hits) {
      const EvalItem& item = index.items()[hit.item];
      ++report.hits;
      suites.insert(item.suite);
      if (!is_hit[hit.item]) {
        is_hit[hit.item] = true;
        ++report.hit;
        ++report.suites[item.suite].hit;
      }
      if (report.examples.size() < 3)
        report.examples.push_back(fmt::format("{}: {} ({} of {} windows): {}", document.name, item.id, hit.windows,
                                              item.distinct.size(), hit.longest));
      if (options.visit) {
        options.visit({.row = document.row,
                       .document = document.name,
                       .item = item.id,
                       .suite = report.suites[item.suite].name,
                       .windows = hit.windows,
                       .of = item.distinct.size(),
                       .spans = hit.spans,
                       .longest = hit.longest});
      }
    }
    for (const std::uint32_t suite : suites) ++report.suites[suite].documents;
  }
}

void check_writing(const Collection& train, const DecontaminateOptions& options) {
  if (options.output.path.empty() || io::impl_of(train).is_held() || options.action == ContaminationAction::remove)
    return;
  for (const io::Source& source : io::impl_of(train).sources) {
    if (!source.problem.empty()) continue;
    const bool is_json = source.format->framing == io::Format::Framing::json_lines ||
                         source.format->framing == io::Format::Framing::json_array;
    if (options.action == ContaminationAction::annotate && !is_json)
      throw Error(ErrorCode::usage,
                  fmt::format("{}: `action=annotate` adds a field to JSON records, and {} has none", source.path,
                              source.format->name),
                  "action");
    if (options.action == ContaminationAction::trim && !report::is_cut_in_place(source))
      throw Error(ErrorCode::usage,
                  fmt::format("{}: {} records are not cut in place; `action=remove` removes them", source.path,
                              source.format->name),
                  "action");
  }
}

void write_counts(JsonWriter& json, const DecontaminateReport& report) {
  json.members({{"records", report.records}, {"documents", report.documents()}, {"bytes", report.bytes}});
  json.members({{"items", report.items},
                {"items_too_short", report.too_short},
                {"items_all_common", report.all_common},
                {"items_hit", report.hit},
                {"hits", report.hits},
                {"documents_hit", report.hit_documents},
                {"ignored_windows", report.ignored_windows},
                {"not_mapped", report.not_mapped},
                {"bad_items", report.eval_bad.count}});
  json.objects("suites", report.suites, [&](const SuiteReport& suite) {
    json.members({{"suite", suite.name},
                  {"items", suite.items},
                  {"judged", suite.judged},
                  {"hit", suite.hit},
                  {"share", suite.share()},
                  {"documents", suite.documents}});
  });
  report::write_oddities(json, report);
  json.strings("warnings", report.warnings);
}

DecontaminateReport run(const Collection& train, const Collection& evals, const DecontaminateOptions& options,
                        const Context& context) {
  options.validate();
  check_writing(train, options);
  report::Outputs outputs(train, options.output, options.on_bad_record, context);
  corpus::BadRecordLog bad(options.on_bad_record, outputs.bad_list(), outputs.quarantine([] {}));
  outputs.begin();
  DecontaminateReport report;
  report::RunFrame frame(report, context);
  ItemIndex index(options.window);
  frame.stage("items", [&] { read_items(evals, options, index, report, context); });
  std::vector<std::uint64_t> counts;
  std::uint64_t documents = 0;
  if (options.ignore_common)
    counts = frame.stage("count", [&] { return count_documents(train, index, documents, context); });
  index.finish(options, options.ignore_common ? &counts : nullptr, documents, report);
  TrainReading reading(train);
  frame.stage("read", [&] {
    find_hits(train, index, options, bad, reading, context);
    bad.close();
  });
  static_cast<ReadFacts&>(report) = reading.facts;
  if (report.repeated_ids > 0) frame.warn(corpus::repeated_ids_warning(report.repeated_ids));
  count_hits(reading, index, options, report);
  frame.stage("write", [&] { write_clean(train, reading, index, options, outputs, report, context); });
  if (report.not_mapped > 0) frame.warn(report::not_mapped_warning(report.not_mapped));
  frame.measure();
  if (outputs.writes_audit())
    outputs.write("run.json",
                  [&](io::ByteSink& out) { out.write(run_record(train, evals, options, report, context)); });
  base::check_stop(context);
  outputs.commit();
  report.outputs = outputs.paths();
  return report;
}

constexpr std::array kActions{
    Choice<ContaminationAction>{"remove", ContaminationAction::remove, "documents with a hit are not written"},
    Choice<ContaminationAction>{"trim", ContaminationAction::trim, "the words of the item are cut"},
    Choice<ContaminationAction>{"annotate", ContaminationAction::annotate, "a field names the items"},
};

}  // namespace

std::string run_record(const Collection& train, const Collection& evals, const DecontaminateOptions& options,
                       const DecontaminateReport& report, const Context& context) {
  return base::json_object([&](JsonWriter& json) {
    report::write_origin(json, "decontaminate", options.output);
    report::write_inputs(json, "inputs", train);
    report::write_inputs(json, "against_inputs", evals);
    report::write_reading(json, train, options.on_bad_record, report.text_bytes);
    report::write_against_reading(json, evals);
    json.begin_object("options");
    json.members({{"window", options.window},
                  {"min_share", to_string(options.min_share)},
                  {"min_words", options.min_words},
                  {"action", to_string(options.action)},
                  {"output", options.output.path}});
    if (options.ignore_common) json.member("ignore_common", to_string(*options.ignore_common));
    json.strings("eval_fields", options.eval_fields);
    json.members({{"threads", base::threads(context)}, {"memory_bytes", base::memory_bytes(context)}});
    json.end_object();
    write_counts(json, report);
    report::write_run(json, report);
  });
}

}  // namespace contamination

ContaminationAction parse_contamination_action(std::string_view text) {
  return base::parse_choice<ContaminationAction>("action", text, contamination::kActions);
}
std::string to_string(ContaminationAction action) {
  return base::choice_name<ContaminationAction>(action, contamination::kActions);
}

void DecontaminateOptions::validate() const {
  if (window == 0 || window > 10'000) throw Error(ErrorCode::usage, "`window` must be from 1 to 10000", "window");
  if (min_share.num == 0 || min_share.num > min_share.den)
    throw Error(ErrorCode::usage, "`min_share` must be above 0 and at most 1", "min_share");
  if (min_words == 0)
    throw Error(ErrorCode::usage, "`min_words` must be at least 1: an item without words cannot be found", "min_words");
}

DecontaminateReport decontaminate(const Collection& train, const Collection& evals, const DecontaminateOptions& options,
                                  const Context& given) {
  return base::guarded(given,
                       [&](const Context& context) { return contamination::run(train, evals, options, context); });
}

std::string to_json(const DecontaminateReport& report) {
  return base::json_object([&](JsonWriter& json) {
    report::write_head(json, "decontaminate");
    contamination::write_counts(json, report);
    json.strings("examples", report.examples);
    report::write_first_bad_records(json, report.bad);
    report::write_run(json, report);
    json.strings("outputs", report.outputs);
  });
}

}  // namespace neardup
