#include "report/write_records.h"

#include <algorithm>
#include <utility>

#include "base/document_text.h"
#include "base/utf8.h"
#include "corpus/reread.h"
#include "neardup/sketch.h"

namespace neardup::report {
namespace {

using Shown = std::vector<std::pair<Row, ShownDocument>>;

ShownDocument show(const corpus::RereadRecord& record, Sketcher& features) {
  const Measure measure = record.corpus.definition.measure;
  ShownDocument shown{.name = record.name()};
  std::string joined;
  if (compares_sets(measure)) {
    const std::span<const Feature> set = features.set(record.document);
    shown.set.assign(set.begin(), set.end());
  } else if (measure == Measure::edit) {
    shown.string = features.string(record.document);
  }
  const std::string_view text = base::whole_text(record.document, joined);
  shown.text = base::cut_to_code_point(text, kShownBytes);
  shown.is_whole = shown.text.size() == text.size();
  return shown;
}

void count_bytes(const io::RecordBatch& batch, const Clusters& clusters, WrittenRecords& out) {
  if (!batch.has_raw()) return;
  for (std::size_t place = 0; place < batch.size(); ++place) {
    const DocId row = batch.first_row + place;
    if (clusters.status(row) == RowStatus::bad) continue;
    const std::uint64_t bytes = batch.raw(place).size() + batch.terminator(place).size();
    out.bytes += bytes;
    if (!clusters.is_kept(row)) out.removed_bytes += bytes;
  }
}

void write(const io::RecordBatch& batch, const WriteRequest& request, Outputs& outputs) {
  std::vector<std::uint8_t> kept(batch.size()), removed(batch.size());
  for (std::size_t place = 0; place < batch.size(); ++place) {
    const DocId row = batch.first_row + place;
    if (request.clusters.status(row) == RowStatus::bad) continue;
    (request.writes_all || request.clusters.is_kept(row) ? kept : removed)[place] = 1;
  }
  std::vector<io::Annotation> annotations(request.annotation ? batch.size() : 0);
  for (std::size_t place = 0; place < annotations.size(); ++place)
    if (kept[place] != 0) annotations[place] = request.annotation(row_of(batch.first_row + place));
  outputs.keep(batch, kept, annotations);
  outputs.remove(batch, removed);
}

}  // namespace

std::map<Row, ShownDocument> look_up_documents(const corpus::Corpus& corpus, std::vector<Row> rows,
                                               const Context& context) {
  std::map<Row, ShownDocument> found;
  if (rows.empty()) return found;
  std::sort(rows.begin(), rows.end());
  corpus::reread<Shown>(
      corpus, {.stage = "looking up examples"}, [&](Row row) { return std::ranges::binary_search(rows, row); },
      [&] {
        return [features = Sketcher(corpus.definition)](const corpus::RereadRecord& record, Shown& out) mutable {
          out.emplace_back(record.row, show(record, features));
        };
      },
      [&](const io::RecordBatch&, Shown& part) {
        for (auto& [row, document] : part) found.emplace(row, std::move(document));
      },
      context);
  return found;
}

WrittenRecords write_records(WriteRequest request, Outputs& outputs, const Context& context) {
  WrittenRecords written;
  if (!outputs.writes_records() && request.shown.empty()) return written;
  std::sort(request.shown.begin(), request.shown.end());
  corpus::reread<Shown>(
      request.corpus, {.stage = outputs.writes_records() ? "writing" : "looking up examples"},
      [&](Row row) { return std::ranges::binary_search(request.shown, row); },
      [&] {
        return
            [features = Sketcher(request.corpus.definition)](const corpus::RereadRecord& record, Shown& out) mutable {
              out.emplace_back(record.row, show(record, features));
            };
      },
      [&](const io::RecordBatch& batch, Shown& part) {
        for (auto& [row, document] : part) written.shown.emplace(row, std::move(document));
        count_bytes(batch, request.clusters, written);
        if (outputs.writes_records()) write(batch, request, outputs);
      },
      context);
  outputs.close_records();
  return written;
}

}  // namespace neardup::report
