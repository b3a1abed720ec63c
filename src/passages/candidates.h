// Steps 2 and 3 of the search for passages: from windows that may be repeated to places that refer to others.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "passages/search.h"

namespace neardup::passages {

struct Reference {
  std::uint64_t place, source;  // in the store; in keep order within a partition
};

// A window that may be repeated.
struct Candidate {
  std::uint64_t hash, place;
};

// Records in a spool, read from the start. Threads: one at a time.
template <class Record>
class RecordReader {
 public:
  explicit RecordReader(const Spool& spool) : spool_(spool) { refill(); }
  [[nodiscard]] bool done() const { return at_ == records_.size(); }
  [[nodiscard]] const Record& head() const { return records_[at_]; }
  void advance() {
    if (++at_ == records_.size()) refill();
  }

 private:
  void refill() {
    constexpr std::uint64_t kRecords = 4096;
    const std::uint64_t left = spool_.size() / sizeof(Record) - read_;
    records_.resize(static_cast<std::size_t>(left < kRecords ? left : kRecords));
    at_ = 0;
    if (records_.empty()) return;
    const std::size_t bytes = records_.size() * sizeof(Record);
    const std::string_view view = spool_.read_whole(read_ * sizeof(Record), bytes, buffer_);
    std::memcpy(records_.data(), view.data(), bytes);
    read_ += records_.size();
  }

  const Spool& spool_;
  std::uint64_t read_ = 0;
  std::size_t at_ = 0;
  std::vector<Record> records_;
  std::string buffer_;
};

using Spools = std::vector<std::unique_ptr<Spool>>;

struct CandidateSearch {
  const DocumentStore& documents;
  const std::vector<std::uint32_t>& order;
  const PassageRule& rule;
  const RepeatFilter* filter;
  const WindowHasher& hasher;
  std::uint64_t hash_mask;
};

// By partition, each in keep order.
Spools collect_candidates(const CandidateSearch&, SearchFacts&, const Context&);
Spools refer_to_first_places(Spools candidates, const PassageRule&, const Context&);

// The text of a piece as its windows see it.
std::string_view text_of(const DocumentStore&, const Piece&, std::string& buffer);
// The windows that begin in a piece.
std::size_t windows_in(const Piece&, const Items&, unsigned window);

}  // namespace neardup::passages
