#include "trim/write.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "base/json.h"
#include "base/tsv.h"
#include "io/codecs/codecs.h"
#include "io/formats/formats.h"
#include "io/pass.h"
#include "neardup/error.h"
#include "text/encoding.h"
#include "trim/trim_worker.h"
#include "trim/undo_log.h"

namespace neardup::trimming {
namespace {

// Takes what the threads made of batches, in input order.
class TrimWriter {
 public:
  TrimWriter(const TrimWriting& writing, report::Outputs& outputs, TrimReport& report, const Context& context)
      : writing_(writing),
        outputs_(outputs),
        report_(report),
        content_(writing.collection),
        passages_(context),
        log_(context, std::size_t{16} << 20),
        gaps_([this](const io::Source& source, std::uint64_t at, std::string_view bytes) {
          note("between records", source, at, bytes);
        }) {}

  void take(const io::RecordBatch& batch, TrimmedBatch& trimmed) {
    content_.add(batch, trimmed.content);
    for (const CutDocument& document : trimmed.documents) count(batch, document);
    if (outputs_.writes_audit() && batch.has_raw()) log(batch, trimmed);
    if (!outputs_.writes_records()) return;
    for (std::size_t place = 0; place < batch.size(); ++place)
      if (is_bad(batch, place)) trimmed.chosen[place] = 0;
    outputs_.keep(trimmed.batch.records.empty() ? batch : trimmed.batch, trimmed.chosen, {});
  }

  void finish() {
    if (outputs_.writes_records()) outputs_.close_records();
    writing_.reading.content.check_same(content_);
    gaps_.finish();
    passages_.finish();
    log_.finish();
    const auto& rows = passages_.rows();
    report_.passages = rows.size();
    std::vector<const PassageTable::Row*> costly;
    for (const PassageTable::Row& row : rows) costly.push_back(&row);
    const std::size_t shown = std::min<std::size_t>(10, costly.size());
    std::partial_sort(costly.begin(), costly.begin() + static_cast<std::ptrdiff_t>(shown), costly.end(),
                      [](const auto* a, const auto* b) {
                        return a->cut_items != b->cut_items ? a->cut_items > b->cut_items : a->key < b->key;
                      });
    for (std::size_t i = 0; i < shown; ++i) report_.costly.push_back(costly_of(*costly[i]));
    if (!outputs_.writes_audit()) return;
    report_.can_undo = gaps_.is_complete() && is_restorable();
    outputs_.write("cuts.jsonl", [&](io::ByteSink& out) {
      std::string buffer;
      for (std::uint64_t at = 0; at < log_.size();) {
        const std::string_view part = log_.read(at, std::size_t{1} << 20, buffer);
        out.write(part);
        at += part.size();
      }
    });
    outputs_.write("passages.tsv", [&](io::ByteSink& out) { write_passages(out); });
  }

 private:
  [[nodiscard]] bool is_bad(const io::RecordBatch& batch, std::size_t place) const {
    return bad_.contains(batch.first_row + place);
  }

 public:
  void set_bad(std::unordered_set<std::uint64_t> rows) { bad_ = std::move(rows); }

 private:
  void count(const io::RecordBatch& batch, const CutDocument& document) {
    if (!document.is_mapped) {
      ++report_.not_mapped;
      return;
    }
    report_.trimmed += document.outcome == TrimOutcome::trimmed ? 1 : 0;
    report_.kept_whole += document.outcome == TrimOutcome::kept_whole ? 1 : 0;
    report_.emptied += document.outcome == TrimOutcome::emptied ? 1 : 0;
    report_.removed += document.outcome == TrimOutcome::removed ? 1 : 0;
    report_.holders += document.is_holder ? 1 : 0;
    if (writing_.options.visit) {
      writing_.options.visit({.row = batch.first_row + document.place,
                              .name = document.name,
                              .text = document.text,
                              .outcome = document.outcome,
                              .cuts = document.cuts});
    }
    if (document.outcome == TrimOutcome::kept_whole) return;
    report_.cut_items += document.items;
    report_.cut_bytes += document.cut_bytes;
    report_.cuts += document.cuts.size();
    for (const NotedPassage& passage : document.passages)
      passages_.add(passage.key, passage.document, passage.item, passage.cut_items, passage.beginning);
    for (const CutExample& example : document.examples)
      if (report_.examples.size() < 3) report_.examples.push_back(example);
  }

  void note(std::string_view reason, const io::Source& source, std::uint64_t at, std::string_view bytes) {
    std::string line = fmt::format("{{\"reason\":\"{}\",", reason);
    append_removed(line, source, at, bytes);
    log_.append(line + "}\n");
  }

