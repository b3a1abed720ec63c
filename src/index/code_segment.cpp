#include "index/code_segment.h"

#include <algorithm>
#include <utility>

#include "index/segment_layout.h"

namespace neardup::indexing {
namespace {

struct CodeArrays {
  explicit CodeArrays(const SegmentFacts& facts) {
    fits = facts.units <= UINT32_MAX && facts.first <= facts.last && facts.last - facts.first <= UINT32_MAX;
    if (!fits) return;
    const auto padded = [](std::uint64_t bytes) { return (bytes + kPart - 1) / kPart * kPart; };
    units = codes + padded(facts.units * sizeof(std::uint64_t));
    end = units + padded(facts.units * sizeof(std::uint32_t));
  }
  bool fits = false;
  std::uint64_t codes = kSegmentHeaderBytes, units = 0, end = 0;
};

}  // namespace

std::string build_code_segment(UnitId first, UnitId last, std::span<const CodeEntry> entries,
                               std::uint64_t definition) {
  const SegmentHeader header{.magic = kCodeSegmentMagic,
                             .definition = definition,
                             .facts = {.first = first, .last = last, .units = entries.size()}};
  const CodeArrays arrays(header.facts);
  std::string body = header.bytes();
  body.resize(arrays.end);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const auto unit = static_cast<std::uint32_t>(entries[i].unit - first);
    std::memcpy(body.data() + arrays.codes + i * sizeof(std::uint64_t), &entries[i].bits, sizeof(std::uint64_t));
    std::memcpy(body.data() + arrays.units + i * sizeof(unit), &unit, sizeof(unit));
  }
  return body;
}

CodeSegment::CodeSegment(CheckedBytes bytes, std::uint64_t definition, unsigned distance, const Context& context)
    : bytes_(std::move(bytes)), distance_(distance) {
  if (bytes_.size() < kSegmentHeaderBytes) bytes_.fail("the header is missing");
  bytes_.check_all();
  const SegmentHeader header = SegmentHeader::read(bytes_.at(0, kSegmentHeaderBytes));
  if (header.magic != kCodeSegmentMagic) bytes_.fail("not a segment of fingerprints");
  if (header.definition != definition) bytes_.fail("it belongs to another definition");
  facts_ = header.facts;
  const CodeArrays arrays(facts_);
  if (!arrays.fits || arrays.end != bytes_.size()) bytes_.fail("the sizes of its parts do not fit");
  codes_ = {reinterpret_cast<const std::uint64_t*>(bytes_.at(arrays.codes, 1)), facts_.units};
  units_ = {reinterpret_cast<const std::uint32_t*>(bytes_.at(arrays.units, 1)), facts_.units};
  index_ = build_hamming_index(codes_, {.kind = "fast", .distance = distance}, context);
}

void CodeSegment::candidates(std::uint64_t bits, std::vector<UnitId>& out) const {
  thread_local std::vector<DocId> rows;
  rows.clear();
  FoundUnits found(rows);
  index_->search({.bits = std::span(&bits, 1)}, {.distance = distance_}, found, {});
  for (const DocId row : rows) out.push_back(facts_.first + units_[row]);
}

void CodeSegment::candidates(std::span<const std::uint64_t> bits, std::span<std::vector<UnitId>> out) const {
  FoundByQuery found(out, facts_.first, units_.data());
  index_->search({.bits = bits}, {.distance = distance_}, found, {.threads = 1});
}

void CodeSegment::append_entries(std::vector<CodeEntry>& out) const {
  for (std::size_t i = 0; i < codes_.size(); ++i) out.push_back({facts_.first + units_[i], codes_[i]});
}

}  // namespace neardup::indexing
