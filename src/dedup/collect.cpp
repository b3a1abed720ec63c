#include "dedup/collect.h"

#include <cmath>
#include <utility>

#include "base/json.h"
#include "base/system.h"
#include "corpus/reread.h"

namespace neardup::dedup {
namespace {

constexpr std::size_t kMostListBytes = std::size_t{64} << 10;

struct CollectedValue {
  Row row;
  std::size_t field;
  std::string text;
};

// A list that takes values until one of its limits is reached.
struct BoundedList {
  std::uint64_t values = 0;
  std::string json = "[";

  // Returns how many bytes it grew.
  std::size_t add(const std::string& text, std::uint64_t most) {
    if (values == most || json.size() + text.size() > kMostListBytes) return 0;
    const std::size_t before = json.size();
    if (values++ != 0) json += ',';
    base::append_json_string(json, text);
    return json.size() - before;
  }
};

// By row: how many documents its cluster has; 1 outside of clusters.
PerRow<std::uint32_t> cluster_sizes(const Clusters& clusters) {
  PerRow<std::uint32_t> sizes(clusters.rows(), 1);
  for (std::size_t c = 0; c < clusters.size(); ++c)
    for (const Clusters::Member row : clusters[c]) sizes[Row{row}] = static_cast<std::uint32_t>(clusters[c].size());
  return sizes;
}

void append_decision(const Outcome& outcome, const corpus::RowTexts& names, Row row, bool is_clustered,
                     io::Annotation& note) {
  const bool is_kept = outcome.clusters.is_kept(index(row));
  std::string cluster, score;
  if (outcome.reading.corpus.units.status[row] == RowStatus::set_aside) {
    const AgainstMatch& match = outcome.against->of(row);
    cluster = outcome.against->names[row_of(match.other)];
    score = outcome.search.format.or_null(match.score);
  } else if (is_clustered) {
    cluster = names[row_of(outcome.clusters.representative(index(row)))];
    if (!is_kept) score = outcome.search.format.or_null(score_with_kept(outcome, row));
  }
  note.push_back(std::move(cluster));
  note.emplace_back(is_kept ? "true" : "false");
  note.push_back(score == "null" ? std::string() : std::move(score));
}

}  // namespace

CollectedValues collect_values(const Outcome& outcome, const Context& context) {
  const OutputOptions& output = outcome.plan.options.output;
  CollectedValues collected;
  if (output.collect.empty() || outcome.plan.options.copies == 0) return collected;
  const Clusters& clusters = outcome.clusters;
  PerRow<bool> wanted(clusters.rows());
  bool is_any = false;
  for (std::size_t c = 0; c < clusters.size(); ++c) {
    for (const Clusters::Member row : clusters[c]) {
      wanted[Row{row}] = !clusters.is_kept(row);
      is_any |= !clusters.is_kept(row);
    }
  }
  if (!is_any) return collected;
  using Values = std::vector<CollectedValue>;
  std::map<Row, std::vector<BoundedList>> lists;
  Reservation memory = base::reservation(context);
  std::size_t bytes = 0;
  corpus::reread<Values>(
      outcome.reading.corpus, {.stage = "collecting fields", .fields = output.collect},
      [&](Row row) { return wanted[row]; },
      [&] {
        return [&](const corpus::RereadRecord& record, Values& out) {
          for (std::size_t field = 0; field < output.collect.size(); ++field) {
            const auto& value = record.document.fields[field];
            if (value && value->size() <= kMostListBytes) out.push_back({record.row, field, std::string(*value)});
          }
        };
      },
      [&](const io::RecordBatch&, const Values& values) {
        for (const CollectedValue& value : values) {
          auto& list = lists[row_of(clusters.representative(index(value.row)))];
          list.resize(output.collect.size());
          bytes += list[value.field].add(value.text, output.collect_limit);
        }
        memory.hold(bytes);
      },
      context);
  for (auto& [row, fields] : lists)
    for (BoundedList& list : fields) collected[row].push_back(std::move(list.json) + "]");
  return collected;
}

std::function<io::Annotation(Row)> annotations_of(const Outcome& outcome, const corpus::RowTexts& names,
                                                  const CollectedValues& collected) {
  return [&outcome, &names, &collected, sizes = cluster_sizes(outcome.clusters)](Row row) {
    const OutputOptions& output = outcome.plan.options.output;
    io::Annotation note;
    if (output.annotate) append_decision(outcome, names, row, sizes[row] > 1, note);
    if (output.count) note.push_back(std::to_string(sizes[row]));
    const auto found = collected.find(row);
    for (std::size_t field = 0; field < output.collect.size(); ++field)
      note.push_back(found == collected.end() ? "[]" : found->second[field]);
    return note;
  };
}

}  // namespace neardup::dedup
