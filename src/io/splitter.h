// How does one source become batches of raw records, within bounded memory, whatever it contains?
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "io/codecs/codecs.h"
#include "io/formats/formats.h"
#include "io/record.h"

namespace neardup::io {

inline constexpr std::size_t kBatchBytes = 1u << 20;

// What is wrong with a record that is longer than the option allows.
std::string too_long_message(std::uint64_t max_record_bytes);

// Cuts the bytes of one source. Holds one batch, and more only for a single long record, up to the limit on records;
// what is longer is passed over without being kept. Damaged data ends the source with one record that says so.
// Not thread-safe.
class Splitter final : public BatchReader {
 public:
  Splitter(const Source&, const ReadOptions&, FileSystem&, std::size_t batch_bytes);
  bool next(RecordBatch& out) override;

 private:
  // Texts of problems, kept alive by the batches that point to them.
  struct Problems {
    std::string too_long, damaged;
  };

  void make_room(RecordBatch& out, std::size_t needed) const;
  void read_more(RecordBatch& out);
  void scan(RecordBatch& out);
  void take(RecordBatch& out, std::size_t end);
  void add(RecordBatch& out, RawRecord record, std::size_t unit_begin) const;
  void drop_if_too_long(RecordBatch& out);
  void finish(RecordBatch& out);

  const Source& source_;
  std::size_t batch_bytes_, max_record_bytes_;
  std::unique_ptr<ByteSource> bytes_;
  std::unique_ptr<Cutter> cutter_;
  std::shared_ptr<Problems> problems_;
  std::string carry_;  // what the last batch left: an open unit, and units it had no room for
  std::size_t carry_scanned_ = 0;
  std::size_t filled_ = 0;       // bytes of the batch that hold data
  std::size_t unit_ = 0;         // where the current unit starts
  std::size_t scanned_ = 0;      // up to where the cutter has looked
  std::size_t shown_again_ = 0;  // bytes before that which the cutter wants to see once more
  bool dropping_ = false;        // the current unit is too long; its bytes are not kept
  bool ended_ = false;           // the source has no more bytes
  bool finished_ = false;        // and its last record was handed out
  std::size_t read_ = 0;         // bytes read for this batch
  std::uint64_t reported_ = 0;   // bytes of the file already accounted to batches
  std::uint64_t begins_at_ = 0;  // where the batch begins in the decompressed source
  std::size_t dropped_ = 0;      // bytes of a unit that is too long, since the batch began
};

}  // namespace neardup::io
