// In how many documents does each feature occur, and what does it weigh for that?
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "neardup/context.h"
#include "neardup/features.h"

namespace neardup::features {

// Counts exactly, in a table of 12 bytes a place, of which a third to two thirds are taken; then turns the counts into
// weights. The result does not depend on the order in which documents come.
// Threads: add() may run concurrently; so may the const members after finish().
class DocumentFrequencies {
 public:
  explicit DocumentFrequencies(std::size_t max_bytes);

  // The feature sets of some documents that have features, one behind the other.
  // Throws Error{limit} when the table would outgrow max_bytes.
  void add(std::span<const Feature> features, std::uint64_t documents);
  // Every document has been added: from now on weights can be asked for.
  void finish(const Context&);

  [[nodiscard]] std::uint64_t documents() const { return documents_; }
  [[nodiscard]] std::uint64_t features() const;
  // rarity() of the feature; of one that no document has as if none had it.
  [[nodiscard]] std::uint32_t weight(Feature) const;
  // Stands for the number of documents and all frequencies.
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

}  // namespace neardup::features
