#include "report/write_records.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "base/utf8.h"
#include "corpus/document_features.h"
#include "corpus/row_names.h"
#include "io/pass.h"
#include "report/lists.h"

namespace neardup::report {
namespace {

constexpr std::size_t kShownBytes = std::size_t{1} << 18;  // of one document

struct ShownBatch final : io::BatchResult {
  std::uint64_t content = 0;
  std::vector<std::pair<Row, Shown>> shown;
};

class ShowWorker final : public io::BatchWorker {
 public:
  explicit ShowWorker(const WriteRequest& request)
      : request_(request), parser_(request.collection.impl().parser()), features_(request.definition) {}

  std::unique_ptr<io::BatchResult> work(const io::RecordBatch& batch) override {
    auto result = std::make_unique<ShownBatch>();
    const DocId end = batch.first_row + batch.records.size();
    if (end > request_.table.rows()) corpus::throw_changed(*batch.source);
    result->content = corpus::content_hash(batch);
    const auto& wanted = request_.texts_wanted;
    for (auto row = std::lower_bound(wanted.begin(), wanted.end(), batch.first_row); row != wanted.end() && *row < end;
         ++row) {
      const io::RawRecord& record = batch.records[*row - batch.first_row];
      if (record.problem != nullptr || parser_->parse(batch, record, document_) != nullptr)
        corpus::throw_changed(*batch.source);
      Shown shown{
          .name = corpus::name_of(*batch.source, record, document_.key, document_.record_id, request_.ids.occurrence(*row))};
      if (compares_sets(request_.definition.measure)) {
        const std::span<const Feature> set = features_.set(document_);
        shown.set.assign(set.begin(), set.end());
      } else if (request_.definition.measure == Measure::edit) {
        shown.string = features_.string(document_);
      }
      shown.text = base::cut_to_code_point(document_.text, kShownBytes);
      result->shown.emplace_back(*row, std::move(shown));
    }
    return result;
  }

 private:
  const WriteRequest& request_;
  std::unique_ptr<io::RecordParser> parser_;
  corpus::DocumentFeatures features_;
  Document document_;
};

}  // namespace

std::map<Row, Shown> write_records(WriteRequest request, Outputs& outputs, const Context& context) {
  std::map<Row, Shown> shown;
  if (!outputs.writes_records() && request.texts_wanted.empty()) return shown;
  std::sort(request.texts_wanted.begin(), request.texts_wanted.end());
  std::vector<bool> is_clustered;
  if (request.annotate) {
    is_clustered.resize(request.table.rows());
    for (const Row row : request.clusters.rows) is_clustered[row] = true;
  }
  const auto annotation = [&](Row row) {
    io::Annotation note{.cluster = "", .kept = request.decision.is_kept(row), .score = ""};
    if (request.table.unit_of_row[row] == corpus::kLeftOut) {
      const search::AgainstMatch& match = *request.against->of(row);
      note.cluster = request.against->names[match.other];
      note.score = format_score(request.definition.measure, match.score);
    } else if (is_clustered[row]) {
      note.cluster = request.names[request.decision.kept_for(row)];
      const std::string score = score_text(request.definition, request.table, request.scores, row);
      if (!note.kept && score != "null") note.score = score;
    }
    return note;
  };
  std::uint64_t content = 0;
  io::run_pass(
      request.collection, context, outputs.writes_records() ? "writing" : "looking up examples",
      [&] { return std::make_unique<ShowWorker>(request); },
      [&](const io::RecordBatch& batch, io::BatchResult& result) {
        auto& read = static_cast<ShownBatch&>(result);
        content += read.content;
        for (auto& [row, document] : read.shown) shown.emplace(row, std::move(document));
        if (!outputs.writes_records()) return;
        for (std::size_t place = 0; place < batch.records.size(); ++place) {
          const auto row = static_cast<Row>(batch.first_row + place);
          if (request.table.unit_of_row[row] == corpus::kBadRecord) continue;
          if (request.annotate) {
            outputs.keep_annotated(batch, batch.records[place], annotation(row));
          } else if (request.decision.is_kept(row)) {
            outputs.keep(batch, batch.records[place]);
          } else {
            outputs.remove(batch, batch.records[place]);
          }
        }
      });
  corpus::check_unchanged(request.collection, content, request.content);
  outputs.close_records();
  return shown;
}

}  // namespace neardup::report
