#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/guard.h"
#include "base/json_writer.h"
#include "base/pair_output.h"
#include "base/system.h"
#include "corpus/names.h"
#include "io/codecs/codecs.h"
#include "io/collection.h"
#include "io/output.h"
#include "neardup/error.h"
#include "pairs/pairs_page.h"
#include "pairs/search.h"
#include "pairs/write_list.h"
#include "report/json_parts.h"

namespace neardup {
namespace pairs {
namespace {

using base::JsonValue;
using base::JsonWriter;
using Collections = std::vector<const Collection*>;

Collections both(const Collection& collection, const Collection* other) {
  Collections collections{&collection};
  if (other != nullptr) collections.push_back(other);
  return collections;
}

// Throws Error{usage} for fields that no record can have. The text that was compared is there in any case.
void check_shown(const Collection& collection, std::vector<std::string> fields, const char* option) {
  if (!io::holds_tokens(io::impl_of(collection).sources.front())) std::erase(fields, "text");
  io::check_fields(collection, fields, option);
}

void warn_of_missing_fields(const std::vector<corpus::NamedRows>& named, const ShownFields& fields,
                            report::RunFrame& frame) {
  const auto warn = [&](const std::string& field, const char* option) {
    frame.warn(fmt::format("no record in a pair has the field \"{}\" (`{}`)", field, option));
  };
  if (fields.left != fields.right) {
    for (std::size_t i = 0; i < fields.left.size(); ++i)
      if (!named.front().fields[i].has_text()) warn(fields.left[i], "show");
    for (std::size_t i = 0; i < fields.right.size(); ++i)
      if (!named.back().fields[i].has_text()) warn(fields.right[i], "against_show");
    return;
  }
  for (std::size_t i = 0; i < fields.left.size(); ++i) {
    const bool somebody_has_it =
        std::ranges::any_of(named, [&](const corpus::NamedRows& side) { return side.fields[i].has_text(); });
    if (!somebody_has_it) warn(fields.left[i], "show");
  }
}

// What a listing says of itself in JSON: all that a file of statistics holds.
void write_pairs_report(JsonWriter& json, const PairsReport& report) {
  const JoinStats& join = report.join;
  json.members({{"algorithm", join.algorithm},
                {"records", join.records},
                {"distinct_records", join.distinct},
                {"order_seconds", JsonValue::rounded(join.seconds.order, 6)},
                {"index_seconds", JsonValue::rounded(join.seconds.index, 6)},
                {"join_seconds", JsonValue::rounded(join.seconds.join, 6)},
                {"index_entries", join.index.entries},
                {"index_bytes", join.index.bytes}});
  json.objects("filters", join.filters, [&](const FilterCount& filter) {
    json.members({{"name", filter.name}, {"pairs", filter.pairs}});
  });
  json.members({{"candidates", join.candidates},
                {"distinct_pairs", join.pairs},
                {"rounds", join.rounds},
                {"stopped", join.stopped},
                {"peak_memory_bytes", report.peak_memory_bytes},
                {"pairs", report.pairs}});
  report::write_definition(json, report.definition);
  json.member("approximate", report.definition.features.minwise != 0);
  if (report.recall) json.member("recall", *report.recall);
  if (report.precision) json.member("precision", *report.precision);
  json.member("seconds", JsonValue::rounded(report.seconds, 3));
}

std::string pairs_record(const Collections& collections, const PairsOptions& options, const PairsListOptions& output,
                         const PairsReport& report) {
  return base::json_object([&](JsonWriter& json) {
    report::write_origin(json, "pairs", {.recorded_command = output.recorded_command});
    report::write_inputs(json, "inputs", *collections.front());
    if (collections.size() > 1) report::write_inputs(json, "against_inputs", *collections.back());
    report::write_reading(json, *collections.front(), options.on_bad_record, report.text_bytes);
    write_pairs_report(json, report);
    json.members({{"documents", report.left_documents}, {"bytes", report.bytes}});
    if (report.right_documents) json.member("against_documents", *report.right_documents);
    report::write_oddities(json, report);
    json.strings("warnings", report.warnings);
  });
}

PairsReport list(const Collections& collections, const PairsOptions& options, const PairsListOptions& output,
                 const Context& context) {
  Applied applied = choose_definition(options, collections);
  const ShownFields fields = shown_fields(output);
  if (output.against_show && collections.size() == 1)
    throw Error(ErrorCode::usage, "`against_show` needs another collection to join with", "against_show");
  check_shown(*collections.front(), fields.left, "show");
  check_shown(*collections.back(), fields.right, output.against_show ? "against_show" : "show");
  for (const auto& [path, option] :
       {std::pair(output.path, "output"), std::pair(output.stats, "stats"), std::pair(output.report, "report")}) {
    if (path.empty() || path == "-") continue;
    for (const Collection* input : collections) io::check_apart_from_inputs(*input, path, option);
  }
  report::ListOutput out(output.path, report::kListFormats, output.format, output.overwrite, context);
  std::unique_ptr<io::OutputTransaction> stats;
  if (!output.stats.empty()) stats = std::make_unique<io::OutputTransaction>(output.stats, output.overwrite, context);

  std::unique_ptr<io::OutputTransaction> page_file;
  if (!output.report.empty())
    page_file = std::make_unique<io::OutputTransaction>(output.report, output.overwrite, context);

  PairsReport report;
  report::RunFrame frame(report, context);
  std::optional<report::ReportPage> page;
  {
    const Searched searched = search(collections, options, std::move(applied), report, frame, context);
    const std::vector<corpus::NamedRows> named = collect_names(searched, fields, options, context);
    if (searched.pairs->size() > 0) warn_of_missing_fields(named, fields, frame);
    std::optional<PairsPage> pairs_page;
    if (page_file) pairs_page.emplace(page.emplace(page_request(searched), context), searched);
    report.pairs =
        write_list(searched, options, fields, named, out,
                   pairs_page ? [&](const Pair& pair) { pairs_page->add(pair); } : std::function<void(const Pair&)>());
    if (pairs_page) pairs_page->show(context);
  }
  frame.measure();
  report.join.peak_bytes = report.peak_memory_bytes;
  if (stats != nullptr) {
    const auto sink = io::open_sink(base::files(context), stats->working_path(), io::plain_codec());
    sink->write(base::json_object([&](JsonWriter& json) {
                  report::write_head(json, "pairs");
                  write_pairs_report(json, report);
                }) +
                "\n");
    sink->close();
  }
  if (page) {
    const auto sink = io::open_sink(base::files(context), page_file->working_path(), io::plain_codec());
    sink->write(page->html(pairs_record(collections, options, output, report), report.bad.first));
    sink->close();
  }
  base::check_stop(context);
  io::OutputTransaction::commit_together({out.transaction(), stats.get(), page_file.get()});
  return report;
}

// Hands pairs over in batches. Returns how many.
std::uint64_t send(const Searched& searched, const PairsOptions& options, PairSink& sink) {
  base::PairOutput output(sink, 0);
  base::PairBatch batch(output);
  searched.for_each(options, [&](const Pair& pair) { batch.add(pair.left, pair.right, pair.score); });
  batch.finish();
  return output.count();
}

}  // namespace
}  // namespace pairs

PairsReport find_pairs(const Collection& collection, const Collection* other, const PairsOptions& options,
                       PairSink& sink, const Context& given) {
  return base::guarded(given, [&](const Context& context) {
    options.validate();
    const pairs::Collections collections = pairs::both(collection, other);
    PairsReport report;
    report::RunFrame frame(report, context);
    const pairs::Searched searched =
        pairs::search(collections, options, pairs::choose_definition(options, collections), report, frame, context);
    report.pairs = pairs::send(searched, options, sink);
    frame.measure();
    report.join.peak_bytes = report.peak_memory_bytes;
    return report;
  });
}

PairsReport list_pairs(const Collection& collection, const Collection* other, const PairsOptions& options,
                       const PairsListOptions& output, const Context& given) {
  return base::guarded(given, [&](const Context& context) {
    options.validate();
    return pairs::list(pairs::both(collection, other), options, output, context);
  });
}

std::string to_json(const PairsReport& report) {
  return base::json_object([&](base::JsonWriter& json) {
    report::write_head(json, "pairs");
    pairs::write_pairs_report(json, report);
    json.member("documents", report.left_documents);
    if (report.right_documents) json.member("against_documents", *report.right_documents);
    report::write_oddities(json, report);
    if (report.ignored) report::write_ignored(json, *report.ignored);
    report::write_first_bad_records(json, report.bad);
    json.strings("warnings", report.warnings);
  });
}

}  // namespace neardup
