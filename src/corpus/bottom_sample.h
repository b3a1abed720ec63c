// Which documents are drawn for measuring recall, when their number is not known beforehand?
//
// Every document gets a number from the seed and its row; the sample is the documents with the smallest numbers. This
// is the same sample for any number of threads, and it is everything when the collection is small.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/random.h"
#include "corpus/units.h"

namespace neardup::corpus {

// Up to so many different documents recall is measured on all of them.
inline constexpr std::size_t kMeasuredWhole = 20'000;

class BottomSample {
 public:
  struct Drawn {
    std::uint64_t lot;
    Unit unit;
    std::vector<Feature> set;
    friend bool operator<(const Drawn& a, const Drawn& b) { return a.lot < b.lot; }
  };

  BottomSample(std::uint64_t seed, std::size_t most_documents, std::size_t most_features)
      : seed_(seed), most_documents_(most_documents), most_features_(most_features) {}

  // Whether a document at this row can still be drawn. Threads: may run beside add(); a late answer only costs a copy.
  [[nodiscard]] bool wants(Row row) const { return lot(row) < limit_.load(std::memory_order_relaxed); }

  void add(Row, Unit, std::vector<Feature> set);
  // With the index that measuring makes of it.
  static constexpr std::size_t kBytesPerFeature = 64;
  [[nodiscard]] std::size_t memory_bytes() const { return features_ * kBytesPerFeature; }

  static void save(base::StateWriter&, std::span<const Drawn>);
  static std::vector<Drawn> load(base::StateReader&, const PerUnit<std::uint32_t>& set_sizes);

  // The drawn documents in ascending order of their numbers; a prefix of them is a smaller sample of the same kind.
  [[nodiscard]] std::vector<Drawn> take();

 private:
  [[nodiscard]] std::uint64_t lot(Row row) const {
    return base::mix64(seed_ ^ base::mix64(index(row) + std::uint64_t{1}));
  }

  std::uint64_t seed_;
  std::size_t most_documents_, most_features_;
  std::size_t features_ = 0;
  std::atomic<std::uint64_t> limit_{~std::uint64_t{0}};
  std::vector<Drawn> heap_;  // the largest lot on top
};

}  // namespace neardup::corpus
