#include "corpus/kept_sets.h"

namespace neardup::corpus {
namespace {

using Chunk = std::shared_ptr<Feature[]>;
constexpr std::size_t kChunk = std::size_t{1} << 18;  // features

}  // namespace

struct KeptSets::Store {
  std::mutex mutex;
  std::vector<Chunk> chunks;  // a writer shares the one it fills
  std::size_t bytes = 0, most_bytes = 0;
  Reservation memory;
  std::atomic<bool> is_dropped = false;

  // Null when there is no room.
  Chunk add_chunk(std::size_t features) {
    const std::lock_guard lock(mutex);
    if (is_dropped) return nullptr;
    const std::size_t more = bytes + features * sizeof(Feature);
    if (more > most_bytes || !memory.try_resize(more)) {
      is_dropped = true;
      chunks.clear();
      memory.hold(0);
      return nullptr;
    }
    bytes = more;
    return chunks.emplace_back(new Feature[features]);
  }
};

KeptSets::KeptSets(std::uint64_t expected_features, std::size_t most_bytes, const Context& context) {
  if (expected_features > most_bytes / sizeof(Feature)) return;
  store_ = std::make_unique<Store>();
  store_->most_bytes = most_bytes;
  store_->memory = base::reservation(context);
}

KeptSets::KeptSets() = default;
KeptSets::~KeptSets() = default;
KeptSets::KeptSets(KeptSets&&) noexcept = default;
KeptSets& KeptSets::operator=(KeptSets&&) noexcept = default;

const Feature* KeptSets::Writer::keep(std::span<const Feature> set) {
  if (sets_ == nullptr) return nullptr;
  if (sets_->is_dropped) {
    chunk_.reset();
    return nullptr;
  }
  if (chunk_ == nullptr || size_ - used_ < set.size()) {
    size_ = std::max(kChunk, set.size());
    chunk_ = sets_->add_chunk(size_);
    used_ = 0;
    if (chunk_ == nullptr) return nullptr;
  }
  Feature* const copy = chunk_.get() + used_;
  std::copy(set.begin(), set.end(), copy);
  used_ += set.size();
  return copy;
}

void KeptSets::add(Unit unit, const Feature* set) {
  if (set == nullptr || store_ == nullptr) return;
  if (index(unit) >= sets_.size()) sets_.resize(index(unit) + 1);
  sets_[unit] = set;
  ++added_;
}

bool KeptSets::keeps_all(const Corpus& corpus) const {
  return store_ != nullptr && !store_->is_dropped && added_ == corpus.units.units();
}

std::size_t KeptSets::reserved_bytes() const { return store_ != nullptr ? store_->memory.bytes() : 0; }

PerUnit<std::uint32_t> KeptSets::reduce(const Corpus& corpus, const features::IgnoredFeatures& ignored,
                                        const Context& context) {
  PerUnit<std::uint32_t> left(corpus.units.units());
  base::parallel_for(context, corpus.units.units(), [&](std::size_t first, std::size_t last) {
    for (std::size_t at = first; at < last; ++at) {
      const Unit unit = unit_of(at);
      // The copies are of this object's own making.
      const std::span<Feature> set(const_cast<Feature*>(sets_[unit]), corpus.units.size[unit]);
      left[unit] = static_cast<std::uint32_t>(ignored.remove_from(set, corpus.units.group_of(unit)));
    }
  });
  return left;
}

}  // namespace neardup::corpus
