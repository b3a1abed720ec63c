// Which records of a web archive go with which document?
//
// A crawler writes the request and what it noted (metadata) beside the response, before or behind it. They belong
// together when one names the other's record id (WARC-Concurrent-To, WARC-Refers-To), or, where a record names none,
// when their target URIs are equal. Only the documents right before and right behind a record are compared with it, so
// that memory is bounded: a few records are held at a time, at most 4 MiB.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/record.h"

namespace neardup::io {

// What a record says about itself.
struct ArchiveRecord {
  std::uint64_t number = 0;
  std::string id{}, uri{};
  std::vector<std::string> relations{};  // ids of records that it names
  bool is_request = false;
};

// Sees the records of one archive in order. Not thread-safe.
class CompanionTracker {
 public:
  void add_document(ArchiveRecord);
  void add_other(ArchiveRecord, std::string_view bytes, std::string_view terminator);
  void end();  // no record follows
  // Those whose owner is known, by number.
  std::vector<Companion> take();

 private:
  struct Waiting {
    ArchiveRecord record;
    Companion companion;
  };
  void settle(const ArchiveRecord* next);

  std::optional<ArchiveRecord> last_;  // document
  std::vector<Waiting> waiting_;       // records since then
  std::size_t waiting_bytes_ = 0;
  std::vector<Companion> settled_;
};

}  // namespace neardup::io
