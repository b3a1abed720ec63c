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

// Features of a query by how common they are, the rarest first; the order within a class is ascending.
thread_local std::array<std::vector<Feature>, kCountClasses> classes;
thread_local std::vector<Feature> chosen;

}  // namespace

// The features of the prefix that occur in this segment at all. Empty as soon as there cannot be any.
std::span<const Feature> SetSegment::prefix(std::span<const Feature> set, std::uint64_t length) const {
  for (auto& features : classes) features.clear();
  chosen.clear();
  std::uint64_t unseen = 0;
  const auto place_of = [&](Feature feature) { return place_in(feature, facts_.counters); };
  for (std::size_t i = 0; i < std::min(kAhead, set.size()); ++i) bytes_.prefetch(counts_ + place_of(set[i]) / 2);
  for (std::size_t i = 0; i < set.size(); ++i) {
    if (i + kAhead < set.size()) bytes_.prefetch(counts_ + place_of(set[i + kAhead]) / 2);
    const std::uint64_t place = place_of(set[i]);
    const auto both = static_cast<unsigned char>(*bytes_.at(counts_ + place / 2, 1));
    const unsigned count = place % 2 == 0 ? both & 15u : both >> 4;
    if (count == 0) {
      if (++unseen == length) return {};
    } else {
      classes[count].push_back(set[i]);
    }
  }
  std::uint64_t left = length - unseen;
  for (unsigned count = 1; count < kCountClasses && left > 0; ++count) {
    const std::size_t some = std::min<std::uint64_t>(left, classes[count].size());
    chosen.insert(chosen.end(), classes[count].begin(), classes[count].begin() + static_cast<std::ptrdiff_t>(some));
    left -= some;
  }
  return chosen;
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

void SetSegment::check() const { bytes_.check_all(); }

}  // namespace neardup::indexing
