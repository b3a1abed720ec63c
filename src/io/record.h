// What passes between cutting a file into records and understanding one?
//
// Cutting is serial and cheap; understanding (JSON, CSV fields, UTF-8) is costly and runs in parallel. So a reader
// hands out batches of raw records, and a parser, one per thread, turns a raw record into a Document. Raw bytes are
// also what is written back, which is why kept records come out exactly as they stood.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/document.h"

namespace neardup::io {

struct Source;

struct RawRecord {
  std::uint32_t begin = 0, size = 0;  // in RecordBatch::bytes, the terminator (newline) not included
  std::uint32_t terminator = 0;       // bytes of line end that follow: up to 2, behind records of web archives up to 4
  std::uint64_t number = 0;  // the line or record number where it starts, from 1; 0: the document is the whole file
  const char* problem =
      nullptr;  // set when the record could not be cut whole (too long, truncated input, ...): a reason for people
};

struct RecordBatch {
  const Source* source = nullptr;      // all records of a batch come from one source
  std::shared_ptr<const void> shared;  // what parsing needs from the file's start (a CSV header); owned by the format
  DocId first_row = 0;                 // row of records[0]; rows are consecutive
  std::string bytes;                   // followed by kPadding readable bytes
  std::vector<RawRecord> records;
  std::shared_ptr<const void> problem_texts;  // keeps RawRecord::problem alive
  std::uint64_t input_bytes = 0;  // bytes of the file (before decompression) consumed for this batch, for progress

  [[nodiscard]] std::string_view raw(const RawRecord& r) const { return {bytes.data() + r.begin, r.size}; }
};

inline constexpr std::uint64_t kMostRecordBytes = 2u << 30;  // positions within a batch have 32 bits
inline constexpr std::size_t kPadding = 64;  // readable bytes behind any text that vector code or simdjson touches

// Hands out the records of a collection in input order; limit and sample are already applied. Not thread-safe.
class BatchReader {
 public:
  virtual ~BatchReader() = default;
  virtual bool next(RecordBatch& out) = 0;  // reuses the buffers of `out`
};

// How bytes became text.
struct Decoding {
  std::string_view encoding{};  // what they were taken for; empty: UTF-8. The name lives as long as the program
  bool detected = false;        // guessed from the bytes, not declared
  bool repaired = false;        // something invalid was replaced by U+FFFD
};

// Understands raw records. One per thread.
class RecordParser {
 public:
  virtual ~RecordParser() = default;
  // Fills `out` and returns nullptr, or returns why the record is bad (valid until the next call).
  virtual const char* parse(const RecordBatch&, const RawRecord&, Document& out) = 0;
  // How the text of the last parsed record was decoded.
  [[nodiscard]] virtual Decoding decoding() const noexcept = 0;
};

}  // namespace neardup::io
