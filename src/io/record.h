// What passes between cutting a source into records and understanding one?
//
// Cutting is serial and cheap; understanding (JSON, CSV fields, UTF-8) is costly and runs in parallel. So a reader
// hands out batches of records, and a parser, one per thread, turns a record into a view of a document. Most records
// are bytes of a file, which are also what is written back: kept records are written unchanged. Others are
// documents of the caller, and have no bytes.
#pragma once

#include <cassert>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/document.h"

namespace neardup::io {

struct Source;

struct RawRecord {
  // In RecordBatch::bytes, the terminator (newline) not included. Of a document: its place in RecordBatch::documents.
  std::uint32_t begin = 0, size = 0;
  std::uint32_t terminator = 0;  // bytes of line end that follow: up to 2, behind records of web archives up to 4
  std::uint64_t number = 0;      // the line or record number where it starts, from 1; 0: the document is the whole file
  const char* problem =
      nullptr;  // set when the record could not be cut whole (too long, truncated input, ...): a reason for people
};

// A record of a web archive that is not a document: the request or what was noted about one, or something else.
struct Companion {
  std::uint64_t number = 0;  // its own, as RawRecord::number
  std::uint64_t owner = 0;   // number of the document that it belongs to; 0: none, and there are no bytes
  std::string bytes{}, terminator{};
};

// Records that follow each other in one source. Everybody but the source's own format refers to them by their places
// and asks only what every kind of record can answer. Threads: const members may run concurrently.
struct RecordBatch {
  const Source* source = nullptr;      // all records of a batch come from one source
  std::shared_ptr<const void> shared;  // what parsing needs from the file's start (a CSV header); owned by the format
  DocId first_row = 0;                 // row of the first record; rows are consecutive
  std::string bytes;                   // followed by kPadding readable bytes
  std::shared_ptr<const DocumentBatch> documents;  // what the records are instead of bytes; mostly null
  std::vector<RawRecord> records;
  // By number. Those behind the last document come with the next batch, and so do those whose owner follows.
  std::vector<Companion> companions;
  std::shared_ptr<const void> problem_texts;  // keeps RawRecord::problem alive
  std::uint64_t input_bytes = 0;  // bytes of the source (before decompression) consumed for this batch, for progress
  // Where `bytes` begin in the decompressed source, its byte-order mark not counted; only of formats that are cut.
  std::uint64_t offset = 0;

  [[nodiscard]] std::size_t size() const { return records.size(); }
  [[nodiscard]] std::uint64_t number(std::size_t place) const { return records[place].number; }
  [[nodiscard]] const char* problem(std::size_t place) const { return records[place].problem; }
  // Stands for what the record says: its bytes; of a document key, texts and tokens, whatever fields were asked for.
  [[nodiscard]] std::uint64_t hash(std::size_t place) const;

  [[nodiscard]] bool has_raw() const { return documents == nullptr; }
  // As it stood, without and with its terminator. Precondition: has_raw().
  [[nodiscard]] std::string_view raw(std::size_t place) const {
    assert(has_raw());
    return {bytes.data() + records[place].begin, records[place].size};
  }
  [[nodiscard]] std::string_view terminator(std::size_t place) const {
    assert(has_raw());
    return {bytes.data() + records[place].begin + records[place].size, records[place].terminator};
  }
};

inline constexpr std::uint64_t kMostRecordBytes = 2u << 30;  // positions within a batch have 32 bits
inline constexpr std::size_t kPadding = 64;  // readable bytes behind any text that vector code or simdjson touches

// Hands out the records of a source, or of a whole collection, in input order. Rows are known, and limit and sample
// applied, only where it is a collection's. Not thread-safe.
class BatchReader {
 public:
  virtual ~BatchReader() = default;
  // Fills `out`, possibly with no records, and reuses its buffers; false at the end.
  virtual bool next(RecordBatch& out) = 0;
};

// How bytes became text.
struct Decoding {
  std::string_view encoding{};   // what they were taken for; empty: UTF-8. The name lives as long as the program
  bool detected = false;         // guessed from the bytes, not declared
  bool repaired = false;         // something invalid was replaced by U+FFFD
  bool lacks_main_text = false;  // the main text was wanted, and nothing in the page qualified: all of it was taken
};

// Understands records. One per thread.
class RecordParser {
 public:
  virtual ~RecordParser() = default;
  // Sets `out` and returns nullptr, or returns why the record is bad. Views lead into the batch or into buffers of the
  // parser, and are valid until its next call; so is the reason. Everything viewed is valid UTF-8.
  virtual const char* parse(const RecordBatch&, std::size_t place, DocumentView& out) = 0;
  // How the text of the last parsed record was decoded.
  [[nodiscard]] virtual Decoding decoding() const noexcept = 0;
};

// A parser that has to put documents together.
class BuildingParser : public RecordParser {
 public:
  explicit BuildingParser(std::size_t fields) : fields_(fields) {}
  const char* parse(const RecordBatch&, std::size_t place, DocumentView& out) final;

 private:
  // `out` is empty but for its fields, which are all absent.
  virtual const char* build(const RecordBatch&, std::size_t place, Document& out) = 0;

  Document document_;
  std::vector<std::optional<std::string_view>> fields_;
};

}  // namespace neardup::io