  void log(const io::RecordBatch& batch, const TrimmedBatch& trimmed) {
    gaps_.begin_batch(batch);
    std::size_t next = 0;
    for (std::size_t place = 0; place < batch.size(); ++place) {
      gaps_.before_record(batch, place);
      if (is_bad(batch, place))
        note("bad record", *batch.source, GapFinder::place_of(batch, place),
             std::string(batch.raw(place)) + std::string(batch.terminator(place)));
      if (next < trimmed.documents.size() && trimmed.documents[next].place == place)
        log_.append(trimmed.documents[next++].log);
    }
    gaps_.after_batch(batch);
  }

  // Whether output and list together are the input.
  [[nodiscard]] bool is_restorable() const {
    return !writing_.options.output.annotate &&
           std::ranges::all_of(io::impl_of(writing_.collection).sources, [](const io::Source& source) {
             return report::is_cut_in_place(source) && source.format->framing != io::Format::Framing::json_array &&
                    !source.part;
           });
  }

  [[nodiscard]] CostlyPassage costly_of(const PassageTable::Row& row) const {
    return {.name = passage_name(row.document, row.item, row.key.items),
            .document = writing_.reading.name(row.document),
            .beginning = passages_.beginning(row),
            .items = row.key.items,
            .places = places(row),
            .cut_items = row.cut_items};
  }
  [[nodiscard]] std::uint64_t places(const PassageTable::Row& row) const {
    return row.cuts + (writing_.options.keep_none ? 0 : 1);
  }

  void write_passages(io::ByteSink& out) const {
    std::string line = "passage\titems\tplaces\tcut_items\tfirst_id\tfirst_item\tbeginning\n";
    for (const PassageTable::Row& row : passages_.rows()) {
      line += fmt::format("{}\t{}\t{}\t{}\t", passage_name(row.document, row.item, row.key.items), row.key.items,
                          places(row), row.cut_items);
      base::append_escaped(line, writing_.reading.name(row.document));
      line += fmt::format("\t{}\t", row.item);
      base::append_escaped(line, passages_.beginning(row));
      line += '\n';
      if (line.size() > (1u << 16)) {
        out.write(line);
        line.clear();
      }
    }
    out.write(line);
  }

  const TrimWriting& writing_;
  report::Outputs& outputs_;
  TrimReport& report_;
  corpus::ContentHash content_;
  PassageTable passages_;
  passages::Spool log_;
  GapFinder gaps_;
  std::unordered_set<std::uint64_t> bad_;
};

}  // namespace

void write_trimmed(const TrimWriting& writing, report::Outputs& outputs, TrimReport& report, const Context& context) {
  const io::CollectionImpl& impl = io::impl_of(writing.collection);
  std::vector<io::Source> stand_ins = impl.sources;
  for (io::Source& source : stand_ins) {
    source.format = &io::format_named("jsonl");
    source.mark_size = 0;
    source.encoding = nullptr;
  }
  TrimWriter writer(writing, outputs, report, context);
  std::unordered_set<std::uint64_t> bad;
  for (std::size_t row = writing.reading.others; row < writing.reading.documents.size(); ++row)
    if (writing.reading.documents[row].name_bytes == 0) bad.insert(row - writing.reading.others);
  writer.set_bad(std::move(bad));
  io::run_pass<TrimmedBatch>(
      writing.collection, impl.options, context, outputs.writes_records() ? "writing" : "cutting",
      [&] { return TrimWorker(writing, outputs.writes_records(), outputs.writes_audit(), stand_ins); },
      [&](const io::RecordBatch& batch, TrimmedBatch& trimmed) { writer.take(batch, trimmed); });
  writer.finish();
}

void check_trimmable(const Collection& collection, const TrimOptions& options) {
  const io::Target target = io::parse_target(options.output.path);
  if (target.kind == io::Target::Kind::none || target.kind == io::Target::Kind::null_device ||
      io::impl_of(collection).is_held())
    return;
  const bool is_jsonl =
      target.kind == io::Target::Kind::file && target.format != nullptr && target.format->name == "jsonl";
  for (const io::Source& source : io::impl_of(collection).sources) {
    if (!source.problem.empty()) continue;
    if (options.output.annotate && source.format->framing != io::Format::Framing::json_lines &&
        source.format->framing != io::Format::Framing::json_array)
      throw Error(
          ErrorCode::usage,
          fmt::format("{}: `annotate` adds a field to JSON records, and {} has none", source.path, source.format->name),
          "annotate");
    if (report::is_cut_in_place(source)) continue;
    if (!is_jsonl) {
      const std::string what = source.encoding != nullptr && !source.format->decodes_itself
                                   ? fmt::format("its text is in {}", source.encoding->name)
                                   : fmt::format("{} records are not cut in place", source.format->name);
      throw Error(ErrorCode::usage,
                  fmt::format("{}: {}; the text can be written as JSON lines (name an output that ends in .jsonl)",
                              source.path, what),
                  "output");
    }
  }
}

}  // namespace neardup::trimming
