#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <span>
#include <vector>

#include "index/segment_layout.h"
#include "neardup/error.h"

namespace neardup::indexing {
namespace {

// How often features occur, a byte for each place; a full one stays full. Never too low.
class RarityCounts {
 public:
  explicit RarityCounts(std::uint64_t places) : counts_(places, 0) {}
  void add(Feature feature) {
    std::uint8_t& count = counts_[place_in(feature, counts_.size())];
    if (count != UINT8_MAX) ++count;
  }
  [[nodiscard]] unsigned rarity(Feature feature) const { return class_of(counts_[place_in(feature, counts_.size())]); }
  [[nodiscard]] std::uint64_t places() const { return counts_.size(); }
  // Two classes a byte, the lower place in the lower half.
  void write(char* out) const {
    for (std::uint64_t i = 0; i < counts_.size(); ++i)
      out[i / 2] = static_cast<char>(static_cast<unsigned char>(out[i / 2]) | class_of(counts_[i]) << (i % 2 * 4));
  }

 private:
  static unsigned class_of(std::uint8_t count) {
    return count == UINT8_MAX ? 9u : static_cast<unsigned>(std::bit_width(count));
  }
  std::vector<std::uint8_t> counts_;
};

struct Posting {
  Feature feature;
  std::uint32_t owner;
};

// A counting sort by bucket; within a bucket in the order of the units.
void write_postings(char* body, const SetArrays& arrays, std::span<const Posting> postings, std::uint64_t buckets) {
  auto* offsets = reinterpret_cast<std::uint32_t*>(body + arrays.offsets);
  auto* remainders = reinterpret_cast<std::uint16_t*>(body + arrays.remainders);
  auto* owners = reinterpret_cast<std::uint32_t*>(body + arrays.owners);
  for (const Posting& posting : postings) ++offsets[place_in(posting.feature, buckets) + 1];
  for (std::uint64_t bucket = 0; bucket < buckets; ++bucket) offsets[bucket + 1] += offsets[bucket];
  // Filling moves every beginning to the end of its bucket, which is where the next one begins.
  for (const Posting& posting : postings) {
    const std::uint32_t place = offsets[place_in(posting.feature, buckets)]++;
    remainders[place] = remainder_in(posting.feature, buckets);
    owners[place] = posting.owner;
  }
  for (std::uint64_t bucket = buckets; bucket > 0; --bucket) offsets[bucket] = offsets[bucket - 1];
  offsets[0] = 0;
}

}  // namespace

std::string build_set_segment(UnitId first, UnitId last, std::uint64_t features, const SetStream& sets,
                              const Verifier& verifier, std::uint64_t definition) {
  constexpr std::uint64_t kPostingsPerBucket = 8;
  RarityCounts counts(std::max<std::uint64_t>(features, 1));
  SegmentHeader header{.magic = kSetSegmentMagic, .definition = definition, .facts = {.first = first, .last = last}};
  SegmentFacts& facts = header.facts;
  std::vector<std::uint32_t> sizes, ids;
  sets([&](UnitId unit, std::span<const Feature> set) {
    for (const Feature feature : set) counts.add(feature);
    sizes.push_back(static_cast<std::uint32_t>(set.size()));
    ids.push_back(static_cast<std::uint32_t>(unit - first));
    facts.features += set.size();
    facts.postings += std::min<std::uint64_t>(verifier.prefix_size(set.size()), set.size());
  });
  facts.units = sizes.size();
  facts.counters = counts.places();
  facts.buckets = std::max<std::uint64_t>(1, facts.postings / kPostingsPerBucket);
  if (facts.postings > UINT32_MAX || last - first > UINT32_MAX)
    throw Error(ErrorCode::limit, fmt::format("a segment of {} postings: at most 2^32 fit", facts.postings));
  std::vector<Posting> postings;
  postings.reserve(facts.postings);
  RarityClasses classes;
  std::vector<Feature> prefix;
  std::uint32_t owner = 0;
  sets([&](UnitId, std::span<const Feature> set) {
    classes.clear();
    for (const Feature feature : set) classes.add(counts.rarity(feature), feature);
    prefix.clear();
    classes.take(verifier.prefix_size(set.size()), prefix);
    for (const Feature feature : prefix) postings.push_back({feature, owner});
    ++owner;
  });
  const SetArrays arrays(facts);
  std::string body = header.bytes();
  body.resize(arrays.end);
  std::memcpy(body.data() + arrays.sizes, sizes.data(), sizes.size() * sizeof(std::uint32_t));
  std::memcpy(body.data() + arrays.ids, ids.data(), ids.size() * sizeof(std::uint32_t));
  counts.write(body.data() + arrays.counts);
  write_postings(body.data(), arrays, postings, facts.buckets);
  return body;
}

}  // namespace neardup::indexing
