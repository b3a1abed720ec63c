// Which of these stored fingerprints are within a few bits of a given one?
//
// An immutable part of the search for hamming: a file of fingerprints with their units, and a structure of src/hamming
// over them, which is built when the file is opened. Header (segment_layout.h), u64 fingerprints, u32 units less the
// first unit; arrays are padded to 64 bytes.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "index/checked_file.h"
#include "index/set_segment.h"
#include "neardup/context.h"
#include "neardup/hamming.h"

namespace neardup::indexing {

struct CodeEntry {
  UnitId unit = 0;
  std::uint64_t bits = 0;
};

std::string build_code_segment(UnitId first, UnitId last, std::span<const CodeEntry>, std::uint64_t definition);

// Threads: const members may run concurrently.
class CodeSegment {
 public:
  // Reads all of the bytes. Throws Error{corrupt}.
  CodeSegment(CheckedBytes bytes, std::uint64_t definition, unsigned distance, const Context&);

  [[nodiscard]] const SegmentFacts& facts() const { return facts_; }
  [[nodiscard]] const CheckedBytes& bytes() const { return bytes_; }
  [[nodiscard]] std::uint64_t memory_bytes() const { return index_->memory_bytes(); }
  void candidates(std::uint64_t bits, std::vector<UnitId>& out) const;
  // Appends to out[i] what candidates(bits[i]) finds.
  void candidates(std::span<const std::uint64_t> bits, std::span<std::vector<UnitId>> out) const;
  void append_entries(std::vector<CodeEntry>& out) const;

 private:
  CheckedBytes bytes_;
  SegmentFacts facts_;
  unsigned distance_;
  std::span<const std::uint64_t> codes_;
  std::span<const std::uint32_t> units_;
  std::unique_ptr<HammingIndex> index_;
};

// Receives what a search of several fingerprints finds: rows by query.
class FoundByQuery final : public PairSink {
 public:
  FoundByQuery(std::span<std::vector<UnitId>> out, UnitId first, const std::uint32_t* units)
      : out_(out), first_(first), units_(units) {}
  bool accept(std::span<const Pair> pairs) override {
    for (const Pair& pair : pairs)
      out_[pair.left].push_back(units_ == nullptr ? pair.right : first_ + units_[pair.right]);
    return true;
  }

 private:
  std::span<std::vector<UnitId>> out_;
  UnitId first_;
  const std::uint32_t* units_;  // of a segment; null: rows are units
};

// Receives what a search of one fingerprint finds.
class FoundUnits final : public PairSink {
 public:
  explicit FoundUnits(std::vector<DocId>& rows) : rows_(rows) {}
  bool accept(std::span<const Pair> pairs) override {
    for (const Pair& pair : pairs) rows_.push_back(pair.right);
    return true;
  }

 private:
  std::vector<DocId>& rows_;
};

}  // namespace neardup::indexing
