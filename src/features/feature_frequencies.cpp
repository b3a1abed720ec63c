#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <random>
#include <vector>

#include "base/parallel.h"
#include "base/random.h"
#include "features/rarity.h"
#include "neardup/error.h"
#include "neardup/features.h"

namespace neardup {
namespace {

constexpr std::size_t kFirstPlaces = 256;
constexpr std::size_t kPlaceBytes = sizeof(Feature) + sizeof(std::uint32_t);

// Where the feature is, or the free place where it belongs.
std::size_t find(const std::vector<Feature>& keys, const std::vector<std::uint32_t>& values, Feature feature,
                 std::uint64_t place) {
  const std::size_t mask = keys.size() - 1;
  std::size_t at = place & mask;
  while (values[at] != 0 && keys[at] != feature) at = (at + 1) & mask;
  return at;
}

// Weights by frequency: most features are rare, so that a few are asked for again and again.
class Rarities {
 public:
  explicit Rarities(std::uint64_t documents) : documents_(documents) {
    for (std::size_t f = 0; f < known_.size(); ++f) known_[f] = features::rarity(documents, f);
  }
  [[nodiscard]] std::uint32_t of(std::uint32_t frequency) const {
    return frequency < known_.size() ? known_[frequency] : features::rarity(documents_, frequency);
  }

 private:
  std::uint64_t documents_;
  std::array<std::uint32_t, 1024> known_;
};

}  // namespace

// A table of 12 bytes a place, of which a third to two thirds are taken, in parts with a lock each.
class FeatureFrequencies::Impl {
 public:
  explicit Impl(std::size_t max_bytes);

  void add(std::span<const Feature> features, std::uint64_t documents);
  void finish(const Context&);

  [[nodiscard]] std::uint64_t documents() const { return documents_; }
  [[nodiscard]] std::uint64_t features() const;
  [[nodiscard]] std::size_t memory_bytes() const { return bytes_; }
  [[nodiscard]] std::uint32_t weight(Feature) const;
  [[nodiscard]] std::uint64_t hash() const { return hash_; }

 private:
  static constexpr unsigned kShardBits = 6;

  struct Shard {
    std::mutex mutex;
    std::vector<Feature> keys;
    std::vector<std::uint32_t> values;  // 0: the place is free
    std::size_t taken = 0;
  };
  [[nodiscard]] std::uint64_t scrambled(Feature) const;
  void count(Shard&, Feature, std::uint64_t place);
  void grow(Shard&);

