#include "io/splitter.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "io/archives/archives.h"
#include "io/collection.h"
#include "io/transcoding.h"

namespace neardup::io {
namespace {

std::string readable_bytes(std::uint64_t bytes) {
  if (bytes >= (1u << 20) && bytes % (1u << 20) == 0) return fmt::format("{} MiB", bytes >> 20);
  if (bytes >= (1u << 10) && bytes % (1u << 10) == 0) return fmt::format("{} KiB", bytes >> 10);
  return fmt::format("{} bytes", bytes);
}

// A record may be as long as the limit; its line end, and what a cutter has to see of the next one, come on top.
constexpr std::size_t kSlack = 32;
// Where nothing is a record (an endless line, a gigabyte of blank ones) the caller still gets to stop and to see
// progress.
constexpr std::size_t kMostReadAtOnce = 64u << 20;
// Blank lines up to this many bytes stay before the first record of a batch.
constexpr std::size_t kMostPassedOver = 64u << 10;
// A batch of tiny records ends before what is kept for each of them outweighs their bytes.
constexpr std::size_t kMostRecords = 1u << 16;

}  // namespace

std::string too_long_message(std::uint64_t max_record_bytes) {
  return fmt::format("record is longer than {} (`max_record_bytes`)", readable_bytes(max_record_bytes));
}

Splitter::Splitter(const Source& source, const ReadOptions& options, FileSystem& files, std::size_t batch_bytes)
    : source_(source),
      batch_bytes_(batch_bytes),
      max_record_bytes_(options.max_record_bytes),
      bytes_(source.codec->decoder(open_source(source, files))),
      cutter_(source.format->cutter(source, options)),
      problems_(std::make_shared<Problems>()) {
  problems_->too_long = too_long_message(options.max_record_bytes);
  std::array<char, 4> mark{};
  for (std::size_t left = source.mark_size, got = 1; left != 0 && got != 0; left -= got) {
    got = bytes_->read(std::span(mark).first(left));
  }
  if (is_transcoded(source)) bytes_ = transcoded(std::move(bytes_), *source.encoding);
}

// At least `needed` bytes plus the padding that parsers may touch. Doubles, so that growing costs linear time.
void Splitter::make_room(RecordBatch& out, std::size_t needed) const {
  if (out.bytes.size() >= needed + kPadding) return;
  out.bytes.resize(std::max(needed, std::min(2 * out.bytes.size(), batch_bytes_ + max_record_bytes_)) + kPadding);
}

bool Splitter::next(RecordBatch& out) {
  out.source = &source_;
  out.documents.reset();
  out.records.clear();
  out.companions.clear();
  out.problem_texts = problems_;
  if (finished_) return false;

  // A batch that once held a giant record gives its memory back.
  if (out.bytes.capacity() > 4 * (batch_bytes_ + kPadding) && carry_.size() <= batch_bytes_)
    std::string().swap(out.bytes);
  const std::size_t expected = source_.codec == &plain_codec() ? source_.file_bytes + 1 : batch_bytes_;
  out.bytes.resize(std::max(carry_.size(), std::min(batch_bytes_, expected)) + kPadding);
  std::memcpy(out.bytes.data(), carry_.data(), carry_.size());
  filled_ = carry_.size();
  scanned_ = carry_scanned_;
  begins_at_ += unit_ + dropped_;
  dropped_ = 0;
  out.offset = begins_at_;
  unit_ = 0;
  read_ = 0;

  for (;;) {
    scan(out);
    if (scanned_ < filled_) break;
    if (ended_) {
      finish(out);
      if (finished_) break;
      continue;
    }
    drop_if_too_long(out);
    if (!out.records.empty() && filled_ >= batch_bytes_) break;
    if (read_ >= kMostReadAtOnce) break;
    if (out.records.empty() && unit_ > kMostPassedOver) {  // nothing points into what was passed over
      std::memmove(out.bytes.data(), out.bytes.data() + unit_, filled_ - unit_);
      filled_ = scanned_ = filled_ - unit_;
      out.offset = begins_at_ += unit_;
      unit_ = 0;
    }
    read_more(out);
  }

  carry_.assign(out.bytes, unit_, filled_ - unit_);
  carry_scanned_ = scanned_ - unit_;
  out.bytes.resize(filled_);
  out.shared = cutter_->shared();
  out.companions = cutter_->take_companions();
  out.input_bytes = bytes_->consumed() - reported_;
  reported_ = bytes_->consumed();
  return true;
}

void Splitter::read_more(RecordBatch& out) {
  if (filled_ + kPadding >= out.bytes.size()) make_room(out, filled_ + 1);
  const std::size_t got = bytes_->read(std::span(out.bytes).subspan(filled_, out.bytes.size() - kPadding - filled_));
  filled_ += got;
  read_ += got;
  ended_ = got == 0;
}

void Splitter::scan(RecordBatch& out) {
  while (scanned_ < filled_ && out.records.size() < kMostRecords) {
    const std::size_t from = scanned_ - std::exchange(shown_again_, 0);
    const std::size_t size = cutter_->scan({out.bytes.data() + from, filled_ - from});
    if (size == Cutter::kOpen) {
      scanned_ = filled_;
      shown_again_ = std::min(cutter_->look_back(), filled_ - unit_);
      return;
    }
    scanned_ = from + size;
    take(out, scanned_);
  }
}

void Splitter::take(RecordBatch& out, std::size_t end) {
  RawRecord record;
  record.number = cutter_->number();
  if (!dropping_ && cutter_->take({out.bytes.data() + unit_, end - unit_}, record)) add(out, record, unit_);
  dropping_ = false;
  unit_ = scanned_ = end - cutter_->given_back();
  cutter_->next_unit();
}

void Splitter::add(RecordBatch& out, RawRecord record, std::size_t unit_begin) const {
  record.begin += static_cast<std::uint32_t>(unit_begin);
  if (record.size > max_record_bytes_) {
    record.size = record.terminator = 0;
    record.problem = problems_->too_long.c_str();
  }
  out.records.push_back(record);
}

// The verdict is the same wherever batches happen to end: a record that arrives whole is measured in add().
void Splitter::drop_if_too_long(RecordBatch& out) {
  if (!dropping_ && filled_ - unit_ > max_record_bytes_ + kSlack) {
    RawRecord record;
    record.number = cutter_->number();
    record.begin = static_cast<std::uint32_t>(unit_);
    record.problem = problems_->too_long.c_str();
    if (cutter_->may_be_record()) out.records.push_back(record);
    dropping_ = true;
  }
  if (!dropping_) return;
  // The last few bytes may be given back once the end is found, or have to be shown again.
  const std::size_t kept = std::min(std::max(kSlack, shown_again_), filled_ - unit_);
  std::memmove(out.bytes.data() + unit_, out.bytes.data() + filled_ - kept, kept);
  dropped_ += filled_ - kept - unit_;
  filled_ = scanned_ = unit_ + kept;
}

// What is left when the bytes have ended: the last unit, or more than one when it turns out to hold others.
void Splitter::finish(RecordBatch& out) {
  RawRecord record;
  record.number = cutter_->number();
  const std::string& damage = source_.problem.empty() ? bytes_->problem() : source_.problem;
  if (!damage.empty()) {
    problems_->damaged = damage;
    record.size = static_cast<std::uint32_t>(std::min(filled_ - unit_, max_record_bytes_));
    record.problem = problems_->damaged.c_str();
    add(out, record, unit_);
  } else if (!dropping_ && cutter_->take_last({out.bytes.data() + unit_, filled_ - unit_}, record)) {
    add(out, record, unit_);
  }
  unit_ = scanned_ = filled_ - cutter_->given_back();
  finished_ = unit_ == filled_;
  shown_again_ = 0;
  cutter_->next_unit();
}

std::unique_ptr<BatchReader> open_cut(const Source& source, const ReadOptions& options, FileSystem& files,
                                      std::size_t batch_bytes) {
  return std::make_unique<Splitter>(source, options, files, batch_bytes);
}

}  // namespace neardup::io
