// Which of these stored sets may be similar to a given one?
//
// An immutable part of the search for set measures. Two partners share a feature among their first
// |x| - ceil(t|x|) + 1 features in any fixed order (Verifier::prefix_size), so it suffices to look up that many. A
// segment has its own order: features that are rare in it come first. How rare a feature is follows from a table of
// 4-bit counters addressed by its hash, so that a query needs no dictionary. A feature whose counter is 0 is in none of
// the sets; as soon as a query has a whole prefix of such features, nothing can match. New text costs that many cache
// lines.
//
// File (checked_file.h around it): header of 96 bytes, then arrays, each padded to 64 bytes; docs/index.md has it byte
// by byte.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "index/checked_file.h"
#include "index/records.h"
#include "neardup/features.h"
#include "neardup/similarity.h"

namespace neardup::indexing {

// What a segment says of itself.
struct SegmentFacts {
  UnitId first = 0, last = 0;  // it has every unit between them that existed when it was built
  std::uint64_t units = 0;     // in it
  std::uint64_t features = 0;  // of all of them
  std::uint64_t counters = 0;  // places of the table
  std::uint64_t buckets = 0;   // of postings
  std::uint64_t postings = 0;
};

// Threads: const members may run concurrently.
class SetSegment {
 public:
  // Throws Error{corrupt} when the header does not fit the bytes, or is of another definition.
  SetSegment(CheckedBytes bytes, std::uint64_t definition);

  [[nodiscard]] const SegmentFacts& facts() const { return facts_; }
  [[nodiscard]] const CheckedBytes& bytes() const { return bytes_; }
  // Appends every unit that may be a partner of the set, and some others; a unit may come twice.
  void candidates(std::span<const Feature> set, const Verifier&, std::vector<UnitId>& out) const;
  // The first features of a set by this segment's order, those that it does not have included.
  void rarest(std::span<const Feature> set, std::uint64_t length, std::vector<Feature>& out) const;

 private:
  [[nodiscard]] unsigned rarity(Feature) const;
  [[nodiscard]] std::span<const Feature> prefix(std::span<const Feature> set, std::uint64_t length) const;
  void look_up(Feature, const Verifier&, std::uint64_t size, std::vector<UnitId>& out) const;

  CheckedBytes bytes_;
  SegmentFacts facts_;
  std::uint64_t sizes_ = 0, ids_ = 0, counts_ = 0, offsets_ = 0, remainders_ = 0, owners_ = 0;  // where arrays begin
};

// Calls its argument with every unit of a range, ascending; may be called repeatedly.
using SetStream = std::function<void(const std::function<void(UnitId, std::span<const Feature>)>&)>;

// The bytes of a segment. `features` is at least how many the sets have in all. Memory: a byte per feature and 12 per
// posting. Reads the stream twice.
std::string build_set_segment(UnitId first, UnitId last, std::uint64_t features, const SetStream&, const Verifier&,
                              std::uint64_t definition);

}  // namespace neardup::indexing
