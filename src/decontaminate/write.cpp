#include <fmt/format.h>

#include <algorithm>

#include "base/document_text.h"
#include "base/json.h"
#include "decontaminate/run.h"
#include "io/formats/formats.h"
#include "io/pass.h"
#include "neardup/error.h"
#include "passages/borders.h"
#include "report/record_text.h"

namespace neardup::contamination {
namespace {

constexpr std::string_view kHitsField = "neardup_contaminated";

void annotate_record(std::string& record, const DocumentHits& hits, const ItemIndex& index,
                     const DecontaminateReport& report) {
  const std::size_t brace = record.rfind('}');
  if (brace == std::string::npos || brace == 0) return;
  const std::size_t last = record.find_last_not_of(" \t\r\n", brace - 1);
  std::string field = fmt::format("{}\"{}\":[", record[last] == '{' ? "" : ",", kHitsField);
  for (std::size_t i = 0; i < hits.hits.size(); ++i) {
    const EvalItem& item = index.items()[hits.hits[i].item];
    field += i == 0 ? "{\"suite\":" : ",{\"suite\":";
    base::append_json_string(field, report.suites[item.suite].name);
    field += ",\"eval\":";
    base::append_json_string(field, item.id);
    field += '}';
  }
  record.insert(brace, field + "]");
}

struct CleanBatch {
  io::RecordBatch batch;
  std::vector<std::uint8_t> chosen;
  std::uint64_t content = 0, not_mapped = 0;
};

class CleanWorker {
 public:
  CleanWorker(const Collection& train, const TrainReading& reading, const ItemIndex& index,
              const DecontaminateOptions& options, const DecontaminateReport& report)
      : reading_(reading),
        index_(index),
        options_(options),
        report_(report),
        parser_(io::impl_of(train).parser(io::impl_of(train).options)),
        record_text_(io::impl_of(train).options) {}

  void operator()(const io::RecordBatch& batch, CleanBatch& out) {
    if (batch.first_row + batch.size() > reading_.bad.size()) corpus::throw_changed(*batch.source);
    out.content = corpus::content_hash(batch);
    out.chosen.assign(batch.size(), 1);
    auto next = std::ranges::lower_bound(reading_.hits, batch.first_row, {}, &DocumentHits::row);
    const bool has_hits = next != reading_.hits.end() && next->row < batch.first_row + batch.size();
    const bool rewrites = has_hits && options_.action != ContaminationAction::remove;
    if (rewrites) {
      out.batch.source = batch.source;
      out.batch.shared = batch.shared;
      out.batch.first_row = batch.first_row;
      out.batch.problem_texts = batch.problem_texts;
    }
    for (std::size_t place = 0; place < batch.size(); ++place) {
      const std::uint64_t row = batch.first_row + place;
      const bool is_hit = next != reading_.hits.end() && next->row == row;
      if (reading_.bad[static_cast<std::size_t>(row)]) out.chosen[place] = 0;
      if (is_hit && options_.action == ContaminationAction::remove) out.chosen[place] = 0;
      if (rewrites) append(batch, place, is_hit ? &*next : nullptr, out);
      if (is_hit) ++next;
    }
    if (rewrites) out.batch.bytes.append(io::kPadding, ' ');
  }

 private:
  void append(const io::RecordBatch& batch, std::size_t place, const DocumentHits* hits, CleanBatch& out) {
    std::string record(batch.raw(place));
    if (hits != nullptr && options_.action == ContaminationAction::annotate)
      annotate_record(record, *hits, index_, report_);
    if (hits != nullptr && options_.action == ContaminationAction::trim && !cut(batch, place, *hits, record))
      ++out.not_mapped;
    io::RawRecord written = batch.records[place];
    written.begin = static_cast<std::uint32_t>(out.batch.bytes.size());
    written.size = static_cast<std::uint32_t>(record.size());
    out.batch.bytes += record;
    out.batch.bytes += batch.terminator(place);
    out.batch.records.push_back(written);
  }

