#include "dedup/bad_records.h"

#include <utility>

#include "base/json.h"
#include "neardup/error.h"

namespace neardup::dedup {

BadRecordLog::BadRecordLog(OnBadRecord policy, Open list, Open quarantine)
    : policy_(policy), open_list_(std::move(list)), open_quarantine_(std::move(quarantine)) {}

void BadRecordLog::add(const io::RecordBatch& batch, const BadEvent& event) {
  constexpr std::size_t kRemembered = 10;
  const io::RawRecord& record = batch.records[event.place];
  const BadRecord bad{.path = batch.source->path, .number = record.number, .reason = event.reason};
  if (policy_ == OnBadRecord::fail) {
    throw Error(ErrorCode::input, io::record_name(*batch.source, record, "") + ": " + bad.reason +
                                      " (--on-bad-record skip leaves such records out and goes on)");
  }
  ++records_.count;
  if (records_.first.size() < kRemembered) records_.first.push_back(bad);
  if (open_list_) {
    if (!list_) list_ = open_list_();
    std::string line = "{\"path\":";
    base::append_json_string(line, bad.path);
    line += ",\"line\":" + std::to_string(bad.number) + ",\"reason\":";
    base::append_json_string(line, bad.reason);
    list_->write(line + "}\n");
  }
  if (open_quarantine_ && policy_ == OnBadRecord::quarantine) {
    if (!quarantine_) quarantine_ = open_quarantine_();
    quarantine_->write(batch.raw(record));
    quarantine_->write("\n");
  }
}

void BadRecordLog::close() {
  if (list_) list_->close();
  if (quarantine_) quarantine_->close();
}

}  // namespace neardup::dedup
