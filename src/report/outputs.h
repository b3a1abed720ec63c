// Which files does a run leave, and when do they appear?
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/bad_records.h"
#include "io/output.h"
#include "neardup/report.h"

namespace neardup::report {

// All outputs of one run. Construction checks what can be checked before any work is done, begin() makes the files;
// nothing appears under its final name before commit(), and nothing stays behind without it.
class Outputs {
 public:
  Outputs(const Collection&, const OutputOptions&, OnBadRecord, const Context&);
  ~Outputs();

  // Documents that the caller holds are not written, but lists of them are.
  [[nodiscard]] bool writes_records() const {
    return kind_ != io::Target::Kind::none && !io::impl_of(collection_).is_held();
  }
  [[nodiscard]] bool writes_audit() const { return kind_ == io::Target::Kind::folder; }

  [[nodiscard]] bool writes_page() const { return writes_audit() && options_.report; }

  // Before anything is written, and after the owner of unfinished() has been informed.
  void begin();

  // Of a single file of records; empty: each record's own.
  [[nodiscard]] std::string_view codec() const;

  // For bad records, where they have a place to go.
  [[nodiscard]] corpus::BadRecordLog::Open bad_list();
  // `announce` is called before a file is created that unfinished() has not named yet.
  [[nodiscard]] corpus::BadRecordLog::Open quarantine(std::function<void()> announce);

  // What is added to records.
  [[nodiscard]] const io::AddedFields& added() const { return added_; }
  // Batches in input order; `chosen` and annotations (where fields are added) as in RecordWriter.
  void keep(const io::RecordBatch&, std::span<const std::uint8_t> chosen, std::span<const io::Annotation>);
  void remove(const io::RecordBatch&, std::span<const std::uint8_t> chosen);  // written only with save_removed
  void close_records();

  // A file of its own in the folder. Precondition: writes_audit().
  void write(const std::string& name, const std::function<void(io::ByteSink&)>& put);

  // report.html. Precondition: writes_page().
  void write_page(std::string_view html);

  // Where closed files of bad records wait for commit().
  [[nodiscard]] corpus::BadRecordLog::Files bad_files() const;
  // A file that commit() gives its final name: the output itself, or run.json of a folder. Empty when there is none.
  [[nodiscard]] std::filesystem::path proof() const;
  // What a run that is killed leaves behind.
  [[nodiscard]] std::vector<std::filesystem::path> unfinished() const;

  void commit();
  // Of web archives, once records are closed: what became of records that are not documents.
  [[nodiscard]] CompanionRecords companions() const {
    return {.copied = copied_companions_, .dropped = companions_ - copied_companions_};
  }
  // What was written, the main one first.
  [[nodiscard]] const std::vector<std::string>& paths() const { return paths_; }

 private:
  // The kept or the removed records: one file, or one per source.
  class Stream;
  void check_held(OnBadRecord) const;
  void check_quarantine() const;
  [[nodiscard]] std::unique_ptr<io::ByteSink> open(const std::string& name);

  const Collection& collection_;
  OutputOptions options_;
  io::AddedFields added_;
  const Context& context_;
  io::Target target_;
  io::Target::Kind kind_;  // none when nothing is to be written
  bool quarantines_ = false;
  std::unique_ptr<io::OutputTransaction> transaction_, quarantine_transaction_;
  std::unique_ptr<Stream> kept_, removed_;
  std::vector<std::string> paths_;
  std::uint64_t companions_ = 0, copied_companions_ = 0;
};

}  // namespace neardup::report