  bool cut(const io::RecordBatch& batch, std::size_t place, const DocumentHits& hits, std::string& record) {
    if (parser_->parse(batch, place, document_) != nullptr) corpus::throw_changed(*batch.source);
    const std::string_view text = base::whole_text(document_, joined_);
    std::vector<report::TextRange> ranges, raw;
    std::vector<std::uint32_t> range_of;
    for (const passages::CutRange& range : passages::cut_ranges(text, {}, CutAt::word, hits.words))
      ranges.push_back({range.from, range.to});
    if (!record_text_.find(batch, place, text, ranges, raw, range_of)) return false;
    std::string left;
    std::size_t at = 0;
    for (const report::TextRange& range : raw) {
      left.append(record, at, static_cast<std::size_t>(range.from) - at);
      at = static_cast<std::size_t>(range.to);
    }
    left.append(record, at);
    if (left.empty() && !record.empty() && batch.source->format->framing == io::Format::Framing::delimited)
      return false;
    record = std::move(left);
    return true;
  }

  const TrainReading& reading_;
  const ItemIndex& index_;
  const DecontaminateOptions& options_;
  const DecontaminateReport& report_;
  std::unique_ptr<io::RecordParser> parser_;
  report::RecordText record_text_;
  DocumentView document_;
  std::string joined_;
};

void write_hit_lists(const TrainReading& reading, const ItemIndex& index, report::Outputs& outputs,
                     const DecontaminateReport& report) {
  outputs.write("hits.jsonl", [&](io::ByteSink& out) {
    for (const DocumentHits& hits : reading.hits) out.write(hit_lines(hits, index, report));
  });
  outputs.write("suites.tsv", [&](io::ByteSink& out) {
    std::string lines = "suite\titems\tjudged\thit\tdocuments\n";
    for (const SuiteReport& suite : report.suites)
      lines += fmt::format("{}\t{}\t{}\t{}\t{}\n", suite.name, suite.items, suite.judged, suite.hit, suite.documents);
    out.write(lines);
  });
}

}  // namespace

std::string hit_lines(const DocumentHits& hits, const ItemIndex& index, const DecontaminateReport& report) {
  std::string out;
  for (const DocumentHit& hit : hits.hits) {
    const EvalItem& item = index.items()[hit.item];
    out += "{\"id\":";
    base::append_json_string(out, hits.name);
    out += ",\"eval\":";
    base::append_json_string(out, item.id);
    out += ",\"suite\":";
    base::append_json_string(out, report.suites[item.suite].name);
    out += fmt::format(",\"share\":{:.6f},\"windows\":{},\"of\":{},\"spans\":[",
                       static_cast<double>(hit.windows) / static_cast<double>(item.distinct.size()), hit.windows,
                       item.distinct.size());
    for (std::size_t i = 0; i < hit.spans.size(); ++i) {
      const ContaminatedSpan& span = hit.spans[i];
      out += fmt::format("{}{{\"from\":{},\"to\":{},\"eval_from_word\":{},\"eval_to_word\":{}}}", i == 0 ? "" : ",",
                         span.from, span.to, span.item_from, span.item_to);
    }
    out += "],\"text\":";
    base::append_json_string(out, hit.longest);
    out += "}\n";
  }
  return out;
}

void write_clean(const Collection& train, const TrainReading& reading, const ItemIndex& index,
                 const DecontaminateOptions& options, report::Outputs& outputs, DecontaminateReport& report,
                 const Context& context) {
  if (outputs.writes_audit()) write_hit_lists(reading, index, outputs, report);
  if (!outputs.writes_records()) return;
  corpus::ContentHash content(train);
  io::run_pass<CleanBatch>(
      train, io::impl_of(train).options, context, "writing",
      [&] { return CleanWorker(train, reading, index, options, report); },
      [&](const io::RecordBatch& batch, CleanBatch& clean) {
        content.add(batch, clean.content);
        report.not_mapped += clean.not_mapped;
        outputs.keep(clean.batch.records.empty() ? batch : clean.batch, clean.chosen, {});
      });
  reading.content.check_same(content);
  outputs.close_records();
}

}  // namespace neardup::contamination
