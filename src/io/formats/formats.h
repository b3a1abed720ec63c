// Which kinds of files are read and written? The table of formats is in formats.cpp; each format has a file of its own.
//
// A format is a reader of batches (serial), a RecordParser (parallel: what does a record say?) and a few facts that
// writing needs. Formats whose records are pieces of a file bring a Cutter instead of a reader (where do records end?);
// the rest, buffers, codecs, limits, damage, is the same for all of those.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "io/record.h"
#include "neardup/collection.h"
#include "neardup/files.h"

namespace neardup::io {

struct Source;

// Finds where units end in bytes that may come in pieces. A unit is a record or something between records (a blank
// line, a header, a comma). Not thread-safe.
class Cutter {
 public:
  static constexpr std::size_t kOpen = static_cast<std::size_t>(-1);

  virtual ~Cutter() = default;
  // `bytes` continue the current unit. Returns how many of them belong to it, its terminator included, when it ends
  // among them; kOpen when it goes on behind them.
  virtual std::size_t scan(std::string_view bytes) = 0;
  // The current unit is whole. True when it is a record: fills begin (within the unit), size, terminator and problem.
  virtual bool take(std::string_view unit, RawRecord& out) = 0;
  // The same for what is left at the end of the file; `unit` may be empty.
  virtual bool take_last(std::string_view unit, RawRecord& out) = 0;
  // What RawRecord::number says of a record that starts with the current unit.
  [[nodiscard]] virtual std::uint64_t number() const = 0;
  // The current unit, taken or dropped, is over.
  virtual void next_unit() = 0;
  // How many of the last bytes of an open unit to show again with those that follow, in front of them.
  [[nodiscard]] virtual std::size_t look_back() const { return 0; }
  // After take() or take_last(): how many of the unit's last bytes begin the next one instead.
  [[nodiscard]] virtual std::size_t given_back() const { return 0; }
  // Whether a unit that turns out to be too long is worth a word.
  [[nodiscard]] virtual bool may_be_record() const { return true; }
  // RecordBatch::companions: those that became known since the last call.
  virtual std::vector<Companion> take_companions() { return {}; }
  // RecordBatch::shared for the records taken so far.
  [[nodiscard]] virtual std::shared_ptr<const void> shared() const { return nullptr; }
};

// How surely a file is of a format.
enum class Fit { no, fallback, name, content, name_alone_can_tell };

// The reader of a format with a cutter.
std::unique_ptr<BatchReader> open_cut(const Source&, const ReadOptions&, FileSystem&, std::size_t batch_bytes);

struct Format {
  std::string_view name, summary;  // what a record is, on one line for helps
  std::vector<std::string_view> extensions;
  // `extension` is that of the file without its codec's.
  Fit (*sniff)(std::string_view first_bytes, std::string_view extension, const Format&);
  std::unique_ptr<Cutter> (*cutter)(const Source&, const ReadOptions&);  // null for those that bring a reader
  std::unique_ptr<RecordParser> (*parser)(const ReadOptions&);
  // Reads one source; its batches hold about this many bytes.
  std::unique_ptr<BatchReader> (*open)(const Source&, const ReadOptions&, FileSystem&,
                                       std::size_t batch_bytes) = open_cut;

  bool is_guessed = false;      // nothing in a file proves that it is of this format: it may as well be binary
  bool decodes_itself = false;  // finds the encoding of every document by itself: files, mails, web archives
  bool named_fields = false;    // records have fields (a title, a date) though they are not made of them

  // What writing needs to know.
  enum class Framing {
    raw,
    json_lines,
    json_array,
    delimited,
    archive,
    columns,  // rows of a file of columns, which only the Arrow plugin reads and writes
    none,     // documents that the caller holds are not written
  };
  Framing framing = Framing::raw;
  char separator = 0;             // of Framing::delimited
  std::string_view record_end{};  // of Framing::archive: what is behind a record
  bool whole_file = false;        // a file holds one document, so that several do not fit into one
  // Appends the record as one JSON object on one line; null when that would lose something. Throws Error{usage} when
  // this record cannot be said in JSON.
  void (*append_json)(std::string& out, const RecordBatch&, std::size_t place) = nullptr;

  [[nodiscard]] bool has_extension(std::string_view extension) const;
  [[nodiscard]] bool has_fields() const { return framing != Framing::raw || named_fields; }
};

// Throws Error{usage} listing the names when there is no such format.
const Format& format_named(std::string_view name);
const Format& sniff_format(std::string_view first_bytes, std::string_view file_name);
// The format with this extension (".jsonl"); null when there is none.
const Format* format_of_extension(std::string_view extension);
// ".jsonl" of "a/b.jsonl.gz": the last extension once a codec's is taken off; may be empty.
std::string_view format_extension(std::string_view file_name);

// Documents that the caller holds. Not in the table: no file has this format.
const Format& memory_format();

// The rows of the table.
Format text_format();
Format html_format();
Format eml_format();
Format mbox_format();
Format lines_format();
Format jsonl_format();
Format json_format();
Format csv_format();
Format tsv_format();
Format sets_format();
Format warc_format();
Format arc_format();
Format parquet_format();
Format arrow_format();
Format arrow_stream_format();

// One line after the other; the base of every format whose records are lines.
class LineCutter : public Cutter {
 public:
  std::size_t scan(std::string_view bytes) override;
  bool take(std::string_view unit, RawRecord& out) override;
  bool take_last(std::string_view unit, RawRecord& out) override;
  [[nodiscard]] std::uint64_t number() const override { return number_; }
  void next_unit() override { ++number_; }

 private:
  std::uint64_t number_ = 1;
};

// One record: the file.
class WholeFileCutter final : public Cutter {
 public:
  std::size_t scan(std::string_view) override { return kOpen; }
  bool take(std::string_view, RawRecord&) override { return false; }
  bool take_last(std::string_view unit, RawRecord& out) override {
    out.size = static_cast<std::uint32_t>(unit.size());
    return true;
  }
  [[nodiscard]] std::uint64_t number() const override { return 0; }
  void next_unit() override {}
};

// Bytes of line end at the end of `unit`: 0, 1 or 2.
std::uint32_t terminator_size(std::string_view unit);

}  // namespace neardup::io
