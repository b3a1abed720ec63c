#include "corpus/bad_records.h"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "base/json.h"
#include "neardup/error.h"

namespace neardup::corpus {

BadRecordLog::BadRecordLog(OnBadRecord policy, Open list, Open quarantine)
    : policy_(policy), open_list_(std::move(list)), open_quarantine_(std::move(quarantine)) {}

void BadRecordLog::add(const io::RecordBatch& batch, const BadEvent& event) {
  constexpr std::size_t kRemembered = 10;
  const BadRecord bad{.path = batch.source->path, .number = batch.number(event.place), .reason = event.reason};
  if (policy_ == OnBadRecord::fail) {
    throw Error(ErrorCode::input, io::record_name(*batch.source, bad.number, "") + ": " + bad.reason, "on_bad_record");
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
    quarantine_->write(batch.raw(event.place));
    quarantine_->write("\n");
  }
}

void check_readable(const Readable& readable, std::string_view named_by) {
  if (readable.documents != 0 || !readable.first_bad) return;
  const BadRecord& bad = *readable.first_bad;
  const std::string place = bad.number == 0 ? bad.path : fmt::format("{}:{}", bad.path, bad.number);
  std::string message = readable.records == 1 ? fmt::format("{}: {}", place, bad.reason)
                                              : fmt::format("none of the {} records could be read; {}: {}",
                                                            readable.records, place, bad.reason);
  // The other collection has options of its own.
  constexpr std::string_view kField = "`text_fields=";
  if (const std::size_t at = message.find(kField); at != message.npos && !named_by.empty())
    message.insert(at + 1, fmt::format("{}_", named_by));
  throw Error(ErrorCode::input, message, std::string(named_by));
}

void BadRecordLog::save(base::StateWriter& out, const Files& files) const {
  save_bad_records(out, records_);
  for (const std::filesystem::path& path : {files.list, files.quarantine}) {
    out.value<std::uint8_t>(path.empty() ? 0 : 1);
    if (!path.empty()) out.file(path);
  }
}

void BadRecordLog::load(base::StateReader& in) {
  records_ = load_bad_records(in);
  const auto copy = [&](const Open& open, std::unique_ptr<io::ByteSink>& sink) {
    if (in.value<std::uint8_t>() == 0) return;
    if (!open) in.fail();
    sink = open();
    in.file([&](std::string_view piece) { sink->write(piece); });
  };
  copy(open_list_, list_);
  copy(open_quarantine_, quarantine_);
  close();
}

void save_bad_records(base::StateWriter& out, const BadRecords& records) {
  out.value(records.count);
  out.value<std::uint64_t>(records.first.size());
  for (const BadRecord& bad : records.first) {
    out.text(bad.path);
    out.value(bad.number);
    out.text(bad.reason);
  }
}

BadRecords load_bad_records(base::StateReader& in) {
  BadRecords records{.count = in.value<std::uint64_t>(), .first = {}};
  for (std::size_t left = in.count(1); left > 0; --left) {
    BadRecord bad{.path = in.text(), .number = in.value<std::uint64_t>(), .reason = {}};
    bad.reason = in.text();
    records.first.push_back(std::move(bad));
  }
  return records;
}

void BadRecordLog::close() {
  if (list_) list_->close();
  if (quarantine_) quarantine_->close();
}

}  // namespace neardup::corpus
