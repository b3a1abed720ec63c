#include "index/set_segment.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "index/segment_layout.h"

namespace neardup::indexing {

SetSegment::SetSegment(CheckedBytes bytes, std::uint64_t definition) : bytes_(std::move(bytes)) {
  if (bytes_.size() < kSegmentHeaderBytes) bytes_.fail("the header is missing");
  const SegmentHeader header = SegmentHeader::read(bytes_.at(0, kSegmentHeaderBytes));
  if (header.magic != kSetSegmentMagic) bytes_.fail("not a segment of sets");
  if (header.definition != definition) bytes_.fail("it belongs to another definition");
  facts_ = header.facts;
  const SetArrays arrays(facts_);
  if (!arrays.fits || arrays.end != bytes_.size()) bytes_.fail("the sizes of its parts do not fit");
  sizes_ = arrays.sizes;
  ids_ = arrays.ids;
  counts_ = arrays.counts;
  offsets_ = arrays.offsets;
  remainders_ = arrays.remainders;
  owners_ = arrays.owners;
}

namespace {

constexpr std::size_t kAhead = 16;  // cache lines on their way at a time

thread_local RarityClasses classes;
thread_local std::vector<Feature> chosen;

}  // namespace

unsigned SetSegment::rarity(Feature feature) const {
  const std::uint64_t place = place_in(feature, facts_.counters);
  const auto both = static_cast<unsigned char>(*bytes_.at(counts_ + place / 2, 1));
  return place % 2 == 0 ? both & 15u : both >> 4;
}

// The features of the prefix that occur in this segment at all. Empty as soon as there cannot be any.
std::span<const Feature> SetSegment::prefix(std::span<const Feature> set, std::uint64_t length) const {
  classes.clear();
  chosen.clear();
  std::uint64_t unseen = 0;
  const auto fetch = [&](std::size_t i) { bytes_.prefetch(counts_ + place_in(set[i], facts_.counters) / 2); };
  for (std::size_t i = 0; i < std::min(kAhead, set.size()); ++i) fetch(i);
  for (std::size_t i = 0; i < set.size(); ++i) {
    if (i + kAhead < set.size()) fetch(i + kAhead);
    const unsigned count = rarity(set[i]);
    if (count != 0) {
      classes.add(count, set[i]);
    } else if (++unseen == length) {
      return {};
    }
  }
  classes.take(length - unseen, chosen);
  return chosen;
}

void SetSegment::rarest(std::span<const Feature> set, std::uint64_t length, std::vector<Feature>& out) const {
  classes.clear();
  for (const Feature feature : set) classes.add(rarity(feature), feature);
  out.clear();
  classes.take(length, out);
}

void SetSegment::candidates(std::span<const Feature> set, const Verifier& verifier, std::vector<UnitId>& out) const {
  const std::uint64_t length = verifier.prefix_size(set.size());
  if (length == 0 || facts_.units == 0) return;
  const std::span<const Feature> features = prefix(set, length);
  for (std::size_t i = 0; i < features.size(); ++i) {
    if (i + kAhead < features.size())
      bytes_.prefetch(offsets_ + sizeof(std::uint32_t) * place_in(features[i + kAhead], facts_.buckets));
    look_up(features[i], verifier, set.size(), out);
  }
}

void SetSegment::look_up(Feature feature, const Verifier& verifier, std::uint64_t size,
                         std::vector<UnitId>& out) const {
  const std::uint64_t bucket = place_in(feature, facts_.buckets);
  std::array<std::uint32_t, 2> ends{};
  std::memcpy(ends.data(), bytes_.at(offsets_ + sizeof(std::uint32_t) * bucket, sizeof(ends)), sizeof(ends));
  if (ends[0] > ends[1] || ends[1] > facts_.postings) bytes_.fail("a bucket ends where it cannot");
  if (ends[0] == ends[1]) return;
  const std::uint16_t wanted = remainder_in(feature, facts_.buckets);
  const std::uint64_t count = ends[1] - ends[0];
  const auto* remainders = reinterpret_cast<const std::uint16_t*>(
      bytes_.at(remainders_ + sizeof(std::uint16_t) * ends[0], sizeof(std::uint16_t) * count));
  const auto* owners = reinterpret_cast<const std::uint32_t*>(
      bytes_.at(owners_ + sizeof(std::uint32_t) * ends[0], sizeof(std::uint32_t) * count));
  for (std::uint64_t i = 0; i < count; ++i) {
    if (remainders[i] != wanted) continue;
    if (owners[i] >= facts_.units) bytes_.fail("a posting leads nowhere");
    std::uint32_t other = 0, id = 0;
    std::memcpy(&other, bytes_.at(sizes_ + sizeof(other) * owners[i], sizeof(other)), sizeof(other));
    if (!verifier.sizes_can_match(size, other)) continue;
    std::memcpy(&id, bytes_.at(ids_ + sizeof(id) * owners[i], sizeof(id)), sizeof(id));
    out.push_back(facts_.first + id);
  }
}

}  // namespace neardup::indexing
