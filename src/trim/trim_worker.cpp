#include "trim/trim_worker.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/document_text.h"
#include "base/json.h"
#include "base/utf8.h"
#include "io/formats/formats.h"
#include "neardup/error.h"
#include "trim/undo_log.h"

namespace neardup::trimming {
namespace {

constexpr std::string_view kField = "neardup_cuts";
constexpr std::size_t kContext = 40;

void append_spans(std::string& out, const CutDocument& document) {
  out += fmt::format("\"{}\":[", kField);
  for (std::size_t i = 0; i < document.cuts.size(); ++i) {
    const TextCut& cut = document.cuts[i];
    out += fmt::format("{}{{\"from\":{},\"to\":{},\"passage\":\"{}\",\"stays\":", i == 0 ? "" : ",", cut.from, cut.to,
                       cut.passage);
    if (cut.stays_in.empty()) {
      out += "null}";
    } else {
      base::append_json_string(out, cut.stays_in);
      out += '}';
    }
  }
  out += ']';
}

CutExample example_of(const CutDocument& document, const TextCut& cut, std::string_view text) {
  const std::string_view before = text.substr(0, cut.from), after = text.substr(cut.to);
  std::size_t from = before.size() > kContext ? before.size() - kContext : 0;
  while (from < before.size() && base::is_continuation(before[from])) ++from;
  return {.document = document.name,
          .before = std::string(before.substr(from)),
          .cut = std::string(base::cut_to_code_point(text.substr(cut.from, cut.to - cut.from), 200)),
          .after = std::string(base::cut_to_code_point(after, kContext)),
          .stays_in = cut.stays_in};
}

}  // namespace

std::uint32_t ItemCounter::count(std::uint64_t from, std::uint64_t to) {
  std::uint32_t found = 0;
  while (from < to) {
    const std::string_view bytes =
        documents_.store().read(from, static_cast<std::size_t>(std::min(kStep, to - from)), buffer_);
    found += static_cast<std::uint32_t>(std::count(bytes.begin(), bytes.end(), separator_));
    from += bytes.size();
  }
  return found;
}

std::uint32_t ItemCounter::item_at(std::size_t document, std::uint64_t place) {
  const std::uint64_t begin = documents_[document].begin, offset = place - begin;
  if (offset < kStep) return count(begin, place);
  std::vector<std::uint32_t>& counts = counts_[document];
  if (counts.empty()) counts.push_back(0);
  while (counts.size() <= offset / kStep) {
    const std::uint64_t from = begin + (counts.size() - 1) * kStep;
    counts.push_back(counts.back() + count(from, from + kStep));
  }
  const std::uint64_t from = begin + offset / kStep * kStep;
  return counts[static_cast<std::size_t>(offset / kStep)] + count(from, place);
}

TrimWorker::TrimWorker(const TrimWriting& writing, bool writes_records, bool writes_log,
                       const std::vector<io::Source>& stand_ins)
    : writing_(writing),
      writes_records_(writes_records),
      writes_log_(writes_log),
      stand_ins_(stand_ins),
      parser_(io::impl_of(writing.collection).parser(io::impl_of(writing.collection).options)),
      record_text_(io::impl_of(writing.collection).options),
      counter_(writing.reading.documents, passages::separator_of(passages::kind_of(writing.options.unit))) {}

void TrimWorker::operator()(const io::RecordBatch& batch, TrimmedBatch& out) {
  const std::size_t others = writing_.reading.others;
  if (batch.first_row + batch.size() + others > writing_.reading.documents.size()) corpus::throw_changed(*batch.source);
  out.content = corpus::content_hash(batch);
  out.chosen.assign(batch.size(), 1);
  const bool is_stand_in = writes_records_ && !report::is_cut_in_place(*batch.source);
  bool changed = is_stand_in;
  for (std::uint32_t place = 0; place < batch.size(); ++place) {
    const std::size_t document = others + batch.first_row + place;
    writing_.cuts.pieces(document, pieces_);
    passages::drop_long_runs(pieces_, writing_.options.max_passage);
    if (pieces_.empty() || batch.problem(place) != nullptr) continue;
    CutDocument& cut_document = out.documents.emplace_back();
    cut_document.place = place;
    if (!cut(batch, place, document, cut_document)) {
      if (cut_document.is_mapped) out.documents.pop_back();
      continue;
    }
    changed |= cut_document.outcome != TrimOutcome::kept_whole || writing_.options.output.annotate;
    if (cut_document.outcome == TrimOutcome::removed) out.chosen[place] = 0;
  }
  if (!writes_records_ || (!changed && !writing_.options.output.annotate)) return;
  out.batch.source =
      is_stand_in
          ? &stand_ins_[static_cast<std::size_t>(batch.source - io::impl_of(writing_.collection).sources.data())]
          : batch.source;
  out.batch.shared = batch.shared;
  out.batch.first_row = batch.first_row;
  out.batch.problem_texts = batch.problem_texts;
  std::size_t next = 0;
  for (std::size_t place = 0; place < batch.size(); ++place) {
    const CutDocument* document =
        next < out.documents.size() && out.documents[next].place == place ? &out.documents[next++] : nullptr;
    append_record(batch, place, document, out.batch);
  }
  out.batch.bytes.append(io::kPadding, ' ');
}

// False: nothing is cut after all.
bool TrimWorker::cut(const io::RecordBatch& batch, std::uint32_t place, std::size_t document, CutDocument& out) {
  if (parser_->parse(batch, place, document_) != nullptr) corpus::throw_changed(*batch.source);
  const std::string_view text = base::whole_text(document_, joined_);
  judged_.ranges = passages::cut_ranges(text, writing_.options.unit, writing_.options.cut, pieces_);
  if (judged_.ranges.empty()) return false;
  out.name = writing_.reading.name(document);
  describe(document, text, out);
  if (out.outcome == TrimOutcome::emptied) {
    // One cut of all there is.
    TextCut all = out.cuts.front();
    all.from = 0;
    all.to = text.size();
    all.items = out.items;
    out.cuts = {all};
  }
  if (writing_.options.visit) out.text = text;
  if (!writes_records_ || !report::is_cut_in_place(*batch.source)) {
    if (writes_records_) out.text = text;
    return true;
  }
  std::vector<report::TextRange> ranges;
  for (const TextCut& cut : out.cuts) ranges.push_back({cut.from, cut.to});
  out.is_mapped = record_text_.find(batch, place, text, ranges, judged_.raw, judged_.range_of);
  // A row without anything in it would be a blank line, which is no row.
  std::uint64_t left = batch.raw(place).size();
  for (const report::TextRange& range : judged_.raw) left -= range.to - range.from;
  const bool vanishes = left == 0 && batch.source->format->framing == io::Format::Framing::delimited;
  if (!out.is_mapped || (vanishes && out.outcome != TrimOutcome::removed)) {
    out = CutDocument{.place = place, .name = std::move(out.name), .is_mapped = false};
    return false;
  }
  append_log(batch, place, text, out);
  out.raw = judged_.raw;
  return true;
}

void TrimWorker::describe(std::size_t document, std::string_view text, CutDocument& out) {
  const TrimReading& reading = writing_.reading;
  std::uint64_t cut_items = 0;
  for (const passages::CutRange& range : judged_.ranges) {
    const passages::CutPiece& piece = pieces_[range.piece];
    const std::size_t source = reading.documents.document_at(piece.source);
    const auto item = counter_.item_at(source, piece.source);
    out.cuts.push_back({.from = range.from,
                        .to = range.to,
                        .items = range.items,
                        .passage = passage_name(static_cast<std::uint32_t>(source), item, piece.passage_items),
                        .stays_in = writing_.options.keep_none ? std::string() : reading.name(source),
                        .stays_at = item});
    out.passages.push_back(
        {{piece.source, piece.passage_items},
         static_cast<std::uint32_t>(source),
         item,
         range.items,
         std::string(base::cut_to_code_point(text.substr(std::min<std::size_t>(range.begins, text.size())), 120))});
    cut_items += range.items;
    out.cut_bytes += range.to - range.from;
    if (out.examples.empty()) out.examples.push_back(example_of(out, out.cuts.back(), text));
  }
  decide(document, cut_items, out);
}

void TrimWorker::decide(std::size_t document, std::uint64_t cut_items, CutDocument& out) const {
  const TrimOptions& options = writing_.options;
  const std::uint64_t all = writing_.reading.documents[document].items, left = all - std::min(all, cut_items);
  out.items = cut_items;
  out.outcome = TrimOutcome::trimmed;
  const MinLeft& least = options.min_left;
  const bool is_short =
      left < least.items || (least.share && static_cast<unsigned __int128>(left) * least.share->den <
                                                static_cast<unsigned __int128>(all) * least.share->num);
  if (!is_short) return;
  if (options.short_documents == ShortDocuments::keep) {
    out.outcome = TrimOutcome::kept_whole;
    out.items = out.cut_bytes = 0;
    return;
  }
  out.is_holder = writing_.cuts.holds_copy(document);
  if (out.is_holder) return;  // what others were cut for stays
  out.items = all;
  out.outcome = options.short_documents == ShortDocuments::remove ? TrimOutcome::removed : TrimOutcome::emptied;
}

void TrimWorker::append_log(const io::RecordBatch& batch, std::size_t place, std::string_view text, CutDocument& out) {
  if (!writes_log_ || out.outcome == TrimOutcome::kept_whole) return;
  const std::uint64_t begin = GapFinder::place_of(batch, place);
  const auto start = [&] {
    out.log += "{\"id\":";
    base::append_json_string(out.log, out.name);
    out.log += ',';
  };
  if (out.outcome == TrimOutcome::removed) {
    start();
    out.log += "\"reason\":\"document\",";
    append_removed(out.log, *batch.source, begin, std::string(batch.raw(place)) + std::string(batch.terminator(place)));
    out.log += "}\n";
    return;
  }
  std::uint64_t counted = 0, code_points = 0;
  const auto code_points_to = [&](std::uint64_t at) {
    code_points += base::code_points(text.substr(counted, at - counted));
    counted = at;
    return code_points;
  };
  for (std::size_t i = 0; i < judged_.raw.size(); ++i) {
    const report::TextRange& raw = judged_.raw[i];
    const TextCut& cut = out.cuts[judged_.range_of[i]];
    const bool is_first = i == 0 || judged_.range_of[i - 1] != judged_.range_of[i];
    start();
    if (is_first) {
      const std::uint64_t from_char = code_points_to(cut.from), to_char = code_points_to(cut.to);
      out.log += fmt::format(
          "\"from\":{},\"to\":{},\"from_char\":{},\"to_char\":{},\"items\":{},\"passage\":\"{}\",\"stays\":", cut.from,
          cut.to, from_char, to_char, cut.items, cut.passage);
      if (cut.stays_in.empty()) {
        out.log += "null,";
      } else {
        out.log += "{\"id\":";
        base::append_json_string(out.log, cut.stays_in);
        out.log += fmt::format(",\"item\":{}}},", cut.stays_at);
      }
    } else {
      out.log += "\"reason\":\"next field\",";
    }
    append_removed(
        out.log, *batch.source, begin + raw.from,
        batch.raw(place).substr(static_cast<std::size_t>(raw.from), static_cast<std::size_t>(raw.to - raw.from)));
    out.log += "}\n";
  }
  if (!writing_.options.output.annotate) {
    out.examples.resize(std::min<std::size_t>(out.examples.size(), 1));
  }
}

void TrimWorker::append_stand_in(const CutDocument* document, std::string_view name, std::string_view text,
                                 std::string& out) {
  out += "{\"id\":";
  base::append_json_string(out, name);
  out += ",\"text\":";
  std::string left;
  std::uint64_t at = 0;
  if (document != nullptr && document->outcome != TrimOutcome::kept_whole && !writing_.options.output.annotate) {
    for (const TextCut& cut : document->cuts) {
      left += text.substr(at, cut.from - at);
      at = cut.to;
    }
  }
  left += text.substr(at);
  base::append_json_string(out, left);
  out += '}';
}

void TrimWorker::append_record(const io::RecordBatch& batch, std::size_t place, const CutDocument* document,
                               io::RecordBatch& out) {
  io::RawRecord record = batch.records[place];
  const bool is_stand_in = out.source != batch.source;
  const auto begin = static_cast<std::uint32_t>(out.bytes.size());
  const bool annotates = writing_.options.output.annotate;
  if (is_stand_in) {
    if (batch.problem(place) == nullptr && parser_->parse(batch, place, document_) == nullptr) {
      const std::size_t number = writing_.reading.others + batch.first_row + place;
      append_stand_in(document, writing_.reading.name(number), base::whole_text(document_, joined_), out.bytes);
    }
  } else if (document == nullptr || !document->is_mapped || annotates || document->outcome == TrimOutcome::kept_whole ||
             document->outcome == TrimOutcome::removed) {
    out.bytes += batch.raw(place);
  } else {
    const std::string_view raw = batch.raw(place);
    std::size_t at = 0;
    for (const report::TextRange& range : document->raw) {
      out.bytes += raw.substr(at, static_cast<std::size_t>(range.from) - at);
      at = static_cast<std::size_t>(range.to);
    }
    out.bytes += raw.substr(at);
  }
  if (annotates && document != nullptr && document->is_mapped && document->outcome != TrimOutcome::removed) {
    const std::size_t brace = out.bytes.rfind('}');
    const std::size_t last = out.bytes.find_last_not_of(" \t\r\n", brace - 1);
    std::string field = out.bytes[last] == '{' ? "" : ",";
    append_spans(field, *document);
    out.bytes.insert(brace, field);
  }
  record.begin = begin;
  record.size = static_cast<std::uint32_t>(out.bytes.size()) - begin;
  if (is_stand_in) {
    out.bytes += '\n';
    record.terminator = 1;
  } else {
    out.bytes += batch.terminator(place);
  }
  out.records.push_back(record);
}

}  // namespace neardup::trimming
