// What one thread makes of the records of a batch in the last reading.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "io/collection.h"
#include "io/record.h"
#include "passages/borders.h"
#include "report/record_text.h"
#include "trim/write.h"

namespace neardup::trimming {

// Which item of a document is at a place of the store? Remembers counts every few kilobytes. Threads: one per thread.
class ItemCounter {
 public:
  ItemCounter(const passages::DocumentStore& documents, char separator)
      : documents_(documents), separator_(separator) {}
  std::uint32_t item_at(std::size_t document, std::uint64_t place);

 private:
  static constexpr std::uint64_t kStep = 4096;
  [[nodiscard]] std::uint32_t count(std::uint64_t from, std::uint64_t to);
  const passages::DocumentStore& documents_;
  char separator_;
  std::unordered_map<std::size_t, std::vector<std::uint32_t>> counts_;
  std::string buffer_;
};

struct NotedPassage {
  PassageKey key;
  std::uint32_t document, item;
  std::uint64_t cut_items;
  std::string beginning;
};

// A document that has cuts.
struct CutDocument {
  std::uint32_t place = 0;     // in its batch
  std::string name{}, text{};  // text only where it is wanted
  TrimOutcome outcome = TrimOutcome::untouched;
  bool is_holder = false, is_mapped = true;
  std::vector<TextCut> cuts{};
  std::vector<report::TextRange> raw{};  // what is removed of the record
  std::vector<NotedPassage> passages{};
  std::string log{};  // lines of cuts.jsonl
  std::uint64_t items = 0, cut_bytes = 0;
  std::vector<CutExample> examples{};
};

struct TrimmedBatch {
  io::RecordBatch batch;  // what is written instead; without records where nothing was changed
  std::vector<std::uint8_t> chosen;
  std::vector<CutDocument> documents;
  std::uint64_t content = 0;
};

class TrimWorker {
 public:
  TrimWorker(const TrimWriting&, bool writes_records, bool writes_log, const std::vector<io::Source>& stand_ins);
  void operator()(const io::RecordBatch&, TrimmedBatch&);

 private:
  struct Judged {
    std::vector<passages::CutRange> ranges;
    std::vector<report::TextRange> raw;   // of the record
    std::vector<std::uint32_t> range_of;  // which range each of `raw` is of
  };
  bool cut(const io::RecordBatch&, std::uint32_t place, std::size_t document, CutDocument&);
  void decide(std::size_t document, std::uint64_t cut_items, CutDocument&) const;
  void describe(std::size_t document, std::string_view text, CutDocument&);
  void append_record(const io::RecordBatch&, std::size_t place, const CutDocument*, io::RecordBatch& out);
  void append_log(const io::RecordBatch&, std::size_t place, std::string_view text, CutDocument&);
  void append_stand_in(const CutDocument*, std::string_view name, std::string_view text, std::string& out);

  const TrimWriting& writing_;
  bool writes_records_, writes_log_;
  const std::vector<io::Source>& stand_ins_;
  std::unique_ptr<io::RecordParser> parser_;
  report::RecordText record_text_;
  ItemCounter counter_;
  std::vector<passages::CutPiece> pieces_;
  Judged judged_;
  std::string joined_;
  DocumentView document_;
};

}  // namespace neardup::trimming
