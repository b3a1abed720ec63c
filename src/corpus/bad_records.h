// What becomes of a record that cannot be read?
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>

#include "base/state.h"
#include "io/output.h"
#include "io/record.h"
#include "neardup/collection.h"

namespace neardup::corpus {

// A bad record on its way from the thread that met it to the log.
struct BadEvent {
  std::uint32_t place;  // in its batch
  std::string reason;
};

// Counts bad records, keeps the first ten, and writes what it was asked to: bad.jsonl, and the raw records themselves.
// Files are opened when the first bad record comes, so that a clean run leaves none.
class BadRecordLog {
 public:
  using Open = std::function<std::unique_ptr<io::ByteSink>()>;
  // Either opener may be empty.
  BadRecordLog(OnBadRecord policy, Open list, Open quarantine);
  // Throws Error{input} under OnBadRecord::fail.
  void add(const io::RecordBatch&, const BadEvent&);
  void close();
  // Where the files of a closed log are; empty: there is none.
  struct Files {
    std::filesystem::path list, quarantine;
  };
  void save(base::StateWriter&, const Files&) const;
  // In place of add() and close().
  void load(base::StateReader&);
  [[nodiscard]] const BadRecords& records() const { return records_; }

 private:
  OnBadRecord policy_;
  Open open_list_, open_quarantine_;
  std::unique_ptr<io::ByteSink> list_, quarantine_;
  BadRecords records_;
};

// How much of one collection could be read.
struct Readable {
  std::uint64_t records = 0, documents = 0;
  std::optional<BadRecord> first_bad{};
};
// Throws Error{input} when there are records and none is a document: the user hears what is wrong with the first one,
// and no result looks as if all were well. `named_by` is InputFiles::named_by.
void check_readable(const Readable&, std::string_view named_by);

void save_bad_records(base::StateWriter&, const BadRecords&);
BadRecords load_bad_records(base::StateReader&);

}  // namespace neardup::corpus