  std::uint64_t salt_;
  std::size_t max_bytes_;
  std::atomic<std::size_t> bytes_{0};
  std::atomic<std::uint64_t> documents_{0};
  std::uint64_t hash_ = 0;
  std::uint32_t unseen_ = 0;
  std::array<Shard, std::size_t{1} << kShardBits> shards_;
};

// A salt that cannot be predicted keeps made-up documents from crowding one part of the table; nothing that can be
// seen depends on it.
FeatureFrequencies::Impl::Impl(std::size_t max_bytes) : max_bytes_(max_bytes) {
  std::random_device device;
  salt_ = std::uint64_t{device()} << 32 | device();
  for (Shard& shard : shards_) {
    shard.keys.resize(kFirstPlaces);
    shard.values.resize(kFirstPlaces);
  }
  bytes_ = shards_.size() * kFirstPlaces * kPlaceBytes;
}

std::uint64_t FeatureFrequencies::Impl::scrambled(Feature feature) const { return base::mix64(feature ^ salt_); }

void FeatureFrequencies::Impl::add(std::span<const Feature> features, std::uint64_t documents) {
  documents_ += documents;
  std::array<std::vector<Feature>, std::size_t{1} << kShardBits> parts;
  for (const Feature f : features) parts[scrambled(f) >> (64 - kShardBits)].push_back(f);
  for (std::size_t s = 0; s < parts.size(); ++s) {
    Shard& shard = shards_[s];
    const std::lock_guard lock(shard.mutex);
    for (const Feature f : parts[s]) count(shard, f, scrambled(f));
  }
}

void FeatureFrequencies::Impl::count(Shard& shard, Feature feature, std::uint64_t place) {
  std::size_t at = find(shard.keys, shard.values, feature, place);
  if (shard.values[at] == 0) {
    if (3 * (shard.taken + 1) > 2 * shard.keys.size()) {
      grow(shard);
      at = find(shard.keys, shard.values, feature, place);
    }
    ++shard.taken;
    shard.keys[at] = feature;
  }
  ++shard.values[at];
}

void FeatureFrequencies::Impl::grow(Shard& shard) {
  const std::size_t places = 2 * shard.keys.size();
  const std::size_t bytes = bytes_ += shard.keys.size() * kPlaceBytes;
  if (bytes > max_bytes_) {
    throw Error(ErrorCode::limit,
                "`weights=tfidf` counts every different feature, at 18 to 36 bytes each, and they do not fit `memory`; "
                "allow more, or take features that repeat more often, such as `features=words`",
                "memory");
  }
  std::vector<Feature> keys(places);
  std::vector<std::uint32_t> values(places);
  for (std::size_t i = 0; i < shard.keys.size(); ++i) {
    if (shard.values[i] == 0) continue;
    const std::size_t at = find(keys, values, shard.keys[i], scrambled(shard.keys[i]));
    keys[at] = shard.keys[i];
    values[at] = shard.values[i];
  }
  shard.keys.swap(keys);
  shard.values.swap(values);
}

void FeatureFrequencies::Impl::finish(const Context& context) {
  const Rarities rarities(documents_);
  unseen_ = rarities.of(0);
  std::atomic<std::uint64_t> sum{0};
  base::parallel_for(context, shards_.size(), [&](std::size_t first, std::size_t last) {
    for (std::size_t s = first; s < last; ++s) {
      std::uint64_t part = 0;
      for (std::size_t i = 0; i < shards_[s].keys.size(); ++i) {
        std::uint32_t& value = shards_[s].values[i];
        if (value == 0) continue;
        part += base::mix64(shards_[s].keys[i] + base::mix64(value));
        value = rarities.of(value);
      }
      sum += part;
    }
  });
  hash_ = base::mix64(sum + base::mix64(documents_));
}

std::uint64_t FeatureFrequencies::Impl::features() const {
  std::uint64_t taken = 0;
  for (const Shard& shard : shards_) taken += shard.taken;
  return taken;
}

std::uint32_t FeatureFrequencies::Impl::weight(Feature feature) const {
  const std::uint64_t place = scrambled(feature);
  const Shard& shard = shards_[place >> (64 - kShardBits)];
  const std::uint32_t value = shard.values[find(shard.keys, shard.values, feature, place)];
  return value == 0 ? unseen_ : value;
}

FeatureFrequencies::FeatureFrequencies(std::size_t max_bytes) : impl_(std::make_unique<Impl>(max_bytes)) {}
FeatureFrequencies::~FeatureFrequencies() = default;
FeatureFrequencies::FeatureFrequencies(FeatureFrequencies&&) noexcept = default;
FeatureFrequencies& FeatureFrequencies::operator=(FeatureFrequencies&&) noexcept = default;

void FeatureFrequencies::add(std::span<const Feature> set) {
  if (!set.empty()) impl_->add(set, 1);
}
void FeatureFrequencies::add_sets(std::span<const Feature> sets, std::uint64_t documents) {
  impl_->add(sets, documents);
}
void FeatureFrequencies::finish(const Context& context) { impl_->finish(context); }

std::uint64_t FeatureFrequencies::documents() const { return impl_->documents(); }
std::uint64_t FeatureFrequencies::features() const { return impl_->features(); }
std::size_t FeatureFrequencies::memory_bytes() const { return impl_->memory_bytes(); }
std::uint32_t FeatureFrequencies::weight(Feature feature) const { return impl_->weight(feature); }
std::uint64_t FeatureFrequencies::hash() const { return impl_->hash(); }

}  // namespace neardup
