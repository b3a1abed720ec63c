#include "io/formats/companions.h"

#include <algorithm>
#include <utility>

namespace neardup::io {
namespace {

constexpr std::size_t kMostWaiting = 4u << 20;  // bytes

bool names(const ArchiveRecord& from, const ArchiveRecord& to) {
  return !to.id.empty() && std::ranges::find(from.relations, to.id) != from.relations.end();
}

bool belongs(const ArchiveRecord& record, const ArchiveRecord& document) {
  if (names(record, document) || names(document, record)) return true;
  return record.relations.empty() && !record.uri.empty() && record.uri == document.uri;
}

}  // namespace

void CompanionTracker::add_document(ArchiveRecord document) {
  settle(&document);
  last_ = std::move(document);
}

void CompanionTracker::add_other(ArchiveRecord record, std::string_view bytes, std::string_view terminator) {
  Companion companion{.number = record.number};
  if (waiting_bytes_ + bytes.size() > kMostWaiting) {
    settled_.push_back(std::move(companion));  // so far from any document that it belongs to none
    return;
  }
  companion.bytes = bytes;
  companion.terminator = terminator;
  waiting_bytes_ += bytes.size();
  waiting_.push_back({std::move(record), std::move(companion)});
}

void CompanionTracker::settle(const ArchiveRecord* next) {
  const ArchiveRecord* const last = last_ ? &*last_ : nullptr;
  for (auto& [record, companion] : waiting_) {
    // A request comes before its answer where a page is fetched twice, and what was noted behind it.
    for (const ArchiveRecord* document : {record.is_request ? next : last, record.is_request ? last : next}) {
      if (companion.owner == 0 && document != nullptr && belongs(record, *document)) companion.owner = document->number;
    }
    if (companion.owner == 0) companion.bytes.clear();
    settled_.push_back(std::move(companion));
  }
  waiting_.clear();
  waiting_bytes_ = 0;
}

void CompanionTracker::end() { settle(nullptr); }

std::vector<Companion> CompanionTracker::take() {
  std::ranges::sort(settled_, {}, &Companion::number);
  return std::exchange(settled_, {});
}

}  // namespace neardup::io
