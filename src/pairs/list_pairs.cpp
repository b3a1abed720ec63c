#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "base/guard.h"
#include "base/json_writer.h"
#include "base/pair_output.h"
#include "base/system.h"
#include "base/tsv.h"
#include "corpus/names.h"
#include "io/codecs/codecs.h"
#include "io/collection.h"
#include "io/output.h"
#include "pairs/search.h"
#include "report/json_parts.h"
#include "report/lists.h"
#include "report/tsv_output.h"

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

// The names of all records in a pair, and their fields, by side.
std::vector<corpus::NamedRows> collect_names(const Searched& searched, const PairsOptions& options,
                                             const std::vector<std::string>& fields, const Context& context) {
  std::vector<PerRow<bool>> wanted;
  for (const corpus::Corpus& side : searched.sides) wanted.emplace_back(side.units.rows());
  searched.for_each(options, [&](const Pair& pair) {
    wanted.front()[row_of(pair.left)] = true;
    wanted.back()[row_of(pair.right)] = true;
  });
  std::vector<corpus::NamedRows> named;
  for (std::size_t s = 0; s < searched.sides.size(); ++s)
    named.push_back(corpus::collect_names(searched.sides[s], wanted[s], fields, context));
  return named;
}

void warn_of_missing_fields(const std::vector<corpus::NamedRows>& named, const std::vector<std::string>& fields,
                            report::RunFrame& frame) {
  for (std::size_t field = 0; field < fields.size(); ++field) {
    const bool somebody_has_it =
        std::ranges::any_of(named, [&](const corpus::NamedRows& side) { return side.fields[field].has_text(); });
    if (!somebody_has_it) frame.warn(fmt::format("no record in a pair has the field \"{}\" (`show`)", fields[field]));
  }
}

// Returns how many pairs were written.
std::uint64_t write(const Searched& searched, const PairsOptions& options, const std::vector<std::string>& fields,
                    const std::vector<corpus::NamedRows>& named, report::TsvOutput& out) {
  std::string line = "left\tright\tscore";
  for (const std::string& field : fields) {
    line += "\tleft_" + base::escape_tsv(field) + "\tright_" + base::escape_tsv(field);
  }
  out.write(line + "\n");
  const report::ScoreFormat format(searched.applied.definition.measure);
  // A left record often has several partners in a row.
  std::string left_name;
  DocId named_left = ~DocId{0};
  std::uint64_t count = 0;
  searched.for_each(options, [&](const Pair& pair) {
    const Row left = row_of(pair.left), right = row_of(pair.right);
    if (pair.left != named_left) left_name = base::escape_tsv(named.front().names[left]) + '\t';
    named_left = pair.left;
    line = left_name;
    base::append_escaped(line, named.back().names[right]);
    line += '\t';
    line += format(pair.score);
    for (std::size_t field = 0; field < fields.size(); ++field) {
      line += '\t' + base::escape_tsv(named.front().fields[field][left]);
      line += '\t' + base::escape_tsv(named.back().fields[field][right]);
    }
    line += '\n';
    out.write(line);
    ++count;
  });
  out.close();
  return count;
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
                {"peak_bytes", join.peak_bytes},
                {"pairs", report.pairs}});
  report::write_definition(json, report.definition);
  json.member("approximate", report.definition.features.minwise != 0);
  if (report.recall) json.member("recall", *report.recall);
  if (report.precision) json.member("precision", *report.precision);
  json.member("seconds", JsonValue::rounded(report.seconds, 3));
}

PairsReport list(const Collections& collections, const PairsOptions& options, const PairsListOptions& output,
                 const Context& context) {
  Applied applied = choose_definition(options, collections);
  for (const Collection* each : collections) io::check_fields(*each, output.show, "show");
  for (const std::string& path : {output.path, output.stats}) {
    if (path.empty() || path == "-") continue;
    for (const Collection* input : collections) io::check_apart_from_inputs(*input, path);
  }
  report::TsvOutput out(output.path, output.overwrite, context);
  std::unique_ptr<io::OutputTransaction> stats;
  if (!output.stats.empty()) stats = std::make_unique<io::OutputTransaction>(output.stats, output.overwrite, context);

  PairsReport report;
  report::RunFrame frame(report, context);
  {
    const Searched searched = search(collections, options, std::move(applied), report, frame, context);
    const std::vector<corpus::NamedRows> named = collect_names(searched, options, output.show, context);
    if (searched.pairs->size() > 0) warn_of_missing_fields(named, output.show, frame);
    report.pairs = write(searched, options, output.show, named, out);
  }
  frame.measure();
  report.join.peak_bytes = report.peak_memory_bytes;
  if (stats != nullptr) {
    const auto sink = io::open_sink(base::files(context), stats->working_path(), io::plain_codec());
    sink->write(base::json_object([&](JsonWriter& json) { write_pairs_report(json, report); }) + "\n");
    sink->close();
  }
  base::check_stop(context);
  io::OutputTransaction::commit_together({out.transaction(), stats.get()});
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
    pairs::write_pairs_report(json, report);
    json.member("documents", report.left_documents);
    if (report.right_documents) json.member("against_documents", *report.right_documents);
    report::write_oddities(json, report);
    report::write_first_bad_records(json, report.bad);
    json.strings("warnings", report.warnings);
  });
}

}  // namespace neardup
