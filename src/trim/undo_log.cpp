#include "trim/undo_log.h"

#include <fmt/format.h>

#include "base/json.h"
#include "base/utf8.h"
#include "io/formats/csv.h"
#include "io/formats/formats.h"

namespace neardup::trimming {

void append_removed(std::string& line, const io::Source& source, std::uint64_t at, std::string_view bytes) {
  line += "\"file\":";
  base::append_json_string(line, source.path);
  line += fmt::format(",\"at\":{}", at + source.mark_size);
  if (base::is_valid_utf8(bytes)) {
    line += ",\"removed\":";
    base::append_json_string(line, bytes);
    return;
  }
  line += ",\"removed_hex\":\"";
  for (const char byte : bytes) line += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  line += '"';
}

std::uint64_t GapFinder::place_of(const io::RecordBatch& batch, std::size_t place) {
  return batch.offset + batch.records[place].begin;
}

void GapFinder::begin_batch(const io::RecordBatch& batch) {
  if (batch.source == source_) return;
  finish();
  source_ = batch.source;
  expected_ = 0;
  tail_.clear();
  header_.clear();
  if (source_->format->framing == io::Format::Framing::delimited && batch.shared != nullptr)
    header_ = io::csv_header(batch).raw;
}

void GapFinder::note_gap(std::string_view bytes) {
  if (bytes.empty()) return;
  std::uint64_t at = expected_;
  if (!header_.empty()) {
    if (const std::size_t found = bytes.find(header_); found != std::string_view::npos) {
      if (found > 0) note_(*source_, at, bytes.substr(0, found));
      at += found + header_.size();
      bytes.remove_prefix(found + header_.size());
      header_.clear();
      if (bytes.empty()) return;
    }
  }
  note_(*source_, at, bytes);
}

void GapFinder::gap(const io::RecordBatch* batch, std::uint64_t to) {
  if (to <= expected_) return;
  const std::uint64_t from_batch = batch != nullptr ? std::max(expected_, batch->offset) : to;
  std::string bytes;
  if (expected_ < from_batch) {
    const std::uint64_t size = std::min(from_batch, to) - expected_;
    if (tail_.size() < size) {
      is_complete_ = false;
      expected_ = to;
      return;
    }
    bytes = tail_.substr(0, static_cast<std::size_t>(size));
  }
  if (batch != nullptr && from_batch < to)
    bytes +=
        std::string_view(batch->bytes)
            .substr(static_cast<std::size_t>(from_batch - batch->offset), static_cast<std::size_t>(to - from_batch));
  if (bytes.size() != to - expected_) is_complete_ = false;
  note_gap(bytes);
  expected_ = to;
}

void GapFinder::before_record(const io::RecordBatch& batch, std::size_t place) {
  const io::RawRecord& record = batch.records[place];
  const std::uint64_t begin = place_of(batch, place);
  if (record.problem != nullptr && record.size == 0) is_complete_ = false;  // too long, and not kept
  gap(&batch, begin);
  expected_ = std::max(expected_, begin + record.size + record.terminator);
}

void GapFinder::after_batch(const io::RecordBatch& batch) {
  // Part of these bytes is the beginning of the next batch's.
  if (expected_ >= batch.offset) {
    const std::uint64_t from = expected_ - batch.offset;
    tail_ = from <= batch.bytes.size() ? batch.bytes.substr(static_cast<std::size_t>(from)) : std::string();
  } else {
    tail_.resize(std::min<std::size_t>(tail_.size(), static_cast<std::size_t>(batch.offset - expected_)));
    tail_ += batch.bytes;
  }
}

void GapFinder::finish() {
  if (source_ == nullptr) return;
  gap(nullptr, expected_ + tail_.size());
  source_ = nullptr;
}

}  // namespace neardup::trimming
